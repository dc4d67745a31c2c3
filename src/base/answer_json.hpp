// The members of an answer about robots.txt in JSON. `check --json`, `batch` and the NDJSON of a crawl write the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/base.hpp>

#include "base/visibility.hpp"

namespace robotrules::base {

// Appends `"access":"disallowed","line":3,"rule":"Disallow: /x"`, and `,"rule_b64":"..."` if the rule is not UTF-8.
// Line 0 and an empty rule: no rule decided.
ROBOTRULES_INTERNAL_API void append_verdict(std::string& out, std::string_view access, std::uint32_t line,
                                            std::string_view rule);

// The result of fetching a robots.txt.
struct RobotsFacts {
  std::string_view outcome = "rules";  // "rules", "unavailable", "unreachable"; "stale": the last good copy is in force
  int status = 0;                      // of the last answer; 0: there was none
  std::string url;                     // after all redirects
  std::optional<Timestamp> fetched_at;  // null: unknown
  std::optional<bool> truncated;        // null: unknown
};

// Appends `,"robots":{"outcome":"rules",...}`.
ROBOTRULES_INTERNAL_API void append_robots(std::string& out, const RobotsFacts& robots);

}  // namespace robotrules::base
