#include <utility>

#include "c/core/common.hpp"
#include "c/core/handles.hpp"

using namespace robotrules::c_abi;

namespace {

using robotrules::PathAnswer;
using robotrules::PathChange;
using robotrules::RobotChange;

using robotrules::RobotNames;
using robotrules::UncomparedSetting;

const RobotNames& names_of(const UncomparedSetting& setting) noexcept {
  static const RobotNames none;
  return setting.agents != nullptr ? *setting.agents : none;
}

Comparison comparison_of(const robotrules::RobotsTxt& before, const robotrules::RobotsTxt& after,
                         const std::vector<std::string>& agents) {
  Comparison out;
  out.difference = robotrules::compare(before, after, agents);
  out.difference.robots = robotrules::merged(std::move(out.difference.robots));
  auto [removed, added, limits] = robotrules::changed_settings(before, after);
  out.added = std::move(added);
  out.removed = std::move(removed);
  for (std::string& limit : limits) out.difference.limits.push_back(std::move(limit));
  return out;
}

robotrules_path_answer answer_of(const PathAnswer& from) noexcept {
  return {access_of(from.access), why_of(from.why), from.line, str_of(from.rule)};
}

const std::vector<RobotChange>* robots_of(const robotrules_difference* difference) noexcept {
  return difference != nullptr ? &difference->comparison.difference.robots : nullptr;
}

const std::vector<UncomparedSetting>* settings_of(const robotrules_difference* difference,
                                                  std::int32_t added) noexcept {
  if (difference == nullptr) return nullptr;
  return added != 0 ? &difference->comparison.added : &difference->comparison.removed;
}

// Gives the row at `index` of a list of the row at `outer`: `list_of` returns it.
template <class Row, class Outer, class ListOf, class Convert>
robotrules_status give_inner(Row* out, const Outer* rows, std::size_t outer, const ListOf& list_of, std::size_t index,
                             const Convert& convert) noexcept {
  const bool found = rows != nullptr && outer < rows->size();
  const robotrules_status status = give_row(out, found ? &list_of((*rows)[outer]) : nullptr, index, convert);
  return out != nullptr && rows != nullptr && !found ? ROBOTRULES_OUT_OF_RANGE : status;
}

robotrules_str name_of(const std::string* name) noexcept {
  return str_of(name != nullptr ? *name : std::string_view());
}

}  // namespace

robotrules_status robotrules_compare(const robotrules_file* before, const robotrules_file* after,
                                     const robotrules_str* names, std::size_t name_count,
                                     robotrules_difference** difference) noexcept {
  const bool valid = before != nullptr && after != nullptr && are_texts(names, name_count) &&
                     before->file.dialect() == after->file.dialect();
  return give(difference, valid,
              [&] { return comparison_of(before->file, after->file, tokens_of(names, name_count, 0).tokens); });
}

robotrules_status robotrules_difference_get_facts(const robotrules_difference* difference,
                                                  robotrules_difference_facts* facts) noexcept {
  if (facts == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *facts = {0, 0, 0, 0, 0, 0, 0};
  if (difference == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  const auto& [from, added, removed] = difference->comparison;
  *facts = {from.same() && added.empty() && removed.empty() ? 1 : 0,
            from.robots.size(),
            from.added_sitemaps.size(),
            from.removed_sitemaps.size(),
            added.size(),
            removed.size(),
            from.limits.size()};
  return ROBOTRULES_OK;
}

void robotrules_difference_free(robotrules_difference* difference) noexcept { delete difference; }

robotrules_status robotrules_difference_robot(const robotrules_difference* difference, std::size_t index,
                                              robotrules_robot_change* robot) noexcept {
  return give_row(robot, robots_of(difference), index, [](const RobotChange* from) -> robotrules_robot_change {
    if (from == nullptr) return {0, 0, 0, 0, -1, -1};
    return {from->others ? 1 : 0, from->lines_vary ? 1 : 0,     from->agents.size(),
            from->changes.size(), delay_of(from->delay_before), delay_of(from->delay_after)};
  });
}

robotrules_status robotrules_difference_agent(const robotrules_difference* difference, std::size_t robot,
                                              std::size_t index, robotrules_str* name) noexcept {
  return give_inner(
      name, robots_of(difference), robot, [](const RobotChange& from) -> const auto& { return from.agents; }, index,
      name_of);
}

robotrules_status robotrules_difference_change(const robotrules_difference* difference, std::size_t robot,
                                               std::size_t index, robotrules_path_change* change) noexcept {
  return give_inner(
      change, robots_of(difference), robot, [](const RobotChange& from) -> const auto& { return from.changes; }, index,
      [](const PathChange* from) -> robotrules_path_change {
        if (from == nullptr) return {str_of({}), answer_of({}), answer_of({})};
        return {str_of(from->path), answer_of(from->before), answer_of(from->after)};
      });
}

robotrules_status robotrules_difference_sitemap(const robotrules_difference* difference, std::int32_t added,
                                                std::size_t index, robotrules_sitemap* sitemap) noexcept {
  const std::vector<robotrules::Sitemap>* rows = nullptr;
  if (difference != nullptr) {
    const auto& from = difference->comparison.difference;
    rows = added != 0 ? &from.added_sitemaps : &from.removed_sitemaps;
  }
  return give_row(sitemap, rows, index, sitemap_of);
}

robotrules_status robotrules_difference_setting(const robotrules_difference* difference, std::int32_t added,
                                                std::size_t index, robotrules_changed_setting* setting) noexcept {
  return give_row(
      setting, settings_of(difference, added), index, [](const UncomparedSetting* from) -> robotrules_changed_setting {
        if (from == nullptr) return {str_of({}), ROBOTRULES_KIND_OTHER, 0, 0};
        return {str_of(from->value), static_cast<std::int32_t>(from->kind), from->line, names_of(*from).size()};
      });
}

robotrules_status robotrules_difference_setting_agent(const robotrules_difference* difference, std::int32_t added,
                                                      std::size_t setting, std::size_t index,
                                                      robotrules_str* name) noexcept {
  return give_inner(name, settings_of(difference, added), setting, names_of, index, name_of);
}

robotrules_status robotrules_difference_limit(const robotrules_difference* difference, std::size_t index,
                                              robotrules_str* sentence) noexcept {
  return give_row(sentence, difference != nullptr ? &difference->comparison.difference.limits : nullptr, index,
                  name_of);
}
