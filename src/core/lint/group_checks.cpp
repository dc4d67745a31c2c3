#include <algorithm>
#include <string>
#include <unordered_map>

#include <robotrules/agent_name.hpp>

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

std::string in_line(std::uint32_t line) { return "line " + std::to_string(line); }

class GroupChecks {
 public:
  GroupChecks(const BlankLines& blanks, const Dialect& dialect, Findings& findings)
      : blanks_(blanks), dialect_(dialect), findings_(findings) {}

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
  void add(Code code, std::uint32_t line, std::uint32_t column, std::string message, std::string remedy) {
    findings_.add(code, line, column, std::move(message), std::move(remedy));
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
    if (last_line_ != 0 && !blanks_.between(last_line_, first.line)) {
      add(Code::missing_blank_line, first.line, first.column,
          "The group of " + quoted(first.value) +
              " begins without a blank line before it; robots of the 1990s add it to the group above.",
          "Put a blank line before the group.");
    }
    for (const Directive& agent : group.agents) {
      if (find_joined_directive(agent.value) != std::string_view::npos) continue;
      value(agent);
      if (agent.value.empty()) continue;
      const auto [known, fresh] = seen_.emplace(agent_key(agent.value), Seen{group.line, agent.line});
      if (fresh) continue;
      if (known->second.group_line == group.line) {
        add(Code::repeated_agent, agent.line, agent.column,
            quoted(agent.value) + " is already named in " + in_line(known->second.line) + " of this group.",
            "Delete one of the two lines.");
      } else {
        add(Code::repeated_group, agent.line, agent.column,
            quoted(agent.value) + " already has a group at " + in_line(known->second.line) +
                "; robots of RFC 9309 merge the two, older robots read only the first.",
            "Put all rules for one robot into one group.");
        known->second = {group.line, agent.line};
      }
    }
  }

  void value(const Directive& agent) {
    const std::string_view value = agent.value;
    const std::string_view token = leading_product_token(value);
    if (value == "*" || (!token.empty() && token.size() == value.size())) return;
    const std::uint32_t line = agent.line, column = agent.value_column;
    const std::string remedy = "Write the robot's product token alone: letters, \"-\" and \"_\".";
    if (value.empty()) {
      add(Code::unmatchable_agent, line, column,
          "The User-agent line names no robot; robots of RFC 9309 never match it, old robots always do.",
          "Write a robot's name, or \"*\" for all robots.");
    } else if (value.front() == '*' && base::is_space(value[1])) {
      add(Code::agent_cut_short, line, column,
          quoted(value) + " is read as \"*\" by some robots and as a robot's name by others.", "Write \"*\" alone.");
    } else if (token.empty()) {
      std::string message =
          quoted(value) + " does not begin with a product token, so robots of RFC 9309 never match it";
      if (value.front() == '*') {
        message += ": a \"*\" in a name is not a wildcard.";
      } else if (dialect_.agent_match == Dialect::AgentMatch::product_token_whole) {
        message += "; a robot with exactly this name matches only if whole names are compared, as here.";
      } else {
        message += ".";
      }
      add(Code::unmatchable_agent, line, column, std::move(message), remedy);
    } else {
      const char next = value[token.size()];
      std::string message = "Robots of RFC 9309 read only " + quoted(token) + " of " + quoted(value) + ": ";
      if (next == '/') {
        message += "they ignore the version, and older robots match nothing.";
      } else if (base::is_space(next)) {
        message += "a robot's name is one word.";
      } else if (next == '*') {
        message += "a \"*\" inside a name is not a wildcard.";
      } else {
        message +=
            "the line applies to a robot of that name, and to the intended robot only if whole names are compared.";
      }
      add(Code::agent_cut_short, line, column, std::move(message), remedy);
    }
  }

  // Checks that nothing separates the User-agent lines and the first rule.
  void header(const Group& group) {
    for (std::size_t i = 1; i < group.agents.size(); ++i) {
      if (split(group, group.agents[i - 1].line, group.agents[i])) return;
    }
    const std::uint32_t last = group.agents.back().line;
    const auto rule = std::find_if(members_.begin(), members_.end(), [&](auto* m) { return m->line > last; });
    if (rule != members_.end() && blanks_.between(last, (*rule)->line)) split(group, last, **rule);
  }

  bool split(const Group& group, std::uint32_t before, const Directive& line) {
    std::string what;
    if (blanks_.between(before, line.line)) {
      what = "A blank line separates this line from the User-agent line " + std::to_string(before);
    } else {
      const auto other = std::partition_point(group.other.begin(), group.other.end(),
                                              [&](const Directive& d) { return d.line < before; });
      if (other == group.other.end() || other->line > line.line) return false;
      what = quoted(other->name) + " in " + in_line(other->line) + " is between User-agent lines of one group";
    }
    const bool begins_run = line.run_line > before;
    add(Code::split_group, line.line, line.column,
        what + "; robots of RFC 9309 read one group" + (begins_run ? " with separate settings" : "") +
            ", older robots end the group there.",
        "Write the User-agent lines and then the rules, with nothing between them.");
    return true;
  }

  void body(const Group& group) {
    const std::uint32_t last_agent = group.agents.back().line;
    const Directive* before = nullptr;
    for (const Directive* member : members_) {
      if (member->line < last_agent) continue;
      if (before != nullptr && blanks_.between(before->line, member->line)) {
        add(Code::blank_line_in_group, member->line, member->column,
            "There is a blank line between the rules of the group at " + in_line(group.line) +
                "; old robots end the group there.",
            "Delete the blank line, or put a \"#\" on it.");
        return;
      }
      before = member;
    }
  }

  void empty_rules(const Group& group) {
    const bool all_empty =
        std::all_of(group.rules.begin(), group.rules.end(), [](const Directive& rule) { return rule.value.empty(); });
    for (const Directive& rule : group.rules) {
      if (!rule.value.empty()) continue;
      if (rule.kind == DirectiveKind::allow) {
        add(Code::empty_rule, rule.line, rule.column, "\"Allow:\" without a path allows nothing.",
            "Write the path to allow, or delete the line.");
      } else if (!all_empty) {
        add(Code::empty_rule, rule.line, rule.column,
            "\"Disallow:\" without a path changes nothing beside other rules; some old robots stop reading rules here.",
            "Delete the line, or delete the other rules to allow everything.");
      }
    }
  }

  void settings(const Group& group) {
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

  struct Seen {
    std::uint32_t group_line;
    std::uint32_t line;
  };

  const BlankLines& blanks_;
  const Dialect& dialect_;
  Findings& findings_;
  std::unordered_map<std::string, Seen> seen_;
  std::vector<const Directive*> members_;
  std::uint32_t last_line_ = 0;
};

}  // namespace

void check_groups(std::span<const Group> groups, const BlankLines& blanks, const Dialect& dialect, Findings& findings) {
  GroupChecks checks(blanks, dialect, findings);
  for (const Group& group : groups) checks.check(group);
}

}  // namespace robotrules::core
