#include "core/compare/compare.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "core/compare/audience.hpp"
#include "core/compare/examples.hpp"
#include "core/compare/witness.hpp"

namespace robotrules::core {
namespace {

Side side_of(const Verdict& verdict) {
  Side side{verdict.access(), verdict.why(), verdict.line(), {}};
  if (const auto rule = verdict.rule()) side.rule = rule->text();
  return side;
}

std::vector<Sitemap> without(const std::vector<Sitemap>& all, const std::vector<Sitemap>& those) {
  std::unordered_set<std::string> urls;
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
      : before_(before), after_(after), find_before_(before), find_after_(after), examples_(patterns()) {}

  Difference run(const std::vector<std::string>& agents) {
    difference_.added = without(after_.sitemaps(), before_.sitemaps());
    difference_.removed = without(before_.sitemaps(), after_.sitemaps());
    gather(agents);
    for (RobotChange& audience : audiences_) {
      ask(audience);
      const bool delayed = audience.delay_before != audience.delay_after;
      if (delayed || !audience.changes.empty()) difference_.robots.push_back(std::move(audience));
    }
    difference_.robots = merged(std::move(difference_.robots), true);
    if (work_ > most_work) {
      difference_.limits.push_back("the files are so big that only " + std::to_string(questions_) +
                                   " example paths could be tried, over all robots");
    }
    if (changes_ == most_changes) {
      difference_.limits.push_back("only the first " + std::to_string(most_changes) + " differences were kept");
    }
    if (examples_.cut()) {
      difference_.limits.push_back("paths where a rule with wildcards meets another were looked for in " +
                                   std::to_string(examples_.overlaps()) + " pairs of rules only");
    }
    return std::move(difference_);
  }

 private:
  std::vector<std::string_view> patterns() const {
    std::vector<std::string_view> patterns;
    for (const GroupFinder* find : {&find_before_, &find_after_}) {
      for (const Group& group : find->groups()) {
        for (const Directive& rule : group.rules) patterns.push_back(rule.value);
      }
    }
    return patterns;
  }

  // Robots that are told the same by both files make one audience.
  void gather(const std::vector<std::string>& agents) {
    const Dialect& dialect = before_.dialect();
    std::vector<std::string> names = named_robots(find_before_.groups(), dialect);
    std::vector<std::string> later = named_robots(find_after_.groups(), dialect, names);
    names.insert(names.end(), later.begin(), later.end());
    const std::size_t octets = before_.text().size() + after_.text().size() + 1;
    const std::size_t most = std::clamp(most_reading / octets, least_robots, most_robots);
    if (names.size() > most) {
      difference_.limits.push_back("the files name " + std::to_string(names.size()) + " robots; the first " +
                                   std::to_string(most) + " of them were compared");
      names.resize(most);
    }
    for (const std::string& agent : agents) {
      if (std::find(names.begin(), names.end(), agent) == names.end()) names.push_back(agent);
    }
    join(unnamed_robot({&find_before_.groups(), &find_after_.groups()}), true);
    for (const std::string& name : names) join(name, false);
    difference_.robots_asked = names.size() + 1;
  }

  void join(const std::string& name, bool others) {
    auto holds = std::pair{find_before_.runs_for(name), find_after_.runs_for(name)};
    const auto [found, is_new] = by_runs_.try_emplace(std::move(holds), audiences_.size());
    if (is_new) {
      audiences_.emplace_back();
      asks_.push_back(name);
      holds_.push_back(&found->first);
    }
    RobotChange& audience = audiences_[found->second];
    audience.others = audience.others || others;
    if (!others) audience.agents.push_back(name);
  }

  // What one file says to an audience. Robots that one file names and the other does not share what `*` is told.
  struct Told {
    RuleList list;
    Rules rules;
    std::size_t cost = 0;
  };
  using TellsBy = std::map<std::vector<std::uint32_t>, Told>;

  const Told& told(TellsBy& known, const RobotsTxt& file, const GroupFinder& find,
                   const std::vector<std::uint32_t>& runs, const std::string& name) {
    if (const auto found = known.find(runs); found != known.end()) return found->second;
    RuleList list = rules_of(find, find.groups_of(runs));
    kept_ += list.size();
    if (kept_ > most_kept) {
      known.clear();
      kept_ = list.size();
    }
    const std::size_t cost = cost_of(list);
    return known.emplace(runs, Told{std::move(list), file.rules_for(name), cost}).first->second;
  }

  void ask(RobotChange& audience) {
    const auto index = static_cast<std::size_t>(&audience - audiences_.data());
    const auto& [runs_before, runs_after] = *holds_[index];
    const Told& was_told = told(told_before_, before_, find_before_, runs_before, asks_[index]);
    const Told& is_told = told(told_after_, after_, find_after_, runs_after, asks_[index]);
    const Rules& before = was_told.rules;
    const Rules& after = is_told.rules;
    audience.delay_before = before.crawl_delay();
    audience.delay_after = after.crawl_delay();
    if (was_told.list == is_told.list) return;  // the same rules in the same order say the same

    if (work_ > most_work || changes_ == most_changes) return;
    const std::size_t work = was_told.cost + is_told.cost;
    const auto paths = examples_.of(was_told.list, is_told.list);
    difference_.paths_asked = std::max(difference_.paths_asked, paths.size());
    std::set<std::tuple<std::uint32_t, Why, std::uint32_t, Why>> known;
    for (const std::string* path : paths) {
      work_ += work;
      if (work_ > most_work || changes_ == most_changes) break;
      ++questions_;
      const Verdict was = before.check(*path);
      const Verdict is = after.check(*path);
      if (was.access() == is.access()) continue;
      if (!known.emplace(was.line(), was.why(), is.line(), is.why()).second) continue;
      audience.changes.push_back({*path, side_of(was), side_of(is)});
      ++changes_;
    }
    // What was closed before what was opened; then as the new file has it, then as the old one had it.
    const auto order = [](const Change& change) {
      return std::tuple(change.after.access == Access::allowed, change.after.line, change.before.line);
    };
    std::ranges::stable_sort(audience.changes, [&](const Change& a, const Change& b) { return order(a) < order(b); });
  }

  using Holds = std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>;

  const RobotsTxt& before_;
  const RobotsTxt& after_;
  GroupFinder find_before_;
  GroupFinder find_after_;
  Examples examples_;
  std::map<Holds, std::size_t> by_runs_;
  std::vector<RobotChange> audiences_;
  std::vector<std::string> asks_;    // by whose name an audience asks
  std::vector<const Holds*> holds_;  // its runs of User-agent lines
  TellsBy told_before_;
  TellsBy told_after_;
  std::size_t kept_ = 0;  // rules in both
  Difference difference_;
  std::size_t questions_ = 0;
  std::size_t work_ = 0;
  std::size_t changes_ = 0;
};

}  // namespace

Difference compare(const RobotsTxt& before, const RobotsTxt& after, const std::vector<std::string>& agents) {
  return Comparison(before, after).run(agents);
}

std::vector<RobotChange> merged(std::vector<RobotChange> robots, bool lines) {
  const auto side_key = [&](const Side& side) {
    return std::to_string(static_cast<int>(side.why)) + (lines ? ":" + std::to_string(side.line) : "") + " " +
           side.rule + "\n";
  };
  const auto delay_key = [](const std::optional<Milliseconds>& delay) {
    return delay ? std::to_string(delay->count()) + "\n" : std::string("\n");
  };
  std::vector<RobotChange> out;
  std::unordered_map<std::string, std::size_t> places;
  for (RobotChange& robot : robots) {
    std::string key = delay_key(robot.delay_before) + delay_key(robot.delay_after);
    for (const Change& change : robot.changes) {
      key += change.path + "\n" + side_key(change.before) + side_key(change.after);
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

}  // namespace robotrules::core
