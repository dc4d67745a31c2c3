// The example paths that one set of rules, or two sets that are compared, are asked about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "advice/compare/audience.hpp"
#include "advice/compare/pattern_cover.hpp"
#include "advice/compare/witness.hpp"

namespace robotrules::advice {

struct PlainRule {
  bool allow = false;
  std::string_view pattern;
  friend auto operator<=>(const PlainRule&, const PlainRule&) = default;
};
using RuleList = std::vector<PlainRule>;

// Returns the rules of these groups of the file, in file order. The patterns are valid while the file lives.
RuleList rules_of(const GroupFinder& file, const std::vector<std::uint32_t>& groups);

// The rules of two lists, each once. If no changed rule matches a path, the two lists give the same answer.
struct RuleParts {
  RuleList changed;
  RuleList common;  // all others
};

// Returns the rules of two lists that are compared in this dialect. Changed rules whose change certainly changes no
// answer count as common, as far as the budget suffices (settle.hpp).
RuleParts parted(const RuleList& before, const RuleList& after, const Dialect& dialect, StepBudget& budget);

// Returns the rules of a file that contains only this list.
Rules compiled(const RuleList& rules, Dialect dialect, std::string_view robots_url);

// Returns the list in the form that is quickest to compare: sorted and without repetitions, if the dialect does not
// look at the order.
RuleList prepared(RuleList rules, const Dialect& dialect);

// Returns the cost of a question about one path, at least 1. The unit is a question to literal rules (about 0.1 us).
std::size_t cost_of(const RuleList& rules);
// When the sum of all costs exceeds this, no more questions are asked, and the result says so.
inline constexpr std::size_t max_cost = 60'000'000;

// Limits of an Examples object, for all calls together. After one of them is exceeded, cut() returns true.
inline constexpr std::size_t max_overlaps = 20'000;            // pairs of rules that are searched for a common path
inline constexpr std::size_t max_overlap_states = 50'000'000;  // states of all searches
inline constexpr std::size_t max_pairs = 20'000'000;           // pairs of rules whose beginnings are compared

class Examples {
 public:
  // `patterns`: all patterns that of() will ever get. Their bytes must outlive this object.
  explicit Examples(const std::vector<std::string_view>& patterns) : filler_(patterns) {}

  const Filler& filler() const noexcept { return filler_; }

  struct Paths {
    std::vector<const std::string*> changed;
    std::vector<const std::string*> common;
  };

  // Returns "/" and examples of the changed rules, and paths that a changed rule and a rule with the opposite effect
  // both match if one of the two has a "*". Returns apart the examples of common rules that a changed rule may match.
  // Each path is returned once. The pointers are valid while this object lives.
  Paths of(const RuleParts& rules);

  std::size_t overlaps() const noexcept { return overlaps_; }  // number of pairs that were searched
  bool cut() const noexcept { return cut_; }                   // true: some pairs were left out

 private:
  using Path = std::uint32_t;  // index into paths_

  Path keep(std::string path);
  const std::vector<Path>& examples(std::string_view pattern);
  void add(Path path);
  void add_overlaps(const RuleParts& parts);

  Filler filler_;
  // Robots share rules, so each path is made only once for all calls.
  std::deque<std::string> paths_;
  std::unordered_map<std::string_view, Path> numbers_;
  std::unordered_map<std::string_view, std::vector<Path>> by_pattern_;
  std::vector<std::string> some_;
  // Number of the current call, the last call that took each path, and the paths that the current call has taken.
  std::uint32_t call_ = 0;
  std::vector<std::uint32_t> taken_by_;
  std::vector<const std::string*> taken_;
  std::size_t overlaps_ = 0;
  std::size_t states_ = 0;
  std::size_t pairs_ = 0;
  bool cut_ = false;
};

}  // namespace robotrules::advice
