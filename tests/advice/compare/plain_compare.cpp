#include "advice/compare/plain_compare.hpp"

#include <string_view>
#include <vector>

#include "advice/compare/audience.hpp"
#include "advice/compare/witness.hpp"

namespace robotrules::test {
namespace {

std::vector<Directive> rules_in(const std::vector<Group>& groups) {
  std::vector<Directive> rules;
  for (const Group& group : groups) rules.insert(rules.end(), group.rules.begin(), group.rules.end());
  return rules;
}

std::vector<std::string_view> patterns_of(const std::vector<Directive>& rules) {
  std::vector<std::string_view> patterns;
  for (const Directive& rule : rules) patterns.push_back(rule.value);
  return patterns;
}

std::vector<Directive> joined(std::vector<Directive> rules, const std::vector<Directive>& more) {
  rules.insert(rules.end(), more.begin(), more.end());
  return rules;
}

bool has_star(const Directive& rule) { return rule.value.find('*') != std::string_view::npos; }

std::set<std::string> paths_for(const std::vector<Directive>& rules, const advice::Filler& filler) {
  std::vector<std::string> paths = {"/", "/" + filler.behind("/")};
  for (const Directive& rule : rules) advice::append_examples(paths, rule.value, filler);
  for (const Directive& a : rules) {
    for (const Directive& b : rules) {
      if (a.kind == b.kind || (!has_star(a) && !has_star(b))) continue;
      const auto path = advice::overlap(advice::respelled(a.value), advice::respelled(b.value));
      if (!path) continue;
      paths.push_back(advice::askable(*path));
      paths.push_back(advice::askable(*path + filler.behind(*path)));
    }
  }
  return {paths.begin(), paths.end()};
}

}  // namespace

DecidersByRobot plain_compare(const RobotsTxt& before, const RobotsTxt& after) {
  const std::vector<Group> groups_before = before.groups();
  const std::vector<Group> groups_after = after.groups();
  const std::vector<Directive> all_rules = joined(rules_in(groups_before), rules_in(groups_after));
  const advice::Filler filler(patterns_of(all_rules));
  std::vector<std::string> robots = advice::named_robots(groups_before, before.dialect());
  for (std::string& robot : advice::named_robots(groups_after, before.dialect(), robots)) robots.push_back(robot);
  robots.push_back("");
  DecidersByRobot found;
  for (const std::string& robot : robots) {
    const std::string agent = robot.empty() ? advice::unnamed_robot({&groups_before, &groups_after}) : robot;
    const EffectiveRules was = effective_for(before, agent);
    const EffectiveRules is = effective_for(after, agent);
    for (const std::string& path : paths_for(joined(was.rules, is.rules), filler)) {
      const Verdict old_verdict = was.compiled.check(path);
      const Verdict new_verdict = is.compiled.check(path);
      if (old_verdict.access() != new_verdict.access()) found[robot].emplace(old_verdict.line(), new_verdict.line());
    }
  }
  return found;
}

DecidersByRobot deciders_in(const Difference& difference) {
  DecidersByRobot found;
  for (const RobotChange& robot : difference.robots) {
    Deciders deciders;
    for (const PathChange& change : robot.changes) deciders.emplace(change.before.line, change.after.line);
    if (deciders.empty()) continue;  // only the delay has changed
    if (robot.others) found[""] = deciders;
    for (const std::string& agent : robot.agents) found[agent] = deciders;
  }
  return found;
}

}  // namespace robotrules::test
