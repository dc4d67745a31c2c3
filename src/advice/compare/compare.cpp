#include <robotrules/compare.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "advice/compare/audience.hpp"
#include "advice/compare/examples.hpp"
#include "advice/compare/witness.hpp"
#include "base/sort.hpp"

namespace robotrules::advice {
namespace {

// Limits of one comparison, besides those of Examples. Difference::limits tells which of them were reached. Big files
// are compared for fewer robots, so that the comparison ends in a reasonable time.
constexpr std::size_t max_robots = 2'000;                        // that the files name
constexpr std::size_t min_max_robots = 300;                      // max_robots for the biggest files
constexpr std::size_t max_bytes = 1'500'000'000;                 // number of robots times the length of both files
constexpr std::size_t max_changes = 200'000;                     // for all robots together
constexpr std::size_t max_change_bytes = std::size_t{64} << 20;  // of their paths and rules
constexpr std::size_t max_cached_bytes = std::size_t{64} << 20;  // of compiled rules

PathAnswer answer_of(const Verdict& verdict) {
  PathAnswer answer{verdict.access(), verdict.why(), verdict.line(), {}};
  if (const auto rule = verdict.rule()) answer.rule = rule->text();
  return answer;
}

// Joins robots with equal changes. `with_lines` true: the lines must be equal too; false: those of the first are kept.
std::vector<RobotChange> joined(std::vector<RobotChange> robots, bool with_lines) {
  const auto answer_key = [&](const PathAnswer& answer) {
    return std::to_string(static_cast<int>(answer.why)) + (with_lines ? ":" + std::to_string(answer.line) : "") + " " +
           answer.rule + "\n";
  };
  const auto delay_key = [](const std::optional<Milliseconds>& delay) {
    return delay ? std::to_string(delay->count()) + "\n" : std::string("\n");
  };
  std::vector<RobotChange> out;
  std::map<std::string, std::size_t> places;
  for (RobotChange& robot : robots) {
    std::string key = delay_key(robot.delay_before) + delay_key(robot.delay_after);
    for (const PathChange& change : robot.changes) {
      key += change.path + "\n" + answer_key(change.before) + answer_key(change.after);
    }
    const auto [found, is_new] = places.try_emplace(std::move(key), out.size());
    if (is_new) {
      out.push_back(std::move(robot));
      continue;
    }
    RobotChange& first = out[found->second];
    first.others = first.others || robot.others;
    first.lines_vary = first.lines_vary || first.changes != robot.changes;
    first.agents.insert(first.agents.end(), robot.agents.begin(), robot.agents.end());
  }
  return out;
}

std::vector<Sitemap> without(const std::vector<Sitemap>& all, const std::vector<Sitemap>& those) {
  std::set<std::string, std::less<>> urls;
  for (const Sitemap& sitemap : those) urls.insert(sitemap.url);
  std::vector<Sitemap> rest;
  for (const Sitemap& sitemap : all) {
    if (!urls.contains(sitemap.url)) rest.push_back(sitemap);
  }
  return rest;
}

class Comparison {
 public:
  Comparison(const RobotsTxt& before, const RobotsTxt& after)
      : before_(before), after_(after), groups_before_(before), groups_after_(after), examples_(patterns()) {}

  Difference run(const std::vector<std::string>& agents) {
    difference_.files = {before_, after_};
    difference_.added_sitemaps = without(after_.sitemaps(), before_.sitemaps());
    difference_.removed_sitemaps = without(before_.sitemaps(), after_.sitemaps());
    gather(agents);
    for (Audience& audience : audiences_) add(audience);
    difference_.robots = joined(std::move(difference_.robots), true);
    if (cost_ > max_cost) {
      difference_.limits.push_back("the files are so big that only " + std::to_string(questions_) +
                                   " example paths could be tried, over all robots");
    }
    if (has_all_changes()) {
      difference_.limits.push_back("only the first " + std::to_string(changes_) + " differences were kept");
    }
    if (examples_.cut()) {
      difference_.limits.push_back("paths where a rule with wildcards meets another were looked for in " +
                                   std::to_string(examples_.overlaps()) + " pairs of rules only");
    }
    return std::move(difference_);
  }

 private:
  // The groups that apply to an audience, or its runs if they must be told apart: a list that a GroupFinder keeps.
  using Key = const GroupFinder::Numbers*;

  // Robots to which both files say the same. One of them is asked for all.
  struct Audience {
    RobotChange change;
    std::string agent;  // the robot that is asked
    Key runs_before;
    Key runs_after;
  };

