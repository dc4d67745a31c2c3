#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <robotrules/rules.hpp>

#include "advice/lint/checks.hpp"
#include "advice/lint/groups.hpp"
#include "advice/lint/lint_names.hpp"
#include "base/ascii.hpp"

namespace robotrules::advice {
namespace {

bool is_whole(const Directive& rule) { return rule.value.empty() || matches_everything(rule.value); }

// Returns true if the group forbids a path, or has a setting for its robots.
bool limits(const Group& group) {
  return std::ranges::any_of(group.rules, closes) ||
         std::ranges::any_of(group.other, [](const Directive& line) { return is_for_group(line.kind); });
}

bool is_star(const Directive& agent) { return agent.value == "*"; }

bool is_googlebot(const Directive& agent) { return agent_key(agent.value).starts_with("googlebot"); }

class GroupChecks {
 public:
  GroupChecks(std::span<const Group> groups, const FileLines& lines, const Dialect& dialect,
              std::span<const KnownRobot> robots, Findings& findings)
      : lines_(lines),
        findings_(findings),
        places_(groups, lines),
        agents_(lines, dialect, robots, places_, findings),
        stars_(std::ranges::count_if(groups, names_star)),
        any_limits_(std::ranges::any_of(groups, limits)) {}

  void check(const Group& group) {
    members_ = members_of(group);
    if (!group.agents.empty()) {
      agents(group);
      header(group);
      if (!stranded(group)) body(group);
      if (members_.empty()) without_rules(group);
    }
    empty_rules(group);
    settings(group);
    last_line_ = last_of(group);
  }

  LineNumbers take_stranded() { return std::move(stranded_); }

 private:
  // Hashes of a group. Groups with equal hashes do the same.
  struct Summary {
    std::size_t members = 0;  // hash of the rules and settings
    const Directive* open = nullptr;
    const Directive* closed = nullptr;
  };
  struct Seen {
    const Group* group;
    const Directive* agent;
    Summary summary;
  };

  void add(Code code, std::uint32_t line, std::uint32_t column, const Sentence& message, const Sentence& remedy,
           std::vector<LineEdit> edits = {}, std::optional<Severity> severity = {}) {
    findings_.add(code, line, column, message, remedy, std::move(edits), severity);
  }

  // Adds a note if the file says the same without the group: it names all robots, and no other group does.
  void without_rules(const Group& group) {
    const Directive& agent = group.agents.front();
    const bool star = names_star(group);
    const bool harmless = stars_ == 1 && std::ranges::all_of(group.agents, &is_star);
    add(Code::group_without_rules, agent.line, agent.column,
        {"The group of {} has no rules: {} may fetch everything.",
         {quote(agent.value), star ? "its robots" : "the robot"}},
        std::string("Write its rules below it (\"Disallow:\" if everything is allowed)") +
            (star || !any_limits_ ? ", or delete the group."
                                  : ". If you delete the group, its robots obey another one, such as that for "
                                    "\"*\"."),
        {}, harmless ? std::optional(Severity::note) : std::nullopt);
  }

  static Summary summary_of(const Group& group) {
    return {hash_of_members(group), whole_rule(group, DirectiveKind::allow),
            whole_rule(group, DirectiveKind::disallow)};
  }

  static std::uint32_t last_of(const Group& group) noexcept {
    std::uint32_t last = group.line;
    for (const auto* lines : {&group.agents, &group.rules, &group.other}) {
      if (!lines->empty()) last = std::max(last, lines->back().line);
    }
    return last;
  }

  void agents(const Group& group) {
    const Directive& first = group.agents.front();
    if (last_line_ != 0 && !lines_.blank_between(last_line_, first.line)) {
      add(Code::missing_blank_line, first.line, first.column,
          {"The group of {} begins without a blank line before it; robots of the 1990s add it to the group above.",
           {quote(first.value)}},
          "Put a blank line before the group.", {{first.line, {"", std::string(lines_.text(first.line))}}});
    }
    const Summary summary = summary_of(group);
    for (const Directive& agent : group.agents) {
      if (find_joined_directive(agent.value) != std::string_view::npos) continue;
      agents_.check(agent);
      if (agent.value.empty()) continue;
      const auto [known, fresh] = seen_.emplace(agent_key(agent.value), Seen{&group, &agent, summary});
      if (fresh) continue;
      if (known->second.group == &group) {
        repeated_in_group(agent, known->second.agent);
      } else {
        repeated(agent, summary, known->second);
        known->second = {&group, &agent, summary};
      }
    }
  }

