// What came of fetching a robots.txt, as the answers tell it.
#pragma once

#include <string>
#include <string_view>

#include <robotrules/message.hpp>
#include <robotrules/store.hpp>

#include "base/answer_json.hpp"

namespace robotrules::cli {

using base::append_robots;
using base::RobotsFacts;

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
