#include "archive/warc_reader.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>

#include "archive/warc_head.hpp"
#include "base/ascii.hpp"
#include "codec/decompressor.hpp"

namespace robotrules::archive {
namespace {

bool is_robots_txt(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return false;
  const std::size_t path = url.find('/', scheme + 3);
  return path != std::string_view::npos && url.substr(path) == "/robots.txt";
}

// Returns false if the chunks are incomplete.
bool join_chunks(std::string_view chunked, std::string& out) {
  while (true) {
    const std::size_t end = chunked.find('\n');
    if (end == std::string_view::npos) return false;
    const std::string_view line = base::trimmed(chunked.substr(0, end));
    const auto size = whole_number(line.substr(0, line.find(';')), 16);
    chunked.remove_prefix(end + 1);
    if (!size || *size > chunked.size()) return false;
    if (*size == 0) return true;
    out.append(chunked, 0, static_cast<std::size_t>(*size));
    chunked.remove_prefix(static_cast<std::size_t>(*size));
    if (chunked.starts_with("\r\n"))
      chunked.remove_prefix(2);
    else if (chunked.starts_with("\n"))
      chunked.remove_prefix(1);
    else
      return false;
  }
}

bool begins_a_chunk(std::string_view body) {
  const std::string_view line = base::trimmed(body.substr(0, body.find('\n')));
  const std::string_view size = line.substr(0, line.find(';'));
  return !size.empty() && whole_number(size, 16).has_value();
}

// Decodes one gzip member or zlib stream, but at most `limit` bytes of it. Returns false if it is damaged or incomplete
// before that limit.
bool unpack(std::string_view packed, std::size_t limit, std::string& out) {
  const auto decompressor =
      codec::make_decompressor(packed.starts_with("\x1f\x8b") ? codec::Format::gzip : codec::Format::zlib);
  std::array<char, std::size_t{16} * 1024> piece;
  codec::Step step;
  do {
    step = decompressor->step(packed, piece);
    packed.remove_prefix(step.used);
    out.append(piece.data(), std::min(step.made, limit - out.size()));
  } while (!step.ended && step.damage == nullptr && step.used + step.made > 0 && out.size() < limit);
  return step.ended || out.size() == limit;
}

// The fields of a response that say how its body is written.
struct BodyFields {
  bool chunked = false;
  std::string coding;
  std::optional<std::uint64_t> length;
};

// Removes the head of a response from `block`. Returns false if the block ends before the head does.
bool take_head(std::string_view& block, BodyFields& fields) {
  for (std::size_t end = block.find('\n'); end != std::string_view::npos; end = block.find('\n')) {
    const std::string_view line = base::trimmed(block.substr(0, end));
    block.remove_prefix(end + 1);
    if (line.empty()) return true;
    const auto [name, value] = named_value(line);
    if (name == "transfer-encoding") fields.chunked = base::lower_case(value).ends_with("chunked");
    if (name == "content-encoding") fields.coding = base::lower_case(value);
    if (name == "content-length") fields.length = whole_number(value);
  }
  return false;
}

// Decodes a body. Returns why it cannot be decoded; empty if it was.
std::string take_body(std::string_view body, const BodyFields& fields, std::string& into) {
  std::string joined;
  if (fields.chunked && begins_a_chunk(body)) {  // if not, the recorder removed the chunks and kept the field
    if (!join_chunks(body, joined)) return "the chunks of the body are incomplete";
    body = joined;
  } else if (fields.length && fields.coding.empty() && body.size() < *fields.length) {
    return "the body is shorter than its Content-Length";
  }
  const std::string& coding = fields.coding;
  const bool is_gzip = coding == "gzip" || coding == "x-gzip";
  if (!coding.empty() && coding != "identity" && !is_gzip && coding != "deflate") {
    return "the body has an unsupported content coding";
  }
  const bool packed = coding == "deflate" || (is_gzip && (body.empty() || body.starts_with("\x1f\x8b")));
  if (!packed) {  // perhaps the recorder removed the coding
    into = body.substr(0, WarcReader::max_body);
    return {};
  }
  return unpack(body, WarcReader::max_body, into) ? "" : "the body's " + coding + " coding is damaged";
}

}  // namespace

void read_recorded_response(std::string_view block, WarcRobots& into) {
  into.status = 0;
  into.body.clear();
  into.fault.clear();
  const std::size_t end = block.find('\n');
  const std::string_view first = base::trimmed(block.substr(0, end));
  const std::size_t blank = first.find(' ');
  const std::uint64_t status =
      blank == std::string_view::npos ? 0 : whole_number(first.substr(blank + 1, 3)).value_or(0);
  if (!first.starts_with("HTTP/") || status < 100) {
    into.fault = "the record does not contain an HTTP response";
    return;
  }
  into.status = static_cast<int>(status);
  block.remove_prefix(std::min(end, block.size()));
  if (!block.empty()) block.remove_prefix(1);
  BodyFields fields;
  into.fault = take_head(block, fields) ? take_body(block, fields, into.body)
                                        : "the record ends inside the head of the response";
}

WarcReader::WarcReader(const std::string& path) : path_(path) {
  std::error_code ignored;
  size_ = std::filesystem::file_size(path, ignored);
  if (ignored) size_ = 0;
  auto opened = PackedFile::open_any(path);
  if (opened)
    file_ = std::move(opened).value();
  else
    error_ = "cannot be opened";
}

std::uint64_t WarcReader::bytes_read() const {
  return file_ == nullptr ? 0 : std::min(file_->packed_bytes_used(), size_);
}

bool WarcReader::fail(const std::string& what) {
  error_ = what + " in record " + std::to_string(records_ + 1);
  if (const std::string fault = file_->fault(); !fault.empty()) error_ += " (" + path_ + ": " + fault + ")";
  return false;
}

bool WarcReader::next(WarcRobots& found) {
  if (file_ == nullptr || !error_.empty()) return false;
  std::string line;
  while (true) {
    do {
      if (!read_head_line(*file_, line)) {
        const bool is_at_end = line.empty() && file_->fault().empty();
        return is_at_end ? false : fail("the file ends early or contains no WARC record");
      }
    } while (line.empty());
    if (!line.starts_with("WARC/")) return fail("the line \"WARC/...\" is missing");
    found = {};
    WarcHead head;
    if (!read_warc_fields(*file_, head)) return fail("the head is incomplete or too long");
    if (!head.length) return fail("the head has no Content-Length");
    const std::uint64_t length = *head.length;
    found.url = std::move(head.target_uri);
    found.date = std::move(head.date);
    const bool wanted = head.type == "response" && is_robots_txt(found.url);
    const std::uint64_t kept = wanted ? std::min<std::uint64_t>(length, 2 * max_body) : 0;
    std::string block;
    if (!file_->take(kept, &block) || !file_->take(length - kept, nullptr)) return fail("the file ends early");
    ++records_;
    if (on_record_) on_record_();
    if (!wanted) continue;
    read_recorded_response(block, found);
    if (found.fault.empty() && (head.truncated || kept < length))
      found.fault = "the record was cut when it was written";
    return true;
  }
}

}  // namespace robotrules::archive

namespace robotrules {

Result<void> read_warc_robots(const std::string& path, const std::function<bool(WarcRobots robots)>& on_robots,
                              const std::function<void(std::uint64_t done, std::uint64_t all)>& on_progress) {
  archive::WarcReader reader(path);
  if (on_progress) reader.on_record([&] { on_progress(reader.bytes_read(), reader.bytes_in_all()); });
  WarcRobots found;
  while (reader.next(found)) {
    if (!on_robots(std::exchange(found, {}))) return {};
  }
  return reader.error().empty() ? Result<void>() : Error{"warc-damaged", reader.error()};
}

}  // namespace robotrules
