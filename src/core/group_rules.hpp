// The rules that some groups of a file have for a robot.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <robotrules/robots_txt.hpp>

namespace robotrules::core {

class GroupRules {
 public:
  // Returns the rules of `file` for the robot, of these groups alone: Document::rules_for() says which ones are right.
  static Rules of(const RobotsTxt& file, std::string_view agent, std::span<const std::uint32_t> groups) {
    return file.rules_for(agent, groups);
  }
};

}  // namespace robotrules::core
