#include <algorithm>
#include <string>

#include <robotrules/agent_name.hpp>

#include "base/ascii.hpp"
#include "core/lint/checks.hpp"
#include "core/lint/names.hpp"

namespace robotrules::core {
namespace {

// Returns the letters and digits of a name in lower case.
std::string letters_of(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    if (base::is_letter(c) || base::is_digit(c)) letters += base::lower(c);
  }
  return letters;
}

// Returns the part of a name that is its own: "google" of "googlebot".
std::string_view stem_of(std::string_view letters) noexcept {
  for (const std::string_view ending : {"bot", "spider", "crawler"}) {
    if (letters.size() > ending.size() && letters.ends_with(ending))
      return letters.substr(0, letters.size() - ending.size());
  }
  return letters;
}

// Returns true if two names differ only in signs, or in a letter of a long name. Short names differ in a letter by
// chance: Snapbot and ShapBot are two robots.
bool is_near(std::string_view name, std::string_view known) {
  constexpr std::size_t min_stem = 6, long_stem = 9;
  const std::string a = letters_of(name), b = letters_of(known);
  if (a == b) return !a.empty();
  const std::size_t size = std::min(stem_of(a).size(), stem_of(b).size());
  if (size < min_stem || a.front() != b.front()) return false;
  const std::size_t max = size < long_stem ? 1 : 2;
  return slips_between(a, b, max) <= max;
}

}  // namespace

AgentChecks::AgentChecks(const FileLines& lines, const Dialect& dialect, std::span<const KnownRobot> robots,
                         Findings& findings)
    : lines_(lines), dialect_(dialect), findings_(findings) {
  for (const KnownRobot& robot : robots) names_.emplace(base::lower_case(robot.name), robot.name);
}

void AgentChecks::check(const Directive& agent) {
  const std::string_view value = agent.value;
  if (value == "*" || names_.contains(base::lower_case(value))) return;
  const std::string_view token = leading_product_token(value);
  const bool one_word = is_robot_name(value) && value.find('*') == std::string_view::npos;
  if (!value.empty() && token.size() < value.size() && one_word &&
      base::is_letter(value.front()) + base::is_digit(value.front()) > 0) {
    findings_.add(Code::agent_outside_grammar, agent.line, agent.value_column,
                  quoted(value) + " is not a product token of RFC 9309; robots that compare only such tokens read " +
                      (token.empty() ? "no name" : quoted(token)) + ".",
                  "Keep it if the robot's operator asks for this name.");
    near_miss(agent);
  } else if (token.empty()) {
    unmatchable(agent);
  } else if (token.size() < value.size()) {
    cut_short(agent, token);
  } else {
    near_miss(agent);
  }
}

void AgentChecks::unmatchable(const Directive& agent) {
  const std::string_view value = agent.value;
  if (value.empty()) {
    findings_.add(Code::unmatchable_agent, agent.line, agent.value_column,
                  "The User-agent line names no robot; robots of RFC 9309 never match it, old robots always do.",
                  "Write a robot's name, or \"*\" for all robots.");
  } else if (value.front() == '*' && base::is_space(value[1])) {
    findings_.add(Code::agent_cut_short, agent.line, agent.value_column,
                  quoted(value) + " is read as \"*\" by some robots and as a robot's name by others.",
                  "Write \"*\" alone.");
  } else {
    std::string message = quoted(value) + " does not begin with a product token, so robots of RFC 9309 never match it";
    if (value.front() == '*') {
      message += ": a \"*\" in a name is not a wildcard.";
    } else if (dialect_.agent_match == Dialect::AgentMatch::product_token_whole) {
      message += "; a robot with exactly this name matches only if whole names are compared, as here.";
    } else {
      message += ".";
    }
    findings_.add(Code::unmatchable_agent, agent.line, agent.value_column, std::move(message),
                  "Write the robot's product token alone: letters, \"-\" and \"_\".");
  }
}

void AgentChecks::cut_short(const Directive& agent, std::string_view token) {
  const std::string_view value = agent.value;
  const char next = value[token.size()];
  std::string message = "Robots of RFC 9309 read only " + quoted(token) + " of " + quoted(value) + ": ";
  std::vector<LineEdit> edits;
  if (next == '/') {
    message += "they ignore the version, and older robots match nothing.";
  } else if (base::is_space(next)) {
    message += "a robot's name is one word.";
  } else if (next == '*') {
    message += "a \"*\" inside a name is not a wildcard.";
  } else {
    message += "the line applies to a robot of that name, and to the intended robot only if whole names are compared.";
  }
  if (next == '/' || value.substr(token.size()) == "*") {
    const std::string_view line = lines_.text(agent.line);
    std::string written(line);
    written.erase(agent.value_column - 1 + token.size(), value.size() - token.size());
    edits = {{agent.line, {std::move(written)}}};
  }
  findings_.add(Code::agent_cut_short, agent.line, agent.value_column, std::move(message),
                edits.empty() ? "Write the robot's product token alone: letters, \"-\" and \"_\"."
                              : "Write " + quoted(token) + ".",
                std::move(edits));
}

void AgentChecks::near_miss(const Directive& agent) {
  const std::string key = agent_key(agent.value);
  if (names_.contains(key)) return;
  std::string_view nearest;
  for (const auto& [known, name] : names_) {
    if (is_near(key, known) && (nearest.empty() || name < nearest)) nearest = name;
  }
  if (nearest.empty()) return;
  findings_.add(Code::near_miss_agent, agent.line, agent.value_column,
                quoted(agent.value) + " is not a known robot; " + quoted(nearest) + " is.",
                "Write " + quoted(nearest) + " if that robot is meant.");
}

}  // namespace robotrules::core
