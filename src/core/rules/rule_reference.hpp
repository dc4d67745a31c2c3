// Rules written as URLs: WWW::RobotRules resolves them against the URL of the robots.txt.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace robotrules::core {

// The path and query that `value` (not empty) means in the robots.txt at `robots_url`, "/" for none: references are
// resolved as URI.pm does (an absolute path keeps its dot segments). Null where it points to another origin or cannot
// point to any; where `robots_url` is no http or https URL, only values without a scheme and a host mean something.
std::optional<std::string> rule_of_reference(std::string_view value, std::string_view robots_url);

}  // namespace robotrules::core
