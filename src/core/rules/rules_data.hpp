// The compiled rules of one file for one robot.
//
// They are one block of memory: the object, and behind it its arrays. An example is a file with "Disallow: /tmp" in
// line 2, "Allow: /*.pdf$" in line 3, "Disallow: /private/map" in line 4, "Disallow: /private/log" in line 5, and 21
// lines "Disallow: /shop/a" to "Disallow: /shop/u" for the same group. A word has 32 bits; the sign - means zero.
//
//   list      keys      -               "tmp"           1     1        first bytes after "/" (1 with mask 0: padding to
//             masks     -               3 bytes         -     -        a multiple of four, which no path matches)
//             needs     {/ . p d f}                                    bytes that a rule with wildcards needs
//             rules     4               0                              numbers of the two rules
//   heads     bucket 7  2 rules, the first is 15                       16 buckets, for 25 to 31 rules
//             bucket 9  crowd 0                                        the other buckets are empty
//   records    0        line 2 Disallow                  next -    size 4    "/tmp"
//              4        line 3 Allow, wildcard, anchored next -    size 6    "/*.pdf$"
//              9        line 4 Disallow                  next -    size 12   "/private/map"
//             15        line 5 Disallow                  next 9    size 12   "/private/log"
//             21        line 6 Disallow                  next -    size 7    "/shop/a", and so on
//   groups    line 1, "*"
//   Crowds    lengths   crowd 0: {7}                                   memory of its own
//             table     hash of "/shop/a": 21, hash of "/shop/b": 26, and so on
//
// The number of a rule is the word at which its record begins, so numbers are in file order. Each rule is in one index:
//   - The list has the rules with wildcards, then literal rules that are short, and all literal rules if there are few.
//     One step compares four keys with the path, under their masks. Only rules whose key agrees are matched.
//   - The buckets have all other literal rules, by the hash of their first bytes after "/": as many bytes as the
//     largest of bucket_levels that the rule has (4 for "/shop/a", 8 for "/private/map"). A bucket is a chain of
//     records. A bucket of more than eight rules is a crowd: for each length of its rules, the prefix of the path is
//     looked up in a table. So the cost depends on the length of the path and not on the number of literal rules.
//
// The question "/private/map.pdf": the list excludes rule 0 by its key. Rule 4 remains, because the path has the bytes
// that it needs, and it matches. Levels 4 and 8 are in use: bucket 8 for "priv" is empty, and bucket 7 for "private/"
// leads to rule 15, which does not match, and to rule 9, which does. Rule 9 is longer, so it wins over rule 4.
//
// The naive matcher in tests/oracle is the simple twin of all this.
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
  // The two best rules that match a path. no_rule: there is none.
  static constexpr std::uint32_t no_rule = 0xFFFFFFFF;
  struct Best {
    std::uint32_t first = no_rule;
    std::uint32_t second = no_rule;
    std::uint64_t first_rank = 0;
    std::uint64_t second_rank = 0;
  };

  // Returns the two best rules for `path`, which must come from a PathBuffer.
  template <class Steps>
  Best best_rules(std::string_view path, Steps& steps) const noexcept;

  // Returns the answer if this rule decides. A rule with an empty pattern allows.
  Access access_of(std::uint32_t rule) const noexcept;
  RuleLine line_of(std::uint32_t rule) const noexcept;
  GroupLine group_of(std::uint32_t line) const noexcept;  // line 0: the first group that applies
  Why why_no_rule() const noexcept;
  Usage usage(std::string_view path) const noexcept;
  // Returns the Allow and Disallow lines that can match a path, in file order.
  std::vector<RuleLine> lines() const;
  // Returns the parameters that Clean-param lines name for this path, as views into this object.
  std::vector<std::string_view> clean_parameters(std::string_view path) const;
  bool has_clean_lines() const noexcept { return extensions_ != nullptr && !extensions_->clean_lines.empty(); }
  std::size_t memory_bytes() const noexcept;
  std::size_t rule_count() const noexcept { return rule_count_; }  // with lines that can never match
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
  static constexpr std::uint32_t written_flag = 8;   // the size and the bytes as written follow the pattern
  static constexpr unsigned flag_bits = 4;

  // The words of a record. The pattern begins at the last one.
  static constexpr std::uint32_t line_word = 0;
  static constexpr std::uint32_t next_word = 1;  // next rule of the bucket plus one; in a crowd: the rule that repeats
                                                 // this one, plus one; 0: none
  static constexpr std::uint32_t size_word = 2;
  static constexpr std::uint32_t pattern_word = 3;

  // The head of a bucket: the lower head_bits have its first rule plus one, the bits above the number of rules. If this
  // number is `crowded`, the lower bits have the index of the crowd. 0: the bucket is empty.
  static constexpr unsigned head_bits = 24;
  static constexpr std::uint32_t head_mask = (1u << head_bits) - 1;
  static constexpr std::uint32_t crowded = 9;

  struct GroupStart {
    std::uint32_t line;
    std::uint32_t agent_size;  // all names are in one array behind the groups
    bool is_default;
  };
  // One Content-Usage line. Its pattern is in usage_bytes, normalised and as written.
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
    std::string pattern;  // normalised, followed by path_padding zero bytes
    bool anchored = false;
  };
  // Directives that few files have. The other files need no memory for them.
  struct Extensions {
    std::optional<Milliseconds> crawl_delay;
    std::optional<RequestRate> request_rate;
    std::optional<TimeOfDay> visit_time;
    ContentSignal signal;
    std::vector<UsageLine> usage_lines;
    std::string usage_bytes;
    std::vector<CleanLine> clean_lines;
  };
  // The rules of crowded buckets.
  struct Crowds {
    std::vector<std::vector<std::uint32_t>> lengths;  // for each crowd, ascending
    std::vector<std::uint32_t> table;                 // crowd_tag() of the hash, and the rule plus one; 0: free
  };

  // Returns the array `at` bytes behind the object.
  template <class T>
  const T* array(std::uint32_t at) const noexcept {
    return reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(this + 1) + at);
  }
  const std::uint32_t* record(std::uint32_t rule) const noexcept { return array<std::uint32_t>(records_at_) + rule; }
  static std::string_view pattern_in(const std::uint32_t* record) noexcept {
    return {reinterpret_cast<const char*>(record + pattern_word), record[size_word]};
  }

  // Returns the number of words from this record to the next one.
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
  std::size_t block_size_ = 0;  // bytes of the arrays
  std::uint32_t rule_count_ = 0;
  std::uint32_t group_count_ = 0;
  std::uint32_t groups_at_ = 0;

  // Every question needs these members. They are last, next to the arrays, so that they share cache lines with them.
  std::uint32_t list_count_ = 0;      // a multiple of four, with the padding
  std::uint32_t wildcard_count_ = 0;  // rules with wildcards, which are first in the list
  std::uint32_t masks_at_ = 0;        // the keys are at 0
  std::uint32_t rules_at_ = 0;
  std::uint32_t needs_at_ = 0;  // for the rules with wildcards
  std::uint32_t heads_at_ = 0;
  std::uint32_t records_at_ = 0;
  std::uint32_t bucket_shift_ = 64;  // 64: no buckets
  std::uint32_t levels_ = 0;         // bit i: bucket_levels[i] is in use
  bool longest_first_ = true;
  PathEnds ends_;

  friend struct RulesDataDeleter;

 public:
  // Loads the memory that best_rules() reads first into the cache, while the caller still makes the path.
  void prefetch() const noexcept {
#if defined(__GNUC__)
    const char* const begin = reinterpret_cast<const char*>(&list_count_);
    for (std::size_t line = 0; line < 6; ++line) __builtin_prefetch(begin + 64 * line);
#endif
  }
};

static_assert(sizeof(RulesData) % alignof(std::uint64_t) == 0, "the arrays behind the object are aligned");

}  // namespace robotrules::core
