// Consequences: what the whole file does to robots. They are asked of compiled rules, as robots do.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <robotrules/compare.hpp>
#include <robotrules/url.hpp>

#include "advice/compare/audience.hpp"
#include "advice/lint/checks.hpp"
#include "advice/lint/groups.hpp"
#include "advice/lint/special_robots.hpp"
#include "base/ascii.hpp"

namespace robotrules::advice {
namespace {

constexpr std::size_t max_groups = 200;  // whose robots are asked about
constexpr std::string_view yandex = "yandex";
constexpr std::size_t max_rules = 50;  // of "*" that are looked for in other groups

using Robots = std::vector<std::string_view>;

// Returns "A, B, C and 4 more".
std::string listed(const Robots& names) {
  constexpr std::size_t shown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, names.size()); ++i) {
    const bool last = i > 0 && i + 1 == names.size();
    text.append(i == 0 ? "" : last ? " and " : ", ").append(names[i]);
  }
  if (names.size() > shown) text += filled({" and {} more", {names.size() - shown}});
  return text;
}

// Returns a path that the pattern probably matches, or nothing.
std::string example_of(std::string_view pattern) {
  if (pattern.ends_with('$')) pattern.remove_suffix(1);
  std::string path;
  for (const char c : pattern) c == '*' ? path += "x" : path += c;
  if (path.empty() || (path.front() != '/' && pattern.front() != '*')) return {};
  return path.front() == '/' ? path : filled({"/{}", {path}});
}

// Paths of a style sheet and of a script that a rule is about; both empty: the rule is about neither.
struct Assets {
  std::string style, script;
};

// Returns the paths for "/x*.css", "/*js$", "/css/" and the like. `example`: a path that the pattern matches.
Assets assets_of(std::string_view pattern, const std::string& example) {
  const std::string lower = base::lower_case(example);
  if (lower.ends_with(".css") || lower.ends_with(".js")) {
    if (pattern.find('*') == std::string_view::npos) return {};  // one file is hardly needed to see the pages
    return lower.ends_with(".css") ? Assets{example, ""} : Assets{"", example};
  }
  const bool anchored = pattern.ends_with('$');
  if (anchored) pattern.remove_suffix(1);
  if (pattern.ends_with("*css")) return {filled({"{}.css", {example.substr(0, example.size() - 4)}}), ""};
  if (pattern.ends_with("*js")) return {"", filled({"{}.js", {example.substr(0, example.size() - 3)}})};
  if (anchored) return {};
  constexpr std::array<std::string_view, 11> folders = {"css",         "js",          "javascript", "javascripts",
                                                        "stylesheets", "wp-includes", "wp-content", "themes",
                                                        "assets",      "static",      "_next"};
  std::string_view path = lower;
  const bool slash = path.ends_with('/') || path.ends_with("/x");
  path = path.substr(0, path.ends_with("/x") ? path.size() - 2 : path.size() - (slash ? 1 : 0));
  const std::string_view last = path.substr(path.rfind('/') + 1);
  const bool deep = std::count(path.begin(), path.end(), '/') > 2;  // "/maps/api/js" is no folder for all pages
  if (deep || std::find(folders.begin(), folders.end(), last) == folders.end()) return {};
  const std::string folder = example + (slash ? "" : "/");
  if (last == "wp-includes") return {filled({"{}css/zzz.css", {folder}}), filled({"{}js/zzz.js", {folder}})};
  constexpr std::array<std::string_view, 4> mixed = {"themes", "assets", "static", "_next"};
  if (last == "wp-content")
    return {filled({"{}themes/zzz/zzz.css", {folder}}), filled({"{}themes/zzz/zzz.js", {folder}})};
  if (std::ranges::find(mixed, last) != mixed.end())
    return {filled({"{}zzz.css", {folder}}), filled({"{}zzz.js", {folder}})};
  return last.find("js") == std::string_view::npos && last.find("java") == std::string_view::npos
             ? Assets{filled({"{}zzz.css", {folder}}), ""}
             : Assets{"", filled({"{}zzz.js", {folder}})};
}

