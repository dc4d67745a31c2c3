#include <algorithm>
#include <map>
#include <set>

#include <robotrules/compare.hpp>

#include "advice/compare/examples.hpp"
#include "advice/compare/witness.hpp"

namespace robotrules {
namespace {

using Patterns = std::map<std::uint32_t, std::vector<std::string>>;  // by line; dialects may read a line differently

Patterns patterns_of(std::string_view robots, std::span<const Dialect> dialects) {
  Patterns by_line;
  for (const Dialect& dialect : dialects) {
    const RobotsTxt file = RobotsTxt::parse(robots, dialect);
    for (std::size_t i = 0; i < file.size(); ++i) {
      const Directive directive = file.directive(i);
      if (directive.kind != DirectiveKind::allow && directive.kind != DirectiveKind::disallow) continue;
      std::vector<std::string>& patterns = by_line[directive.line];
      if (std::find(patterns.begin(), patterns.end(), directive.value) == patterns.end()) {
        patterns.emplace_back(directive.value);
      }
    }
  }
  return by_line;
}

}  // namespace

ExamplePaths example_paths(std::string_view robots, std::span<const Dialect> dialects) {
  const Patterns by_line = patterns_of(robots, dialects);
  std::vector<std::string_view> all;
  for (const auto& [line, patterns] : by_line) all.insert(all.end(), patterns.begin(), patterns.end());
  const advice::Filler filler(all);
  advice::RuleList rules;
  for (const std::string_view pattern : all) rules.push_back({false, pattern});
  const std::size_t max_paths = advice::max_cost / (advice::cost_of(rules) * std::max<std::size_t>(dialects.size(), 1));

  ExamplePaths examples;
  std::set<std::string, std::less<>> known;
  const auto add = [&](std::string path, std::uint32_t line) {
    if (known.insert(path).second) examples.paths.push_back({std::move(path), line});
  };
  add("/", 0);
  for (const auto& [line, patterns] : by_line) {
    for (const std::string& pattern : patterns) {
      if (examples.paths.size() >= max_paths) {
        examples.complete = false;
        return examples;
      }
      std::string path = advice::example_of(pattern, filler);
      std::string respelled = advice::respelled(path);
      add(std::move(path), line);
      add(std::move(respelled), line);
    }
  }
  return examples;
}

}  // namespace robotrules
