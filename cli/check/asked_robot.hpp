// The robots that `check` and `show` are asked about.
#pragma once

#include <string>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/crawlers.hpp>
#include <robotrules/rules.hpp>

#include "cli/flags/flag_choice.hpp"

namespace robotrules::cli {

struct AskedRobot {
  std::string name;
  // The groups that it obeys: those of its name, or what the list of crawlers says. The first name is the header as
  // given, for dialects with Dialect::whole_header.
  AgentTokens agent;
  Obeys obeys = Obeys::not_stated;

  AskedRobot(std::string named, std::string header) : name(std::move(named)), agent{{std::move(header)}} {}

  // Returns the names of `agent`.
  std::vector<std::string> names() const;

  // Returns true if the robot obeys other groups than every robot of that name would.
  bool is_special() const noexcept { return agent.tokens.size() > 1 || agent.ignores_star; }
};

struct AskedRobots {
  std::vector<AskedRobot> robots;  // at least one
  std::vector<std::string> notes;  // printable sentences, such as: this name also obeys Googlebot's group
  AgentChoice first;               // the robot that fetches
  bool is_given = false;           // by --agent or --robot
};

// Reads --agent, --robot and --exact-agent. Without --exact-agent, a name in the built-in list of crawlers stands for
// that crawler. Fails with "invalid-agent".
Result<AskedRobots> read_asked_robots(const Given& given);

}  // namespace robotrules::cli
