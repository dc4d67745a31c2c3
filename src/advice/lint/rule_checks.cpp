// Compares rules with each other: duplicates, contradictions, rules that never decide and rules that make no
// difference.
//
// Equal patterns are found by hashing and wider literal ones by sorting, so a file of literal rules costs
// O(n log n). Rules with wildcards are compared in pairs within a budget.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "advice/lint/checks.hpp"
#include "advice/lint/groups.hpp"
#include "base/sort.hpp"
#include "core/percent.hpp"

namespace robotrules::advice {
namespace {

struct Rule {
  Directive line;
  Pattern pattern;
  bool allow = false;
  bool told = false;    // it has a finding already; one for each rule is enough
  bool needed = false;  // it beats a contradicting rule of the same pattern, so it makes a difference
};

std::string shown(const Rule& rule) { return quoted(filled({"{}: {}", {to_string(rule.line.kind), rule.line.value}})); }

std::string shown_at(const Rule& rule) { return filled({"{} in line {}", {shown(rule), rule.line.line}}); }

// Checks the rules that apply to the same robots.
class RuleChecks {
 public:
  RuleChecks(const FileLines& lines, const Dialect& dialect, const LineNumbers& stranded, StepBudget& budget,
             Findings& findings)
      : lines_(lines), dialect_(dialect), stranded_(stranded), budget_(budget), findings_(findings) {}

  // `alone`: no other group applies to these robots, so a rule that makes no difference here makes none at all.
  void check(std::vector<Rule>& rules, bool alone) {
    longest_ = dialect_.precedence == Dialect::Precedence::longest;
    alone_ = alone;
    if (dialect_.wildcards) needless_stars(rules);
    equal_patterns(rules);
    std::erase_if(rules, [](const Rule& rule) { return rule.told; });
    base::sort(rules, [](const Rule& a, const Rule& b) { return order(a) < order(b); });
    open_.clear();
    for (const Rule& rule : rules) {
      if (!rule.pattern.literal()) open_.push_back(&rule);
    }
    wider_literals(rules);
    wider_wildcards(rules);
  }

 private:
  static std::pair<std::string_view, bool> order(const Rule& rule) {
    return {rule.pattern.head_text(), !rule.pattern.literal()};
  }

  void add(Code code, Rule& rule, const Sentence& message, const Sentence& remedy, std::vector<LineEdit> edits = {}) {
    rule.told = true;
    findings_.add(code, rule.line.line, rule.line.column, message, remedy, std::move(edits));
  }

  // Returns the edit that deletes `rule`. Its group keeps `other`; an empty group would join the next one.
  static std::vector<LineEdit> deletion(const Rule& rule, const Rule& other) {
    if (rule.line.group != other.line.group || !same_everywhere(rule, other)) return {};
    return delete_edit(rule.line.line);
  }

  // Returns true if no robot tells the spellings of the two patterns apart. RFC 9309 treats "/a b" as "/a%20b", but
  // Google's parser does not.
  static bool same_everywhere(const Rule& rule, const Rule& other) {
    const auto is_normalised = [](const Rule& one) { return one.pattern.text == one.line.value; };
    return rule.line.value.starts_with(other.line.value) || (is_normalised(rule) && is_normalised(other));
  }

