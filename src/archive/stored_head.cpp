#include "archive/stored_head.hpp"

#include <algorithm>

#include "archive/warc_head.hpp"
#include "base/ascii.hpp"

namespace robotrules::archive {
namespace {

constexpr std::string_view http_1_1 = "HTTP/1.1";
// Before the names of the fields that had the end of the body, if its transfer coding was removed.
constexpr std::string_view renamed_prefix = "X-Crawler-";

bool tells_end_of_body(std::string_view name) {
  return base::equals_ignore_case(name, "Transfer-Encoding") || base::equals_ignore_case(name, "Content-Length");
}

bool is_later(std::string_view version) { return version == "HTTP/2" || version == "HTTP/3"; }

}  // namespace

std::string_view protocol_of(std::string_view response_head) {
  const std::string_view version = response_head.substr(0, response_head.find(' '));
  if (!is_later(version)) return {};
  return version.ends_with('2') ? "h2" : "h3";
}

std::string stored_request_head(std::string_view head, bool keep_secrets) {
  std::string out;
  out.reserve(head.size() + 2);
  const std::string_view line = take_line(head);
  const std::string_view text = line.substr(0, line.find_first_of("\r\n"));
  const std::size_t blank = text.rfind(' ');
  if (blank != std::string_view::npos && is_later(text.substr(blank + 1))) {
    out.append(text, 0, blank + 1).append(http_1_1).append(line, text.size());
  } else {
    out += line;
  }
  if (keep_secrets) return out.append(head);
  while (!head.empty()) {
    const std::string_view field = take_line(head);
    const std::string name = named_value(field).first;
    if (name != "authorization" && name != "cookie") {
      out += field;
      continue;
    }
    out.append(field, 0, field.find(':') + 1).append(" (not kept)").append(field.ends_with("\r\n") ? "\r\n" : "\n");
  }
  return out;
}

std::string stored_response_head(std::string_view head, std::optional<std::uint64_t> length) {
  std::string out;
  out.reserve(head.size() + 64);
  const bool later = !protocol_of(head).empty();
  if (later) {
    out += http_1_1;
    head.remove_prefix(std::min(head.find(' '), head.size()));
  }
  out += take_line(head);
  bool has_length = false;
  bool coded = false;
  for (std::string_view rest = head; !rest.empty();) {
    const std::string name = named_value(take_line(rest)).first;
    has_length = has_length || name == "content-length";
    coded = coded || name == "transfer-encoding";
  }
  while (!head.empty()) {
    const std::string_view line = take_line(head);
    const bool at_end = line == "\r\n" || line == "\n";
    if (at_end && length && (coded || (later && !has_length))) {
      out += "Content-Length: " + std::to_string(*length) + std::string(line);
    }
    // The transfer coding is removed, and a length beside it has no meaning (RFC 9112 section 6.3).
    if (coded && tells_end_of_body(named_value(line).first)) out += renamed_prefix;
    out += line;
  }
  return out;
}

Headers sent_headers(const Headers& stored) {
  const std::string coding = std::string(renamed_prefix) + "Transfer-Encoding";
  if (!stored.has(coding)) return stored;
  Headers sent;
  for (const HeaderField& field : stored) {
    std::string_view name = field.name;
    if (base::equals_ignore_case(name, "Content-Length")) continue;  // it was added
    if (base::starts_with_ignore_case(name, renamed_prefix) && tells_end_of_body(name.substr(renamed_prefix.size()))) {
      name.remove_prefix(renamed_prefix.size());
    }
    sent.add(name, field.value);
  }
  return sent;
}

}  // namespace robotrules::archive
