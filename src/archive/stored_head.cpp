#include "archive/stored_head.hpp"

#include <algorithm>

#include "archive/warc_head.hpp"
#include "base/ascii.hpp"

namespace robotrules::archive {
namespace {

constexpr std::string_view http_1_1 = "HTTP/1.1";
constexpr std::string_view renamed_prefix = "X-Crawler-";

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
    const std::size_t colon = field.find(':');
    const std::string name = base::lower_case(base::trimmed(field.substr(0, colon)));
    if (colon == std::string_view::npos || (name != "authorization" && name != "cookie")) {
      out += field;
      continue;
    }
    out.append(field, 0, colon + 1).append(" (not kept)").append(field.ends_with("\r\n") ? "\r\n" : "\n");
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
  const auto name_of = [](std::string_view line) {
    return base::lower_case(base::trimmed(line.substr(0, line.find(':'))));
  };
  bool has_length = false;
  bool coded = false;
  for (std::string_view rest = head; !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (line.find(':') == std::string_view::npos) continue;
    has_length = has_length || name_of(line) == "content-length";
    coded = coded || name_of(line) == "transfer-encoding";
  }
  while (!head.empty()) {
    const std::string_view line = take_line(head);
    const bool at_end = line == "\r\n" || line == "\n";
    if (at_end && length && (coded || (later && !has_length))) {
      out += "Content-Length: " + std::to_string(*length) + std::string(line);
    }
    // The transfer coding is removed, and a length beside it has no meaning (RFC 9112 section 6.3).
    const bool renamed = coded && (name_of(line) == "transfer-encoding" || name_of(line) == "content-length");
    if (renamed && line.find(':') != std::string_view::npos) out += renamed_prefix;
    out += line;
  }
  return out;
}

Headers sent_headers(const Headers& stored) {
  const std::string coding = std::string(renamed_prefix) + "Transfer-Encoding";
  if (!stored.has(coding)) return stored;
  Headers sent;
  for (const HeaderField& field : stored) {
    const std::string name = base::lower_case(field.name);
    if (name == "content-length") continue;  // it was added
    const bool renamed = name == "x-crawler-transfer-encoding" || name == "x-crawler-content-length";
    sent.add(std::string_view(field.name).substr(renamed ? renamed_prefix.size() : 0), field.value);
  }
  return sent;
}

}  // namespace robotrules::archive
