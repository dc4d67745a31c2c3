#include "base/answer_json.hpp"

#include <charconv>

#include "base/base64.hpp"
#include "base/json_text.hpp"
#include "base/time_text.hpp"
#include "base/utf8.hpp"

namespace robotrules::base {

void append_verdict(std::string& out, std::string_view access, std::uint32_t line, std::string_view rule) {
  out += "\"access\":\"";
  out += access;
  if (line == 0) {
    out += "\",\"line\":0,\"rule\":\"\"";
    return;
  }
  out += "\",\"line\":";
  char digits[16];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, line).ptr);
  out += ",\"rule\":";
  append_json(out, rule);
  if (is_utf8(rule)) return;
  out += ",\"rule_b64\":\"";
  out += base64(rule);
  out += '"';
}

void append_robots(std::string& out, const RobotsFacts& robots) {
  out.append(",\"robots\":{\"outcome\":\"").append(robots.outcome).append("\",\"status\":");
  out += std::to_string(robots.status) + ",\"url\":";
  append_json(out, robots.url);
  out += ",\"fetched_at\":";
  out += robots.fetched_at ? '"' + time_text(*robots.fetched_at) + '"' : "null";
  if (robots.truncated) out += *robots.truncated ? ",\"truncated\":true" : ",\"truncated\":false";
  out += '}';
}

}  // namespace robotrules::base
