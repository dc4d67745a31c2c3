// One X-Robots-Tag field.
#pragma once

#include <string_view>

#include <robotrules/page.hpp>

namespace robotrules::agent {

// Adds the rules of the field that apply to this robot. read_x_robots_tag() describes the syntax.
void read_robots_tag(std::string_view value, std::string_view agent, PageRules& rules);

}  // namespace robotrules::agent
