#include "cli/get/denial.hpp"

#include "base/escape.hpp"
#include "cli/io/network.hpp"
#include "cli/io/robots_facts.hpp"

namespace robotrules::cli {

std::string denial(std::string_view url, const RobotsNote& note) {
  if (note.url.empty() && !note.warning.empty()) return base::printable(url) + ": " + base::printable(note.warning);
  const std::string why = note.verdict.why() == Why::rule
                              ? note.verdict.explanation()
                              : base::printable(why_no_rules(note.outcome, note.status, note.warning)) +
                                    std::string(hint_for(note.cause)) +
                                    (note.outcome == RobotsOutcome::unreachable ? ", so no page of the site is fetched"
                                                                                : ", so the whole site is disallowed");
  return base::printable(url) + ": " + why + " [" + base::printable(note.url) + "]";
}

std::string denial(std::string_view url, const Response& response) {
  if (response.robots == nullptr) return base::printable(url) + ": " + base::printable(response.warning);
  if (response.previous == nullptr) return denial(url, *response.robots);
  return base::printable(url) + " redirects to " + denial(response.url, *response.robots);
}

}  // namespace robotrules::cli
