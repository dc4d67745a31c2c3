// The robots that a file names, and the groups that apply to each of them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/compare.hpp>

namespace robotrules::advice {

// Finds the groups of one file that apply to a robot. It compiles a probe file: runs of User-agent lines, each with one
// rule that only this run has. The rules of the probe file that the robot gets tell which runs name it. So names are
// matched in one place only, the engine. A probe file has only the lines that may name the robot: with all lines, a
// file that names n robots would take n² steps.
//
// Rules belong to a group, settings to a run. So robots with equal groups have the same rules, and robots with equal
// runs have the same rules and settings: one of them can be asked for all. One thread at a time may use it.
class GroupFinder {
 public:
  explicit GroupFinder(const RobotsTxt& file);

  struct Found {
    AppliedGroups applied;
    std::vector<std::uint32_t> runs;  // numbers of runs, in file order
  };
  Found find(std::string_view agent) const;
  Found find(const AgentTokens& agent) const;

  // Returns the rules for the robot, to which these groups apply. They have no settings for all robots.
  Rules rules_for(std::string_view agent, const std::vector<std::uint32_t>& groups) const;

  // Returns the longest Crawl-delay of these runs. Precondition: knows_delays(), which is false if a Crawl-delay has no
  // run of User-agent lines.
  std::optional<Milliseconds> crawl_delay(const std::vector<std::uint32_t>& runs) const;
  bool knows_delays() const noexcept { return knows_delays_; }

  // Returns the indexes of the groups that contain these runs, ascending.
  std::vector<std::uint32_t> groups_of(const std::vector<std::uint32_t>& runs) const;

  // Return the runs that name the robot, and the groups that contain such runs. Equal lists have the same address while
  // this object lives: many robots may have the same long list.
  using Numbers = std::vector<std::uint32_t>;
  const Numbers* kept_runs(std::string_view agent) const;
  const Numbers* kept_groups(const Numbers* runs) const;

  const std::vector<Group>& groups() const noexcept { return groups_; }

  // Returns the patterns of all rules, in file order.
  std::vector<std::string_view> patterns() const;

 private:
  // A User-agent line.
  struct Line {
    std::uint32_t run;
    std::string_view value;
  };
  using Lines = std::vector<std::uint32_t>;  // indexes into lines_

  void add_delays(const Group& group, std::size_t first_run, const std::vector<std::uint32_t>& run_lines);
  void add_line(std::uint32_t run, std::string_view value);
  void add_named(std::string_view agent, Lines& lines) const;
  std::optional<Found> find_named(const AgentTokens& agent) const;
  const Found& find_unnamed(const AgentTokens& agent) const;
  Found find_among(Lines lines, bool with_stars, const AgentTokens& agent) const;

  RobotsTxt file_;
  std::vector<Group> groups_;
  Dialect dialect_;
  std::vector<std::uint32_t> runs_;                  // the group of each run
  std::vector<std::optional<Milliseconds>> delays_;  // of each run
  bool knows_delays_ = true;
  std::vector<Line> lines_;
  std::map<std::string, Lines> named_;                   // by the names that a line can name, in lower case
  Lines any_;                                            // lines that may name any robot
  Lines stars_;                                          // lines for "*"
  std::vector<std::uint32_t> nameless_;                  // runs without User-agent lines, which are for all robots
  mutable std::array<std::optional<Found>, 2> unnamed_;  // for robots that no line names, by AgentTokens::ignores_star
  mutable std::set<Numbers> kept_;
  mutable const Numbers* kept_unnamed_ = nullptr;
  mutable std::map<const Numbers*, const Numbers*> kept_groups_;  // by kept runs
};

// Returns the robots that the groups name, each once (ASCII case is ignored), in file order, as a robot would write its
// name: "FooBot" for "FooBot/2.1 (search)". "*" and the names in `known` are left out.
std::vector<std::string> named_robots(const std::vector<Group>& groups, const Dialect& dialect,
                                      const std::vector<std::string>& known = {});

// Returns a name that no User-agent line of these files names. It stands for every robot without a group of its own.
std::string unnamed_robot(const std::vector<const std::vector<Group>*>& files);

}  // namespace robotrules::advice