  // Reports a robot's second name in a group. `before`: the line that names it; becomes the better one of the two.
  void repeated_in_group(const Directive& agent, const Directive*& before) {
    const std::string other = in_line(before->line);
    if (base::equals_ignore_case(agent.value, before->value)) {
      const bool one_block = places_.same_block(agent, *before);
      add(Code::repeated_agent, agent.line, agent.column,
          {"{} is already named in {} of this group.", {quote(agent.value), other}},
          one_block ? "Delete one of the two lines." : "Write the name once, directly above its settings and rules.",
          one_block ? delete_edit(agent.line) : std::vector<LineEdit>());
      return;
    }
    const auto is_clean = [](const Directive& line) { return is_robot_name(line.value); };
    std::string remedy =
        filled({"Write the name alone, once: {}.", {quote(agent.value.substr(0, agent_key(agent.value).size()))}});
    if (is_clean(agent) || is_clean(*before)) {
      const Directive& kept = is_clean(agent) ? agent : *before;
      const Directive& worse = is_clean(agent) ? *before : agent;
      remedy = filled({"Delete line {} and keep {}, which all robots read.", {worse.line, quote(kept.value)}});
      if (!places_.same_block(agent, *before)) remedy = filled({"Write {} once.", {quote(kept.value)}});
    }
    add(Code::repeated_agent, agent.line, agent.column,
        {"Robots of RFC 9309 read {} like {} in {} of this group; older robots compare the whole text.",
         {quote(agent.value), quote(before->value), other}},
        remedy);
    if (is_clean(agent)) before = &agent;
  }

  // Reports a robot's second group. It does no harm if both groups say the same.
  void repeated(const Directive& agent, const Summary& summary, const Seen& before) {
    const std::string_view value = agent.value, other = before.agent->value;
    std::string message;
    if (base::equals_ignore_case(value, other)) {
      message =
          filled({"{} already has a group at line {}; robots of RFC 9309 merge the two, some older robots read only "
                  "the first.",
                  {quote(value), before.agent->line}});
    } else {
      message =
          filled({"Robots of RFC 9309 read {} as {}, like {} in line {}, and merge the two groups.",
                  {quote(value), quote(value.substr(0, agent_key(value).size())), quote(other), before.agent->line}});
    }
    const bool opened_here = summary.open != nullptr && before.summary.closed != nullptr;
    const Directive* const open = opened_here ? summary.open : before.summary.open;
    const Directive* const closed = opened_here ? before.summary.closed : summary.closed;
    if (open != nullptr && closed != nullptr && open->value.size() >= closed->value.size()) {
      message +=
          filled({" The Allow rule in line {} then wins against line {}, which would close the site for this robot.",
                  {open->line, closed->line}});
    }
    add(Code::repeated_group, agent.line, agent.column, message, "Put all rules for one robot into one group.", {},
        summary.members == before.summary.members ? std::optional(Severity::note) : std::nullopt);
  }

  // Checks that nothing separates the User-agent lines and the first rule.
  void header(const Group& group) {
    for (std::size_t i = 1; i < group.agents.size(); ++i) {
      if (split(group, group.agents[i - 1].line, group.agents[i])) return;
    }
    const std::uint32_t last = group.agents.back().line;
    const auto rule = std::find_if(members_.begin(), members_.end(), [&](auto* m) { return m->line > last; });
    if (rule != members_.end() && lines_.blank_between(last, (*rule)->line)) split(group, last, **rule);
  }