  // Reports stars that change nothing. In the weighing against other rules each of them counts as a byte, so a star may
  // decide there.
  void needless_stars(const std::vector<Rule>& rules) {
    std::multimap<std::size_t, const Rule*> by_weight[2];  // [allow]
    for (const Rule& rule : rules) by_weight[rule.allow].emplace(rule.pattern.text.size(), &rule);
    const auto decides = [&](const Rule& rule, const std::string& shorter) {
      if (!longest_) return false;
      if (!alone_) return true;
      const std::size_t before = rule.pattern.text.size();
      const std::size_t after = core::normalised_pattern(shorter, dialect_).size();
      const std::size_t tie = rule.allow ? 1 : 0;  // an Allow line wins a tie
      const auto& opposite = by_weight[!rule.allow];
      const auto end = opposite.lower_bound(before + tie);
      for (auto it = opposite.lower_bound(after + tie); it != end; ++it) {
        if (!budget_.take(1) || may_meet(it->second->pattern, rule.pattern)) return true;
      }
      return false;
    };
    for (const Rule& rule : rules) {
      const std::string_view path = rule.line.value;
      if (path.front() == '*' && matches_everything(path)) continue;  // check_path() reports it
      if (looks_like_regular_expression(path)) continue;              // so it does this
      std::string_view kept = path;
      if (kept.ends_with("*$") && dialect_.dollar != Dialect::Dollar::literal) kept.remove_suffix(1);
      const bool at_end = kept.ends_with('*');
      while (at_end && kept.ends_with('*')) kept.remove_suffix(1);
      if (at_end && !decides(rule, std::string(kept))) {
        findings_.add(Code::star_at_end, rule.line.line, column(rule, kept.size()),
                      {"{} at the end of {} changes nothing: a rule matches every URL that begins with its path.",
                       {quote(path.substr(kept.size())), quote(path)}},
                      {"Write {}.", {quote(kept)}},
                      opens_to_old_robots(rule, kept, rules) ? std::vector<LineEdit>() : write(rule, kept));
      }
      const std::size_t run = kept.find("**");
      if (at_end || run == std::string_view::npos) continue;
      std::string single(path);
      single.erase(std::unique(single.begin(), single.end(), [](char a, char b) { return a == '*' && b == '*'; }),
                   single.end());
      if (decides(rule, single)) continue;
      findings_.add(Code::repeated_star, rule.line.line, column(rule, run),
                    {"Several \"*\" in a row in {} mean the same as one.", {quote(path)}},
                    {"Write {}.", {quote(single)}}, write(rule, single));
    }
  }

  // Returns true if old robots, which obey the first line that matches and read "*" as a letter, would find a path open
  // because of an Allow line with this path, although a Disallow line below forbids it.
  bool opens_to_old_robots(const Rule& rule, std::string_view path, const std::vector<Rule>& rules) const {
    return rule.allow && std::ranges::any_of(rules, [&](const Rule& other) {
             if (!budget_.take(1)) return true;
             return !other.allow && other.line.line > rule.line.line && other.line.value.starts_with(path);
           });
  }

  static std::uint32_t column(const Rule& rule, std::size_t offset) noexcept {
    return rule.line.value_column + static_cast<std::uint32_t>(offset);
  }

  // Returns the edit that writes another path.
  std::vector<LineEdit> write(const Rule& rule, std::string_view path) const {
    std::string line(lines_.text(rule.line.line));
    line.replace(rule.line.value_column - 1, rule.line.value.size(), path);
    return write_edit(rule.line.line, std::move(line));
  }

  // `rules` are in file order.
  void equal_patterns(std::vector<Rule>& rules) {
    std::unordered_map<std::string_view, std::pair<Rule*, Rule*>> known;  // pattern → first Disallow, first Allow
    known.reserve(rules.size());
    for (Rule& rule : rules) {
      auto& [disallow, allow] = known[rule.pattern.text];
      Rule*& same = rule.allow ? allow : disallow;
      Rule* const opposite = rule.allow ? disallow : allow;
      if (same != nullptr) {
        if (is_stranded(rule, *same)) continue;
        add(Code::duplicate_rule, rule, {"{} says the same as {}.", {shown(rule), shown_at(*same)}},
            "Delete one of the two lines.", deletion(rule, *same));
        continue;
      }
      same = &rule;
      if (opposite == nullptr) continue;
      Rule& winner = longest_ ? (rule.allow ? rule : *opposite) : *opposite;
      Rule& loser = &winner == &rule ? *opposite : rule;
      findings_.add(Code::conflicting_rules, rule.line.line, rule.line.column,
                    {"{} contradicts {}; {}",
                     {shown(rule), shown_at(*opposite),
                      longest_ ? "robots of RFC 9309 follow the Allow line, older robots the first of the two."
                               : "here the first of the two counts, but robots of RFC 9309 follow the Allow line."}},
                    "Delete the line that you do not want.");
      loser.told = true;
      winner.needed = true;
    }
  }