// Returns true if `matches` a Disallow line.
template <typename F>
bool any_rule(std::span<const Group> groups, F matches) {
  return std::any_of(groups.begin(), groups.end(), [&](const Group& group) {
    return std::any_of(group.rules.begin(), group.rules.end(), [&](const Directive& rule) {
      return rule.kind == DirectiveKind::disallow && !rule.value.empty() && matches(rule);
    });
  });
}

class Consequences {
 public:
  Consequences(const RobotsTxt& file, std::span<const Group> groups, const FileLines& lines,
               std::span<const KnownRobot> robots, Findings& findings)
      : file_(file), groups_(groups), lines_(lines), robots_(robots), findings_(findings), survey_(file) {
    const std::vector<Group> all(groups.begin(), groups.end());
    unnamed_ = unnamed_robot({&all});
    names_yandex_ = std::any_of(groups.begin(), groups.end(), [](const Group& group) {
      return std::any_of(group.agents.begin(), group.agents.end(),
                         [](const Directive& agent) { return agent_key(agent.value) == yandex; });
    });
    may_close_ = any_rule(groups, [](const Directive& rule) { return matches_everything(rule.value); });
  }

  void check() {
    if (!closed_site()) {
      closed_for(KnownRobot::Kind::search);
      dropped_rules();
    }
    closed_for(KnownRobot::Kind::ai);
    if (is_closed("Googlebot")) return;
    const Rules googlebot = file_.rules_for("Googlebot");
    assets(googlebot);
    sitemaps(googlebot);
  }

 private:
  // A path that few rules match is closed only by a rule that matches everything.
  // `robot`: a name or AgentTokens.
  bool is_closed(const auto& robot) { return may_close_ && survey_.reach_of(robot) == Reach::nowhere; }

  // Returns the line of the rule that closes the site for the robot.
  std::uint32_t closing_line(const auto& robot) const {
    const Rules rules = file_.rules_for(robot);
    const std::uint32_t line = rules.check("/").line();
    return line != 0 ? line : survey_.groups_for(robot).line;
  }

  bool closed_site() {
    if (!is_closed(unnamed_)) return false;
    const bool known_closed = std::all_of(robots_.begin(), robots_.end(), [&](const KnownRobot& robot) {
      return robot.kind != KnownRobot::Kind::search || robot.agent.ignores_star || is_closed(tokens_of(robot));
    });
    if (!known_closed || groups_.size() > max_groups) return false;
    for (const Group& group : groups_) {
      if (!group.agents.empty() && !is_closed(compared_name(group.agents.front().value, file_.dialect()))) return false;
    }
    closed_ = true;
    findings_.add(
        Code::site_closed, closing_line(unnamed_), 1, "No robot may fetch any page of this site.",
        "If search engines should find the site, write narrower rules in its place, or \"Disallow:\" to open it.");
    return true;
  }

  void closed_for(KnownRobot::Kind kind) {
    if (closed_ || !may_close_) return;
    Robots closed, split;
    AgentTokens first;
    std::size_t all = 0;
    bool leading = false;
    for (const KnownRobot& robot : robots_) {
      if (robot.kind != kind) continue;
      ++all;
      AgentTokens agent = tokens_of(robot);
      if (!is_closed(agent)) continue;
      const bool leads = robot.name == "Googlebot" || robot.name == "Bingbot";
      leading = leading || leads;
      if (leads || closed.empty()) first = std::move(agent);
      closed.insert(leads ? closed.begin() : closed.end(), robot.name);
      if (is_split_off(tokens_of(robot))) split.insert(leads ? split.begin() : split.end(), robot.name);
    }
    if (closed.empty()) return;
    const std::uint32_t line = closing_line(first);
    if (kind == KnownRobot::Kind::ai) {
      findings_.add(Code::ai_closed, line, 1, {"AI robots may fetch no page of this site: {}.", {listed(closed)}},
                    "This is right if the site's texts should not be used by AI; else write narrower rules.");
    } else if (leading || 2 * closed.size() >= all) {
      findings_.add(Code::search_closed, line, 1,
                    {"Search engines may fetch no page of this site: {}.", {listed(closed)}},
                    {"If these search engines should find the site, allow their robots.{}",
                     {split.empty() ? ""
                                    : " " + listed(split) + " may be closed by mistake, because no rule " +
                                          "follows directly below the name: see split-group."}});
    }
  }

