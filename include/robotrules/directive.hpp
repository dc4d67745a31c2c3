// Directive: one line of a robots.txt that says something.
#pragma once

#include <cstdint>
#include <string_view>

namespace robotrules {

enum class DirectiveKind : std::uint8_t {
  user_agent,
  allow,
  disallow,
  sitemap,
  crawl_delay,
  request_rate,
  visit_time,
  host,
  clean_param,
  noindex,
  content_signal,
  content_usage,
  other,  // kept as it is
};

// The usual spelling, "User-agent", "Disallow" ...; empty for `other`. The view is of a literal.
std::string_view to_string(DirectiveKind kind) noexcept;

// True for settings: directives that hold for the robots named by the nearest User-agent lines above them.
constexpr bool is_setting(DirectiveKind kind) noexcept {
  return kind == DirectiveKind::crawl_delay || kind == DirectiveKind::request_rate ||
         kind == DirectiveKind::visit_time || kind == DirectiveKind::content_signal ||
         kind == DirectiveKind::content_usage;
}

// `name` and `value` are views into the RobotsTxt (they live as long as any copy of it): white space at both ends and
// the comment are cut off, nothing else is changed. Lines and columns count from 1, columns in octets.
struct Directive {
  DirectiveKind kind = DirectiveKind::other;
  std::uint32_t line = 0;
  std::uint32_t column = 0;        // of the name
  std::uint32_t value_column = 0;  // of the value
  std::int32_t group = -1;         // index of the group it belongs to, -1 before the first
  // The first line of the nearest run of User-agent lines in its group, this one included; 0: there is none. A
  // User-agent line after a rule or a setting begins a new run. A setting holds for the robots that its run names.
  std::uint32_t run_line = 0;
  std::string_view name;
  std::string_view value;
};

}  // namespace robotrules
