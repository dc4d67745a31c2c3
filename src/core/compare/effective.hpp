// What holds for one robot, as a list to show.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <robotrules/robots_txt.hpp>

namespace robotrules::core {

struct Effective {
  std::string agent;
  std::vector<Group> groups;     // the groups that hold, in file order; views into the RobotsTxt
  bool is_default = false;       // they are the groups for "*"
  std::vector<Directive> rules;  // theirs, merged in file order
  Rules compiled;
};

// For a dialect that merges groups (RFC 9309 section 2.2.1): all groups that name the robot, else all for "*".
Effective effective_for(const RobotsTxt& file, const std::string& agent);

// "10 s", "0.5 s"
std::string seconds(Milliseconds delay);
// "1800-1900 UTC"
std::string time_of_day(const TimeOfDay& time);
// "1 request in 10 s, 1800-1900 UTC"
std::string request_rate(const RequestRate& rate);

}  // namespace robotrules::core
