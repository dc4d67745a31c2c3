// The compiled rules of one file for one robot.
//
// Shape: every rule has an Entry (where its normalised pattern lies in one run of octets, its line, what it says).
// Which rules can match a path is found by two indexes:
//   - the list: rules with wildcards, and literal rules that are short or few. Each has a key, the octets behind the
//     first "/" that a path must have, so that most are refused by one comparison; those with wildcards also have the
//     set of octets that they need.
//   - the buckets: all other literal rules, by their first octets behind the first "/": the most of bucket_levels that
//     they have.
//     A bucket is a chain of rules. One with more than a few is crowded: it has the lengths of its rules instead, and
//     for each of these lengths that the path has, the prefix of the path is looked up in a hash table of whole
//     patterns. So the cost depends on the path and on nothing else.
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
#include <robotrules/verdict.hpp>

#include "core/match.hpp"

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
  std::size_t memory_bytes() const noexcept;
  std::size_t rule_count() const noexcept { return rule_count_; }  // lines, those that can never match included
  const Dialect& dialect() const noexcept { return dialect_; }

  std::optional<Milliseconds> crawl_delay;
  std::optional<RequestRate> request_rate;
  std::optional<TimeOfDay> visit_time;

 private:
  friend class RulesBuilder;

  static constexpr std::uint32_t allow_flag = 1;
  static constexpr std::uint32_t wildcard_flag = 2;
  static constexpr std::uint32_t anchored_flag = 4;
  static constexpr std::uint32_t written_flag = 8;  // size, pattern, then the pattern as written, which differs
  static constexpr unsigned flag_bits = 4;

  struct Entry {
    std::uint32_t begin;  // in octets_; the entry behind it begins where this one ends
    std::uint32_t line_and_flags;
    std::uint32_t next;  // the next rule of its bucket plus one; 0: the last
  };

  // The head of a bucket: its first rule plus one, and above head_bits how many rules it has (at most crowded); for a
  // crowded one its number among the crowds instead of a rule. 0: empty.
  static constexpr unsigned head_bits = 24;
  static constexpr std::uint32_t head_mask = (1u << head_bits) - 1;
  static constexpr std::uint32_t crowded = 9;

  struct GroupStart {
    std::uint32_t line;
    std::uint32_t agent_size;  // the names follow each other in group_names_
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
  // What few files have, so that the others need not carry it.
  struct Preferences {
    ContentSignal signal;
    std::vector<UsageLine> usage_lines;
    std::string usage_octets;
  };
  // The rules of crowded buckets.
  struct Crowds {
    std::vector<std::vector<std::uint32_t>> lengths;  // of each crowd, ascending
    std::vector<std::uint32_t> table;                 // tag and rule plus one; 0: free
  };

  // The pattern in the `size` octets stored of an entry.
  static std::string_view stored_pattern(const char* octets, std::size_t size, std::uint32_t flags) noexcept;
  std::string_view pattern_of(std::uint32_t rule) const noexcept;
  template <class Steps>
  void consider(std::uint32_t rule, std::string_view path, Best& best, Steps& steps) const noexcept;
  template <class Steps>
  void search_list(std::string_view path, std::uint32_t key, Best& best, Steps& steps) const noexcept;
  template <class Steps>
  void search_bucket(std::uint64_t hash, std::string_view path, Best& best, Steps& steps) const noexcept;
  template <class Steps>
  void search_crowd(const std::vector<std::uint32_t>& lengths, std::string_view path, Best& best,
                    Steps& steps) const noexcept;

  // One block of memory; the arrays below lie in it.
  std::unique_ptr<std::byte[]> block_;
  const Entry* entries_ = nullptr;  // one more than there are rules
  const char* octets_ = nullptr;
  const std::uint32_t* list_keys_ = nullptr;
  const std::uint32_t* list_masks_ = nullptr;
  const std::uint32_t* list_rules_ = nullptr;
  const std::uint64_t* list_needs_ = nullptr;  // of the first wildcard_count_ of the list
  const std::uint32_t* heads_ = nullptr;
  std::uint32_t list_count_ = 0;
  std::uint32_t wildcard_count_ = 0;
  std::uint32_t bucket_shift_ = 64;  // 64: no buckets
  std::uint32_t levels_ = 0;         // bits: the bucket levels in use
  bool longest_first_ = true;
  Dialect::Dollar dollar_ = Dialect::Dollar::literal;
  std::uint32_t rule_count_ = 0;
  std::uint32_t group_count_ = 0;
  const GroupStart* groups_ = nullptr;
  const char* group_names_ = nullptr;
  Dialect dialect_ = Dialect::rfc9309();
  std::unique_ptr<const Crowds> crowds_;
  std::unique_ptr<const Preferences> preferences_;
  std::size_t block_size_ = 0;
};

// Reads `robots` for `agent`; what Rules::compile does.
std::shared_ptr<const RulesData> compile_rules(std::string_view robots, std::string_view agent, const Dialect& dialect,
                                               std::string_view robots_url);

}  // namespace robotrules::core
