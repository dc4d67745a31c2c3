#include "core/rules_builder.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include <robotrules/extensions.hpp>

#include "core/percent.hpp"
#include "core/rule_reference.hpp"
#include "core/rules_hash.hpp"

namespace robotrules::core {
namespace {

using EmptyRule = Dialect::EmptyRule;

// A bucket of more rules than this is crowded; fewer literal rules than this need no buckets.
constexpr std::size_t bucket_limit = 8;
constexpr std::size_t key_end = 5;  // the first "/" and the four octets of the key
constexpr std::uint32_t max_line = 0xFFFFFFFFu >> 4;

// Octets before the first "*".
std::uint32_t literal_size(std::string_view pattern) noexcept {
  return static_cast<std::uint32_t>(std::min(pattern.find('*'), pattern.size()));
}

// The key of at most key_end octets that are not padded.
std::uint32_t key_of_literal(std::string_view literal) noexcept {
  char padded[2 * sizeof(std::uint64_t)] = {};
  if (!literal.empty()) std::memcpy(padded, literal.data(), literal.size());
  return list_key({padded, literal.size()});
}

}  // namespace

void RulesBuilder::build(const Selection& selection, bool is_default, const std::vector<ScannedLine>& before_groups,
                         RulesData& data) {
  data.dialect = dialect_;
  data.rule_count = static_cast<std::uint32_t>(selection.rules.size());
  data.longest_first_ = dialect_.precedence == Dialect::Precedence::longest;
  data.dollar_ = dialect_.dollar;
  for (const Selection::GroupStart& group : selection.groups) {
    RulesData::GroupStart start{group.line, static_cast<std::uint32_t>(data.names.size()), 0, is_default};
    if (group.agent_begin != Selection::no_agent) {
      const std::string_view value = text_.substr(group.agent_begin, group.agent_size);
      start.is_default = start.is_default || value == "*";
      start.agent_size = group.agent_size;
      data.names += value;
    }
    data.groups.push_back(start);
  }
  read_extensions(selection, before_groups, data);
  draft_rules(selection.rules);
  lay_out(data);
}

void RulesBuilder::draft_rules(const std::vector<ScannedLine>& rules) {
  drafts_.reserve(rules.size());
  for (const ScannedLine& line : rules) {
    const std::string_view value = value_of(line);
    if (value.empty()) {
      const EmptyRule empty = line.kind == DirectiveKind::allow ? dialect_.empty_allow : dialect_.empty_disallow;
      if (empty != EmptyRule::ignored) draft(line, value, value);
      continue;
    }
    if (dialect_.rule_value == Dialect::RuleValue::url_reference) {
      std::optional<std::string> path = rule_of_reference(changed(value), robots_url_);
      if (path) draft(line, value, changed_.emplace_back(std::move(*path)));
      continue;
    }
    draft(line, value, value);
    if (dialect_.index_html && line.kind == DirectiveKind::allow) draft_index_page(line, value);
  }
}

// The value as it is compared: a view of itself or of what was written down for it.
std::string_view RulesBuilder::changed(std::string_view value) {
  if (!needs_normalising(value, dialect_.pattern_encoding, PercentSide::pattern)) return value;
  return changed_.emplace_back(normalised_pattern(value, dialect_));
}

void RulesBuilder::draft(const ScannedLine& line, std::string_view written, std::string_view value) {
  const bool anchored = dialect_.dollar != Dialect::Dollar::literal && value.ends_with('$');
  std::string_view pattern = dialect_.rule_value == Dialect::RuleValue::pattern ? changed(value) : value;
  if (anchored) pattern.remove_suffix(1);
  // Paths begin with "/": what begins otherwise can't match.
  const bool star = dialect_.wildcards && pattern.starts_with('*');
  if (!pattern.empty() && pattern.front() != '/' && !star) return;

  const std::uint32_t literal =
      dialect_.wildcards ? literal_size(pattern) : static_cast<std::uint32_t>(pattern.size());
  std::uint32_t flags = line.kind == DirectiveKind::allow ? RulesData::allow_flag : 0;
  if (literal != pattern.size()) flags |= RulesData::wildcard_flag;
  if (anchored) flags |= RulesData::anchored_flag;
  if (written != std::string_view(pattern.data(), pattern.size() + (anchored ? 1 : 0))) flags |= RulesData::written_flag;
  drafts_.push_back(
      {written, pattern, std::min(line.line, max_line) << RulesData::flag_bits | flags, literal});
}

// Google takes "Allow: /d/index.html" for "/d/" too: a rule "/d/$" besides.
void RulesBuilder::draft_index_page(const ScannedLine& line, std::string_view value) {
  const std::size_t slash = value.rfind('/');
  if (slash == std::string_view::npos || !value.substr(slash).starts_with("/index.htm")) return;
  draft(line, value, changed_.emplace_back(std::string(value.substr(0, slash + 1)) + '$'));
}

void RulesBuilder::choose_indexes() {
  for (std::uint32_t i = 0; i < drafts_.size(); ++i) {
    const Draft& draft = drafts_[i];
    const bool literal = (draft.line_and_flags & RulesData::wildcard_flag) == 0 ||
                         draft.pattern.find_first_not_of('*', draft.literal) == std::string_view::npos;
    const bool anchored_star = literal && draft.literal != draft.pattern.size() &&
                               (draft.line_and_flags & RulesData::anchored_flag) != 0;
    if (!literal || anchored_star) {
      wildcards_.push_back(i);
    } else if (draft.literal >= key_end && i <= max_crowd_rule) {
      bucketed_.push_back(i);
    } else {
      shorts_.push_back(i);
    }
  }
  if (bucketed_.size() <= bucket_limit) {
    shorts_.insert(shorts_.end(), bucketed_.begin(), bucketed_.end());
    bucketed_.clear();
  } else {
    sort_into_buckets();
  }
}

void RulesBuilder::sort_into_buckets() {
  const std::size_t buckets = std::bit_ceil(bucketed_.size());
  bucket_shift_ = 32 - static_cast<std::uint32_t>(std::countr_zero(buckets));
  std::vector<std::uint32_t> begins(buckets + 1);
  std::vector<std::uint32_t> items(bucketed_.size());
  const auto bucket = [this](std::uint32_t rule) {
    return bucket_of(key_of_literal(drafts_[rule].pattern.substr(0, key_end)), bucket_shift_);
  };
  for (const std::uint32_t rule : bucketed_) ++begins[bucket(rule) + 1];
  for (std::size_t i = 1; i <= buckets; ++i) begins[i] += begins[i - 1];
  std::vector<std::uint32_t> ends(begins.begin(), begins.end() - 1);
  for (const std::uint32_t rule : bucketed_) items[ends[bucket(rule)]++] = rule;
  find_crowds(begins, items);
}

void RulesBuilder::find_crowds(const std::vector<std::uint32_t>& begins, const std::vector<std::uint32_t>& items) {
  bucket_begins_.reserve(begins.size());
  bucket_items_.reserve(items.size());
  std::vector<std::uint32_t> lengths;
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    const auto begin = items.begin() + begins[i];
    const auto end = items.begin() + begins[i + 1];
    const auto at = static_cast<std::uint32_t>(bucket_items_.size());
    if (begins[i + 1] - begins[i] <= bucket_limit) {
      bucket_begins_.push_back(at);
      bucket_items_.insert(bucket_items_.end(), begin, end);
      continue;
    }
    bucket_begins_.push_back(at | RulesData::crowded_flag);
    lengths.clear();
    for (auto rule = begin; rule != end; ++rule) lengths.push_back(drafts_[*rule].literal);
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    bucket_items_.insert(bucket_items_.end(), lengths.begin(), lengths.end());
    crowd_rules_.insert(crowd_rules_.end(), begin, end);
  }
  bucket_begins_.push_back(static_cast<std::uint32_t>(bucket_items_.size()));
  if (!crowd_rules_.empty()) crowd_size_ = static_cast<std::uint32_t>(crowd_rules_.size() + crowd_rules_.size() / 2 + 1);
}

