#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "core/lint/checks.hpp"
#include "core/lint/names.hpp"

namespace robotrules::core {
namespace {

// Returns true for lines that apply to the robots of their group, unlike Sitemap and unknown lines.
bool is_for_group(DirectiveKind kind) noexcept {
  switch (kind) {
    case DirectiveKind::sitemap:
    case DirectiveKind::host:
    case DirectiveKind::clean_param:
    case DirectiveKind::user_agent:
    case DirectiveKind::other: return false;
    default: return true;
  }
}

// Returns the first names of a group, each once: "A", "B" and 4 more.
std::string names_of(const Group& group) {
  std::vector<std::string_view> agents;
  std::unordered_set<std::string> seen;
  for (const Directive& agent : group.agents) {
    if (seen.insert(agent_key(agent.value)).second) agents.push_back(agent.value);
  }
  constexpr std::size_t max_shown = 3;
  const std::size_t shown = std::min(max_shown, agents.size());
  std::string names;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i > 0 && i + 1 == agents.size();
    names += (i == 0 ? "" : last ? " and " : ", ") + quoted(agents[i]);
  }
  if (agents.size() > shown) names += " and " + std::to_string(agents.size() - shown) + " more";
  return names;
}

bool closes(const Directive& rule) { return rule.kind == DirectiveKind::disallow && !rule.value.empty(); }
bool is_whole(const Directive& rule) { return rule.value.empty() || matches_everything(rule.value); }

// Returns the first rule of this kind that matches every URL, or null.
const Directive* whole_rule(const Group& group, DirectiveKind kind) {
  const auto found = std::find_if(group.rules.begin(), group.rules.end(), [&](const Directive& rule) {
    return rule.kind == kind && matches_everything(rule.value);
  });
  return found == group.rules.end() ? nullptr : &*found;
}

// Returns true if the group forbids a path, or has a setting for its robots.
bool limits(const Group& group) {
  return std::ranges::any_of(group.rules, closes) ||
         std::ranges::any_of(group.other, [](const Directive& line) { return is_for_group(line.kind); });
}

std::string in_line(std::uint32_t line) { return "line " + std::to_string(line); }

bool is_googlebot(const Directive& agent) { return agent_key(agent.value).starts_with("googlebot"); }

class GroupChecks {
 public:
  GroupChecks(std::span<const Group> groups, const FileLines& lines, const Dialect& dialect,
              std::span<const KnownRobot> robots, Findings& findings)
      : lines_(lines),
        findings_(findings),
        agents_(lines, dialect, robots, findings),
        any_star_(std::ranges::any_of(groups, names_star)),
        any_limits_(std::ranges::any_of(groups, limits)) {}

  void check(const Group& group) {
    collect(group);
    if (!group.agents.empty()) {
      agents(group);
      header(group);
      if (!stranded(group)) body(group);
      if (members_.empty()) {
        const Directive& agent = group.agents.front();
        add(Code::group_without_rules, agent.line, agent.column,
            "The group of " + quoted(agent.value) +
                " has no rules: " + (names_star(group) ? "its robots" : "the robot") + " may fetch everything.",
            std::string("Write its rules below it (\"Disallow:\" if everything is allowed)") +
                (names_star(group) || !any_limits_
                     ? ", or delete the group."
                     : ". If you delete the group, its robots obey another one, such as that for \"*\"."));
      }
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

  void add(Code code, std::uint32_t line, std::uint32_t column, std::string message, std::string remedy,
           std::vector<LineEdit> edits = {}, std::optional<Severity> severity = {}) {
    findings_.add(code, line, column, std::move(message), std::move(remedy), std::move(edits), severity);
  }

  Summary summary_of(const Group& group) const {
    std::string text;
    for (const Directive* member : members_) {
      text += std::to_string(static_cast<int>(member->kind)) + std::string(member->value) + '\n';
    }
    return {std::hash<std::string>()(text), whole_rule(group, DirectiveKind::allow),
            whole_rule(group, DirectiveKind::disallow)};
  }

  // Collects the rules and settings of the group in file order.
  void collect(const Group& group) {
    members_.clear();
    for (const Directive& rule : group.rules) members_.push_back(&rule);
    for (const Directive& other : group.other) {
      if (is_for_group(other.kind)) members_.push_back(&other);
    }
    std::sort(members_.begin(), members_.end(), [](auto* a, auto* b) { return a->line < b->line; });
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
          "The group of " + quoted(first.value) +
              " begins without a blank line before it; robots of the 1990s add it to the group above.",
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
        add(Code::repeated_agent, agent.line, agent.column,
            quoted(agent.value) + " is already named in " + in_line(known->second.agent->line) + " of this group.",
            "Delete one of the two lines.", {{agent.line, {}}});
      } else {
        repeated(agent, summary, known->second);
        known->second = {&group, &agent, summary};
      }
    }
  }

