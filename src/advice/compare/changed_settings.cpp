// The settings that compare() leaves out.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/compare.hpp>

#include "advice/compare/pattern_cover.hpp"
#include "base/ascii.hpp"
#include "base/sort.hpp"

namespace robotrules {
namespace {

// Limit of one comparison: of the names that are joined and looked up. Usual files need none of it, because the
// settings of both files have equal lists of robots.
constexpr std::size_t max_steps = 10'000'000;

bool is_for_site(DirectiveKind kind) { return kind == DirectiveKind::clean_param || kind == DirectiveKind::host; }

void make_set(std::vector<std::uint32_t>& numbers) {
  base::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

std::shared_ptr<const RobotNames> names_of(std::span<const Directive> agents) {
  if (agents.empty()) return nullptr;
  RobotNames names;
  names.reserve(agents.size());
  for (const Directive& agent : agents) names.push_back(base::lower_case(agent.value));
  base::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return std::make_shared<const RobotNames>(std::move(names));
}

// Numbers the names and the lists of names of two files.
class NameLists {
 public:
  static constexpr std::uint32_t whole_site = 0;

  // Returns the number of the list. Equal lists have equal numbers.
  std::uint32_t number_of(const std::shared_ptr<const RobotNames>& names) {
    if (names == nullptr) return whole_site;
    const auto [known, is_new] = by_pointer_.try_emplace(names.get(), whole_site);
    if (!is_new) return known->second;
    std::vector<std::uint32_t> list;
    list.reserve(names->size());
    for (const std::string& name : *names) {
      list.push_back(names_.try_emplace(name, static_cast<std::uint32_t>(names_.size())).first->second);
    }
    base::sort(list);
    const auto next = static_cast<std::uint32_t>(lists_.size() + 1);
    const auto [equal, is_first] = numbers_.try_emplace(std::move(list), next);
    if (is_first) lists_.push_back(&equal->first);
    return known->second = equal->second;
  }

  // Returns the sorted numbers of the names of a list other than whole_site.
  const std::vector<std::uint32_t>& list(std::uint32_t number) const { return *lists_[number - 1]; }

 private:
  std::map<const RobotNames*, std::uint32_t> by_pointer_;
  std::map<std::string_view, std::uint32_t> names_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers_;
  std::vector<const std::vector<std::uint32_t>*> lists_;
};

// Tells for which robots a file has a setting. `settings` and `lists` must outlive it.
class Holders {
 public:
  Holders(const std::vector<UncomparedSetting>& settings, NameLists& lists, advice::StepBudget& budget)
      : lists_(lists), budget_(budget) {
    std::map<Key, std::vector<std::uint32_t>> by_key;
    for (const UncomparedSetting& setting : settings) {
      by_key[key_of(setting)].push_back(lists.number_of(setting.agents));
    }
    std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
    for (auto& [key, holders] : by_key) {
      make_set(holders);
      const auto [known, is_new] = numbers.try_emplace(std::move(holders), static_cast<std::uint32_t>(all_.size()));
      if (is_new) all_.push_back({known->first, {}});
      by_key_.emplace(key, known->second);
    }
  }

  // Returns true if the file has the setting for each of its robots; null if the budget has run out.
  std::optional<bool> has(const UncomparedSetting& setting) {
    const auto found = by_key_.find(key_of(setting));
    if (found == by_key_.end()) return false;
    Joined& holders = all_[found->second];
    const std::uint32_t list = lists_.number_of(setting.agents);
    if (std::ranges::binary_search(holders.lists, list)) return true;
    if (list == NameLists::whole_site) return false;
    const auto [known, is_new] = answers_.try_emplace({list, found->second}, std::nullopt);
    if (is_new) known->second = covers(holders, lists_.list(list));
    return known->second;
  }

 private:
  using Key = std::pair<DirectiveKind, std::string_view>;

  // The lists of robots that have one setting, and the names in all of them.
  struct Joined {
    std::vector<std::uint32_t> lists;
    std::optional<std::vector<std::uint32_t>> names;  // null: not joined yet
  };

  static Key key_of(const UncomparedSetting& setting) { return {setting.kind, setting.value}; }

  std::optional<bool> covers(Joined& holders, const std::vector<std::uint32_t>& names) {
    if (!holders.names) {
      std::size_t count = 0;
      for (const std::uint32_t list : holders.lists) {
        if (list != NameLists::whole_site) count += lists_.list(list).size();
      }
      if (!budget_.take(count)) return std::nullopt;
      auto& joined = holders.names.emplace();
      joined.reserve(count);
      for (const std::uint32_t list : holders.lists) {
        if (list == NameLists::whole_site) continue;
        joined.insert(joined.end(), lists_.list(list).begin(), lists_.list(list).end());
      }
      make_set(joined);
    }
    if (names.size() > holders.names->size()) return false;
    if (!budget_.take(names.size())) return std::nullopt;
    return std::ranges::all_of(names,
                               [&](std::uint32_t name) { return std::ranges::binary_search(*holders.names, name); });
  }

  NameLists& lists_;
  advice::StepBudget& budget_;
  std::vector<Joined> all_;
  std::map<Key, std::uint32_t> by_key_;                                             // index into all_
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::optional<bool>> answers_;  // of a list and an index into all_
};

// Returns those of `from` that `file` does not have for each of their robots. Adds to `unknown` the number of those for
// which the budget did not suffice.
std::vector<UncomparedSetting> missing_settings(const std::vector<UncomparedSetting>& from, Holders& file,
                                                std::size_t& unknown) {
  std::vector<UncomparedSetting> missing;
  for (const UncomparedSetting& setting : from) {
    const std::optional<bool> has = file.has(setting);
    if (!has) ++unknown;
    if (has == false) missing.push_back(setting);
  }
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
  Group group;                               // of the last setting
  std::int32_t known_group = -1;             // its index
  std::uint32_t known_run = 0;               // the run of the last setting
  std::shared_ptr<const RobotNames> agents;  // of that run
  for (std::size_t i = 0; i < file.size(); ++i) {
    const Directive line = file.directive(i);
    if (!is_uncompared(line.kind)) continue;
    UncomparedSetting setting{line.kind, std::string(line.value), nullptr, line.line};
    if (line.group >= 0 && !is_for_site(line.kind)) {
      if (line.group != known_group) group = file.group(static_cast<std::size_t>(line.group));
      if (line.group != known_group || line.run_line != known_run) agents = names_of(group.agents_of(line));
      known_group = line.group;
      known_run = line.run_line;
      setting.agents = agents;
    }
    settings.push_back(std::move(setting));
  }
  return settings;
}

ChangedSettings changed_settings(const RobotsTxt& before, const RobotsTxt& after) {
  const auto old_settings = uncompared_settings(before), new_settings = uncompared_settings(after);
  NameLists lists;
  advice::StepBudget budget{max_steps};
  Holders old_holders(old_settings, lists, budget), new_holders(new_settings, lists, budget);
  ChangedSettings changed;
  std::size_t unknown = 0;
  changed.removed = missing_settings(old_settings, new_holders, unknown);
  changed.added = missing_settings(new_settings, old_holders, unknown);
  if (unknown != 0) {
    changed.limits.push_back("the settings name so many robots that " + std::to_string(unknown) +
                             " lines with settings were not compared");
  }
  return changed;
}

}  // namespace robotrules
