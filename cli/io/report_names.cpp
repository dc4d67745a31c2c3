#include "cli/io/report_names.hpp"

#include <algorithm>

namespace robotrules::cli {

bool ReportNames::add(const std::vector<UncomparedSetting>& settings) noexcept {
  return std::ranges::all_of(settings, [&](const UncomparedSetting& setting) {
    return setting.agents == nullptr ||
           std::ranges::all_of(*setting.agents, [&](const std::string& name) { return add(name); });
  });
}

}  // namespace robotrules::cli