  // Returns true if a blank line or a setting parts the name of this robot from the rules of its only group, and other
  // names follow.
  bool is_split_off(const AgentTokens& robot) const {
    const AppliedGroups applied = survey_.groups_for(robot);
    if (applied.groups.size() != 1 || applied.is_default) return false;
    const std::vector<Directive>& agents = groups_[applied.groups.front()].agents;
    const auto own = std::ranges::find(agents, applied.agent, &Directive::value);
    return own != agents.end() && std::any_of(own + 1, agents.end(), [&](const Directive& next) {
             return next.run_line != own->run_line || lines_.blank_between(own->line, next.line);
           });
  }

  // A Disallow rule, and a path that it forbids.
  struct ClosedPath {
    Directive rule;
    std::string path;
  };

  // Returns the paths that the rules for this robot close. Returns nothing if the site is closed to it.
  std::vector<ClosedPath> closed_paths(std::string_view robot) const {
    const Rules rules = file_.rules_for(robot);
    std::vector<ClosedPath> closed;
    if (!rules.check(filled({"/{}", {unnamed_}})).allowed()) return closed;
    for (const std::uint32_t index : survey_.groups_for(robot).groups) {
      for (const Directive& rule : groups_[index].rules) {
        if (rule.kind != DirectiveKind::disallow || rule.value.empty() || closed.size() == max_rules) continue;
        std::string path = example_of(rule.value);
        if (!path.empty() && rules.check(path).access() == Access::disallowed)
          closed.push_back({rule, std::move(path)});
      }
    }
    return closed;
  }

  // Returns the name of the robot whose rules the robots of this User-agent line would obey if the file did not name
  // them: another robot, or unnamed_. Returns "" if they would obey none, or if that is not known.
  std::string without_own_group(std::string_view agent) const {
    const AgentTokens robot = tokens_of(agent, robots_);
    for (std::size_t i = 1; i < robot.tokens.size(); ++i) {
      const AppliedGroups applied = survey_.groups_for(robot.tokens[i]);
      if (applied.line != 0 && !applied.is_default) return robot.tokens[i];
    }
    return robot.ignores_star || has_group_of_family(agent) ? "" : unnamed_;
  }

  // Finds groups that open all that would be closed for their robots without these groups.
  void dropped_rules() {
    if (groups_.size() > max_groups) return;
    std::map<std::string, std::vector<ClosedPath>> closed_for_robot;
    std::set<std::string, std::less<>> told;
    for (const Group& group : groups_) {
      std::string other;
      const Directive* const agent = first_named(group, other);
      if (agent == nullptr || opens_everything(group) || !told.insert(agent_key(agent->value)).second) continue;
      const auto [known, is_new] = closed_for_robot.try_emplace(other);
      if (is_new) known->second = closed_paths(other);
      const std::vector<ClosedPath>& closed = known->second;
      const Rules rules = file_.rules_for(compared_name(agent->value, file_.dialect()));
      const auto opened = [&](const ClosedPath& closed_path) { return rules.check(closed_path.path).allowed(); };
      if (closed.empty() || !std::all_of(closed.begin(), closed.end(), opened)) continue;
      const Directive& rule = closed.front().rule;
      const bool for_all = other == unnamed_;
      const std::vector<std::string> names = losers_of(group, other);
      const bool one = names.size() == 1;
      findings_.add(Code::dropped_star_rules, agent->line, agent->column,
                    {"The rules for {} do not hold for {}, because {} a group of {} own: {} may fetch {}, which line "
                     "{} forbids to {}.",
                     {for_all ? "\"*\"" : quoted(other), listed({names.begin(), names.end()}),
                      one ? "it has" : "they have", one ? "its" : "their", one ? "it" : "they", quote(rule.value),
                      rule.line, for_all ? "other robots" : quoted(other)}},
                    {"If these rules are meant for {} group.",
                     {one ? "it too, repeat them in its" : "them too, repeat them in their"}},
                    {},
                    whole_rule(group, DirectiveKind::allow) != nullptr ? std::optional(Severity::note) : std::nullopt);
    }
  }

