// What two robots.txt files say to each robot, compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <robotrules/robots_txt.hpp>

namespace robotrules::core {

// What one file says of one path.
struct Side {
  Access access = Access::unknown;
  Why why = Why::no_robots;
  std::uint32_t line = 0;
  std::string rule;  // "Disallow: /x"; empty where no rule decided
  friend bool operator==(const Side&, const Side&) = default;
};

// A path, the example, that one file allows and the other does not.
struct Change {
  std::string path;
  Side before;
  Side after;
  friend bool operator==(const Change&, const Change&) = default;
};

// Robots for whom the same changed.
struct RobotChange {
  bool others = false;              // every robot that neither file names is among them
  std::vector<std::string> agents;  // the others
  std::vector<Change> changes;      // one a pair of deciding rules
  std::optional<Milliseconds> delay_before;
  std::optional<Milliseconds> delay_after;
  bool lines_vary = false;  // the lines in `changes` are those of the first; see merged()
};

struct Difference {
  std::vector<RobotChange> robots;
  std::vector<Sitemap> added;
  std::vector<Sitemap> removed;
  std::size_t robots_asked = 0;
  std::size_t paths_asked = 0;      // for the robot with most of them
  std::vector<std::string> limits;  // sentences: what was left out because the files are too big
  bool same() const noexcept { return robots.empty() && added.empty() && removed.empty(); }
};

// Limits of one comparison besides those of Examples; beyond them `limits` says what was left out.
inline constexpr std::size_t most_robots = 2'000;  // named in the files; fewer where the files are big, so
inline constexpr std::size_t least_robots = 300;   // that they are not read for ever, but never fewer than these
inline constexpr std::size_t most_reading = 1'500'000'000;  // octets: robots times the length of both files
inline constexpr std::size_t most_changes = 200'000;        // of all robots
inline constexpr std::size_t most_kept = 1'000'000;         // rules that are kept compiled at a time

// Both of one dialect. `agents`: robots to ask for besides those that the files name.
Difference compare(const RobotsTxt& before, const RobotsTxt& after, const std::vector<std::string>& agents);

// Robots with equal changes put together; `lines` false: lines may differ, those of the first stay.
std::vector<RobotChange> merged(std::vector<RobotChange> robots, bool lines);

}  // namespace robotrules::core