  // The rules of one file for an audience.
  struct RulesOfFile {
    RuleList list;
    Rules compiled;
    std::size_t cost = 0;
  };
  using Cache = std::map<Key, RulesOfFile>;

  using Delays = std::pair<std::optional<Milliseconds>, std::optional<Milliseconds>>;  // before and after

  // The changes for all audiences with the same keys. Those with equal delays, too, have one place in the result.
  struct Answer {
    bool has_changes = false;
    std::vector<PathChange> changes;  // until they have a place
    Delays delays;                    // of the first audience
    std::map<Delays, std::size_t> places;
  };

  std::vector<std::string_view> patterns() const {
    std::vector<std::string_view> patterns = groups_before_.patterns();
    const std::vector<std::string_view> after = groups_after_.patterns();
    patterns.insert(patterns.end(), after.begin(), after.end());
    return patterns;
  }

  void gather(const std::vector<std::string>& agents) {
    const Dialect& dialect = before_.dialect();
    std::vector<std::string> names = named_robots(groups_before_.groups(), dialect);
    std::vector<std::string> later = named_robots(groups_after_.groups(), dialect, names);
    names.insert(names.end(), later.begin(), later.end());
    const std::size_t bytes = before_.text().size() + after_.text().size() + 1;
    const std::size_t max = std::clamp(max_bytes / bytes, min_max_robots, max_robots);
    if (names.size() > max) {
      difference_.limits.push_back("the files name " + std::to_string(names.size()) + " robots; the first " +
                                   std::to_string(max) + " of them were compared");
      names.resize(max);
    }
    for (const std::string& agent : agents) {
      if (std::find(names.begin(), names.end(), agent) == names.end()) names.push_back(agent);
    }
    join(unnamed_robot({&groups_before_.groups(), &groups_after_.groups()}), true);
    for (const std::string& name : names) join(name, false);
    difference_.robots_asked = names.size() + 1;
  }

  void join(const std::string& name, bool others) {
    const std::pair<Key, Key> runs{groups_before_.kept_runs(name), groups_after_.kept_runs(name)};
    const auto [found, is_new] = by_runs_.try_emplace(runs, audiences_.size());
    if (is_new) audiences_.push_back({{}, name, runs.first, runs.second});
    RobotChange& change = audiences_[found->second].change;
    change.others = change.others || others;
    if (!others) change.agents.push_back(name);
  }

  Key key_of(const GroupFinder& finder, Key runs) const { return shares_groups_ ? finder.kept_groups(runs) : runs; }

  void add(Audience& audience) {
    const Key before = key_of(groups_before_, audience.runs_before), after = key_of(groups_after_, audience.runs_after);
    const auto [known, is_new] = answers_.try_emplace({before, after});
    Answer& answer = known->second;
    if (is_new) ask(audience, before, after, answer);
    const Delays delays = shares_groups_ ? Delays{groups_before_.crawl_delay(*audience.runs_before),
                                                  groups_after_.crawl_delay(*audience.runs_after)}
                                         : answer.delays;
    if (delays.first == delays.second && !answer.has_changes) return;
    const bool is_placed = !answer.places.empty();
    const std::size_t first = is_placed ? answer.places.begin()->second : 0;
    const auto [place, is_first] = answer.places.try_emplace(delays, difference_.robots.size());
    RobotChange& change = audience.change;
    if (!is_first) {
      RobotChange& same = difference_.robots[place->second];
      same.others = same.others || change.others;
      same.agents.insert(same.agents.end(), change.agents.begin(), change.agents.end());
      return;
    }
    std::tie(change.delay_before, change.delay_after) = delays;
    change.changes = std::move(answer.changes);
    if (is_placed) {
      for (const PathChange& path : difference_.robots[first].changes) {
        if (!keep(path, change)) break;
      }
    }
    difference_.robots.push_back(std::move(change));
  }

  const RulesOfFile& rules_for(Cache& cache, const GroupFinder& finder, Key key, Key runs, const std::string& agent) {
    if (const auto found = cache.find(key); found != cache.end()) return found->second;
    const GroupFinder::Numbers& groups = *finder.kept_groups(runs);
    RuleList list = prepared(rules_of(finder, groups), before_.dialect());
    Rules compiled = finder.rules_for(agent, groups);
    const std::size_t bytes = list.size() * sizeof list[0] + compiled.memory_bytes();
    cached_bytes_ += bytes;
    if (cached_bytes_ > max_cached_bytes) {
      cache.clear();
      cached_bytes_ = bytes;
    }
    const std::size_t cost = cost_of(list);
    return cache.emplace(key, RulesOfFile{std::move(list), std::move(compiled), cost}).first->second;
  }

