#include "core/rules/rules_builder.hpp"

#include <algorithm>
#include <bit>
#include <bitset>
#include <cstring>
#include <limits>
#include <new>

#include <robotrules/extensions.hpp>

#include "base/out_of_memory.hpp"
#include "base/sort.hpp"
#include "core/percent.hpp"
#include "core/rules/plain_text.hpp"
#include "core/rules/rule_reference.hpp"
#include "core/rules/rules_hash.hpp"

namespace robotrules::core {
namespace {

using EmptyRule = Dialect::EmptyRule;

constexpr std::size_t few_rules = 24;  // need no buckets
constexpr std::uint32_t max_line = 0xFFFFFFFFu >> 4;

// Short patterns are copied with a fixed width of this many bytes, so every pattern has that much room after it.
constexpr std::size_t copy_width = 32;
static_assert(path_padding >= copy_width);

// The greatest number of a rule in a bucket. Rules with greater numbers go into the list.
constexpr std::uint32_t max_bucket_rule = 0x00FFFFFE;

// Limit for the words of all records, which offsets of 32 bits can reach. Presets stay far below it even with max_text,
// but a dialect that resolves rules against a long URL can make records much longer.
constexpr std::size_t max_records = std::size_t{1} << 29;

// Limit for short literal rules in the list. Most files have a few, and searching the list is cheap.
constexpr std::size_t few_short_rules = 32;

constexpr std::size_t words_of(std::size_t bytes) noexcept {
  return (bytes + sizeof(std::uint32_t) - 1) / sizeof(std::uint32_t);
}

// Returns true if the value is a path, which needs no resolving.
bool is_rooted(std::string_view value) noexcept {
  return value.starts_with('/') && !value.starts_with("//") && value.find('#') == std::string_view::npos;
}

// Returns the offset of "/index.htm" at the end of the path, or npos. In Google's parser, "Allow: /d/index.html" also
// allows "/d/".
std::size_t index_page(std::string_view value) noexcept {
  const std::size_t slash = value.rfind('/');
  return slash != std::string_view::npos && value.substr(slash).starts_with("/index.htm") ? slash
                                                                                          : std::string_view::npos;
}

// Lengths of crowded rules that are told apart at once.
constexpr std::size_t crowd_lengths = 512;

// Returns the set of bytes that a path must contain to match. Only the end of the pattern is used, because patterns
// differ most there.
std::uint64_t needed_bytes(std::string_view pattern) noexcept {
  constexpr std::size_t looked_at = 12;
  std::uint64_t need = 0;
  for (const char c : pattern.substr(pattern.size() - std::min(pattern.size(), looked_at))) {
    if (c != '*') need |= byte_set({&c, 1});
  }
  return need;
}

}  // namespace

// Destroys the result of lay_out().
struct RulesDataDeleter {
  void operator()(const RulesData* data) const noexcept {
    data->~RulesData();
    ::operator delete(const_cast<RulesData*>(data));
  }
};

std::shared_ptr<const RulesData> RulesBuilder::build(const Selection& selection, bool is_default,
                                                     const ScratchVector<ScannedLine>& for_all) {
  add_rules(selection);
  std::unique_ptr<const RulesData::Crowds> crowds = crowded_.empty() ? nullptr : collect_crowds();
  std::shared_ptr<RulesData> data = lay_out(selection, is_default);
  data->crowds_ = std::move(crowds);
  if (!selection.settings.empty() || !for_all.empty()) {
    data->extensions_ = read_extensions(selection, for_all);
  }
  return data;
}

// The next five functions are one loop over the rules, split into pieces.

// Writes the head of a record with room for `room` bytes and returns a pointer to this room.
[[gnu::always_inline]] inline std::uint32_t* RulesBuilder::begin_record(const SelectedRule& line, std::uint32_t flags,
                                                                        std::size_t size, std::size_t room) {
  if (records_.size() > max_records) base::out_of_memory();
  std::uint32_t* const words = records_.room(RulesData::pattern_word + room / sizeof(std::uint32_t) + 1);
  words[RulesData::line_word] = std::min(line.line, max_line) << RulesData::flag_bits | flags;
  words[RulesData::next_word] = 0;
  words[RulesData::size_word] = static_cast<std::uint32_t>(size);
  return words + RulesData::pattern_word;
}

[[gnu::always_inline]] inline void RulesBuilder::place_in_list(ScratchVector<ListItem>& list, std::uint32_t rule,
                                                               std::size_t literal) {
  list.push_back({list_key({pattern_of(rule).data(), literal}), list_mask(literal == 0 ? 0 : literal - 1), rule});
}

[[gnu::always_inline]] inline void RulesBuilder::place_in_bucket(std::uint32_t rule, std::size_t level) {
  const char* const bytes = pattern_of(rule).data() + 1;
  const auto bucket = static_cast<std::uint32_t>(bucket_hash(bytes, level) >> bucket_shift_);
  levels_ |= 1u << level;
  std::uint32_t& head = heads_[bucket];
  const std::uint32_t count = (head >> RulesData::head_bits) + 1;
  if (count == RulesData::crowded) crowded_.push_back(bucket);
  records_[rule + RulesData::next_word] = head & RulesData::head_mask;
  head = std::min(count, RulesData::crowded) << RulesData::head_bits | (rule + 1);
}

// Puts a rule into the bucket of its first bytes, or into the list.
[[gnu::always_inline]] inline void RulesBuilder::place_literal(std::uint32_t rule, std::size_t literal) {
  const bool is_short = literal <= 4 && listed_.size() < few_short_rules;
  if (literal == 0 || is_short || bucket_shift_ == 64 || rule > max_bucket_rule) {
    return place_in_list(listed_, rule, literal);
  }
  place_in_bucket(rule, bucket_level(literal - 1));
}

// Adds the usual rule: a literal path that is already normalised. Returns false for all other rules.
[[gnu::always_inline]] inline bool RulesBuilder::add_plain(const SelectedRule& line) {
  const char* const value = text_.data() + line.value_begin;
  const std::size_t size = line.value_size;
  const bool allow = line.allow;
  if (size == 0 || *value != '/' || line.value_begin + size + copy_width > text_.size()) return false;
  if (!is_plain(value, size, dialect_.pattern_encoding)) return false;
  if (allow && dialect_.index_html && index_page({value, size}) != std::string_view::npos) return false;
  const auto rule = static_cast<std::uint32_t>(records_.size());
  std::uint32_t* const bytes = begin_record(line, allow ? RulesData::allow_flag : 0, size, size + path_padding);
  if (size <= copy_width) {
    std::memcpy(bytes, value, copy_width);
  } else {
    std::memcpy(bytes, value, size);
  }
  records_.added(RulesData::pattern_word + words_of(size));
  place_literal(rule, size);
  return true;
}

void RulesBuilder::add_rules(const Selection& selection) {
  const std::size_t count = selection.rules.size();
  std::size_t words = path_padding;
  for (const SelectedRule& line : selection.rules) words += RulesData::pattern_word + words_of(line.value_size);
  records_.reserve(words);
  if (count > few_rules) {
    const std::size_t buckets = std::bit_floor(count);
    bucket_shift_ = 64 - static_cast<std::uint32_t>(std::countr_zero(buckets));
    std::memset(heads_.room(buckets), 0, buckets * sizeof(std::uint32_t));
    heads_.added(buckets);
  }
  for (const SelectedRule& line : selection.rules) {
    const bool reference = dialect_.rule_value == Dialect::RuleValue::url_reference && !is_rooted(value_of(line));
    if (!reference && add_plain(line)) continue;
    const bool allow = line.allow;
    if (line.value_size == 0) {
      const EmptyRule empty = allow ? dialect_.empty_allow : dialect_.empty_disallow;
      // Of many empty rules only two can matter: the best one and the runner-up.
      std::uint32_t& seen = allow ? empty_allows_ : empty_disallows_;
      if (empty != EmptyRule::ignored && seen++ < 2) add_any(line, {});
    } else if (reference) {
      add_reference(line);
    } else {
      add_any(line, value_of(line));
      if (dialect_.index_html && allow) add_index_page(line);
    }
  }
}

// Adds any rule. `value`: its value, or the path that the value refers to.
void RulesBuilder::add_any(const SelectedRule& line, std::string_view value) {
  const ByteClasses classes = byte_classes(value, dialect_.pattern_encoding, PercentSide::pattern);
  Pattern pattern;
  pattern.written = value_of(line);
  pattern.text = value;
  pattern.allow = line.allow;
  pattern.anchored = classes.dollar && dialect_.dollar != Dialect::Dollar::literal && value.back() == '$';
  pattern.may_have_stars = dialect_.wildcards && (classes.star || classes.change);
  if (classes.change || (classes.dollar && dialect_.pattern_encoding == Dialect::Encoding::rfc9309)) {
    const std::string normalised = normalised_pattern(value, dialect_);
    pattern.text = normalised;
    return add(line, pattern);
  }
  add(line, pattern);
}

void RulesBuilder::add_reference(const SelectedRule& line) {
  const std::optional<std::string> path = rule_of_reference(value_of(line), robots_url_);
  if (path) add_any(line, *path);
}

// Adds a rule "/d/$" for "/d/index.html".
void RulesBuilder::add_index_page(const SelectedRule& line) {
  const std::string_view value = value_of(line);
  const std::size_t slash = index_page(value);
  if (slash == std::string_view::npos) return;
  add_any(line, std::string(value.substr(0, slash + 1)) + '$');
}

void RulesBuilder::add(const SelectedRule& line, const Pattern& pattern) {
  const std::string_view text = pattern.text.substr(0, pattern.text.size() - (pattern.anchored ? 1 : 0));
  const std::size_t literal = pattern.may_have_stars ? std::min(text.find('*'), text.size()) : text.size();
  // Paths begin with "/", so other patterns can only match a later line of a path, or the query of a URL without a
  // path.
  const bool query = dialect_.url_path == Dialect::UrlPath::uri && text.starts_with('?');
  if (literal != 0 && text.front() != '/' && !query && !dialect_.path_lines) return;

  std::uint32_t flags = pattern.allow ? RulesData::allow_flag : 0;
  if (pattern.anchored) flags |= RulesData::anchored_flag;
  if (literal != text.size()) flags |= RulesData::wildcard_flag;
  const bool same = pattern.text == pattern.written;
  if (!same) flags |= RulesData::written_flag;

  const auto rule = static_cast<std::uint32_t>(records_.size());
  const std::size_t room = text.size() + sizeof(std::uint32_t) + pattern.written.size() + path_padding;
  char* const begin = reinterpret_cast<char*>(begin_record(line, flags, text.size(), room));
  char* at = begin;
  const auto put = [&at](const void* from, std::size_t size) {
    if (size != 0) std::memcpy(at, from, size);
    at += size;
  };
  // A pattern that is stored as written needs no second copy.
  if (same) {
    put(pattern.written.data(), pattern.written.size());
  } else {
    const auto size = static_cast<std::uint32_t>(pattern.written.size());
    put(text.data(), text.size());
    put(&size, sizeof size);
    put(pattern.written.data(), size);
  }
  std::memset(at, 0, path_padding);
  records_.added(RulesData::pattern_word + words_of(static_cast<std::size_t>(at - begin)));

  // "/fish*" means "/fish", but "/fish*$" does not mean "/fish$".
  const bool only_stars = text.find_first_not_of('*', literal) == std::string_view::npos && !pattern.anchored;
  if (literal == text.size() || only_stars) return place_literal(rule, literal);
  place_in_list(wildcards_, rule, literal);
}

std::unique_ptr<const RulesData::Crowds> RulesBuilder::collect_crowds() {
  auto crowds = std::make_unique<RulesData::Crowds>();
  const auto first_of = [this](std::uint32_t bucket) { return heads_[bucket] & RulesData::head_mask; };
  const auto next_of = [this](std::uint32_t next) { return records_[next - 1 + RulesData::next_word]; };
  std::size_t rules = 0;
  for (const std::uint32_t bucket : crowded_) {
    for (std::uint32_t next = first_of(bucket); next != 0; next = next_of(next)) ++rules;
  }
  crowds->table.resize(rules + rules / 2 + 1);
  crowds->lengths.reserve(crowded_.size());
  for (const std::uint32_t bucket : crowded_) {
    std::vector<std::uint32_t>& lengths = crowds->lengths.emplace_back();
    std::bitset<crowd_lengths> seen;
    for (std::uint32_t next = first_of(bucket), after = 0; next != 0; next = after) {
      after = next_of(next);
      const std::uint32_t rule = next - 1;
      const std::string_view pattern = pattern_of(rule);
      const bool stars = (records_[rule] & RulesData::wildcard_flag) != 0;
      const std::size_t literal = stars ? pattern.find('*') : pattern.size();
      if (literal >= crowd_lengths || !seen.test(literal)) lengths.push_back(static_cast<std::uint32_t>(literal));
      if (literal < crowd_lengths) seen.set(literal);
      insert_crowded(rule, literal, crowds->table);
    }
    base::sort(lengths);
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    lengths.shrink_to_fit();
    heads_[bucket] =
        RulesData::crowded << RulesData::head_bits | static_cast<std::uint32_t>(crowds->lengths.size() - 1);
  }
  return crowds;
}

// Inserts a rule by the hash of its literal bytes. If several rules differ only in their lines, only the first two are
// kept: one can be the best and the other the runner-up, and equal rules would fill a row of equal slots. The caller
// goes from the last rule to the first.
void RulesBuilder::insert_crowded(std::uint32_t rule, std::size_t literal, std::vector<std::uint32_t>& table) {
  constexpr std::uint32_t saying = RulesData::allow_flag | RulesData::anchored_flag;
  const std::string_view pattern = pattern_of(rule);
  const std::uint64_t hash = PrefixHash(pattern.data()).of(literal);
  const auto size = static_cast<std::uint32_t>(table.size());
  std::uint32_t slot = crowd_slot(hash, size);
  std::uint32_t repeated = 0;
  std::uint32_t probe = 0;
  for (; probe < max_crowd_probes && table[slot] != 0; ++probe) {
    const std::uint32_t other = (table[slot] & RulesData::head_mask) - 1;
    if ((table[slot] & ~RulesData::head_mask) == crowd_tag(hash) &&
        ((records_[other] ^ records_[rule]) & saying) == 0 && pattern_of(other) == pattern) {
      repeated = other + 1;
      break;
    }
    slot = slot + 1 == size ? 0 : slot + 1;
  }
  if (probe == max_crowd_probes) return place_in_list(listed_, rule, literal);
  records_[rule + RulesData::next_word] = repeated;
  table[slot] = crowd_tag(hash) | (rule + 1);
}

RulesBuilder::Layout RulesBuilder::layout_for(const Selection& selection) const {
  Layout layout;
  const auto place = [&layout](std::size_t bytes) {
    const std::size_t at = layout.size;
    layout.size += bytes;
    return static_cast<std::uint32_t>(at);
  };
  constexpr std::size_t word = sizeof(std::uint32_t);
  const std::size_t list = wildcards_.size() + listed_.size();
  layout.padded_list = (list + 3) / 4 * 4;
  std::size_t names = 0;
  for (const Selection::GroupStart& group : selection.groups) names += group.agent_size;

  place(layout.padded_list * word);  // the keys are at 0
  layout.masks_at = place(layout.padded_list * word);
  layout.needs_at = place(wildcards_.size() * sizeof(std::uint64_t));
  layout.rules_at = place(list * word);
  layout.heads_at = place(heads_.bytes());
  layout.records_at = place(records_.bytes());
  layout.groups_at = place(selection.groups.size() * sizeof(RulesData::GroupStart));
  layout.names_at = place(names);
  place(path_padding);
  return layout;
}

std::shared_ptr<RulesData> RulesBuilder::lay_out(const Selection& selection, bool is_default) const {
  const Layout layout = layout_for(selection);
  if (layout.size > std::numeric_limits<std::uint32_t>::max()) base::out_of_memory();
  void* const memory = ::operator new(sizeof(RulesData) + layout.size);
  std::shared_ptr<RulesData> data(new (memory) RulesData, RulesDataDeleter{});
  data->dialect_ = dialect_;
  data->longest_first_ = dialect_.precedence == Dialect::Precedence::longest;
  data->ends_ = {dialect_.dollar, dialect_.path_lines};
  data->block_size_ = layout.size;
  data->rule_count_ = static_cast<std::uint32_t>(selection.rules.size());
  data->group_count_ = static_cast<std::uint32_t>(selection.groups.size());
  data->list_count_ = static_cast<std::uint32_t>(layout.padded_list);
  data->wildcard_count_ = static_cast<std::uint32_t>(wildcards_.size());
  data->masks_at_ = layout.masks_at;
  data->needs_at_ = layout.needs_at;
  data->rules_at_ = layout.rules_at;
  data->heads_at_ = layout.heads_at;
  data->records_at_ = layout.records_at;
  data->groups_at_ = layout.groups_at;
  data->bucket_shift_ = bucket_shift_;
  data->levels_ = levels_;

  auto* const block = reinterpret_cast<std::byte*>(data.get() + 1);
  write_list(layout, block);
  if (!heads_.empty()) std::memcpy(block + layout.heads_at, heads_.data(), heads_.bytes());
  if (!records_.empty()) std::memcpy(block + layout.records_at, records_.data(), records_.bytes());
  write_groups(selection, is_default, layout, block);
  return data;
}

// Writes keys, masks, needs and rules of the list.
void RulesBuilder::write_list(const Layout& layout, std::byte* block) const {
  const auto words_at = [block](std::uint32_t at) { return reinterpret_cast<std::uint32_t*>(block + at); };
  auto* const needs = reinterpret_cast<std::uint64_t*>(block + layout.needs_at);
  std::size_t item = 0;
  for (const ScratchVector<ListItem>* items : {&wildcards_, &listed_}) {
    for (const ListItem& listed : *items) {
      if (items == &wildcards_) needs[item] = needed_bytes(pattern_of(listed.rule));
      words_at(0)[item] = listed.key;
      words_at(layout.masks_at)[item] = listed.mask;
      words_at(layout.rules_at)[item++] = listed.rule;
    }
  }
  for (; item < layout.padded_list; ++item) {
    words_at(0)[item] = 1;  // with mask 0, this key matches no path
    words_at(layout.masks_at)[item] = 0;
  }
}

// Writes the groups and their names, and the padding after them.
void RulesBuilder::write_groups(const Selection& selection, bool is_default, const Layout& layout,
                                std::byte* block) const {
  auto* group_at = reinterpret_cast<RulesData::GroupStart*>(block + layout.groups_at);
  auto* name_at = reinterpret_cast<char*>(block + layout.names_at);
  for (const Selection::GroupStart& group : selection.groups) {
    const bool named = group.agent_begin != Selection::no_agent;
    const std::string_view name = named ? text_.substr(group.agent_begin, group.agent_size) : std::string_view{};
    *group_at++ = {group.line, static_cast<std::uint32_t>(name.size()), is_default || name == "*"};
    name_at = std::copy(name.begin(), name.end(), name_at);
  }
  std::memset(name_at, 0, path_padding);
}

std::unique_ptr<const RulesData::Extensions> RulesBuilder::read_extensions(
    const Selection& selection, const ScratchVector<ScannedLine>& for_all) const {
  auto extensions = std::make_unique<RulesData::Extensions>();
  bool signal = false;
  bool usage = false;
  for (const ScannedLine& line : selection.settings) {
    const std::string_view value = value_of(line);
    switch (line.kind) {
      case DirectiveKind::crawl_delay:
        if (const auto delay = parse_crawl_delay(value))
          extensions->crawl_delay = std::max(extensions->crawl_delay, delay);
        break;
      case DirectiveKind::request_rate:
        if (const auto rate = parse_request_rate(value)) extensions->request_rate = rate;
        break;
      case DirectiveKind::visit_time:
        if (const auto time = parse_visit_time(value)) extensions->visit_time = time;
        break;
      case DirectiveKind::content_signal:
        if (const auto said = parse_content_signal(value)) {
          extensions->signal = *said;
          signal = true;
        }
        break;
      case DirectiveKind::content_usage:
        add_usage_line(value, *extensions);
        usage = true;
        break;
      default: break;
    }
  }
  for (const ScannedLine& line : for_all) {
    const std::string_view value = value_of(line);
    if (line.kind == DirectiveKind::clean_param) {
      add_clean_line(value, *extensions);
    } else if (line.kind == DirectiveKind::content_signal && !signal) {
      if (const auto said = parse_content_signal(value)) extensions->signal = *said;
    } else if (line.kind == DirectiveKind::content_usage && !usage) {
      add_usage_line(value, *extensions);
    }
  }
  extensions->usage_bytes.append(path_padding, '\0');
  return extensions;
}

// Returns the normalised path without a "$" that anchors it.
std::string RulesBuilder::path_pattern(std::string_view path, bool& anchored) const {
  std::string pattern = normalised_pattern(path, dialect_);
  anchored = dialect_.dollar != Dialect::Dollar::literal && path.ends_with('$');
  if (anchored) pattern.pop_back();
  return pattern;
}

void RulesBuilder::add_clean_line(std::string_view value, RulesData::Extensions& extensions) const {
  auto said = parse_clean_param(value);
  if (!said) return;
  RulesData::CleanLine line;
  line.parameters = std::move(said->parameters);
  line.pattern = path_pattern(said->path, line.anchored);
  line.pattern.append(path_padding, '\0');
  extensions.clean_lines.push_back(std::move(line));
}

void RulesBuilder::add_usage_line(std::string_view value, RulesData::Extensions& extensions) const {
  const auto said = parse_content_usage(value);
  if (!said) return;
  bool anchored = false;
  const std::string pattern = path_pattern(said->path, anchored);
  RulesData::UsageLine line{*said, 0, 0, 0, 0, anchored};
  line.said.path = {};
  std::string& bytes = extensions.usage_bytes;
  line.pattern_begin = static_cast<std::uint32_t>(bytes.size());
  line.pattern_size = static_cast<std::uint32_t>(pattern.size());
  bytes += pattern;
  line.written_begin = static_cast<std::uint32_t>(bytes.size());
  line.written_size = static_cast<std::uint32_t>(said->path.size());
  bytes += said->path;
  extensions.usage_lines.push_back(line);
}

}  // namespace robotrules::core