void RulesBuilder::lay_out(RulesData& data) {
  choose_indexes();
  std::size_t octets = 0;
  for (const Draft& draft : drafts_) {
    const bool written = (draft.line_and_flags & RulesData::written_flag) != 0;
    octets += written ? sizeof(std::uint32_t) + draft.pattern.size() + draft.written.size() : draft.written.size();
  }
  const std::size_t list = wildcards_.size() + shorts_.size();
  const std::size_t needs_size = wildcards_.size() * sizeof(std::uint64_t);
  const std::size_t entries_size = (drafts_.size() + 1) * sizeof(RulesData::Entry);
  const std::size_t words =
      3 * list + bucket_begins_.size() + bucket_items_.size() + crowd_size_;
  data.block_size_ = needs_size + entries_size + words * sizeof(std::uint32_t) + octets + path_padding;
  data.block_ = std::make_unique_for_overwrite<std::byte[]>(data.block_size_);

  std::byte* at = data.block_.get();
  const auto take = [&at](std::size_t bytes) {
    std::byte* const taken = at;
    at += bytes;
    return taken;
  };
  auto* const needs = reinterpret_cast<std::uint64_t*>(take(needs_size));
  auto* const entries = reinterpret_cast<RulesData::Entry*>(take(entries_size));
  const auto take_words = [&](std::size_t count) {
    return reinterpret_cast<std::uint32_t*>(take(count * sizeof(std::uint32_t)));
  };
  std::uint32_t* const keys = take_words(list);
  std::uint32_t* const masks = take_words(list);
  std::uint32_t* const rules = take_words(list);
  std::uint32_t* const begins = take_words(bucket_begins_.size());
  std::uint32_t* const items = take_words(bucket_items_.size());
  std::uint32_t* const crowd = take_words(crowd_size_);
  char* const text = reinterpret_cast<char*>(take(octets + path_padding));

  write_entries(entries, text);
  write_list(keys, masks, rules, needs);
  write_buckets(begins, items);
  write_crowd(text, entries, crowd);

  data.entries_ = entries;
  data.octets_ = text;
  data.list_keys_ = keys;
  data.list_masks_ = masks;
  data.list_rules_ = rules;
  data.list_needs_ = needs;
  data.bucket_begins_ = begins;
  data.bucket_items_ = items;
  data.crowd_ = crowd;
  data.list_count_ = static_cast<std::uint32_t>(list);
  data.wildcard_count_ = static_cast<std::uint32_t>(wildcards_.size());
  data.bucket_shift_ = bucket_shift_;
  data.crowd_size_ = crowd_size_;
}

