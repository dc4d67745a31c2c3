#include "core/rules/rules_data.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "core/rules/rules_hash.hpp"

namespace robotrules::core {
namespace {

// Returns the rank of a rule. The greatest rank wins; among equal ranks, the rule in the earlier line wins.
std::uint64_t rank_of(std::uint32_t rule, std::uint64_t bytes, bool allow, bool longest) noexcept {
  return longest ? 2 * bytes + (allow ? 1 : 0) : ~std::uint64_t{rule};
}

}  // namespace

template <class Steps>
inline bool RulesData::matches(const std::uint32_t* record, std::string_view path, Steps& steps) const noexcept {
  const std::uint32_t flags = record[line_word];
  const std::string_view pattern = pattern_in(record);
  if ((flags & wildcard_flag) != 0) {
    return match_pattern(pattern, (flags & anchored_flag) != 0, ends_, path, steps);
  }
  steps.add(pattern.size() / 16 + 1);
  return pattern.size() <= path.size() && equal_padded(path.data(), pattern.data(), pattern.size()) &&
         is_end(path, pattern.size(), (flags & anchored_flag) != 0, ends_);
}

template <class Steps>
inline void RulesData::consider(std::uint32_t rule, std::string_view path, Best& best, Steps& steps) const noexcept {
  // Two levels may hash to the same bucket, which is then searched twice.
  if (rule == best.first || rule == best.second) return;
  const std::uint32_t* const words = record(rule);
  if (!matches(words, path, steps)) return;
  const std::uint32_t flags = words[line_word];
  const std::uint64_t bytes = std::uint64_t{words[size_word]} + ((flags & anchored_flag) != 0 ? 1 : 0);
  const std::uint64_t rank = rank_of(rule, bytes, (flags & allow_flag) != 0, longest_first_);
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

#if defined(__SSE2__)
template <class Steps>
void RulesData::search_list(std::string_view path, std::uint32_t key, Best& best, Steps& steps) const noexcept {
  const std::uint32_t* const keys = array<std::uint32_t>(0);
  const std::uint32_t* const masks = array<std::uint32_t>(masks_at_);
  const std::uint32_t* const rules = array<std::uint32_t>(rules_at_);
  const std::uint64_t* const needs = array<std::uint64_t>(needs_at_);
  const __m128i keys_of_path = _mm_set1_epi32(static_cast<int>(key));
  std::uint64_t present = 0;
  for (std::uint32_t i = 0; i < list_count_; i += 4) {
    const __m128i four_masks = _mm_loadu_si128(reinterpret_cast<const __m128i*>(masks + i));
    const __m128i four_keys = _mm_loadu_si128(reinterpret_cast<const __m128i*>(keys + i));
    const __m128i same = _mm_cmpeq_epi32(_mm_and_si128(keys_of_path, four_masks), four_keys);
    auto found = static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(same)));
    for (; found != 0; found &= found - 1) {
      const std::uint32_t item = i + static_cast<std::uint32_t>(std::countr_zero(found));
      if (item < wildcard_count_) {
        if (present == 0) present = byte_set(path);
        if ((needs[item] & ~present) != 0) continue;
      }
      consider(rules[item], path, best, steps);
    }
  }
}
#else
template <class Steps>
void RulesData::search_list(std::string_view path, std::uint32_t key, Best& best, Steps& steps) const noexcept {
  const std::uint64_t present = wildcard_count_ == 0 ? 0 : byte_set(path);
  for (std::uint32_t item = 0; item < list_count_; ++item) {
    if ((key & array<std::uint32_t>(masks_at_)[item]) != array<std::uint32_t>(0)[item]) continue;
    if (item < wildcard_count_ && (array<std::uint64_t>(needs_at_)[item] & ~present) != 0) continue;
    consider(array<std::uint32_t>(rules_at_)[item], path, best, steps);
  }
}
#endif

