#include "cli/flags/flag_choice.hpp"

#include <robotrules/rules.hpp>
#include <robotrules/version.hpp>

#include "base/ascii.hpp"
#include "base/escape.hpp"
#include "cli/flags/flags.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {

std::string unknown_command(std::string_view name) {
  return "unknown command \"" + base::printable(name) + "\"; " +
         suggestion(name, words_for(Takes::command), "robotrules --help lists the commands");
}

std::string unknown_name(std::string_view what, std::string_view name, const std::vector<std::string_view>& names) {
  std::string error =
      "unknown " + std::string(what) + " \"" + base::printable(name) + "\"; use one of " + listed(names);
  if (const auto near = nearest(name, names); !near.empty()) error += "; did you mean " + std::string(near) + "?";
  return error;
}

std::string unknown_dialect(std::string_view name) {
  const auto names = words_for(Takes::dialect);
  if (name == all_dialects) {
    return "\"all\" compares the dialects and works only with robotrules check; use one of " + listed(names);
  }
  return unknown_name("dialect", name, names);
}

Result<const Dialect*> choose_dialect(const std::optional<std::string>& name) {
  const Dialect* const dialect = name ? Dialect::find(*name) : &Dialect::rfc9309();
  return dialect != nullptr ? Result<const Dialect*>(dialect) : Error{"invalid-dialect", unknown_dialect(*name)};
}

Result<AgentChoice> choose_agent(const std::optional<std::string>& agent, const std::optional<std::string>& robot) {
  const auto no_robot = [](std::string_view flag, const std::string& given) {
    return Error{"invalid-agent", "--" + std::string(flag) + " \"" + base::printable(given) +
                                      "\" contains no robot name; give a name such as FooBot"};
  };
  if (robot && !is_robot_name(*robot)) return no_robot("robot", *robot);
  if (robot) return AgentChoice{*robot, {}, *robot, agent};
  if (!agent) return AgentChoice();
  AgentChoice choice{std::string(robot_name(*agent)), {}, *agent, agent};
  if (choice.name.empty()) return no_robot("agent", *agent);
  const bool with_version = agent->starts_with(choice.name + "/") && agent->find_first_of(" \t(),;") == agent->npos;
  if (choice.name == *agent || with_version) return choice;
  choice.note =
      "note: --agent \"" + base::printable(*agent) + "\" is read as the robot " + base::printable(choice.name);
  const auto tokens = product_tokens(*agent);
  if (tokens.size() > 1) {
    choice.note += "; if the robot has another name, give only that name:";
    for (std::size_t i = 1; i < tokens.size(); ++i) choice.note += " " + base::printable(tokens[i]);
  }
  return choice;
}

std::string header_to_send(const AgentChoice& choice, const std::string& name) {
  if (choice.sent && choice.name == name) return *choice.sent;
  return name == default_agent ? name + "/" ROBOTRULES_VERSION : name;
}

bool is_url(std::string_view text) noexcept {
  return base::starts_with_ignore_case(text, "http://") || base::starts_with_ignore_case(text, "https://");
}

Result<PolicyChoice> choose_policy(const std::optional<std::string>& name, bool strict) {
  if (strict && name && *name != RobotsPolicy::strict().name) {
    return Error{"invalid-policy", "--strict and --policy " + base::printable(*name) + " are two policies; give one"};
  }
  if (strict) return PolicyChoice{RobotsPolicy::strict(), true};
  if (!name) return PolicyChoice{RobotsPolicy::rfc9309(), false};
  if (const RobotsPolicy* policy = RobotsPolicy::find(*name)) return PolicyChoice{*policy, true};
  return Error{"invalid-policy", unknown_name("policy", *name, words_for(Takes::policy))};
}

Result<PolicyChoice> choose_policy(const Given& given) {
  return choose_policy(given.text("policy"), given.has("strict"));
}

}  // namespace robotrules::cli
