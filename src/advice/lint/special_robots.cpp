#include "advice/lint/special_robots.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "advice/lint/groups.hpp"
#include "base/ascii.hpp"

namespace robotrules::advice {
namespace {

// The robots of Google and Apple. data/crawlers.json has the pages of their operators, and more such robots.
constexpr std::array<SpecialRobot, 10> robot_table = {{{"AdsBot-Google", "", true},
                                                       {"AdsBot-Google-Mobile", "", true},
                                                       {"APIs-Google", "", true},
                                                       {"Mediapartners-Google", "", true},
                                                       {"Applebot", "Googlebot", false},
                                                       {"Google-CloudVertexBot", "Googlebot", false},
                                                       {"Google-InspectionTool", "Googlebot", false},
                                                       {"Googlebot-Image", "Googlebot", false},
                                                       {"Googlebot-News", "Googlebot", false},
                                                       {"Googlebot-Video", "Googlebot", false}}};

const auto* find_name(const auto& robots, std::string_view key) {
  const auto found =
      std::ranges::find_if(robots, [&](const auto& robot) { return base::equals_ignore_case(robot.name, key); });
  return found == robots.end() ? nullptr : &*found;
}

}  // namespace

std::span<const SpecialRobot> special_robots() noexcept { return robot_table; }

AgentTokens tokens_of(const KnownRobot& robot) {
  AgentTokens agent = robot.agent;
  if (agent.tokens.empty()) agent.tokens.push_back(robot.name);
  return agent;
}

AgentTokens tokens_of(std::string_view value, std::span<const KnownRobot> robots) {
  const std::string key = agent_key(value);
  if (const KnownRobot* const robot = find_name(robots, key)) return tokens_of(*robot);
  const SpecialRobot* const special = find_name(robot_table, key);
  if (special == nullptr) return {.tokens = {key}};
  AgentTokens agent{.tokens = {key}, .ignores_star = special->ignores_star};
  if (!special->falls_back.empty()) agent.tokens.emplace_back(special->falls_back);
  return agent;
}

}  // namespace robotrules::advice
