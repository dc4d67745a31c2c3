#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

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

std::string in_line(std::uint32_t line) { return "line " + std::to_string(line); }

bool is_googlebot(const Directive& agent) { return agent_key(agent.value).starts_with("googlebot"); }

class GroupChecks {
 public:
  GroupChecks(const FileLines& lines, const Dialect& dialect, std::span<const KnownRobot> robots, Findings& findings)
      : lines_(lines), findings_(findings), agents_(lines, dialect, robots, findings) {}

  void check(const Group& group) {
    collect(group);
    if (!group.agents.empty()) {
      agents(group);
      header(group);
      body(group);
      if (members_.empty()) {
        const Directive& agent = group.agents.front();
        add(Code::group_without_rules, agent.line, agent.column,
            "The group of " + quoted(agent.value) + " has no rules: the robot may fetch everything.",
            "Write its rules below it (\"Disallow:\" if everything is allowed), or delete the group.");
      }
    }
    empty_rules(group);
    settings(group);
    last_line_ = last_of(group);
  }

 private:
  void add(Code code, std::uint32_t line, std::uint32_t column, std::string message, std::string remedy,
           std::vector<LineEdit> edits = {}) {
    findings_.add(code, line, column, std::move(message), std::move(remedy), std::move(edits));
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
    for (const Directive& agent : group.agents) {
      if (find_joined_directive(agent.value) != std::string_view::npos) continue;
      agents_.check(agent);
      if (agent.value.empty()) continue;
      const auto [known, fresh] = seen_.emplace(agent_key(agent.value), Seen{group.line, agent.line});
      if (fresh) continue;
      if (known->second.group_line == group.line) {
        add(Code::repeated_agent, agent.line, agent.column,
            quoted(agent.value) + " is already named in " + in_line(known->second.line) + " of this group.",
            "Delete one of the two lines.", {{agent.line, {}}});
      } else {
        add(Code::repeated_group, agent.line, agent.column,
            quoted(agent.value) + " already has a group at " + in_line(known->second.line) +
                "; robots of RFC 9309 merge the two, older robots read only the first.",
            "Put all rules for one robot into one group.");
        known->second = {group.line, agent.line};
      }
    }
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
    const bool begins_run = line.run_line > before;
    const bool more_robots = line.kind == DirectiveKind::user_agent;
    const bool settings = other != group.other.end() && is_for_group(other->kind) && begins_run;
    std::string what = blank ? "A blank line separates this line from the User-agent line " + std::to_string(before)
                             : quoted(other->name) + " in " + in_line(other->line) + " is between User-agent lines";
    what += "; robots of RFC 9309 read one group" + std::string(begins_run ? " with separate settings" : "");
    if (more_robots) what += ", so the rules below hold for " + names_above(group, line) + " too";
    what += "; older robots end the group there.";
    std::vector<LineEdit> edits;
    std::string remedy;
    if (settings) {
      remedy =
          "To part the two, write rules for " + names_above(group, line) + " below " + in_line(other->line) +
          ", such as \"Disallow:\" if it may fetch everything. To keep one group, write all User-agent lines, then "
          "the rules and settings.";
    } else if (other != group.other.end()) {
      remedy = "Write the User-agent lines and then the rules, with nothing between them.";
    } else {
      remedy = more_robots ? "Delete the blank line if one group is meant; else write rules (\"Disallow:\" allows "
                             "everything) above it."
                           : "Delete the blank line.";
      lines_.delete_blank_lines(before, line.line, edits);
    }
    add(Code::split_group, line.line, line.column, std::move(what), std::move(remedy), std::move(edits));
    return true;
  }

  // Returns the last agent named above the line, and how many more there are.
  static std::string names_above(const Group& group, const Directive& line) {
    const Directive* last = &group.agents.front();
    std::size_t above = 0;
    for (const Directive& agent : group.agents) {
      if (agent.line >= line.line) break;
      last = &agent;
      ++above;
    }
    return quoted(last->value) + (above > 1 ? " and " + std::to_string(above - 1) + " more" : "");
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
            "Delete the line, or delete the other rules to allow everything.", std::move(edits));
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

  struct Seen {
    std::uint32_t group_line;
    std::uint32_t line;
  };

  const FileLines& lines_;
  Findings& findings_;
  AgentChecks agents_;
  std::unordered_map<std::string, Seen> seen_;
  std::vector<const Directive*> members_;
  std::uint32_t last_line_ = 0;
};

}  // namespace

void check_groups(std::span<const Group> groups, const FileLines& lines, const Dialect& dialect,
                  std::span<const KnownRobot> robots, Findings& findings) {
  GroupChecks checks(lines, dialect, robots, findings);
  for (const Group& group : groups) checks.check(group);
}

}  // namespace robotrules::core
