#include "advice/compare/audience.hpp"

#include <algorithm>
#include <set>

#include <robotrules/extensions.hpp>
#include <robotrules/rules.hpp>

#include "advice/compare/witness.hpp"
#include "base/ascii.hpp"
#include "base/sort.hpp"
#include "core/group_rules.hpp"
#include "core/rules/agent_match.hpp"

namespace robotrules::advice {
namespace {

bool names_are_tokens(const Dialect& dialect) noexcept {
  return dialect.agent_match == Dialect::AgentMatch::product_token ||
         dialect.agent_match == Dialect::AgentMatch::product_token_whole;
}

}  // namespace

GroupFinder::GroupFinder(const RobotsTxt& file) : file_(file), groups_(file.groups()), dialect_(file.dialect()) {
  dialect_.file_limit = 0;  // a probe file may be longer than the file
  for (std::uint32_t i = 0; i < groups_.size(); ++i) {
    const std::vector<Directive>& agents = groups_[i].agents;
    if (agents.empty()) nameless_.push_back(static_cast<std::uint32_t>(runs_.size()));
    const std::size_t first_run = runs_.size();
    std::vector<std::uint32_t> run_lines = {agents.empty() ? 0 : agents.front().run_line};
    runs_.push_back(i);
    for (const Directive& agent : agents) {
      if (agent.run_line != run_lines.back()) {
        runs_.push_back(i);
        run_lines.push_back(agent.run_line);
      }
      add_line(static_cast<std::uint32_t>(runs_.size() - 1), agent.value);
    }
    add_delays(groups_[i], first_run, run_lines);
  }
}

// `run_lines`: of the runs of this group.
void GroupFinder::add_delays(const Group& group, std::size_t first_run, const std::vector<std::uint32_t>& run_lines) {
  delays_.resize(runs_.size());
  for (const Directive& line : group.other) {
    if (line.kind != DirectiveKind::crawl_delay) continue;
    const auto run = std::ranges::lower_bound(run_lines, line.run_line);
    if (line.run_line == 0 || run == run_lines.end() || *run != line.run_line) {
      knows_delays_ = false;
      continue;
    }
    std::optional<Milliseconds>& delay = delays_[first_run + static_cast<std::size_t>(run - run_lines.begin())];
    if (const auto said = parse_crawl_delay(line.value)) delay = std::max(delay, said);
  }
}

std::optional<Milliseconds> GroupFinder::crawl_delay(const std::vector<std::uint32_t>& runs) const {
  std::optional<Milliseconds> longest;
  for (const std::uint32_t run : runs) longest = std::max(longest, delays_[run]);
  return longest;
}

void GroupFinder::add_line(std::uint32_t run, std::string_view value) {
  const auto line = static_cast<std::uint32_t>(lines_.size());
  lines_.push_back({run, value});
  if (core::names_everybody(value, dialect_)) {
    stars_.push_back(line);
    return;
  }
  const std::optional<core::NamesOfValue> names = core::names_of_value(value, dialect_);
  if (!names) {
    any_.push_back(line);
    return;
  }
  named_[base::lower_case(names->first)].push_back(line);
  if (names->second && *names->second != names->first) named_[base::lower_case(*names->second)].push_back(line);
}

// Appends the lines that may name the robot.
void GroupFinder::add_named(std::string_view agent, Lines& lines) const {
  const core::AgentMatcher matcher(agent, dialect_);
  if (const auto named = named_.find(base::lower_case(matcher.agent())); named != named_.end()) {
    lines.insert(lines.end(), named->second.begin(), named->second.end());
  }
}

GroupFinder::Found GroupFinder::find(std::string_view agent) const { return find(AgentTokens{{std::string(agent)}}); }

GroupFinder::Found GroupFinder::find(const AgentTokens& agent) const {
  std::optional<Found> named = find_named(agent);
  return named ? *std::move(named) : find_unnamed(agent);
}

// Returns null if the robot gets the groups of all robots that no line names. A group that names the robot comes before
// those for "*", except in dialects that take the first of both.
std::optional<GroupFinder::Found> GroupFinder::find_named(const AgentTokens& agent) const {
  const bool either = dialect_.group_choice == Dialect::GroupChoice::first_in_file_order;
  Lines lines = any_;
  for (const std::string& token : agent.tokens) add_named(token, lines);
  if (agent.tokens.empty()) add_named({}, lines);
  Found found = find_among(std::move(lines), either, agent);
  if (!either && found.runs.empty()) return std::nullopt;
  return found;
}

const GroupFinder::Found& GroupFinder::find_unnamed(const AgentTokens& agent) const {
  std::optional<Found>& unnamed = unnamed_[agent.ignores_star ? 1 : 0];
  if (!unnamed) unnamed = find_among({}, true, agent);
  return *unnamed;
}

const GroupFinder::Numbers* GroupFinder::kept_runs(std::string_view agent) const {
  const AgentTokens tokens{{std::string(agent)}};
  if (std::optional<Found> named = find_named(tokens)) return &*kept_.insert(std::move(named->runs)).first;
  if (kept_unnamed_ == nullptr) kept_unnamed_ = &*kept_.insert(find_unnamed(tokens).runs).first;
  return kept_unnamed_;
}

const GroupFinder::Numbers* GroupFinder::kept_groups(const Numbers* runs) const {
  const auto [known, is_new] = kept_groups_.try_emplace(runs);
  if (is_new) known->second = &*kept_.insert(groups_of(*runs)).first;
  return known->second;
}

// Returns the runs of these lines, and of those for "*" if `with_stars`, whose rules the robot gets.
GroupFinder::Found GroupFinder::find_among(Lines lines, bool with_stars, const AgentTokens& agent) const {
  if (with_stars) lines.insert(lines.end(), stars_.begin(), stars_.end());
  base::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  std::vector<std::uint32_t> runs;
  std::string probe;
  const auto end_run = [&](std::uint32_t run) {
    probe.append("Disallow: /").append(std::to_string(run)).append("/\n\n");
    runs.push_back(run);
  };
  auto nameless = nameless_.begin();
  const auto take_nameless = [&](std::uint32_t before) {
    for (; with_stars && nameless != nameless_.end() && *nameless < before; ++nameless) end_run(*nameless);
  };
  for (auto line = lines.begin(); line != lines.end(); ++line) {
    const std::uint32_t run = lines_[*line].run;
    take_nameless(run);
    probe.append("User-agent: ").append(lines_[*line].value).append("\n");
    if (line + 1 == lines.end() || lines_[*(line + 1)].run != run) end_run(run);
  }
  take_nameless(static_cast<std::uint32_t>(runs_.size()));

  Found found;
  if (runs.empty()) return found;
  const Rules rules = Rules::compile(probe, agent, dialect_);
  for (const std::uint32_t run : runs) {
    if (found.runs.size() == rules.size()) break;
    const Verdict verdict = rules.check("/" + std::to_string(run) + "/");
    if (verdict.allowed()) continue;
    if (found.runs.empty()) {
      const GroupLine group = verdict.group();
      found.applied.agent = group.agent;
      found.applied.is_default = group.is_default;
    }
    found.runs.push_back(run);
  }
  found.applied.groups = groups_of(found.runs);
  if (!found.applied.groups.empty()) found.applied.line = groups_[found.applied.groups.front()].line;
  return found;
}

Rules GroupFinder::rules_for(std::string_view agent, const std::vector<std::uint32_t>& groups) const {
  return core::GroupRules::of(file_, agent, groups);
}

std::vector<std::uint32_t> GroupFinder::groups_of(const std::vector<std::uint32_t>& runs) const {
  std::vector<std::uint32_t> groups;
  for (const std::uint32_t run : runs) {
    if (groups.empty() || groups.back() != runs_[run]) groups.push_back(runs_[run]);
  }
  return groups;
}

std::vector<std::string_view> GroupFinder::patterns() const {
  std::vector<std::string_view> patterns;
  for (const Group& group : groups_) {
    for (const Directive& rule : group.rules) patterns.push_back(rule.value);
  }
  return patterns;
}

std::vector<std::string> named_robots(const std::vector<Group>& groups, const Dialect& dialect,
                                      const std::vector<std::string>& known) {
  std::set<std::string, std::less<>> seen;
  for (const std::string& name : known) seen.insert(base::lower_case(name));
  std::vector<std::string> names;
  for (const Group& group : groups) {
    for (const Directive& agent : group.agents) {
      std::string_view name = agent.value.substr(0, agent.value.find_first_of("/(;"));
      if (dialect.agent_match == Dialect::AgentMatch::product_token) name = leading_product_token(name);
      std::string robot(compared_name(name, dialect));
      std::erase(robot, '*');
      while (robot.ends_with(' ') || robot.ends_with('\t')) robot.pop_back();
      if (!robot.empty() && seen.insert(base::lower_case(robot)).second) names.push_back(std::move(robot));
    }
  }
  return names;
}

std::string unnamed_robot(const std::vector<const std::vector<Group>*>& files) {
  std::vector<std::string> values;
  for (const std::vector<Group>* groups : files) {
    for (const Group& group : *groups) {
      for (const Directive& agent : group.agents) values.push_back(base::lower_case(agent.value));
    }
  }
  return Filler({values.begin(), values.end()}).word();
}

}  // namespace robotrules::advice

namespace robotrules {

std::string_view compared_name(std::string_view name, const Dialect& dialect) noexcept {
  return advice::names_are_tokens(dialect) ? name.substr(0, name.find_first_of(" \t")) : name;
}

}  // namespace robotrules
