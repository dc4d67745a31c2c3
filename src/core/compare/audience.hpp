// Who is spoken to: the robots that a file names, and which of its groups hold for each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/robots_txt.hpp>

namespace robotrules::core {

// Finds the groups of one file that hold for a robot, by asking the engine about a file that has the same runs of
// User-agent lines with one telling rule for each. Rules are a group's, settings a run's. Robots with the same groups
// are told the same rules, robots with the same runs are told the same altogether: so one set of rules has to be
// compiled, and asked, for all of them.
class GroupFinder {
 public:
  explicit GroupFinder(const RobotsTxt& file);

  struct Held {
    std::vector<std::uint32_t> groups;  // indexes into groups()
    std::vector<std::uint32_t> runs;    // numbers of runs, in file order
    std::string agent;                  // the value that names the robot in the first of them
    bool is_default = false;            // they are the groups for "*"
  };
  Held held_for(std::string_view agent) const;
  std::vector<std::uint32_t> runs_for(std::string_view agent) const { return held_for(agent).runs; }
  std::vector<std::uint32_t> groups_of(const std::vector<std::uint32_t>& runs) const;
  const std::vector<Group>& groups() const noexcept { return groups_; }

 private:
  std::vector<Group> groups_;
  Dialect dialect_;
  std::string probes_;
  struct Run {
    std::uint32_t group;
    std::string path;  // of its telling rule
  };
  std::vector<Run> runs_;
};

// The robots that the groups name, each once (without regard to ASCII case), in file order, spelled as a robot would
// give its name: "FooBot" for "FooBot/2.1 (search)". "*" is not among them. `known` are left out.
std::vector<std::string> named_robots(const std::vector<Group>& groups, const Dialect& dialect,
                                      const std::vector<std::string>& known = {});

// The name under which a robot called `name` asks under this dialect: its first word where names are product tokens.
std::string asking_name(std::string_view name, const Dialect& dialect);

// A name that no value of a User-agent line names: it stands for every robot without a group of its own.
std::string unnamed_robot(const std::vector<const std::vector<Group>*>& files);

}  // namespace robotrules::core