template <class Steps>
void RulesData::search_crowd(const std::vector<std::uint32_t>& lengths, std::string_view path, Best& best,
                             Steps& steps) const noexcept {
  const std::uint32_t* const table = crowds_->table.data();
  const auto size = static_cast<std::uint32_t>(crowds_->table.size());
  PrefixHash hash(path.data());
  for (const std::uint32_t length : lengths) {
    if (length > path.size()) break;
    const std::uint64_t prefix = hash.of(length);
    steps.add(1);
    std::uint32_t slot = crowd_slot(prefix, size);
    for (std::uint32_t probe = 0; probe < max_crowd_probes && table[slot] != 0; ++probe) {
      if ((table[slot] & ~head_mask) == crowd_tag(prefix)) {
        const std::uint32_t rule = (table[slot] & head_mask) - 1;
        const std::uint32_t repeated = record(rule)[next_word];
        consider(rule, path, best, steps);
        if (repeated != 0) consider(repeated - 1, path, best, steps);
      }
      slot = slot + 1 == size ? 0 : slot + 1;
      steps.add(1);
    }
  }
}

template <class Steps>
void RulesData::search_bucket(std::uint64_t hash, std::string_view path, Best& best, Steps& steps) const noexcept {
  const std::uint32_t head = array<std::uint32_t>(heads_at_)[hash >> bucket_shift_];
  if ((head >> head_bits) == crowded) return search_crowd(crowds_->lengths[head & head_mask], path, best, steps);
  for (std::uint32_t next = head & head_mask; next != 0; next = record(next - 1)[next_word]) {
    consider(next - 1, path, best, steps);
  }
}

template <class Steps>
void RulesData::search(std::string_view path, Best& best, Steps& steps) const noexcept {
  search_list(path, list_key(path), best, steps);
  for (std::uint32_t levels = levels_; levels != 0; levels &= levels - 1) {
    const auto level = static_cast<std::size_t>(std::countr_zero(levels));
    if (path.size() <= bucket_levels[level]) break;
    search_bucket(bucket_hash(path.data() + 1, level), path, best, steps);
  }
}

template <class Steps>
RulesData::Best RulesData::best_rules(std::string_view path, Steps& steps) const noexcept {
  Best best;
  search(path, best, steps);
  if (!ends_.lines) return best;
  for (std::size_t end = path.find('\n'); end != std::string_view::npos; end = path.find('\n', end + 1)) {
    search(path.substr(end + 1), best, steps);
  }
  return best;
}

template RulesData::Best RulesData::best_rules<NoSteps>(std::string_view, NoSteps&) const noexcept;
template RulesData::Best RulesData::best_rules<CountedSteps>(std::string_view, CountedSteps&) const noexcept;

Access RulesData::access_of(std::uint32_t rule) const noexcept {
  const std::uint32_t* const words = record(rule);
  const bool empty = words[size_word] == 0 && (words[line_word] & anchored_flag) == 0;
  return empty || (words[line_word] & allow_flag) != 0 ? Access::allowed : Access::disallowed;
}

RuleLine RulesData::line_of(std::uint32_t rule) const noexcept {
  const std::uint32_t* const words = record(rule);
  const std::uint32_t flags = words[line_word];
  std::string_view written = pattern_in(words);
  if ((flags & written_flag) != 0) {
    std::uint32_t size;
    const char* const end = written.data() + written.size();
    std::memcpy(&size, end, sizeof size);
    written = {end + sizeof size, size};
  } else if ((flags & anchored_flag) != 0) {
    written = {written.data(), written.size() + 1};
  }
  return {(flags & allow_flag) != 0 ? Access::allowed : Access::disallowed, flags >> flag_bits, written};
}

GroupLine RulesData::group_of(std::uint32_t line) const noexcept {
  GroupLine found;
  const GroupStart* const groups = array<GroupStart>(groups_at_);
  const char* name = reinterpret_cast<const char*>(groups + group_count_);
  for (const GroupStart& group : std::span(groups, group_count_)) {
    if (found.line != 0 && group.line > line) break;
    found = {group.line, std::string_view(name, group.agent_size), group.is_default};
    name += group.agent_size;
  }
  if (found.agent.empty() && found.is_default) found.agent = "*";
  return found;
}

Why RulesData::why_no_rule() const noexcept {
  if (group_count_ == 0) return Why::no_group;
  return rule_count_ == 0 ? Why::empty_group : Why::no_rule;
}

