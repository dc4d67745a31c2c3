// The effect of a robots.txt on robots: the differences between two files for each robot, the groups that apply to a
// robot, the part of a site that it may fetch, example paths that prove this, and the verdicts of several dialects.
//
//     auto before = robotrules::RobotsTxt::parse("User-agent: *\nDisallow: /tmp/\n");
//     auto after = robotrules::RobotsTxt::parse("User-agent: *\nDisallow: /\n");
//     for (const auto& robot : robotrules::compare(before, after).robots)
//       for (const auto& change : robot.changes)
//         std::cout << change.path << " is now " << change.after.access << '\n';  // "/zzz is now disallowed"
//
// Method: compare() and RobotSurvey make example paths from the rules and ask Rules about them. So every reported
// difference is real: its path proves it. If no pattern contains "*", every difference is found, except for paths with
// line feeds (a dialect with path_lines reads such a path line by line). If patterns contain "*", there are too many
// combinations to try all of them.
//
// Thread rule: the functions are pure. A RobotSurvey, FileRules or SideBySide may be used by one thread at a time.
// Errors: none; a file that is too big is compared in part, and the result says so. Only std::bad_alloc is thrown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/dialect.hpp>
#include <robotrules/robots_txt.hpp>
#include <robotrules/rules.hpp>

namespace robotrules {

// --- compare: two files, such as a robots.txt before and after a change --------------------------------------------

// The answer of one file for a path.
struct PathAnswer {
  Access access = Access::unknown;
  Why why = Why::no_robots;
  std::uint32_t line = 0;  // line of the rule that decided, counted from 1; 0: no rule decided
  std::string rule;        // that rule as text, such as "Disallow: /x"; empty: no rule decided
  friend bool operator==(const PathAnswer&, const PathAnswer&) = default;
};

// A path that one file allows and the other disallows.
struct PathChange {
  std::string path;  // begins with "/", or is an absolute URL; not always UTF-8. Pass it to Rules::check().
  PathAnswer before;
  PathAnswer after;
  friend bool operator==(const PathChange&, const PathChange&) = default;
};

// The change for one set of robots.
struct RobotChange {
  bool others = false;              // true: the set contains every robot that neither file names
  std::vector<std::string> agents;  // the named robots of the set
  // One change for each pair of rules, where one decides before and the other after. Paths that are disallowed now come
  // first, then paths that are allowed now. Both parts are ordered by line in the new file.
  std::vector<PathChange> changes;
  std::optional<Milliseconds> delay_before;  // Crawl-delay; null: there is none
  std::optional<Milliseconds> delay_after;
  bool lines_vary = false;  // set by merged(); true: `changes` has the lines for the first robot only
};

// The result of compare(). It keeps both files, so the views in its sitemaps are valid while any copy of it lives.
struct Difference {
  std::vector<RobotChange> robots;
  std::vector<Sitemap> added_sitemaps;
  std::vector<Sitemap> removed_sitemaps;
  std::size_t robots_asked = 0;     // number of robots; all robots that neither file names count as one
  std::size_t paths_asked = 0;      // the largest number of example paths for one robot
  std::vector<std::string> limits;  // one sentence for each limit that was reached; empty: the comparison is complete
  std::vector<RobotsTxt> files;     // the two files, which share their data with the caller's