  // Returns true if the group contains only "Disallow:", which says that everything is meant to be open.
  static bool opens_everything(const Group& group) {
    return !group.rules.empty() && std::all_of(group.rules.begin(), group.rules.end(), [](const Directive& rule) {
      return rule.kind == DirectiveKind::disallow && rule.value.empty();
    });
  }

  // Returns the first agent of a group that would obey other rules without it, and sets `other` to without_own_group().
  // Returns null if there is none, or if the group also names "*".
  const Directive* first_named(const Group& group, std::string& other) const {
    const Directive* first = nullptr;
    for (const Directive& agent : group.agents) {
      if (agent.value == "*") return nullptr;
      if (first != nullptr || agent.value.empty() || agent.value.front() == '*') continue;
      other = without_own_group(agent.value);
      if (!other.empty()) first = &agent;
    }
    return first;
  }

  // Returns the robots of a group, quoted and each once, that would obey the rules of `other` without it.
  std::vector<std::string> losers_of(const Group& group, const std::string& other) const {
    std::vector<std::string> names;
    std::set<std::string, std::less<>> seen;
    for (const Directive& agent : group.agents) {
      if (agent.value.empty() || agent.value.front() == '*' || without_own_group(agent.value) != other) continue;
      if (seen.insert(agent_key(agent.value)).second) names.push_back(quoted(agent.value));
    }
    return names;
  }

  // Returns true if the robot would obey another named group before "*": Yandex's robots that of Yandex.
  bool has_group_of_family(std::string_view agent) const {
    const std::string key = agent_key(agent);
    return names_yandex_ && key.starts_with(yandex) && key != yandex;
  }

  void assets(const Rules& googlebot) {
    for (const std::uint32_t index : survey_.groups_for("Googlebot").groups) {
      for (const Directive& rule : groups_[index].rules) {
        if (rule.kind != DirectiveKind::disallow || rule.value.empty()) continue;
        const std::string path = example_of(rule.value);
        if (path.empty()) continue;
        const Assets paths = assets_of(rule.value, path);
        const auto closed = [&](const std::string& asset) {
          return !asset.empty() && googlebot.check(asset).access() == Access::disallowed;
        };
        const bool styles = closed(paths.style), scripts = closed(paths.script);
        if (!styles && !scripts) continue;
        const std::string_view what = !scripts ? "style sheets" : !styles ? "scripts" : "style sheets or scripts";
        findings_.add(Code::assets_closed, rule.line, rule.column,
                      {"Googlebot may not fetch {} that match {}, so it may not see the pages as people do.",
                       {what, quote(rule.value)}},
                      {"Allow these files with a longer rule, or {}.", {delete_line(&groups_[index])}});
      }
    }
  }

  void sitemaps(const Rules& googlebot) {
    const std::vector<Sitemap> sitemaps = file_.sitemaps();
    std::optional<Origin> site = Origin::of(file_.url());
    if (!site) {  // probably the host of all sitemaps
      for (const Sitemap& sitemap : sitemaps) {
        const auto origin = Origin::of(sitemap.value);
        if (!origin || (site && *origin != *site)) return;
        site = origin;
      }
    }
    for (const Sitemap& sitemap : sitemaps) {
      if (Origin::of(sitemap.url) != site) continue;
      const Verdict verdict = googlebot.check(sitemap.url);
      if (verdict.access() != Access::disallowed) continue;
      findings_.add(Code::sitemap_closed, sitemap.line, 1,
                    {"Googlebot may not fetch this sitemap: line {} forbids it.", {verdict.line()}},
                    "Allow the URL of the sitemap, or put the sitemap elsewhere.");
    }
  }

  const RobotsTxt& file_;
  std::span<const Group> groups_;
  const FileLines& lines_;
  std::span<const KnownRobot> robots_;
  Findings& findings_;
  RobotSurvey survey_;
  std::string unnamed_;
  bool names_yandex_ = false;
  bool may_close_ = false;
  bool closed_ = false;
};

}  // namespace

void check_consequences(const RobotsTxt& file, std::span<const Group> groups, const FileLines& lines,
                        std::span<const KnownRobot> robots, Findings& findings) {
  // A file without Disallow lines closes nothing.
  if (any_rule(groups, [](const Directive&) { return true; }))
    Consequences(file, groups, lines, robots, findings).check();
}

}  // namespace robotrules::advice
