// Sentences about the result of fetching a robots.txt.
#pragma once

#include <string>
#include <string_view>

#include <robotrules/message.hpp>

#include "base/answer_json.hpp"

namespace robotrules::cli {

using base::append_robots;
using base::RobotsFacts;

// Returns "https://example.org/robots.txt (rules, 200, fetched 2026-11-21T15:04:05.000000Z)"
std::string robots_text(const RobotsFacts& robots);

// Returns why a robots.txt has no rules: "robots.txt answers 403", "robots.txt cannot be fetched (timeout)".
std::string why_no_rules(RobotsOutcome outcome, int status, std::string_view warning);

// The reason for the access to a site without rules.
struct WithoutRules {
  std::string_view code;  // stable: "robots-unavailable" or "robots-unreachable"
  std::string sentence;   // "robots.txt answers 403, so by the policy strict the whole site is disallowed"
};
WithoutRules without_rules(RobotsOutcome outcome, int status, std::string_view warning, std::string_view policy,
                           Access access);

}  // namespace robotrules::cli
