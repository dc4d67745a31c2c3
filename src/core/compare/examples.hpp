// The example paths that are asked of one set of rules, or of two that are compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/compare/audience.hpp"
#include "core/compare/witness.hpp"

namespace robotrules::core {

struct PlainRule {
  bool allow = false;
  std::string_view pattern;
  friend auto operator<=>(const PlainRule&, const PlainRule&) = default;
};
using RuleList = std::vector<PlainRule>;

// The rules of these groups of the file, in file order. The patterns live as long as the file.
RuleList rules_of(const GroupFinder& file, const std::vector<std::uint32_t>& groups);

// What it costs to ask about one path, in questions to literal rules (about 0.1 us); at least 1.
std::size_t cost_of(const RuleList& rules);
// Where the costs of all questions come to this, asking ends and that is said.
inline constexpr std::size_t most_work = 60'000'000;

// Limits of all calls together; beyond them cut() is true.
inline constexpr std::size_t most_overlaps = 20'000;            // pairs of rules that are searched for a common path
inline constexpr std::size_t most_overlap_states = 50'000'000;  // positions that all searches may look at
inline constexpr std::size_t most_pairs = 20'000'000;           // pairs of rules that are looked at

class Examples {
 public:
  // `patterns`: all that will ever be asked about; they must outlive this object.
  explicit Examples(const std::vector<std::string_view>& patterns) : filler_(patterns) {}

  const Filler& filler() const noexcept { return filler_; }

  // "/", examples of every rule of either list, and paths where a rule with a wildcard meets one that says the reverse;
  // those of rules that only one list has come first. No path twice. The pointers live as long as this object.
  std::vector<const std::string*> of(const RuleList& before, const RuleList& after);

  std::size_t overlaps() const noexcept { return overlaps_; }  // pairs that were searched
  bool cut() const noexcept { return cut_; }                   // some pairs were left out

 private:
  using Path = std::uint32_t;  // index into paths_

  Path keep(std::string path);
  const std::vector<Path>& examples(std::string_view pattern);
  void add(Path path);
  void add_overlaps(const RuleList& rules);

  Filler filler_;
  // Robots share rules: each path is made once, and each pattern looked at once.
  std::deque<std::string> paths_;
  std::unordered_map<std::string_view, Path> numbers_;
  std::unordered_map<std::string_view, std::vector<Path>> by_pattern_;
  std::vector<std::string> some_;
  // The call under way: its number, what it has taken, and the last call that took each path.
  std::uint32_t call_ = 0;
  std::vector<std::uint32_t> taken_by_;
  std::vector<const std::string*> taken_;
  std::size_t overlaps_ = 0;
  std::size_t states_ = 0;
  std::size_t pairs_ = 0;
  bool cut_ = false;
};

}  // namespace robotrules::core