void RulesBuilder::write_entries(RulesData::Entry* entries, char* octets) const {
  std::uint32_t at = 0;
  const auto put = [&](const void* from, std::size_t size) {
    if (size != 0) std::memcpy(octets + at, from, size);
    at += static_cast<std::uint32_t>(size);
  };
  for (const Draft& draft : drafts_) {
    *entries++ = {at, draft.line_and_flags};
    const auto size = static_cast<std::uint32_t>(draft.pattern.size());
    const bool written = (draft.line_and_flags & RulesData::written_flag) != 0;
    if (written) {
      put(&size, sizeof size);
      put(draft.pattern.data(), size);
    }
    put(draft.written.data(), draft.written.size());
  }
  *entries = {at, 0};
  std::memset(octets + at, 0, path_padding);
}

void RulesBuilder::write_list(std::uint32_t* keys, std::uint32_t* masks, std::uint32_t* rules,
                              std::uint64_t* needs) const {
  const auto put = [&](std::uint32_t rule) {
    const Draft& draft = drafts_[rule];
    const std::string_view literal = draft.pattern.substr(0, std::min<std::size_t>(draft.literal, key_end));
    *keys++ = key_of_literal(literal);
    *masks++ = list_mask(literal.empty() ? 0 : literal.size() - 1);
    *rules++ = rule;
  };
  for (const std::uint32_t rule : wildcards_) {
    put(rule);
    std::uint64_t need = 0;
    for (const char c : drafts_[rule].pattern) {
      if (c != '*') need |= octet_set({&c, 1});
    }
    *needs++ = need;
  }
  for (const std::uint32_t rule : shorts_) put(rule);
}

void RulesBuilder::write_buckets(std::uint32_t* begins, std::uint32_t* items) const {
  std::copy(bucket_begins_.begin(), bucket_begins_.end(), begins);
  std::copy(bucket_items_.begin(), bucket_items_.end(), items);
}

