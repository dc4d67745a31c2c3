// The compiled rules of one file for one robot.
//
// Shape: one piece of memory, the object and behind it its arrays. Every rule is a record of 32-bit words: line and
// flags, the next rule of its bucket, the octets of its normalised pattern, the pattern. A rule's number is where its
// record begins, so numbers rise in file order. Which rules can match a path is found by two indexes:
//   - the list: rules with wildcards, and literal rules that are short or few. Each has a key, the octets behind the
//     first "/" that a path must have, so that most are refused by one comparison, four at a time; those with wildcards
//     also have the set of octets that they need.
//   - the buckets: all other literal rules, by their first octets behind the first "/": the most of bucket_levels that
//     they have. A bucket is a chain of rules. One with more than a few is crowded: it has the lengths of its rules
//     instead, and for each of these lengths that the path has, the prefix of the path is looked up in a hash table of
//     whole patterns. So the cost depends on the path and on nothing else.
// The naive reading in tests/oracle is the plain twin of all this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/dialect.hpp>
#include <robotrules/extensions.hpp>
#include <robotrules/rules.hpp>

#include "core/rules/match.hpp"

namespace robotrules::core {

class RulesData {
 public:
  // The two best rules that match a path; no_rule where there is none.
  static constexpr std::uint32_t no_rule = 0xFFFFFFFF;
  struct Best {
    std::uint32_t first = no_rule;
    std::uint32_t second = no_rule;
    std::uint64_t first_rank = 0;
    std::uint64_t second_rank = 0;
  };

  // `path` as a PathBuffer gives it.
  template <class Steps>
  Best best_rules(std::string_view path, Steps& steps) const noexcept;

  // What the rule says when it decides: an empty pattern forbids nothing.
  Access access_of(std::uint32_t rule) const noexcept;
  RuleLine line_of(std::uint32_t rule) const noexcept;
  GroupLine group_of(std::uint32_t line) const noexcept;  // line 0: the first group that holds
  Why why_no_rule() const noexcept;
  Usage usage(std::string_view path) const noexcept;
  // The Allow and Disallow lines that can match a path, in file order.
  std::vector<RuleLine> lines() const;
  // The parameters that Clean-param lines name for this path; views into this object.
  std::vector<std::string_view> clean_parameters(std::string_view path) const;
  bool has_clean_lines() const noexcept { return extensions_ != nullptr && !extensions_->clean_lines.empty(); }
  std::size_t memory_bytes() const noexcept;
  std::size_t rule_count() const noexcept { return rule_count_; }  // lines, those that can never match included
  const Dialect& dialect() const noexcept { return dialect_; }
  std::optional<Milliseconds> crawl_delay() const noexcept {
    return extensions_ == nullptr ? std::nullopt : extensions_->crawl_delay;
  }
  std::optional<RequestRate> request_rate() const noexcept {
    return extensions_ == nullptr ? std::nullopt : extensions_->request_rate;
  }
  std::optional<TimeOfDay> visit_time() const noexcept {
    return extensions_ == nullptr ? std::nullopt : extensions_->visit_time;
  }

 private:
  friend class RulesBuilder;

  RulesData() = default;
  ~RulesData() = default;

  static constexpr std::uint32_t allow_flag = 1;
  static constexpr std::uint32_t wildcard_flag = 2;
  static constexpr std::uint32_t anchored_flag = 4;  // the pattern's "$" is not counted in its size
  static constexpr std::uint32_t written_flag = 8;   // behind the pattern stand the size and octets as written
  static constexpr unsigned flag_bits = 4;

  // A record's words; the pattern begins at the last.
  static constexpr std::uint32_t line_word = 0;
  static constexpr std::uint32_t next_word = 1;  // the next rule of the bucket plus one; of a crowded rule the one that
                                                 // repeats it; 0: none
  static constexpr std::uint32_t size_word = 2;
  static constexpr std::uint32_t pattern_word = 3;

  // The head of a bucket: its first rule plus one, and above head_bits how many rules it has (at most crowded); for a
  // crowded one its number among the crowds instead of a rule. 0: empty.
  static constexpr unsigned head_bits = 24;
  static constexpr std::uint32_t head_mask = (1u << head_bits) - 1;
  static constexpr std::uint32_t crowded = 9;