  // Returns true if no difference was found. Settings beside Crawl-delay do not count: see changed_settings().
  bool same() const noexcept { return robots.empty() && added_sitemaps.empty() && removed_sitemaps.empty(); }
};

// Compares two files for all robots that either of them names, for all other robots together, and for `agents`.
// Precondition: both files were parsed with the same dialect.
// Limits: 2,000 named robots (fewer, but at least 300, if the files have megabytes), 200,000 changes or 64 MiB of them,
// 20,000 pairs of rules that are searched for a common path, and about 60 million questions. Rules that are whole URLs
// (RuleValue::url_reference) are not compared.
ROBOTRULES_API Difference compare(const RobotsTxt& before, const RobotsTxt& after,
                                  const std::vector<std::string>& agents = {});

// Joins the sets that have the same changes, even if their rules are on different lines. Returns the joined sets.
ROBOTRULES_API std::vector<RobotChange> merged(std::vector<RobotChange> robots);

// --- changed_settings: the lines that compare() leaves out ----------------------------------------------------------

// Returns true if compare() leaves out lines of this kind, although robots may obey them: Request-rate, Visit-time,
// Content-Signal, Content-Usage, Clean-param, Host and Noindex.
ROBOTRULES_API bool is_uncompared(DirectiveKind kind) noexcept;

// Names of robots in lower case, sorted, each once.
using RobotNames = std::vector<std::string>;

// A line that compare() leaves out. Its place in the file does not matter.
struct UncomparedSetting {
  DirectiveKind kind = DirectiveKind::other;
  std::string value;
  // The robots of the line; null: the line is for the whole site. The settings of one run of User-agent lines share one
  // list: a file of n lines can have n²/4 pairs of a setting and a robot.
  std::shared_ptr<const RobotNames> agents;
  std::uint32_t line = 0;  // counted from 1
};

// Returns these lines in file order.
ROBOTRULES_API std::vector<UncomparedSetting> uncompared_settings(const RobotsTxt& file);

// The lines that one file has and the other does not have for each of their robots.
struct ChangedSettings {
  std::vector<UncomparedSetting> removed;  // only in the file before
  std::vector<UncomparedSetting> added;    // only in the file after
  std::vector<std::string> limits;         // as in Difference

  // Returns true if no difference was found.
  bool same() const noexcept { return removed.empty() && added.empty(); }
};

// Compares the lines that compare() leaves out. Values are compared as they are written.
ROBOTRULES_API ChangedSettings changed_settings(const RobotsTxt& before, const RobotsTxt& after);

// --- effective_for: one robot --------------------------------------------------------------------------------------

// The part of a file that applies to one robot. The views are valid while any copy of the RobotsTxt lives.
struct EffectiveRules {
  std::string agent;
  std::vector<Group> groups;     // groups that apply to the robot, in file order
  bool is_default = false;       // true: these are the groups for "*"
  std::vector<Directive> rules;  // Allow and Disallow lines of these groups, in file order
  Rules compiled;                // the same rules, and the settings for the robot
};

// Returns the part of `file` that applies to the robot `agent`. EffectiveRules::agent is its first name, or empty.
ROBOTRULES_API EffectiveRules effective_for(const RobotsTxt& file ROBOTRULES_LIFETIMEBOUND, const AgentTokens& agent);
inline EffectiveRules effective_for(const RobotsTxt& file ROBOTRULES_LIFETIMEBOUND, std::string_view agent) {
  return effective_for(file, AgentTokens{{std::string(agent)}});
}
inline EffectiveRules effective_for(const RobotsTxt& file ROBOTRULES_LIFETIMEBOUND,
                                    std::initializer_list<const char*> names) {
  return effective_for(file, AgentTokens::of(names));
}

// Returns the part of a robot's name that `dialect` compares with User-agent lines: the first word if names are product
// tokens, else the whole name. Example: "Screaming" for "Screaming Frog SEO Spider". The result is a view of `name`.
ROBOTRULES_API std::string_view compared_name(std::string_view name, const Dialect& dialect) noexcept;

// --- RobotSurvey: many robots --------------------------------------------------------------------------------------

// The groups that apply to one robot.
struct AppliedGroups {
  std::vector<std::uint32_t> groups;  // indexes for RobotsTxt::group(), ascending; empty: no group applies
  std::uint32_t line = 0;             // line of the first of these groups, counted from 1; 0: no group applies
  std::string agent;                  // User-agent value that names the robot in that group
  bool is_default = false;            // true: these are the groups for "*"
};

// The part of a site that a robot may fetch. /robots.txt itself does not count.
enum class Reach : std::uint8_t { everywhere, partly, nowhere };

// Returns "everywhere", "partly" or "nowhere". The view is of a literal and is always valid.
ROBOTRULES_API std::string_view to_string(Reach reach) noexcept;

// Answers about one file for many robots. Robots with the same groups share the work. A moved-from object may only be
// assigned to or destroyed.
class ROBOTRULES_API RobotSurvey {
 public:
  explicit RobotSurvey(const RobotsTxt& file);  // keeps a copy, which shares its data
  RobotSurvey(RobotSurvey&&) noexcept;
  RobotSurvey& operator=(RobotSurvey&&) noexcept;
  ~RobotSurvey();

