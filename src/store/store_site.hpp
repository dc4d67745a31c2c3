// Names that callers give: of a site or a robot.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <robotrules/url.hpp>

namespace robotrules::store {

// Returns the origins that `site` means: one for a URL; two for a host or "host:port", with http and with https. New
// data is stored for the first one. Returns an empty list if `site` is not a site.
std::vector<Origin> origins_of(std::string_view site);

// Returns the robot's name: robot_name(agent). If there is none, returns the first word up to "/", as Perl does: "*".
std::string_view name_of(std::string_view agent);

}  // namespace robotrules::store
