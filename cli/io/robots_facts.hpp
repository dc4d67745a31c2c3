// What came of fetching a robots.txt, as the answers tell it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <robotrules/message.hpp>
#include <robotrules/store.hpp>

namespace robotrules::cli {

struct RobotsFacts {
  std::string_view outcome = "rules";  // "rules", "unavailable", "unreachable"; "stale": the last good copy holds
  int status = 0;                      // of the last answer; 0: there was none
  std::string url;                     // where it came from in the end
  std::optional<Timestamp> fetched_at;
  std::optional<bool> truncated;  // null: not known
};

// Appends `,"robots":{"outcome":"rules",...}`.
void append_robots(std::string& out, const RobotsFacts& robots);

// "https://example.org/robots.txt (rules, 200, fetched 2026-11-21T15:04:05.000000Z)"
std::string robots_text(const RobotsFacts& robots);

// Of a robots.txt without rules: "robots.txt answers 403", "robots.txt can't be had (timeout)".
std::string why_no_rules(RobotsOutcome outcome, int status, std::string_view warning);

// Why its site is judged as it is.
struct WithoutRules {
  std::string_view code;  // stable: "robots-unavailable" or "robots-unreachable"
  std::string sentence;   // "robots.txt answers 403, so by the policy strict all of the site is disallowed"
};
WithoutRules without_rules(RobotsOutcome outcome, int status, std::string_view warning, std::string_view policy,
                           Access access);

}  // namespace robotrules::cli
