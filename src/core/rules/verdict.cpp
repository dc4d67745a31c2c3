#include <robotrules/rules.hpp>

#include "base/escape.hpp"
#include "core/rules/rules_data.hpp"

namespace robotrules {
namespace {

const core::RulesData& data_of(const void* source) noexcept { return *static_cast<const core::RulesData*>(source); }

std::string quoted_rule(const RuleLine& rule) {
  return "\"" + base::escaped(rule.text()) + "\" in line " + std::to_string(rule.line);
}

std::string group_words(const GroupLine& group) {
  const std::string name =
      group.is_default ? "the group for every robot (*)" : "the group \"" + base::escaped(group.agent) + "\"";
  return name + ", line " + std::to_string(group.line);
}

}  // namespace

std::string_view reason_without_rule(Why why) noexcept {
  switch (why) {
    case Why::no_rule: return "no rule matches";
    case Why::empty_group: return "its group has no rules";
    case Why::no_group: return "no group applies";
    case Why::robots_txt: return "robots.txt itself";
    case Why::other_scheme: return "neither http nor https";
    case Why::no_robots: return "no robots.txt";
    case Why::rule: break;
  }
  return "";
}

std::string RuleLine::text() const {
  std::string out;
  append_to(out);
  return out;
}

void RuleLine::append_to(std::string& out) const {
  out += access == Access::allowed ? "Allow:" : "Disallow:";
  if (!pattern.empty()) out.append(" ").append(pattern);
}

std::optional<RuleLine> Verdict::rule() const noexcept {
  if (rule_ == none) return std::nullopt;
  return data_of(source_).line_of(rule_);
}

std::optional<RuleLine> Verdict::runner_up() const noexcept {
  if (runner_up_ == none) return std::nullopt;
  return data_of(source_).line_of(runner_up_);
}

std::uint32_t Verdict::line() const noexcept { return rule_ == none ? 0 : data_of(source_).line_of(rule_).line; }

GroupLine Verdict::group() const noexcept {
  if (source_ == nullptr) return {};
  return data_of(source_).group_of(line());
}

std::string Verdict::explanation() const {
  switch (why_) {
    case Why::rule: {
      std::string out(to_string(access_));
      out += " by " + quoted_rule(data_of(source_).line_of(rule_)) + ", of " + group_words(group());
      if (const auto other = runner_up()) out += "; it beat " + quoted_rule(*other);
      return out;
    }
    case Why::no_rule: return "allowed: no rule of " + group_words(group()) + " matches";
    case Why::empty_group: return "allowed: " + group_words(group()) + " has no rules";
    case Why::no_group: return "allowed: no group holds for this robot";
    case Why::robots_txt: return "allowed: /robots.txt itself may always be fetched";
    case Why::other_scheme: return "allowed: robots.txt speaks of http and https alone";
    case Why::no_robots: break;
  }
  return "unknown: there is no robots.txt to ask";
}

}  // namespace robotrules
