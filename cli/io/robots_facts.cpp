#include "cli/io/robots_facts.hpp"

#include "base/escape.hpp"
#include "base/time_text.hpp"

namespace robotrules::cli {

std::string robots_text(const RobotsFacts& robots) {
  std::string text = base::printable(robots.url) + " (" + std::string(robots.outcome);
  if (robots.status != 0) text += ", " + std::to_string(robots.status);
  if (robots.fetched_at) text += ", fetched " + base::time_text(*robots.fetched_at);
  if (robots.truncated.value_or(false)) text += ", cut at the size limit";
  return text + ")";
}

std::string why_no_rules(RobotsOutcome outcome, int status, std::string_view warning) {
  if (outcome == RobotsOutcome::unavailable) {
    const bool redirects = status >= 300 && status < 400;
    return redirects ? "robots.txt redirects too often" : "robots.txt answers " + std::to_string(status);
  }
  std::string text = "robots.txt cannot be fetched";
  if (!warning.empty()) return text.append(" (").append(warning).append(")");
  if (status != 0) text += " (the server answers " + std::to_string(status) + ")";
  return text;
}

WithoutRules without_rules(RobotsOutcome outcome, int status, std::string_view warning, std::string_view policy,
                           Access access) {
  WithoutRules made;
  made.code = outcome == RobotsOutcome::unavailable ? "robots-unavailable" : "robots-unreachable";
  made.sentence = why_no_rules(outcome, status, warning) + ", so by the policy " + std::string(policy) +
                  " the whole site is " + std::string(to_string(access));
  return made;
}

}  // namespace robotrules::cli