std::uint32_t RulesData::record_size(const std::uint32_t* record) noexcept {
  const std::uint32_t flags = record[line_word];
  std::size_t bytes = record[size_word];
  if ((flags & written_flag) != 0) {
    std::uint32_t size;
    std::memcpy(&size, pattern_in(record).data() + bytes, sizeof size);
    bytes += sizeof size + size;
  } else if ((flags & anchored_flag) != 0) {
    ++bytes;
  }
  return pattern_word + static_cast<std::uint32_t>((bytes + sizeof(std::uint32_t) - 1) / sizeof(std::uint32_t));
}

std::vector<RuleLine> RulesData::lines() const {
  std::vector<RuleLine> lines;
  lines.reserve(rule_count_);
  const std::uint32_t words = (groups_at_ - records_at_) / sizeof(std::uint32_t);
  for (std::uint32_t rule = 0; rule < words; rule += record_size(record(rule))) {
    const RuleLine line = line_of(rule);
    if (lines.empty() || lines.back().line != line.line) lines.push_back(line);  // a line may be two rules (index_html)
  }
  return lines;
}

bool RulesData::path_matches(std::string_view pattern, bool anchored, std::string_view path) const noexcept {
  NoSteps steps;
  return dialect_.wildcards ? match_pattern(pattern, anchored, ends_, path, steps)
                            : path.starts_with(pattern) && is_end(path, pattern.size(), anchored, ends_);
}

std::vector<std::string_view> RulesData::clean_parameters(std::string_view path) const {
  std::vector<std::string_view> parameters;
  for (const CleanLine& line : extensions_->clean_lines) {
    const std::string_view pattern = std::string_view(line.pattern).substr(0, line.pattern.size() - path_padding);
    if (!path_matches(pattern, line.anchored, path)) continue;
    parameters.insert(parameters.end(), line.parameters.begin(), line.parameters.end());
  }
  return parameters;
}

Usage RulesData::usage(std::string_view path) const noexcept {
  Usage said;
  if (extensions_ == nullptr) return said;
  said.content_signal = extensions_->signal;
  const std::string_view bytes = extensions_->usage_bytes;
  const auto stricter = [](Preference a, Preference b) { return std::max(a, b); };
  std::size_t longest = 0;
  bool found = false;
  for (const UsageLine& line : extensions_->usage_lines) {
    const std::string_view pattern = bytes.substr(line.pattern_begin, line.pattern_size);
    if (!path_matches(pattern, line.anchored, path)) continue;
    const std::size_t size = pattern.size() + (line.anchored ? 1 : 0);
    ContentUsage& best = said.content_usage;
    if (!found || size > longest) {
      found = true;
      longest = size;
      best = line.said;
      best.path = bytes.substr(line.written_begin, line.written_size);
    } else if (size == longest) {
      best.train_ai = stricter(best.train_ai, line.said.train_ai);
      best.ai_use = stricter(best.ai_use, line.said.ai_use);
      best.search = stricter(best.search, line.said.search);
    }
  }
  return said;
}

std::size_t RulesData::memory_bytes() const noexcept {
  std::size_t bytes = sizeof *this + block_size_;
  if (crowds_ != nullptr) {
    bytes += sizeof *crowds_ + crowds_->table.capacity() * sizeof(std::uint32_t);
    for (const auto& lengths : crowds_->lengths) bytes += sizeof lengths + lengths.capacity() * sizeof(std::uint32_t);
  }
  if (extensions_ != nullptr) {
    bytes += sizeof *extensions_ + extensions_->usage_lines.capacity() * sizeof(UsageLine) +
             extensions_->usage_bytes.capacity() + extensions_->clean_lines.capacity() * sizeof(CleanLine);
    for (const CleanLine& line : extensions_->clean_lines) {
      bytes += line.pattern.capacity() + line.parameters.capacity() * sizeof(std::string);
      for (const std::string& parameter : line.parameters) {
        if (parameter.capacity() > std::string().capacity()) bytes += parameter.capacity() + 1;
      }
    }
  }
  return bytes;
}

}  // namespace robotrules::core