  // Reports a robot's second group. It does no harm if both groups say the same.
  void repeated(const Directive& agent, const Summary& summary, const Seen& before) {
    const std::string_view value = agent.value, other = before.agent->value;
    std::string message;
    if (base::equals_ignore_case(value, other)) {
      message = quoted(value) + " already has a group at " + in_line(before.agent->line) +
                "; robots of RFC 9309 merge the two, some older robots read only the first.";
    } else {
      message = "Robots of RFC 9309 read " + quoted(value) + " as " + quoted(value.substr(0, agent_key(value).size())) +
                ", like " + quoted(other) + " in " + in_line(before.agent->line) + ", and merge the two groups.";
    }
    const bool opened_here = summary.open != nullptr && before.summary.closed != nullptr;
    const Directive* const open = opened_here ? summary.open : before.summary.open;
    const Directive* const closed = opened_here ? before.summary.closed : summary.closed;
    if (open != nullptr && closed != nullptr && open->value.size() >= closed->value.size()) {
      message += " The Allow rule in " + in_line(open->line) + " then wins against " + in_line(closed->line) +
                 ", which would close the site for this robot.";
    }
    add(Code::repeated_group, agent.line, agent.column, std::move(message),
        "Put all rules for one robot into one group.", {},
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
    const auto between = [&](const Directive& d) { return d.line > before && d.line < line.line; };
    const auto other = std::find_if(group.other.begin(), group.other.end(), between);
    const bool blank = lines_.blank_between(before, line.line);
    if (!blank && other == group.other.end()) return false;
    if (other != group.other.end() && is_for_group(other->kind) && group.rules.empty()) return false;
    const bool begins_run = line.run_line > before;
    const bool more_robots = line.kind == DirectiveKind::user_agent;
    const bool settings = other != group.other.end() && is_for_group(other->kind) && begins_run;
    std::string what = blank ? "A blank line separates this line from the User-agent line " + std::to_string(before)
                             : quoted(other->name) + " in " + in_line(other->line) + " is between User-agent lines";
    what += "; robots of RFC 9309 read one group" + std::string(begins_run ? " with separate settings" : "");
    if (more_robots && !group.rules.empty()) {
      what += ", so the rules from " + in_line(group.rules.front().line) + " on hold for " + names_of(group);
    }
    what += "; older robots end the group there.";
    std::vector<LineEdit> edits;
    std::string remedy;
    if (settings) {
      remedy =
          "To part the robots, write below each User-agent line the rules that its robot should obey; \"Disallow:\" "
          "alone lets it fetch everything, whatever the rules for \"*\" say.";
      if (same_settings(group)) {
        remedy += " To keep one group, write all User-agent lines, then the rules and settings.";
      }
    } else if (other != group.other.end()) {
      remedy = "Write the User-agent lines and then the rules, with nothing between them.";
    } else {
      remedy = more_robots ? "Delete the blank line if one group is meant; else write rules (\"Disallow:\" allows "
                             "everything) above it."
                           : "Delete the blank line.";
      lines_.delete_blank_lines(before, line.line, edits);
    }
    const bool harmless = !group.rules.empty() && std::none_of(group.rules.begin(), group.rules.end(), closes);
    add(Code::split_group, line.line, line.column, std::move(what), std::move(remedy), std::move(edits),
        harmless ? std::optional(Severity::note) : std::nullopt);
    return true;
  }

  // Returns true if no two settings of one kind differ in the group.
  static bool same_settings(const Group& group) {
    std::unordered_map<int, std::string_view> values;
    return std::all_of(group.other.begin(), group.other.end(), [&](const Directive& line) {
      return !is_for_group(line.kind) ||
             values.emplace(static_cast<int>(line.kind), line.value).first->second == line.value;
    });
  }

  // Finds Disallow lines after a blank line that are probably meant for all robots: the robot named above is closed or
  // open as a whole already, or a Sitemap line comes between. Rules for Google's robots alone are common, so an open
  // Googlebot may have rules after the blank line.
  bool stranded(const Group& group) {
    if (!any_star_ || names_star(group) || group.rules.size() < 2) return false;
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
          "The rules from " + in_line(rule.line) + " on hold only for " + names_of(group) +
              ", because no other User-agent line comes before them.",
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
        "There is a blank line between the rules of the group at " + in_line(group.line) +
            "; old robots end the group there.",
        "Delete the blank lines inside the group, or put a \"#\" on them.", std::move(edits));
  }

  void empty_rules(const Group& group) {
    const bool all_empty =
        std::all_of(group.rules.begin(), group.rules.end(), [](const Directive& rule) { return rule.value.empty(); });
    const bool closed = std::any_of(group.rules.begin(), group.rules.end(), closes);
    for (const Directive& rule : group.rules) {
      if (!rule.value.empty()) continue;
      std::vector<LineEdit> edits;
      if (!all_empty) edits = {{rule.line, {}}};
      if (rule.kind == DirectiveKind::allow) {
        add(Code::empty_rule, rule.line, rule.column, "\"Allow:\" without a path allows nothing.",
            "Write the path to allow, or delete the line.", std::move(edits));
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
          std::string(to_string(line.kind)) + " is already set in " + in_line(first[index]->line) +
              " for these robots; robots disagree about which of the two counts.",
          "Keep one of the two lines.");
    }
  }

  void ignored_delay(const Group& group, const Directive& delay) {
    for (const Directive& agent : group.agents_of(delay)) {
      if (!is_googlebot(agent)) continue;
      add(Code::ignored_crawl_delay, delay.line, delay.column,
          "Google's robots ignore Crawl-delay, so this line does nothing for " + quoted(agent.value) + ".",
          "Delete the line. Google slows down if the server answers 429 or 503.");
      return;
    }
  }

  const FileLines& lines_;
  Findings& findings_;
  AgentChecks agents_;
  std::unordered_map<std::string, Seen> seen_;
  std::vector<const Directive*> members_;
  LineNumbers stranded_;
  std::uint32_t last_line_ = 0;
  bool any_star_;    // a group names "*"
  bool any_limits_;  // a group forbids or sets something
};

}  // namespace

LineNumbers check_groups(std::span<const Group> groups, const FileLines& lines, const Dialect& dialect,
                         std::span<const KnownRobot> robots, Findings& findings) {
  GroupChecks checks(groups, lines, dialect, robots, findings);
  for (const Group& group : groups) checks.check(group);
  return checks.take_stranded();
}

}  // namespace robotrules::core