  // `rules` are sorted by head. The stack has the literal rules whose patterns are prefixes of the current head.
  void wider_literals(std::vector<Rule>& rules) {
    struct Wider {
      const Rule* rule;
      const Rule* earliest;  // the earliest rule in the file of this one and those below it on the stack
    };
    std::vector<Wider> stack;
    for (Rule& rule : rules) {
      const std::string_view head = rule.pattern.head_text();
      while (!stack.empty() && !head.starts_with(stack.back().rule->pattern.text)) stack.pop_back();
      if (!stack.empty()) {
        if (longest_) {
          redundant(rule, *stack.back().rule, rules);
        } else if (stack.back().earliest->line.line < rule.line.line) {
          never_decides(rule, *stack.back().earliest);
        }
      }
      if (!rule.pattern.literal()) continue;
      const Rule* earliest = &rule;
      if (!stack.empty() && stack.back().earliest->line.line < rule.line.line) earliest = stack.back().earliest;
      stack.push_back({&rule, earliest});
    }
  }

  // Compares each rule with a "*" with the rules that it may cover.
  void wider_wildcards(std::vector<Rule>& rules) {
    for (const Rule* wide : open_) {
      if (!wide->pattern.stars) continue;
      const std::string_view head = wide->pattern.head_text();
      auto narrow = std::lower_bound(rules.begin(), rules.end(), head,
                                     [](const Rule& rule, std::string_view h) { return rule.pattern.head_text() < h; });
      for (; narrow != rules.end() && narrow->pattern.head_text().starts_with(head); ++narrow) {
        if (!budget_.take(1)) return;
        if (narrow->told || &*narrow == wide || wide->told) continue;
        const bool beaten = wins_against(*wide, *narrow);
        if (!beaten && (!longest_ || wide->allow != narrow->allow)) continue;
        if (!covers(wide->pattern, narrow->pattern, budget_)) continue;
        if (beaten) {
          never_decides(*narrow, *wide);
        } else {
          redundant(*narrow, *wide, rules);
        }
      }
    }
  }

  // Returns true if `a` decides for every path that both match.
  bool wins_against(const Rule& a, const Rule& b) const noexcept {
    if (!longest_) return a.line.line < b.line.line;
    const std::size_t weight_a = a.pattern.text.size(), weight_b = b.pattern.text.size();
    if (weight_a != weight_b) return weight_a > weight_b;
    return a.allow != b.allow ? a.allow : a.line.line < b.line.line;
  }

  // Returns true if `rule` is probably meant for other robots than `other` is, where it does make a difference.
  bool is_stranded(const Rule& rule, const Rule& other) const {
    return stranded_.contains(rule.line.line) && !stranded_.contains(other.line.line);
  }

  void never_decides(Rule& rule, const Rule& winner) {
    if (rule.told || is_stranded(rule, winner)) return;
    if (rule.allow == winner.allow) {
      const bool old_robots_need_it = rule.pattern.literal() && !winner.pattern.literal();
      add(Code::redundant_rule, rule,
          {"{} makes no difference{}: {} covers it.",
           {shown(rule), old_robots_need_it ? " to robots that know wildcards" : "", shown_at(winner)}},
          old_robots_need_it ? "Keep the line for robots without wildcards, or delete it." : "Delete the line.",
          old_robots_need_it ? std::vector<LineEdit>() : deletion(rule, winner));
      return;
    }
    const bool longer = winner.pattern.text.size() > rule.pattern.text.size();
    const char* const reason = !longest_ ? "comes first." : longer ? "is longer." : "wins the tie as the Allow line.";
    add(Code::shadowed_rule, rule,
        {"{} never decides: {} matches all its URLs and {}", {shown(rule), shown_at(winner), reason}},
        longest_ ? "Delete one of the two, or give this one the longer path."
                 : "Put this line before the other, or delete one of the two.");
  }

