#include "cli/get/denial.hpp"

#include "cli/robots_facts.hpp"
#include "cli/text.hpp"

namespace robotrules::cli {

std::string denial(std::string_view url, const RobotsNote& note) {
  const std::string why =
      note.verdict.why() == Why::rule
          ? note.verdict.explanation()
          : printable(why_no_rules(note.outcome, note.status, note.warning)) + ", so all of the site is disallowed";
  return printable(url) + ": " + why + " [" + printable(note.url) + "]";
}

std::string denial(std::string_view url, const Response& response) {
  if (response.robots == nullptr) return printable(url) + ": " + printable(response.warning);
  if (response.previous == nullptr) return denial(url, *response.robots);
  return printable(url) + " redirects to " + denial(response.url, *response.robots);
}

}  // namespace robotrules::cli
