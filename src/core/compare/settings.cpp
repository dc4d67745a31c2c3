// The settings that compare() leaves out.
#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <robotrules/compare.hpp>

#include "base/ascii.hpp"

namespace robotrules {
namespace {

bool is_for_site(DirectiveKind kind) { return kind == DirectiveKind::clean_param || kind == DirectiveKind::host; }

// Returns those of `from` that `file` does not have for each of their robots.
std::vector<UncomparedSetting> missing_settings(const std::vector<UncomparedSetting>& from,
                                                const std::vector<UncomparedSetting>& file) {
  using Key = std::tuple<DirectiveKind, std::string, std::string>;
  std::set<Key> known;
  for (const UncomparedSetting& setting : file) {
    if (setting.agents.empty()) known.emplace(setting.kind, setting.value, "");
    for (const std::string& agent : setting.agents) known.emplace(setting.kind, setting.value, agent);
  }
  std::vector<UncomparedSetting> missing;
  std::ranges::copy_if(from, std::back_inserter(missing), [&](const UncomparedSetting& setting) {
    if (setting.agents.empty()) return !known.contains(Key{setting.kind, setting.value, ""});
    return std::ranges::any_of(setting.agents, [&](const std::string& agent) {
      return !known.contains(Key{setting.kind, setting.value, agent});
    });
  });
  return missing;
}

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

std::vector<UncomparedSetting> uncompared_settings(const RobotsTxt& file) {
  std::vector<UncomparedSetting> settings;
  for (std::size_t i = 0; i < file.size(); ++i) {
    const Directive line = file.directive(i);
    if (!is_uncompared(line.kind)) continue;
    UncomparedSetting setting{line.kind, std::string(line.value), {}, line.line};
    if (line.group >= 0 && !is_for_site(line.kind)) {
      const Group group = file.group(static_cast<std::size_t>(line.group));
      for (const Directive& agent : group.agents_of(line)) setting.agents.insert(base::lower_case(agent.value));
    }
    settings.push_back(std::move(setting));
  }
  return settings;
}

ChangedSettings changed_settings(const RobotsTxt& before, const RobotsTxt& after) {
  const auto old_settings = uncompared_settings(before), new_settings = uncompared_settings(after);
  return {.removed = missing_settings(old_settings, new_settings),
          .added = missing_settings(new_settings, old_settings)};
}

}  // namespace robotrules
