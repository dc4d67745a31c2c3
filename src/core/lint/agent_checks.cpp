#include <algorithm>
#include <string>

#include <robotrules/agent_name.hpp>

#include "base/ascii.hpp"
#include "core/lint/checks.hpp"
#include "core/lint/names.hpp"

namespace robotrules::core {

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
  constexpr std::size_t min_letters = 6;  // shorter names differ in a letter by chance
  const std::string key = agent_key(agent.value);
  if (key.size() < min_letters || names_.contains(key)) return;
  std::string_view nearest;
  std::size_t fewest = key.size() < 9 ? 2 : 3;  // more slips than that are another name
  for (const auto& [known, name] : names_) {
    if (known.size() < min_letters || known.front() != key.front()) continue;
    const std::size_t slips = slips_between(key, known, fewest);
    if (slips < fewest || (slips == fewest && !nearest.empty() && name < nearest)) {
      fewest = slips;
      nearest = name;
    }
  }
  if (nearest.empty()) return;
  findings_.add(Code::near_miss_agent, agent.line, agent.value_column,
                quoted(agent.value) + " is not a known robot; " + quoted(nearest) + " is.",
                "Write " + quoted(nearest) + " if that robot is meant.");
}

}  // namespace robotrules::core
