// The settings of a robots.txt as JSON, the same for `agents` and `diff`.
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include <robotrules/compare.hpp>

namespace robotrules::cli {

// Returns an array of objects with the members line, name, agents and value (and value_b64). Precondition: the names of
// `settings` fit into a report (ReportNames).
nlohmann::ordered_json settings_json(const std::vector<UncomparedSetting>& settings);

}  // namespace robotrules::cli
