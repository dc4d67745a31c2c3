// A user's own list of crawlers.
#pragma once

#include <string_view>

#include <robotrules/base.hpp>
#include <robotrules/crawlers.hpp>

namespace robotrules::cli {

// Reads `{"updated": DATE, "kinds": {NAME: TEXT, ...}, "crawlers": [{"name", "operator", "kind", "tokens",
// "ignores_star", "obeys_robots", "source", "seen"}, ...]}`, the form of data/crawlers.json. Only "name" and "kind" are
// required. Other members are ignored. Fails with "invalid-crawlers"; the message says what is wrong and at which
// place.
Result<Crawlers> read_crawlers(std::string_view json);

}  // namespace robotrules::cli
