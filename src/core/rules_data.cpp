#include "core/rules_data.hpp"

#include <algorithm>

#include "core/rules_hash.hpp"

namespace robotrules::core {
namespace {

// Ranks: the greater wins, and among equals the one found in the earlier line.
std::uint64_t rank_of(std::uint32_t rule, std::uint64_t octets, bool allow, bool longest) noexcept {
  return longest ? 2 * octets + (allow ? 1 : 0) : ~std::uint64_t{rule};
}

}  // namespace

std::string_view RulesData::pattern_of(std::uint32_t rule) const noexcept {
  const Entry& entry = entries_[rule];
  if ((entry.line_and_flags & written_flag) == 0) {
    const std::uint32_t anchor = (entry.line_and_flags & anchored_flag) != 0 ? 1 : 0;
    return {octets_ + entry.begin, entries_[rule + 1].begin - entry.begin - anchor};
  }
  std::uint32_t size;
  std::memcpy(&size, octets_ + entry.begin, sizeof size);
  return {octets_ + entry.begin + sizeof size, size};
}

template <class Steps>
void RulesData::consider(std::uint32_t rule, std::string_view path, Best& best, Steps& steps) const noexcept {
  const std::uint32_t flags = entries_[rule].line_and_flags;
  const std::string_view pattern = pattern_of(rule);
  const bool anchored = (flags & anchored_flag) != 0;
  if ((flags & (wildcard_flag | anchored_flag)) == 0) {
    steps.add(pattern.size() / 16 + 1);
    if (pattern.size() > path.size() || !equal_padded(path.data(), pattern.data(), pattern.size())) return;
  } else if (!match_pattern(pattern, anchored, dollar_, path, steps)) {
    return;
  }
  const std::uint64_t rank =
      rank_of(rule, pattern.size() + (anchored ? 1 : 0), (flags & allow_flag) != 0, longest_first_);
  if (best.first == no_rule || rank > best.first_rank || (rank == best.first_rank && rule < best.first)) {
    best.second = best.first;
    best.second_rank = best.first_rank;
    best.first = rule;
    best.first_rank = rank;
  } else if (best.second == no_rule || rank > best.second_rank || (rank == best.second_rank && rule < best.second)) {
    best.second = rule;
    best.second_rank = rank;
  }
}

template <class Steps>
void RulesData::search_list(std::string_view path, std::uint32_t key, Best& best, Steps& steps) const noexcept {
  std::uint64_t present = 0;
  for (std::uint32_t i = 0; i < wildcard_count_; ++i) {
    if ((key & list_masks_[i]) != list_keys_[i]) continue;
    if (present == 0) present = octet_set(path);
    if ((list_needs_[i] & ~present) == 0) consider(list_rules_[i], path, best, steps);
  }
  for (std::uint32_t i = wildcard_count_; i < list_count_; ++i) {
    if ((key & list_masks_[i]) == list_keys_[i]) consider(list_rules_[i], path, best, steps);
  }
}

template <class Steps>
void RulesData::search_crowd(std::uint32_t begin, std::uint32_t end, std::string_view path, Best& best,
                             Steps& steps) const noexcept {
  PrefixHash hash(path.data());
  for (std::uint32_t i = begin; i < end && bucket_items_[i] <= path.size(); ++i) {
    const std::uint64_t prefix = hash.of(bucket_items_[i]);
    const std::uint32_t tag = crowd_tag(prefix);
    steps.add(1);
    for (std::uint32_t slot = crowd_slot(prefix, crowd_size_); crowd_[slot] != 0;
         slot = slot + 1 == crowd_size_ ? 0 : slot + 1) {
      if ((crowd_[slot] & 0xFF000000u) == tag) consider((crowd_[slot] & 0x00FFFFFFu) - 1, path, best, steps);
      steps.add(1);
    }
  }
}

template <class Steps>
RulesData::Best RulesData::best_rules(std::string_view path, Steps& steps) const noexcept {
  Best best;
  const std::uint32_t key = list_key(path);
  search_list(path, key, best, steps);
  if (bucket_shift_ < 32 && path.size() >= 5) {
    const std::uint32_t bucket = bucket_of(key, bucket_shift_);
    const std::uint32_t begin = bucket_begins_[bucket];
    const std::uint32_t end = bucket_begins_[bucket + 1] & ~crowded_flag;
    if ((begin & crowded_flag) != 0) {
      search_crowd(begin & ~crowded_flag, end, path, best, steps);
    } else {
      for (std::uint32_t i = begin; i < end; ++i) consider(bucket_items_[i], path, best, steps);
    }
  }
  return best;
}

template RulesData::Best RulesData::best_rules<NoSteps>(std::string_view, NoSteps&) const noexcept;
template RulesData::Best RulesData::best_rules<CountedSteps>(std::string_view, CountedSteps&) const noexcept;

Access RulesData::access_of(std::uint32_t rule) const noexcept {
  const std::uint32_t flags = entries_[rule].line_and_flags;
  if ((flags & allow_flag) != 0) return Access::allowed;
  return pattern_of(rule).empty() && (flags & anchored_flag) == 0 ? Access::allowed : Access::disallowed;
}

RuleLine RulesData::line_of(std::uint32_t rule) const noexcept {
  const Entry& entry = entries_[rule];
  const char* begin = octets_ + entry.begin;
  if ((entry.line_and_flags & written_flag) != 0) begin = pattern_of(rule).end();
  const std::string_view written(begin, static_cast<std::size_t>(octets_ + entries_[rule + 1].begin - begin));
  return {(entry.line_and_flags & allow_flag) != 0 ? Access::allowed : Access::disallowed,
          entry.line_and_flags >> flag_bits, written};
}

GroupLine RulesData::group_of(std::uint32_t line) const noexcept {
  if (groups.empty()) return {};
  const GroupStart* found = &groups.front();
  for (const GroupStart& group : groups) {
    if (group.line <= line) found = &group;
  }
  if (found->agent_size == 0 && found->is_default) return {found->line, "*", true};
  return {found->line, std::string_view(names).substr(found->agent_begin, found->agent_size), found->is_default};
}

Why RulesData::why_no_rule() const noexcept {
  if (groups.empty()) return Why::no_group;
  return rule_count == 0 ? Why::empty_group : Why::no_rule;
}

Usage RulesData::usage(std::string_view path) const noexcept {
  Usage said;
  said.content_signal = signal;
  NoSteps steps;
  std::size_t longest = 0;
  bool found = false;
  const auto stricter = [](Preference a, Preference b) { return a == Preference::unknown ? b : b == Preference::unknown ? a : std::max(a, b); };
  for (const UsageLine& line : usage_lines) {
    const std::string_view pattern = std::string_view(names).substr(line.pattern_begin, line.pattern_size);
    if (!match_pattern(pattern, line.anchored, dollar_, path, steps)) continue;
    const std::size_t octets = pattern.size() + (line.anchored ? 1 : 0);
    if (!found || octets > longest) {
      found = true;
      longest = octets;
      said.content_usage = line.said;
      said.content_usage.path = std::string_view(names).substr(line.written_begin, line.written_size);
    } else if (octets == longest) {
      said.content_usage.train_ai = stricter(said.content_usage.train_ai, line.said.train_ai);
      said.content_usage.ai_use = stricter(said.content_usage.ai_use, line.said.ai_use);
      said.content_usage.search = stricter(said.content_usage.search, line.said.search);
    }
  }
  return said;
}

std::size_t RulesData::memory_bytes() const noexcept {
  return sizeof *this + block_size_ + groups.capacity() * sizeof(GroupStart) +
         usage_lines.capacity() * sizeof(UsageLine) + (names.capacity() > 15 ? names.capacity() + 1 : 0);
}

}  // namespace robotrules::core
