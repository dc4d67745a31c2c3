#include "cli/io/other_settings.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "base/ascii.hpp"
#include "base/escape.hpp"

namespace robotrules::cli {
namespace {

bool is_for_site(DirectiveKind kind) { return kind == DirectiveKind::clean_param || kind == DirectiveKind::host; }

}  // namespace

bool is_uncompared(DirectiveKind kind) noexcept {
  switch (kind) {
    case DirectiveKind::request_rate:
    case DirectiveKind::visit_time:
    case DirectiveKind::content_signal:
    case DirectiveKind::content_usage:
    case DirectiveKind::clean_param:
    case DirectiveKind::host:
    case DirectiveKind::noindex: return true;
    default: return false;
  }
}

std::vector<OtherSetting> uncompared_settings(const RobotsTxt& file) {
  std::vector<OtherSetting> settings;
  for (std::size_t i = 0; i < file.size(); ++i) {
    const Directive line = file.directive(i);
    if (!is_uncompared(line.kind)) continue;
    OtherSetting setting{line.kind, std::string(line.value), {}, line.line, std::string(to_string(line.kind))};
    if (line.group >= 0 && !is_for_site(line.kind)) {
      const Group group = file.group(static_cast<std::size_t>(line.group));
      for (const Directive& agent : group.agents_of(line)) setting.agents.insert(base::lower_case(agent.value));
    }
    settings.push_back(std::move(setting));
  }
  return settings;
}

std::vector<OtherSetting> missing_settings(const std::vector<OtherSetting>& from,
                                           const std::vector<OtherSetting>& file) {
  using Key = std::tuple<DirectiveKind, std::string, std::string>;
  std::set<Key> known;
  for (const OtherSetting& setting : file) {
    if (setting.agents.empty()) known.emplace(setting.kind, setting.value, "");
    for (const std::string& agent : setting.agents) known.emplace(setting.kind, setting.value, agent);
  }
  std::vector<OtherSetting> missing;
  std::ranges::copy_if(from, std::back_inserter(missing), [&](const OtherSetting& setting) {
    if (setting.agents.empty()) return !known.contains(Key{setting.kind, setting.value, ""});
    return std::ranges::any_of(setting.agents, [&](const std::string& agent) {
      return !known.contains(Key{setting.kind, setting.value, agent});
    });
  });
  return missing;
}

std::string setting_line(const OtherSetting& setting) {
  std::string names;
  for (const std::string& agent : setting.agents) names += (names.empty() ? " for " : ", ") + base::printable(agent);
  return setting.name + names + ": " + base::printable(setting.value);
}

}  // namespace robotrules::cli