  // Return the groups that apply to the robot `agent`.
  AppliedGroups groups_for(std::string_view agent) const;
  AppliedGroups groups_for(const AgentTokens& agent) const;
  AppliedGroups groups_for(std::initializer_list<const char*> names) const {
    return groups_for(AgentTokens::of(names));
  }

  // Return the part of the site that the robot `agent` may fetch.
  Reach reach_of(std::string_view agent);
  Reach reach_of(const AgentTokens& agent);
  Reach reach_of(std::initializer_list<const char*> names) { return reach_of(AgentTokens::of(names)); }

  // Returns true if reach_of() has tried every example path. Returns false if it has reached a limit: those of
  // compare() on pairs and questions hold for all calls together.
  bool complete() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// --- example_paths -------------------------------------------------------------------------------------------------

// A path that a rule matches.
struct ExamplePath {
  std::string path;        // as PathChange::path
  std::uint32_t line = 0;  // line of the rule, counted from 1; 0 for "/"
};

struct ExamplePaths {
  std::vector<ExamplePath> paths;
  bool complete = true;  // false: the file is so big that only its first rules have an example
};

// Returns "/" and, in file order, example paths of each rule that any of `dialects` reads: the pattern with letters in
// place of "*" and at its end, and the same path with its escapes normalised (RFC 9309), because dialects differ there.
// Each path is returned once. The number is limited so that all dialects can be asked about all paths in a few seconds.
// `robots`: the bytes of the file.
ROBOTRULES_API ExamplePaths example_paths(std::string_view robots,
                                          std::span<const Dialect> dialects = Dialect::presets());

// --- SideBySide: several dialects ----------------------------------------------------------------------------------

// The rules of one file for one robot and for URLs of all sites. In a dialect with RuleValue::url_reference, a file has
// other rules for each site, so FileRules compiles it again if the site changes. In all other dialects it is the same
// as Rules. One thread at a time may use it.
class ROBOTRULES_API FileRules {
 public:
  FileRules(std::string_view robots, AgentTokens agent, const Dialect& dialect = Dialect::rfc9309());

  // Returns the verdict of Rules::check(). It is valid until the next call.
  Verdict check(std::string_view url) ROBOTRULES_LIFETIMEBOUND;

 private:
  std::optional<std::string> robots_;  // set if the file is compiled again
  AgentTokens agent_;
  std::string robots_url_;
  Rules rules_;
};

// The rules of one file in several dialects. One thread at a time may use it.
//
//     robotrules::SideBySide sides(body, robotrules::AgentTokens::of({"FooBot"}));
//     if (!agree(sides.check("/page"))) std::cout << "the dialects differ\n";
class ROBOTRULES_API SideBySide {
 public:
  SideBySide(std::string_view robots, const AgentTokens& agent, std::span<const Dialect> dialects = Dialect::presets());

  // Returns the verdict of each dialect, in the order of the dialects. The verdicts are valid until the next call.
  std::span<const Verdict> check(std::string_view url) ROBOTRULES_LIFETIMEBOUND;

 private:
  std::vector<FileRules> files_;
  std::vector<Verdict> verdicts_;
};

// Returns true if the access is the same in all verdicts. The deciding rules may differ.
ROBOTRULES_API bool agree(std::span<const Verdict> verdicts) noexcept;

// Returns true if the access in the verdict at `index` is not the one in the first verdict.
// Precondition: index < verdicts.size().
ROBOTRULES_API bool differs(std::span<const Verdict> verdicts, std::size_t index) noexcept;

}  // namespace robotrules
