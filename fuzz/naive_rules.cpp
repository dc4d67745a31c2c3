#include "naive_rules.hpp"

namespace robotrules::fuzz {
namespace {

// All of `path`, by a pattern in which "*" stands for any octets.
bool naive_glob(std::string_view pattern, std::string_view path) {
  std::size_t at = 0;
  std::size_t star = std::string_view::npos;
  std::size_t behind = 0;
  for (std::size_t i = 0; i < path.size();) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      behind = i;
    } else if (at < pattern.size() && pattern[at] == path[i]) {
      ++at;
      ++i;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      i = ++behind;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == '*') ++at;
  return at == pattern.size();
}

bool naive_match(std::string_view pattern, std::string_view path, Dialect::Dollar dollar) {
  if (dollar == Dialect::Dollar::literal || !pattern.ends_with('$'))
    return naive_glob(std::string(pattern) + '*', path);
  pattern.remove_suffix(1);
  if (naive_glob(pattern, path)) return true;
  if (dollar == Dialect::Dollar::end) return false;
  for (std::size_t query = path.find('?'); query != std::string_view::npos; query = path.find('?', query + 1)) {
    if (naive_glob(pattern, path.substr(0, query))) return true;
  }
  return false;
}

// Does `a` come before `b`? Rules are in the order of their lines.
bool goes_before(const NaiveRule& a, const NaiveRule& b, Dialect::Precedence precedence) {
  if (precedence == Dialect::Precedence::first) return a.line < b.line;
  if (a.pattern.size() != b.pattern.size()) return a.pattern.size() > b.pattern.size();
  if (a.allow != b.allow) return a.allow;
  return a.line < b.line;
}

}  // namespace

NaiveVerdict naive_check(const std::vector<NaiveRule>& rules, std::string_view path, const Dialect& dialect) {
  NaiveVerdict verdict;
  for (const NaiveRule& rule : rules) {
    if (!naive_match(rule.pattern, path, dialect.dollar)) continue;
    if (verdict.rule == nullptr || goes_before(rule, *verdict.rule, dialect.precedence)) {
      verdict.runner_up = verdict.rule;
      verdict.rule = &rule;
    } else if (verdict.runner_up == nullptr || goes_before(rule, *verdict.runner_up, dialect.precedence)) {
      verdict.runner_up = &rule;
    }
  }
  return verdict;
}

}  // namespace robotrules::fuzz
