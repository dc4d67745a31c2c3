// Rules written as URLs: WWW::RobotRules resolves them against the URL of the robots.txt.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace robotrules::core {

// Resolves `value` (not empty) against `robots_url` as URI.pm does (an absolute path keeps its dot segments) and
// returns its path and query; a missing path is "/". Null: it points to another origin or to none. If `robots_url` is
// not an http or https URL, only values without a scheme and a host can be resolved.
std::optional<std::string> rule_of_reference(std::string_view value, std::string_view robots_url);

}  // namespace robotrules::core
