#include "core/compare/effective.hpp"

#include <optional>

namespace robotrules::core {
namespace {

enum class Holds { no, as_default, by_name };

// Asks the engine itself, with a file of one group, so that names are matched in one place only.
Holds holds_for(const Group& group, const std::string& agent, const Dialect& dialect) {
  Holds best = Holds::no;
  for (const Directive& named : group.agents) {
    const std::string probe = "User-agent: " + std::string(named.value) + "\nDisallow: /\n";
    const Rules rules = Rules::compile(probe, agent, dialect);
    const Verdict verdict = rules.check("/probe");
    if (verdict.allowed()) continue;
    if (!verdict.group().is_default) return Holds::by_name;
    best = Holds::as_default;
  }
  return best;
}

std::string two_digits(unsigned number) { return std::string(number < 10 ? "0" : "") + std::to_string(number); }

}  // namespace

Effective effective_for(const RobotsTxt& file, const std::string& agent) {
  Effective effective;
  effective.agent = agent;
  effective.compiled = file.rules_for(agent);
  std::vector<Group> defaults;
  for (Group& group : file.groups()) {
    const Holds holds = holds_for(group, agent, file.dialect());
    if (holds == Holds::by_name)
      effective.groups.push_back(std::move(group));
    else if (holds == Holds::as_default)
      defaults.push_back(std::move(group));
  }
  if (effective.groups.empty() && !defaults.empty()) {
    effective.groups = std::move(defaults);
    effective.is_default = true;
  }
  for (const Group& group : effective.groups) {
    effective.rules.insert(effective.rules.end(), group.rules.begin(), group.rules.end());
  }
  return effective;
}

std::string seconds(Milliseconds delay) {
  const auto count = delay.count();
  std::string text = std::to_string(count / 1000);
  if (const auto rest = count % 1000; rest != 0) {
    std::string digits = std::to_string(1000 + rest).substr(1);
    while (digits.ends_with('0')) digits.pop_back();
    text += "." + digits;
  }
  return text + " s";
}

std::string time_of_day(const TimeOfDay& time) {
  const auto clock = [](unsigned minutes) { return two_digits(minutes / 60) + two_digits(minutes % 60); };
  return clock(time.from) + "-" + clock(time.to) + " UTC";
}

std::string request_rate(const RequestRate& rate) {
  std::string text = std::to_string(rate.requests) + (rate.requests == 1 ? " request in " : " requests in ") +
                     std::to_string(rate.period.count()) + " s";
  if (rate.during) text += ", " + time_of_day(*rate.during);
  return text;
}

}  // namespace robotrules::core
