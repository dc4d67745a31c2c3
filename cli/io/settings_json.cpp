#include "cli/io/settings_json.hpp"

#include <utility>

#include "cli/io/json_lines.hpp"

namespace robotrules::cli {

nlohmann::ordered_json settings_json(const std::vector<UncomparedSetting>& settings) {
  auto list = nlohmann::ordered_json::array();
  for (const UncomparedSetting& setting : settings) {
    nlohmann::ordered_json object = {{"line", setting.line},
                                     {"name", to_string(setting.kind)},
                                     {"agents", setting.agents != nullptr ? *setting.agents : RobotNames()}};
    set_bytes(object, "value", setting.value);
    list.push_back(std::move(object));
  }
  return list;
}

}  // namespace robotrules::cli
