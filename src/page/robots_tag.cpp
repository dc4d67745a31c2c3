#include "page/robots_tag.hpp"

#include <string>

#include "base/ascii.hpp"
#include "fields/field_reader.hpp"
#include "fields/loose_date.hpp"
#include "page/page_rule.hpp"

namespace robotrules::agent {
namespace {

constexpr std::size_t max_field = std::size_t{64} << 10;

bool names_everybody(std::string_view name) noexcept {
  return name.empty() || name == "*" || base::equals_ignore_case(name, "robots") ||
         base::equals_ignore_case(name, "all");
}

bool holds_for(std::string_view name, std::string_view agent) noexcept {
  return names_everybody(name) || names_agent(name, agent);
}

bool is_word(std::string_view text) noexcept { return text.find_first_of(" \t") == std::string_view::npos; }

// Reads a date of structured fields (RFC 9651 section 3.3.7): "@1735689600".
bool apply_unix_time(std::string_view name, std::string_view value, PageRules& rules) {
  if (!base::equals_ignore_case(name, "unavailable_after") || !value.starts_with('@')) return false;
  constexpr std::int64_t max_seconds = 253'402'300'799;  // the end of 9999
  const std::optional<std::int64_t> seconds = base::read_digits(value.substr(1), max_seconds);
  if (!seconds) return false;
  const Timestamp time{std::chrono::seconds(*seconds)};
  if (!rules.unavailable_after || time < *rules.unavailable_after) rules.unavailable_after = time;
  return true;
}

void apply_parameter(std::string_view written, PageRules& rules) {
  const std::size_t sign = written.find_first_of("=:");
  const std::string_view name = base::trimmed(written.substr(0, sign));
  if (name.empty()) return;
  if (sign == std::string_view::npos) {
    apply_rule(name, std::nullopt, written, rules);
    return;
  }
  FieldReader reader(base::trimmed(written.substr(sign + 1)));
  const std::string value = reader.value({});
  if (!apply_unix_time(name, value, rules)) apply_rule(name, value, written, rules);
}

// Reads the form of draft-illyes-repext-03: a robot's name and its rules, each after a semicolon. The name is optional.
void read_parameters_of_name(std::string_view item, std::string_view agent, PageRules& rules) {
  FieldReader reader(item);
  std::string_view name = reader.until(";");
  if (name.ends_with('=')) name.remove_suffix(1);
  const bool rule = is_rule_name(name);  // "noindex; nofollow": semicolons used as commas
  if (!rule && !holds_for(name, agent)) return;
  if (rule) apply_parameter(name, rules);
  while (reader.take(';')) apply_parameter(reader.segment(';'), rules);
}

}  // namespace

void read_robots_tag(std::string_view value, std::string_view agent, PageRules& rules) {
  value = value.substr(0, max_field);
  const bool structured = value.find(';') != std::string_view::npos;
  bool ours = true;  // the next rules apply to this robot
  while (!value.empty()) {
    std::string_view item = next_item(value);
    if (item.find(';') != std::string_view::npos) {
      read_parameters_of_name(item, agent, rules);
      continue;
    }
    std::size_t colon = item.find(':');
    while (colon != std::string_view::npos) {
      const std::string_view name = base::trimmed(item.substr(0, colon));
      if (!is_word(name) || is_rule_name(name)) break;
      ours = holds_for(name, agent);
      item = base::trimmed(item.substr(colon + 1));
      colon = item.find(':');
    }
    // In a structured list, a word that is not a rule is a robot without rules.
    const bool robot = structured && colon == std::string_view::npos && is_word(item) && !is_rule_name(item);
    if (ours && !robot) read_rule_list(item, rules);
  }
}

}  // namespace robotrules::agent
