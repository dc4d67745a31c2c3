#include "core/selection.hpp"

namespace robotrules::core {
namespace {

using GroupChoice = Dialect::GroupChoice;

}  // namespace

Selector::Selector(std::string_view text, const AgentMatcher& matcher, const Dialect& dialect,
                   std::pmr::memory_resource* memory)
    : text_(text),
      matcher_(matcher),
      dialect_(dialect),
      grouping_(dialect),
      own_(memory),
      everybody_(memory),
      pending_(memory),
      before_groups_(memory) {}

void Selector::blank(std::uint32_t) {
  grouping_.blank();
  if (!grouping_.open()) end_group();
}

void Selector::unusual_directive(const ScannedLine& line) {
  switch (line.kind) {
    case DirectiveKind::user_agent: return agent(line);
    case DirectiveKind::allow:
    case DirectiveKind::disallow: return rule(line);
    case DirectiveKind::crawl_delay:
    case DirectiveKind::request_rate:
    case DirectiveKind::visit_time:
    case DirectiveKind::content_signal:
    case DirectiveKind::content_usage: extension(line); break;
    default: break;
  }
  grouping_.other();
}

void Selector::agent(const ScannedLine& line) {
  if (grouping_.agent()) begin_group(line.line);
  if (done_) return;
  const Naming naming = matcher_.match(text_.substr(line.value_begin, line.value_size));
  name(naming, {group_line_, line.value_begin, line.value_size});
  update_routes();
}

void Selector::rule(const ScannedLine& line) {
  switch (grouping_.rule()) {
    case Grouping::Owner::nobody: return;
    case Grouping::Owner::new_default_group:
      begin_group(line.line);
      name(Naming::everybody, {line.line, Selection::no_agent, 0});
      break;
    case Grouping::Owner::open_group: break;
  }
  if (Selection* selection = wanted()) keep(selection->rules, line);
  update_routes();
}

void Selector::extension(const ScannedLine& line) {
  if (group_line_ == 0) {
    if (line.kind == DirectiveKind::content_signal || line.kind == DirectiveKind::content_usage) {
      before_groups_.push_back(line);
    }
    return;
  }
  if (!grouping_.open()) return;
  if (Selection* selection = wanted()) selection->extensions.push_back(line);
}

void Selector::begin_group(std::uint32_t line) {
  end_group();
  group_line_ = line;
}

void Selector::end_group() {
  if (has(naming_, Naming::own)) {
    own_.rules.append(pending_.rules);
    own_.extensions.append(pending_.extensions);
    done_ = dialect_.group_choice != GroupChoice::merge;
  } else if (has(naming_, Naming::everybody)) {
    everybody_.rules.append(pending_.rules);
    everybody_.extensions.append(pending_.extensions);
  }
  pending_.clear();
  naming_ = Naming::nobody;
  rules_ = nullptr;
  skips_rules_ = false;
}

// The open group names the robot, or everybody: it is counted where the dialect's choice lets it count.
void Selector::name(Naming naming, const Selection::GroupStart& start) {
  if (dialect_.group_choice == GroupChoice::first_in_file_order && has(naming, Naming::everybody)) {
    naming = naming | Naming::own;
  }
  if (has(naming, Naming::everybody) && !has(naming_, Naming::everybody) &&
      (dialect_.group_choice != GroupChoice::first_else_first || everybody_.groups.empty())) {
    everybody_.groups.push_back(start);
    naming_ = naming_ | Naming::everybody;
  }
  if (has(naming, Naming::own) && !has(naming_, Naming::own)) {
    own_.groups.push_back(start);
    naming_ = naming_ | Naming::own;
  }
}

Selection* Selector::wanted() noexcept {
  if (!dialect_.agent_after_rule_starts_group) return &pending_;
  if (has(naming_, Naming::own)) return &own_;
  if (has(naming_, Naming::everybody) && own_.groups.empty()) return &everybody_;
  return nullptr;
}

// Once a group has a rule, more of its rules change nothing in the grouping.
void Selector::update_routes() noexcept {
  Selection* const selection = grouping_.open() && grouping_.has_rule() ? wanted() : nullptr;
  rules_ = selection == nullptr ? nullptr : &selection->rules;
  skips_rules_ = grouping_.open() && grouping_.has_rule() && selection == nullptr;
}

const Selection& Selector::finish(bool& is_default) {
  end_group();
  is_default = own_.groups.empty();
  return is_default ? everybody_ : own_;
}

}  // namespace robotrules::core