  bool split(const Group& group, std::uint32_t before, const Directive& line) {
    const Directive* const other = first_between(group.other, before, line.line);
    const bool blank = lines_.blank_between(before, line.line);
    if (!blank && other == nullptr) return false;
    if (other != nullptr && is_for_group(other->kind) && group.rules.empty()) return false;
    const bool begins_run = line.run_line > before;
    const bool more_robots = line.kind == DirectiveKind::user_agent;
    const bool settings = other != nullptr && is_for_group(other->kind) && begins_run;
    std::string what = blank ? filled({"A blank line separates this line from the User-agent line {}", {before}})
                             : filled({"{} in line {} is between User-agent lines", {quote(other->name), other->line}});
    what += filled({"; robots of RFC 9309 read one group{}", {begins_run ? " with separate settings" : ""}});
    if (more_robots && !group.rules.empty()) {
      what += filled({", so the rules from line {} on hold for {}", {group.rules.front().line, names_of(group)}});
    }
    if (blank) what += "; older robots end the group there";
    if (other != nullptr && more_robots) {
      what += blank ? filled({", and the dialect robotstxt-rb (Ruby's robotstxt-parser) at line {}", {other->line}})
                    : "; only the dialect robotstxt-rb (Ruby's robotstxt-parser) ends the group there, and the names "
                      "above have no rules";
    }
    what += '.';
    std::vector<LineEdit> edits;
    std::string remedy;
    if (settings) {
      remedy =
          "To part the robots, write below each User-agent line the rules that its robot should obey; \"Disallow:\" "
          "alone lets it fetch everything, whatever the rules for \"*\" say.";
      if (same_settings(group)) {
        remedy +=
            filled({" To keep one group, write all User-agent lines, then the rules and settings{}.", {spread(group)}});
      }
    } else if (other != nullptr) {
      remedy = "Write the User-agent lines and then the rules, with nothing between them.";
    } else {
      remedy = more_robots ? "Delete the blank line if one group is meant; else write rules (\"Disallow:\" allows "
                             "everything) above it."
                           : "Delete the blank line.";
      lines_.delete_blank_lines(before, line.line, edits);
    }
    const bool harmless = !group.rules.empty() && std::none_of(group.rules.begin(), group.rules.end(), closes);
    add(Code::split_group, line.line, line.column, what, remedy, std::move(edits),
        harmless ? std::optional(Severity::note) : std::nullopt);
    return true;
  }

  // Returns true if no two settings of one kind differ in the group.
  static bool same_settings(const Group& group) {
    std::map<DirectiveKind, std::string_view> values;
    return std::all_of(group.other.begin(), group.other.end(), [&](const Directive& line) {
      return !is_for_group(line.kind) || values.emplace(line.kind, line.value).first->second == line.value;
    });
  }

  // Returns the settings that some robots of the group have and others do not, as the end of a sentence.
  static std::string spread(const Group& group) {
    // The lines are in file order, so those of a run follow each other.
    struct Setting {
      DirectiveKind kind;
      std::uint32_t last_run = 0;
      std::size_t runs = 0;
      void add(std::uint32_t run) {
        if (runs == 0 || run != last_run) ++runs;
        last_run = run;
      }
    };
    Setting all{DirectiveKind::user_agent};
    for (const Directive& agent : group.agents) all.add(agent.run_line);
    std::vector<Setting> settings;
    for (const Directive& line : group.other) {
      if (!is_for_group(line.kind)) continue;
      auto known = std::ranges::find(settings, line.kind, &Setting::kind);
      if (known == settings.end()) known = settings.insert(known, {line.kind});
      known->add(line.run_line);
    }
    std::string names;
    for (const Setting& setting : settings) {
      if (setting.runs < all.runs) names += (names.empty() ? "" : ", ") + std::string(to_string(setting.kind));
    }
    return names.empty() ? names : filled({"; then {} holds for all of them", {names}});
  }

  // Finds Disallow lines after a blank line that are probably meant for all robots: the robot named above is closed or
  // open as a whole already, or a Sitemap line comes between. Rules for Google's robots alone are common, so an open
  // Googlebot may have rules after the blank line.
  bool stranded(const Group& group) {
    if (stars_ == 0 || names_star(group) || group.rules.size() < 2) return false;
    const bool google = std::any_of(group.agents.begin(), group.agents.end(), is_googlebot);
    bool whole = true, closed = false;
    auto other = group.other.begin();  // in file order, as the rules
    for (std::size_t i = 0; i + 1 < group.rules.size(); ++i) {
      const Directive& before = group.rules[i];
      const Directive& rule = group.rules[i + 1];
      whole = whole && is_whole(before);
      closed = closed || closes(before);
      bool sitemap = false;
      for (; other != group.other.end() && other->line < rule.line; ++other) {
        sitemap = sitemap || (other->kind == DirectiveKind::sitemap && other->line > before.line);
      }
      const bool complete = sitemap || (whole && (closed || !google));
      if (!complete || !closes(rule) || is_whole(rule) || !lines_.blank_between(before.line, rule.line)) continue;
      add(Code::stranded_rules, rule.line, rule.column,
          {"The rules from line {} on hold only for {}, because no other User-agent line comes before them.",
           {rule.line, names_of(group)}},
          "If they are meant for all robots, move them into the group of \"*\".");
      for (++i; i < group.rules.size(); ++i) stranded_.insert(group.rules[i].line);
      return true;
    }
    return false;
  }

