#include "archive/recorded_response.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "archive/warc_head.hpp"
#include "base/ascii.hpp"
#include "codec/content_decoder.hpp"
#include "fields/status_line.hpp"

namespace robotrules::archive {
namespace {

// Removes a line from `block` and returns it without its end; null: the block ends before the line does.
std::optional<std::string_view> next_line(std::string_view& block) {
  std::string_view line = take_line(block);
  if (!line.ends_with('\n')) return std::nullopt;
  line.remove_suffix(line.ends_with("\r\n") ? 2 : 1);
  return line;
}

// Removes the fields from `block`. Returns false if the block ends before the head does.
bool take_fields(std::string_view& block, RecordedResponse& into) {
  std::string name;
  std::string value;
  const auto keep = [&] {
    if (!name.empty()) into.headers.add(name, value);
    name.clear();
  };
  while (const auto line = next_line(block)) {
    if (line->empty()) {
      keep();
      return true;
    }
    if (line->front() == ' ' || line->front() == '\t') {
      const std::string_view more = base::trimmed(*line);
      if (!value.empty() && !more.empty()) value += ' ';
      value += more;
      continue;
    }
    keep();
    const std::size_t colon = line->find(':');
    into.has_odd_line = into.has_odd_line || colon == std::string_view::npos;
    if (colon == std::string_view::npos) continue;
    name = base::trimmed(line->substr(0, colon));
    value = base::trimmed(line->substr(colon + 1));
  }
  return false;
}

// Returns false if the chunks are incomplete.
bool join_chunks(std::string_view chunked, std::string& out) {
  while (const auto line = next_line(chunked)) {
    const auto size = whole_number(base::trimmed(line->substr(0, line->find(';'))), 16);
    if (!size || *size > chunked.size()) return false;
    if (*size == 0) return true;
    out.append(chunked, 0, static_cast<std::size_t>(*size));
    chunked.remove_prefix(static_cast<std::size_t>(*size));
    if (const auto end = next_line(chunked); !end || !end->empty()) return false;
  }
  return false;
}

bool begins_a_chunk(std::string_view body) {
  const auto line = next_line(body);
  return line && whole_number(base::trimmed(line->substr(0, line->find(';'))), 16).has_value();
}

// Returns true if the last transfer coding is "chunked".
bool is_chunked(const Headers& headers) {
  const auto values = headers.all("Transfer-Encoding");
  return !values.empty() && base::lower_case(values.back()).ends_with("chunked");
}

// Decodes a body. Returns why it cannot be decoded; empty if it was.
std::string take_body(std::string_view body, std::size_t max_body, RecordedResponse& into) {
  std::string joined;
  const auto codings = codec::codings_of(into.headers.all("Content-Encoding"));
  if (is_chunked(into.headers) && begins_a_chunk(body)) {
    if (!join_chunks(body, joined)) return "the chunks of the body are incomplete";
    body = joined;
  } else if (codings.formats.empty()) {
    const auto length = whole_number(into.headers.get("Content-Length").value_or(""));
    if (length && body.size() < std::min<std::uint64_t>(*length, max_body))
      return "the body is shorter than its Content-Length";
  }
  if (!codings.known || codings.formats.size() > codec::max_codings)
    return "the body has an unsupported content coding";
  const bool is_gzip = codings.formats == std::vector{codec::Format::gzip};
  if (codings.formats.empty() || (is_gzip && !body.empty() && !body.starts_with("\x1f\x8b"))) {
    into.is_cut = body.size() > max_body;
    into.body = body.substr(0, max_body);
    return {};
  }
  const codec::Decoded outcome = codec::decode_body(codings.formats, body, max_body, into.body);
  into.is_cut = outcome == codec::Decoded::cut;
  return into.is_cut || outcome == codec::Decoded::whole ? "" : "the content coding of the body is damaged";
}

}  // namespace

RecordedResponse read_recorded_response(std::string_view block, std::size_t max_body, bool answers_head) {
  RecordedResponse read;
  const auto first = next_line(block);
  const auto status = first ? agent::read_status_line(*first) : std::nullopt;
  if (!status || status->status < 100) {
    read.fault = "the record does not contain an HTTP response";
    return read;
  }
  read.status = status->status;
  read.message = status->reason;
  if (!take_fields(block, read)) {
    read.fault = "the record ends inside the head of the response";
  } else if (agent::may_have_body(answers_head, read.status)) {
    const std::string fault = take_body(block, max_body, read);
    if (read.status < 300) read.fault = fault;
  }
  return read;
}

}  // namespace robotrules::archive
