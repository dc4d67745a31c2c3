// Rules written as URLs: WWW::RobotRules resolves them against the URL of the robots.txt.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace robotrules::core {

// Resolves `value` (not empty) against `robots_url` as URI.pm does, and returns its path and query: "/" if both are
// missing, "?..." if only the path is. <...> and quotes around the value are taken off. An absolute path keeps its dot
// segments. Null: the value points to another server or to none; ports are compared as texts. If `robots_url` has no
// server, only values without a scheme and a server can be resolved.
std::optional<std::string> rule_of_reference(std::string_view value, std::string_view robots_url);

}  // namespace robotrules::core
