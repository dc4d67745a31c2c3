// The compiled rules of one file for one robot.
//
// Shape: every rule has an Entry (where its normalised pattern lies in one run of octets, its line, what it says).
// Which rules can match a path is found by two indexes:
//   - the list: rules with wildcards and rules with fewer than four octets behind the first "/". Each has a key, the
//     octets behind the first "/" that a path must have, so that most are refused by one comparison; those with
//     wildcards also have the set of octets their segments need.
//   - the buckets: all other literal rules, by their four octets behind the first "/". A bucket of few rules is a run
//     of rules. A crowded one is a run of the lengths its rules have; for each of these lengths that the path has, the
//     prefix of the path is looked up in a hash table of whole patterns. So the cost depends on the path alone.
// tests/oracle is the plain twin.
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

  struct GroupStart {
    std::uint32_t line;
    std::uint32_t agent_begin;  // in names
    std::uint32_t agent_size;
    bool is_default;
  };
  // One Content-Usage line; its pattern, normalised, and as written, in `names`.
  struct UsageLine {
    ContentUsage said;
    std::uint32_t pattern_begin;
    std::uint32_t pattern_size;
    std::uint32_t written_begin;
    std::uint32_t written_size;
    bool anchored;
  };

  Dialect dialect = Dialect::rfc9309();
  std::uint32_t rule_count = 0;  // lines, those that can never match included
  std::vector<GroupStart> groups;
  std::vector<UsageLine> usage_lines;
  ContentSignal signal;
  std::string names;
  std::optional<Milliseconds> crawl_delay;
  std::optional<RequestRate> request_rate;
  std::optional<TimeOfDay> visit_time;

 private:
  friend class RulesBuilder;

  static constexpr std::uint32_t allow_flag = 1;
  static constexpr std::uint32_t wildcard_flag = 2;
  static constexpr std::uint32_t anchored_flag = 4;
  static constexpr std::uint32_t written_flag = 8;  // the pattern as written follows, as it differs
  static constexpr unsigned flag_bits = 4;
  static constexpr std::uint32_t crowded_flag = 0x80000000;  // of a bucket: lengths, not rules

  struct Entry {
    std::uint32_t begin;  // in octets_; the entry behind it begins where this one ends
    std::uint32_t line_and_flags;
  };

  std::string_view pattern_of(std::uint32_t rule) const noexcept;
  template <class Steps>
  void consider(std::uint32_t rule, std::string_view path, Best& best, Steps& steps) const noexcept;
  template <class Steps>
  void search_list(std::string_view path, std::uint32_t key, Best& best, Steps& steps) const noexcept;
  template <class Steps>
  void search_crowd(std::uint32_t begin, std::uint32_t end, std::string_view path, Best& best,
                    Steps& steps) const noexcept;

  // One block of memory; the arrays below lie in it.
  std::unique_ptr<std::byte[]> block_;
  std::size_t block_size_ = 0;
  const Entry* entries_ = nullptr;  // one more than there are rules
  const char* octets_ = nullptr;
  const std::uint32_t* list_keys_ = nullptr;
  const std::uint32_t* list_masks_ = nullptr;
  const std::uint32_t* list_rules_ = nullptr;
  const std::uint64_t* list_needs_ = nullptr;      // of the first wildcard_count_ of the list
  const std::uint32_t* bucket_begins_ = nullptr;   // one more than there are buckets
  const std::uint32_t* bucket_items_ = nullptr;    // rules, or lengths in a crowded bucket
  const std::uint32_t* crowd_ = nullptr;           // hash table: tag and rule + 1; 0: free
  std::uint32_t list_count_ = 0;
  std::uint32_t wildcard_count_ = 0;
  std::uint32_t bucket_shift_ = 32;  // 32: no buckets
  std::uint32_t crowd_size_ = 0;
  bool longest_first_ = true;
  Dialect::Dollar dollar_ = Dialect::Dollar::literal;
};

// Reads `robots` for `agent`; what Rules::compile does.
std::shared_ptr<const RulesData> compile_rules(std::string_view robots, std::string_view agent, const Dialect& dialect,
                                               std::string_view robots_url);

}  // namespace robotrules::core