  // Reports `rule` if `wide`, which covers it and is not longer, would decide in its place. That is not so if a rule
  // with the opposite effect has a length from that of `wide` to that of `rule`.
  void redundant(Rule& rule, const Rule& wide, const std::vector<Rule>& rules) {
    if (rule.told || rule.needed || !alone_ || rule.allow != wide.allow) return;
    if (dialect_.index_html && rule.allow) return;  // in Google's parser, index.html rules also allow other paths
    const std::size_t min_weight = wide.pattern.text.size(), max_weight = rule.pattern.text.size();
    const auto contests = [&](const Rule& other) {
      const std::size_t weight = other.pattern.text.size();
      return other.allow != rule.allow && weight >= min_weight && weight <= max_weight &&
             may_meet(other.pattern, rule.pattern);
    };
    for (const Rule* other : open_) {
      if (!budget_.take(1) || contests(*other)) return;
    }
    // A literal rule can contest a literal one only if it is a prefix of it. The longest such prefix is `wide`, unless
    // `wide` has wildcards.
    if (!rule.pattern.literal() || !wide.pattern.literal()) {
      for (const Rule& other : rules) {
        if (!budget_.take(1) || contests(other)) return;
      }
    }
    never_decides(rule, wide);
  }

  const FileLines& lines_;
  const Dialect& dialect_;
  const LineNumbers& stranded_;
  StepBudget& budget_;
  Findings& findings_;
  std::vector<const Rule*> open_;  // with "*" or "$" at the end
  bool longest_ = true;
  bool alone_ = true;
};

// Appends the rules of a group that can match a path.
void append_rules(const Group& group, const Dialect& dialect, std::vector<Rule>& rules) {
  for (const Directive& line : group.rules) {
    std::optional<Pattern> pattern = pattern_of(line, dialect);
    if (!pattern) continue;
    Rule rule;
    rule.line = line;
    rule.pattern = std::move(*pattern);
    rule.allow = line.kind == DirectiveKind::allow;
    rules.push_back(std::move(rule));
  }
}

// Returns the robots of a group, sorted, one per line.
std::string robots_of(const Group& group, std::vector<std::string>& names) {
  names.clear();
  for (const Directive& agent : group.agents) names.push_back(agent_key(agent.value));
  base::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string joined;
  for (const std::string& name : names) joined += name + '\n';
  return joined;
}

}  // namespace

void check_rules(std::span<const Group> groups, const FileLines& lines, const Dialect& dialect,
                 const LineNumbers& stranded, Findings& findings) {
  const bool merge = dialect.group_choice == Dialect::GroupChoice::merge;
  // If the dialect merges groups, groups of the same robots are one pool.
  struct Pool {
    std::vector<const Group*> groups;
    bool alone = true;
  };
  std::vector<Pool> pools;
  std::map<std::string, std::size_t> pool_of_robots, pool_of_robot;
  std::vector<std::string> names;
  for (const Group& group : groups) {
    std::size_t index = pools.size();
    if (merge) index = pool_of_robots.emplace(robots_of(group, names), index).first->second;
    if (index == pools.size()) pools.emplace_back();
    pools[index].groups.push_back(&group);
    if (!merge) continue;
    for (std::string& name : names) {
      const auto [known, fresh] = pool_of_robot.emplace(std::move(name), index);
      if (!fresh && known->second != index) pools[index].alone = pools[known->second].alone = false;
    }
  }

  StepBudget budget;
  RuleChecks checks(lines, dialect, stranded, budget, findings);
  std::vector<Rule> rules;
  for (const Pool& pool : pools) {
    rules.clear();
    for (const Group* group : pool.groups) append_rules(*group, dialect, rules);
    checks.check(rules, pool.alone);
  }
}

}  // namespace robotrules::advice