// Every crowded rule by the hash of its literal octets. Of rules that differ in nothing but their line the first stays:
// the others can never be the best, and a run of equal rules would be a run of equal slots.
void RulesBuilder::write_crowd(const char* octets, const RulesData::Entry* entries, std::uint32_t* crowd) const {
  std::fill(crowd, crowd + crowd_size_, 0u);
  for (const std::uint32_t rule : crowd_rules_) {
    const Draft& draft = drafts_[rule];
    const char* const text = octets + entries[rule].begin +
                             ((draft.line_and_flags & RulesData::written_flag) != 0 ? sizeof(std::uint32_t) : 0);
    const std::uint64_t hash = PrefixHash(text).of(draft.literal);
    std::uint32_t slot = crowd_slot(hash, crowd_size_);
    bool repeated = false;
    while (crowd[slot] != 0 && !repeated) {
      const Draft& other = drafts_[(crowd[slot] & 0x00FFFFFFu) - 1];
      constexpr std::uint32_t saying = RulesData::allow_flag | RulesData::anchored_flag;
      repeated = (crowd[slot] & 0xFF000000u) == crowd_tag(hash) && other.pattern == draft.pattern &&
                 (other.line_and_flags & saying) == (draft.line_and_flags & saying);
      slot = slot + 1 == crowd_size_ ? 0 : slot + 1;
    }
    if (!repeated) crowd[slot] = crowd_tag(hash) | (rule + 1);
  }
}

void RulesBuilder::read_extensions(const Selection& selection, const std::vector<ScannedLine>& before_groups,
                                   RulesData& data) const {
  bool signal = false;
  bool usage = false;
  for (const ScannedLine& line : selection.extensions) {
    const std::string_view value = value_of(line);
    switch (line.kind) {
      case DirectiveKind::crawl_delay:
        if (const auto delay = parse_crawl_delay(value)) data.crawl_delay = std::max(data.crawl_delay, delay);
        break;
      case DirectiveKind::request_rate:
        if (const auto rate = parse_request_rate(value)) data.request_rate = rate;
        break;
      case DirectiveKind::visit_time:
        if (const auto time = parse_visit_time(value)) data.visit_time = time;
        break;
      case DirectiveKind::content_signal:
        if (const auto said = parse_content_signal(value)) {
          data.signal = *said;
          signal = true;
        }
        break;
      case DirectiveKind::content_usage:
        add_usage_line(value, data);
        usage = true;
        break;
      default: break;
    }
  }
  for (const ScannedLine& line : before_groups) {
    const std::string_view value = value_of(line);
    if (line.kind == DirectiveKind::content_signal && !signal) {
      if (const auto said = parse_content_signal(value)) data.signal = *said;
    } else if (line.kind == DirectiveKind::content_usage && !usage) {
      add_usage_line(value, data);
    }
  }
  if (!data.usage_lines.empty()) data.names.append(path_padding, '\0');
}

void RulesBuilder::add_usage_line(std::string_view value, RulesData& data) const {
  const auto said = parse_content_usage(value);
  if (!said) return;
  std::string pattern = normalised_pattern(said->path, dialect_);
  const bool anchored = dialect_.dollar != Dialect::Dollar::literal && said->path.ends_with('$');
  if (anchored) pattern.pop_back();
  RulesData::UsageLine line{*said, 0, 0, 0, 0, anchored};
  line.said.path = {};
  line.pattern_begin = static_cast<std::uint32_t>(data.names.size());
  line.pattern_size = static_cast<std::uint32_t>(pattern.size());
  data.names += pattern;
  line.written_begin = static_cast<std::uint32_t>(data.names.size());
  line.written_size = static_cast<std::uint32_t>(said->path.size());
  data.names += said->path;
  data.usage_lines.push_back(line);
}

std::shared_ptr<const RulesData> compile_rules(std::string_view robots, std::string_view agent, const Dialect& dialect,
                                               std::string_view robots_url) {
  std::string storage;
  const PreparedText prepared = prepare_text(robots, dialect, storage);
  const AgentMatcher matcher(agent, dialect);
  Selector selector(prepared.text, matcher, dialect);
  Scanner<Selector>(prepared, dialect, selector).run();
  bool is_default = false;
  const Selection& selection = selector.finish(is_default);
  auto data = std::make_shared<RulesData>();
  RulesBuilder(prepared.text, dialect, robots_url).build(selection, is_default, selector.before_groups(), *data);
  return data;
}

}  // namespace robotrules::core