  struct GroupStart {
    std::uint32_t line;
    std::uint32_t agent_size;  // the names follow each other behind the groups
    bool is_default;
  };
  // One Content-Usage line; its pattern, normalised and as written, in usage_octets.
  struct UsageLine {
    ContentUsage said;
    std::uint32_t pattern_begin;
    std::uint32_t pattern_size;
    std::uint32_t written_begin;
    std::uint32_t written_size;
    bool anchored;
  };
  // One Clean-param line.
  struct CleanLine {
    std::vector<std::string> parameters;
    std::string pattern;  // of the path, normalised; behind it stands path_padding
    bool anchored = false;
  };
  // What few files have, so that the others need not carry it.
  struct Extensions {
    std::optional<Milliseconds> crawl_delay;
    std::optional<RequestRate> request_rate;
    std::optional<TimeOfDay> visit_time;
    ContentSignal signal;
    std::vector<UsageLine> usage_lines;
    std::string usage_octets;
    std::vector<CleanLine> clean_lines;
  };
  // The rules of crowded buckets.
  struct Crowds {
    std::vector<std::vector<std::uint32_t>> lengths;  // of each crowd, ascending
    std::vector<std::uint32_t> table;                 // tag and rule plus one; 0: free
  };

  // An array behind the object, `at` octets from its end.
  template <class T>
  const T* array(std::uint32_t at) const noexcept {
    return reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(this + 1) + at);
  }
  const std::uint32_t* record(std::uint32_t rule) const noexcept { return array<std::uint32_t>(records_at_) + rule; }
  static std::string_view pattern_in(const std::uint32_t* record) noexcept {
    return {reinterpret_cast<const char*>(record + pattern_word), record[size_word]};
  }

  // The record behind this one begins so many words further on.
  static std::uint32_t record_size(const std::uint32_t* record) noexcept;
  bool path_matches(std::string_view pattern, bool anchored, std::string_view path) const noexcept;

  template <class Steps>
  void search(std::string_view path, Best& best, Steps& steps) const noexcept;
  template <class Steps>
  bool matches(const std::uint32_t* record, std::string_view path, Steps& steps) const noexcept;
  template <class Steps>
  void consider(std::uint32_t rule, std::string_view path, Best& best, Steps& steps) const noexcept;
  template <class Steps>
  void search_list(std::string_view path, std::uint32_t key, Best& best, Steps& steps) const noexcept;
  template <class Steps>
  void search_bucket(std::uint64_t hash, std::string_view path, Best& best, Steps& steps) const noexcept;
  template <class Steps>
  void search_crowd(const std::vector<std::uint32_t>& lengths, std::string_view path, Best& best,
                    Steps& steps) const noexcept;

  Dialect dialect_ = Dialect::rfc9309();
  std::unique_ptr<const Crowds> crowds_;
  std::unique_ptr<const Extensions> extensions_;
  std::size_t block_size_ = 0;  // octets of the arrays
  std::uint32_t rule_count_ = 0;
  std::uint32_t group_count_ = 0;
  std::uint32_t groups_at_ = 0;

  // What every question needs stands last, beside the arrays: it comes into the cache with them.
  std::uint32_t list_count_ = 0;      // a multiple of four; the keys and masks of what is too many match nothing
  std::uint32_t wildcard_count_ = 0;  // at the head of the list
  std::uint32_t masks_at_ = 0;        // the keys stand at 0
  std::uint32_t rules_at_ = 0;
  std::uint32_t needs_at_ = 0;  // of the wildcards
  std::uint32_t heads_at_ = 0;
  std::uint32_t records_at_ = 0;
  std::uint32_t bucket_shift_ = 64;  // 64: no buckets
  std::uint32_t levels_ = 0;         // bits: the bucket levels in use
  bool longest_first_ = true;
  PathEnds ends_;

  friend struct RulesDataDeleter;

 public:
  // Brings the first of what best_rules() will look at nearer, while the path is still being made.
  void prefetch() const noexcept {
#if defined(__GNUC__)
    const char* const begin = reinterpret_cast<const char*>(&list_count_);
    for (std::size_t line = 0; line < 6; ++line) __builtin_prefetch(begin + 64 * line);
#endif
  }
};

static_assert(sizeof(RulesData) % alignof(std::uint64_t) == 0, "the arrays behind the object are aligned");

// Reads `robots` for `agent`; what Rules::compile does.
std::shared_ptr<const RulesData> compile_rules(std::string_view robots, std::string_view agent, const Dialect& dialect,
                                               std::string_view robots_url);

}  // namespace robotrules::core
