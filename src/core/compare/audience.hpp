// The robots that a file names, and the groups that apply to each of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/compare.hpp>

namespace robotrules::core {

// Finds the groups of one file that apply to a robot. It compiles a probe file: the same runs of User-agent lines, each
// with one rule that only this run has. The rules of the probe file that the robot gets tell which runs name it. So
// names are matched in one place only, the engine.
//
// Rules belong to a group, settings to a run. So robots with equal groups have the same rules, and robots with equal
// runs have the same rules and settings: one of them can be asked for all.
class GroupFinder {
 public:
  explicit GroupFinder(const RobotsTxt& file);

  struct Found {
    AppliedGroups applied;
    std::vector<std::uint32_t> runs;  // numbers of runs, in file order
  };
  Found find(std::string_view agent) const;
  Found find(const AgentTokens& agent) const;

  // Returns the indexes of the groups that contain these runs, ascending.
  std::vector<std::uint32_t> groups_of(const std::vector<std::uint32_t>& runs) const;

  const std::vector<Group>& groups() const noexcept { return groups_; }

  // Returns the patterns of all rules, in file order.
  std::vector<std::string_view> patterns() const;

 private:
  Found find_runs(const Rules& rules) const;  // `rules`: of the probe file

  std::vector<Group> groups_;
  Dialect dialect_;
  std::string probe_file_;
  struct Run {
    std::uint32_t group;
    std::string path;  // pattern of its rule in the probe file
  };
  std::vector<Run> runs_;
};

// Returns the robots that the groups name, each once (ASCII case is ignored), in file order, as a robot would write its
// name: "FooBot" for "FooBot/2.1 (search)". "*" and the names in `known` are left out.
std::vector<std::string> named_robots(const std::vector<Group>& groups, const Dialect& dialect,
                                      const std::vector<std::string>& known = {});

// Returns a name that no User-agent line of these files names. It stands for every robot without a group of its own.
std::string unnamed_robot(const std::vector<const std::vector<Group>*>& files);

}  // namespace robotrules::core
