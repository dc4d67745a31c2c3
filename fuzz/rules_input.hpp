// Input of the harnesses that compare rules with their naive twin.
//
//   a byte   the dialect: bit 0 precedence, bit 1 "$" is an octet, bit 2 "$" ends before a query too
//   a line   path and query of the URL, without its first "/"
//   lines    a rule each: a byte (bit 0 allow; bits 1 and 2 how many copies), then the pattern
//
// Copies of a rule differ in letters put behind the pattern: files of many rules from few octets of input.
#pragma once

#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <robotrules/core.hpp>

#include "input.hpp"
#include "naive_rules.hpp"

namespace robotrules::fuzz {

struct RulesInput {
  Dialect dialect;
  std::string path;  // begins with "/"
  std::vector<NaiveRule> rules;
  std::string robots;
};

// Line ends, blanks, "#" and NUL mean something to the line and not to the pattern: letters take their place.
inline std::string pattern_octets(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c == ' ' || (c >= '\t' && c <= '\r') || c == '#' || c == '\0') c = 'b';
  }
  return out;
}

inline Dialect octet_dialect(std::uint8_t choice) {
  Dialect dialect = Dialect::rfc9309();
  dialect.pattern_encoding = Dialect::Encoding::none;
  dialect.url_encoding = Dialect::Encoding::none;
  dialect.url_path = Dialect::UrlPath::generic;  // the twin compares the path as it is
  dialect.robots_txt_allowed = false;
  dialect.file_limit = 0;
  if ((choice & 1) != 0) dialect.precedence = Dialect::Precedence::first;
  if ((choice & 2) != 0) dialect.dollar = Dialect::Dollar::literal;
  if ((choice & 4) != 0) dialect.dollar = Dialect::Dollar::end_or_query;
  return dialect;
}

inline RulesInput rules_input(Input input, const std::array<std::size_t, 4>& copies) {
  RulesInput made;
  made.dialect = octet_dialect(input.byte());
  made.path = "/" + pattern_octets(input.line());
  made.robots = "User-agent: *\n";
  std::uint32_t line = 1;
  while (!input.empty() && made.rules.size() < 2'000) {
    const std::string_view text = input.line();
    if (text.size() < 2) continue;
    const auto choice = static_cast<std::uint8_t>(text.front());
    const std::string base = pattern_octets(text.substr(1));
    for (std::size_t copy = 0; copy < copies[(choice >> 1) & 3]; ++copy) {
      NaiveRule rule{(choice & 1) != 0, base, ++line};
      for (std::size_t rest = copy; rest > 0; rest /= 3) rule.pattern += static_cast<char>('a' + rest % 3);
      made.robots += (rule.allow ? "Allow:" : "Disallow:") + rule.pattern + "\n";
      made.rules.push_back(std::move(rule));
    }
  }
  return made;
}

inline std::vector<NaiveRule> without_repetitions(const std::vector<NaiveRule>& rules) {
  std::vector<NaiveRule> kept;
  std::set<std::pair<bool, std::string_view>> seen;
  for (const NaiveRule& rule : rules) {
    if (seen.emplace(rule.allow, rule.pattern).second) kept.push_back(rule);
  }
  return kept;
}

inline void compare(const RulesInput& input, const Rules& rules, std::string_view path) {
  require(rules.size() == input.rules.size(), "every rule is held");
  const NaiveVerdict wanted = naive_check(input.rules, path, input.dialect);
  const std::string url = "http://foo.example" + std::string(path);
  const Verdict verdict = rules.check(url);
  const std::uint32_t line = wanted.rule == nullptr ? 0 : wanted.rule->line;
  require(verdict.line() == line, "the same rule decides");
  require(verdict.allowed() == (wanted.rule == nullptr || wanted.rule->allow), "the same way");
  // A repetition of a rule may be second to it or not count at all.
  const std::uint32_t second = verdict.runner_up() ? verdict.runner_up()->line : 0;
  const std::uint32_t exact = wanted.runner_up == nullptr ? 0 : wanted.runner_up->line;
  if (second == exact) return;
  const std::vector<NaiveRule> distinct = without_repetitions(input.rules);
  const NaiveRule* other = naive_check(distinct, path, input.dialect).runner_up;
  require(second == (other == nullptr ? 0 : other->line), "and the same rule is second");
}

}  // namespace robotrules::fuzz
