// The robots.txt files of a database, for the commands that ask about URLs.
#pragma once

#include <robotrules/store.hpp>

#include "cli/input.hpp"

namespace robotrules::cli {

// What holds for `origin` now: the octets of its robots.txt, none where the site is known to have none. `missing` where
// nothing is known that is still fresh, or the site could not be reached and no good copy is left.
FileBytes kept_robots(const Store& store, const Origin& origin);

}  // namespace robotrules::cli