  void body(const Group& group) {
    const std::uint32_t last_agent = group.agents.back().line;
    const Directive* before = nullptr;
    const Directive* first = nullptr;
    std::vector<LineEdit> edits;
    for (const Directive* member : members_) {
      if (member->line < last_agent) continue;
      if (before != nullptr && lines_.blank_between(before->line, member->line)) {
        if (first == nullptr) first = member;
        lines_.delete_blank_lines(before->line, member->line, edits);
      }
      before = member;
    }
    if (first == nullptr) return;
    add(Code::blank_line_in_group, first->line, first->column,
        {"There is a blank line between the rules of the group at line {}; old robots end the group there.",
         {group.line}},
        "Delete the blank lines inside the group, or put a \"#\" on them.", std::move(edits));
  }

  void empty_rules(const Group& group) {
    const bool all_empty =
        std::all_of(group.rules.begin(), group.rules.end(), [](const Directive& rule) { return rule.value.empty(); });
    const bool closed = std::any_of(group.rules.begin(), group.rules.end(), closes);
    for (const Directive& rule : group.rules) {
      if (!rule.value.empty()) continue;
      std::vector<LineEdit> edits;
      if (!all_empty) edits = delete_edit(rule.line);
      if (rule.kind == DirectiveKind::allow) {
        add(Code::empty_rule, rule.line, rule.column, "\"Allow:\" without a path allows nothing.",
            {"Write the path to allow, or {}.", {delete_line(&group)}}, std::move(edits));
      } else if (!all_empty) {
        add(Code::empty_rule, rule.line, rule.column,
            "\"Disallow:\" without a path changes nothing beside other rules; some old robots stop reading rules here.",
            closed ? "Delete the line, or delete the other rules to allow everything." : "Delete the line.",
            std::move(edits), closed ? std::nullopt : std::optional(Severity::note));
      }
    }
  }

  void settings(const Group& group) {
    const bool google = std::any_of(group.agents.begin(), group.agents.end(), is_googlebot);
    const Directive* first[3] = {};
    std::uint32_t run = 0;
    for (const Directive& line : group.other) {
      if (line.run_line != run) std::fill(std::begin(first), std::end(first), nullptr);
      run = line.run_line;
      const int index = line.kind == DirectiveKind::crawl_delay    ? 0
                        : line.kind == DirectiveKind::request_rate ? 1
                        : line.kind == DirectiveKind::visit_time   ? 2
                                                                   : -1;
      if (index < 0) continue;
      if (index == 0 && google) ignored_delay(group, line);
      if (first[index] == nullptr) {
        first[index] = &line;
        continue;
      }
      add(Code::repeated_setting, line.line, line.column,
          {"{} is already set in line {} for these robots; robots disagree about which of the two counts.",
           {to_string(line.kind), first[index]->line}},
          "Keep one of the two lines.");
    }
  }

  void ignored_delay(const Group& group, const Directive& delay) {
    for (const Directive& agent : group.agents_of(delay)) {
      if (!is_googlebot(agent)) continue;
      add(Code::ignored_crawl_delay, delay.line, delay.column,
          {"Google's robots ignore Crawl-delay, so this line does nothing for {}.", {quote(agent.value)}},
          "Delete the line. Google slows down if the server answers 429 or 503.");
      return;
    }
  }

  const FileLines& lines_;
  Findings& findings_;
  AgentPlaces places_;
  AgentChecks agents_;
  std::map<std::string, Seen> seen_;
  std::vector<const Directive*> members_;
  LineNumbers stranded_;
  std::uint32_t last_line_ = 0;
  std::ptrdiff_t stars_;  // groups that name "*"
  bool any_limits_;       // a group forbids or sets something
};

}  // namespace

LineNumbers check_groups(std::span<const Group> groups, const FileLines& lines, const Dialect& dialect,
                         std::span<const KnownRobot> robots, Findings& findings) {
  GroupChecks checks(groups, lines, dialect, robots, findings);
  for (const Group& group : groups) checks.check(group);
  return checks.take_stranded();
}

}  // namespace robotrules::advice
