#include "cli/io/json_lines.hpp"

#include <algorithm>
#include <utility>

#include "base/base64.hpp"
#include "base/json_text.hpp"
#include "base/utf8.hpp"

namespace robotrules::cli {
namespace {

std::string written(const nlohmann::ordered_json& value, int indent) {
  return base::harmless_json(value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) + "\n";
}

}  // namespace

std::string json_line(const nlohmann::ordered_json& value) { return written(value, -1); }
std::string json_document(const nlohmann::ordered_json& value) { return written(value, 2); }

void set_bytes(nlohmann::ordered_json& object, const std::string& member, const std::string& bytes) {
  object[member] = bytes;
  if (!base::is_utf8(bytes)) object[member + "_b64"] = base::base64(bytes);
}

bool ReportNames::add(const std::vector<UncomparedSetting>& settings) noexcept {
  return std::ranges::all_of(settings, [&](const UncomparedSetting& setting) {
    return setting.agents == nullptr ||
           std::ranges::all_of(*setting.agents, [&](const std::string& name) { return add(name); });
  });
}

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