  void ask(const Audience& audience, Key before, Key after, Answer& answer) {
    const RulesOfFile& old_rules =
        rules_for(cache_before_, groups_before_, before, audience.runs_before, audience.agent);
    const RulesOfFile& new_rules = rules_for(cache_after_, groups_after_, after, audience.runs_after, audience.agent);
    answer.delays = {old_rules.compiled.crawl_delay(), new_rules.compiled.crawl_delay()};
    RobotChange change;
    ask_examples(old_rules, new_rules, change);
    // Newly disallowed paths come before newly allowed ones; then the order of the new file, then that of the old one.
    const auto order = [](const PathChange& path) {
      return std::tuple(path.after.access == Access::allowed, path.after.line, path.before.line);
    };
    base::stable_sort(change.changes, [&](const PathChange& a, const PathChange& b) { return order(a) < order(b); });
    answer.has_changes = !change.changes.empty();
    answer.changes = std::move(change.changes);
  }

  // Asks both files about the example paths. If no changed rule matches a path, both give the same answer.
  void ask_examples(const RulesOfFile& old_rules, const RulesOfFile& new_rules, RobotChange& change) {
    if (old_rules.list == new_rules.list || done()) return;
    const RuleParts parts = parted(old_rules.list, new_rules.list, before_.dialect(), budget_);
    if (parts.changed.empty()) return;
    const Examples::Paths paths = examples_.of(parts);
    difference_.paths_asked = std::max(difference_.paths_asked, paths.changed.size() + paths.common.size());
    Known known;
    for (const std::string* path : paths.changed) {
      if (done()) return;
      ask_path(old_rules, new_rules, *path, known, change);
    }
    if (paths.common.empty()) return;
    const Rules changed = compiled(parts.changed, before_.dialect(), before_.url());
    const std::size_t cost = cost_of(parts.changed);
    for (const std::string* path : paths.common) {
      if (done()) return;
      cost_ += cost;
      if (changed.check(*path).line() != 0) ask_path(old_rules, new_rules, *path, known, change);
    }
  }

  // The deciding lines of both files for which `changes` already has a path.
  using Known = std::set<std::tuple<std::uint32_t, Why, std::uint32_t, Why>>;

  void ask_path(const RulesOfFile& old_rules, const RulesOfFile& new_rules, const std::string& path, Known& known,
                RobotChange& change) {
    cost_ += old_rules.cost + new_rules.cost;
    ++questions_;
    const Verdict was = old_rules.compiled.check(path);
    const Verdict is = new_rules.compiled.check(path);
    if (was.access() == is.access()) return;
    if (!known.emplace(was.line(), was.why(), is.line(), is.why()).second) return;
    keep({path, answer_of(was), answer_of(is)}, change);
  }

  // Adds the difference to those of `change`. Returns false if there is no room for it.
  bool keep(PathChange path, RobotChange& change) {
    if (has_all_changes()) return false;
    change_bytes_ += path.path.size() + path.before.rule.size() + path.after.rule.size();
    ++changes_;
    change.changes.push_back(std::move(path));
    return true;
  }

  bool has_all_changes() const noexcept { return changes_ == max_changes || change_bytes_ > max_change_bytes; }
  bool done() const noexcept { return cost_ > max_cost || has_all_changes(); }

  const RobotsTxt& before_;
  const RobotsTxt& after_;
  GroupFinder groups_before_;
  GroupFinder groups_after_;
  Examples examples_;
  // True: audiences with equal groups have equal rules, and their delays are known without these rules.
  const bool shares_groups_ = before_.dialect().group_choice == Dialect::GroupChoice::merge &&
                              groups_before_.knows_delays() && groups_after_.knows_delays();
  std::map<std::pair<Key, Key>, Answer> answers_;
  std::map<std::pair<Key, Key>, std::size_t> by_runs_;  // index into audiences_
  std::vector<Audience> audiences_;
  Cache cache_before_;
  Cache cache_after_;
  std::size_t cached_bytes_ = 0;  // in both caches
  Difference difference_;
  std::size_t questions_ = 0;
  std::size_t cost_ = 0;  // of all questions
  StepBudget budget_;     // for the proofs that a changed rule changes no answer
  std::size_t changes_ = 0;
  std::size_t change_bytes_ = 0;
};

}  // namespace
}  // namespace robotrules::advice

namespace robotrules {

Difference compare(const RobotsTxt& before, const RobotsTxt& after, const std::vector<std::string>& agents) {
  return advice::Comparison(before, after).run(agents);
}

std::vector<RobotChange> merged(std::vector<RobotChange> robots) { return advice::joined(std::move(robots), false); }

}  // namespace robotrules
