#include "core/rules/selection.hpp"

namespace robotrules::core {
namespace {

using GroupChoice = Dialect::GroupChoice;

}  // namespace

Selector::Selector(std::string_view text, const AgentMatcher& matcher, const Dialect& dialect, ScratchMemory& memory)
    : text_(text),
      matcher_(matcher),
      dialect_(dialect),
      grouping_(dialect),
      own_(memory),
      everybody_(memory),
      pending_(memory),
      for_all_(memory) {}

void Selector::blank(std::uint32_t) {
  grouping_.blank();
  if (!grouping_.open()) end_group();
}

void Selector::unusual_directive(const ScannedLine& line) {
  switch (line.kind) {
    case DirectiveKind::user_agent: return agent(line);
    case DirectiveKind::allow:
    case DirectiveKind::disallow: return rule(line);
    case DirectiveKind::clean_param: for_all_.push_back(line); break;
    default:
      if (is_setting(line.kind)) setting(line);
      break;
  }
  grouping_.other(line.kind);
}

void Selector::agent(const ScannedLine& line) {
  const Grouping::Begins begins = grouping_.agent();
  if (begins == Grouping::Begins::group) begin_group(line.line);
  if (begins != Grouping::Begins::nothing) run_naming_ = Naming::nobody;
  if (done_) return;
  const Naming naming = matcher_.match(text_.substr(line.value_begin, line.value_size));
  run_naming_ = run_naming_ | name(naming, {group_line_, line.value_begin, line.value_size});
  update_routes();
}

void Selector::rule(const ScannedLine& line) {
  switch (grouping_.rule()) {
    case Grouping::Owner::nobody: return;
    case Grouping::Owner::new_default_group:
      begin_group(line.line);
      run_naming_ = name(matcher_.star(), {line.line, Selection::no_agent, 0});
      break;
    case Grouping::Owner::open_group: break;
  }
  if (auto* rules = wanted()) keep(*rules, line);
  update_routes();
}

void Selector::setting(const ScannedLine& line) {
  if (group_line_ == 0) {
    if (line.kind == DirectiveKind::content_signal || line.kind == DirectiveKind::content_usage) {
      for_all_.push_back(line);
    }
    return;
  }
  if (!grouping_.open()) return;
  if (has(run_naming_, Naming::own)) {
    own_.settings.push_back(line);
  } else if (has(run_naming_, Naming::everybody) && own_.groups.empty()) {
    everybody_.settings.push_back(line);
  }
}

void Selector::begin_group(std::uint32_t line) {
  end_group();
  group_line_ = line;
}

void Selector::end_group() {
  if (has(naming_, Naming::own)) {
    own_.rules.append(pending_);
    done_ = dialect_.group_choice != GroupChoice::merge;
  } else if (has(naming_, Naming::everybody)) {
    everybody_.rules.append(pending_);
  }
  pending_.clear();
  naming_ = run_naming_ = Naming::nobody;
  rules_ = nullptr;
  skips_rules_ = false;
}

// Records that the open group names the robot or all robots, if the dialect's choice of groups lets this group count.
// Returns the part of `naming` that counts.
Naming Selector::name(Naming naming, const Selection::GroupStart& start) {
  const bool names_robot = has(naming, Naming::own);
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
  is_named_ = is_named_ || names_robot;
  return naming & naming_;
}

ScratchVector<SelectedRule>* Selector::wanted() noexcept {
  if (!dialect_.agent_after_rule_starts_group) return &pending_;
  if (has(naming_, Naming::own)) return &own_.rules;
  if (has(naming_, Naming::everybody) && own_.groups.empty()) return &everybody_.rules;
  return nullptr;
}

// After the first rule of a group, its other rules do not change the grouping.
void Selector::update_routes() noexcept {
  const bool settled = grouping_.open() && grouping_.has_rule();
  rules_ = settled ? wanted() : nullptr;
  skips_rules_ = settled && rules_ == nullptr;
}

const Selection& Selector::finish(bool& is_default) {
  end_group();
  is_default = own_.groups.empty();
  return is_default ? everybody_ : own_;
}

}  // namespace robotrules::core
