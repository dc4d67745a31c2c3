#include <algorithm>
#include <new>

#include "c/core/common.hpp"
#include "c/core/handles.hpp"

using namespace robotrules::c_abi;

namespace {

using robotrules::Dialect;
using robotrules::Preference;
using robotrules::Rules;

static_assert(static_cast<int>(Preference::unknown) == ROBOTRULES_ACCESS_UNKNOWN);
static_assert(static_cast<int>(Preference::allowed) == ROBOTRULES_ACCESS_ALLOWED);
static_assert(static_cast<int>(Preference::disallowed) == ROBOTRULES_ACCESS_DISALLOWED);
std::int32_t preference_of(Preference preference) noexcept { return static_cast<std::int32_t>(preference); }

// Gives the rules of `robots` for an agent, which `agent_of` makes.
template <class AgentOf>
robotrules_status compile(std::string_view robots, const AgentOf& agent_of, std::string_view dialect_name,
                          std::string_view url, robotrules_rules** rules) noexcept {
  const Dialect* dialect = find_dialect(dialect_name);
  if (dialect == nullptr) return ROBOTRULES_UNKNOWN_DIALECT;
  return give(rules, true, [&] { return Rules::compile(robots, agent_of(), *dialect, url); });
}

}  // namespace

robotrules_status robotrules_rule_text(const robotrules_rule* rule, robotrules_text** text) noexcept {
  const bool valid =
      rule != nullptr && is_text(rule->pattern) &&
      (rule->line == 0 || rule->access == ROBOTRULES_ACCESS_ALLOWED || rule->access == ROBOTRULES_ACCESS_DISALLOWED);
  return give(text, valid, [&] {
    if (rule->line == 0) return std::string();
    const auto access =
        rule->access == ROBOTRULES_ACCESS_ALLOWED ? robotrules::Access::allowed : robotrules::Access::disallowed;
    return robotrules::RuleLine{access, rule->line, view_of(rule->pattern)}.text();
  });
}

robotrules_status robotrules_rules_compile(const char* robots, std::size_t robots_size, const char* agent,
                                           std::size_t agent_size, const char* dialect, std::size_t dialect_size,
                                           const char* url, std::size_t url_size, robotrules_rules** rules) noexcept {
  if (rules == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *rules = nullptr;
  if (!is_text(robots, robots_size) || !is_text(agent, agent_size) || !is_text(dialect, dialect_size) ||
      !is_text(url, url_size)) {
    return ROBOTRULES_INVALID_ARGUMENT;
  }
  return compile(
      view_of(robots, robots_size), [&] { return view_of(agent, agent_size); }, view_of(dialect, dialect_size),
      view_of(url, url_size), rules);
}

robotrules_status robotrules_rules_compile_names(const char* robots, std::size_t robots_size,
                                                 const robotrules_str* names, std::size_t name_count,
                                                 std::int32_t ignores_star, const char* dialect,
                                                 std::size_t dialect_size, const char* url, std::size_t url_size,
                                                 robotrules_rules** rules) noexcept {
  if (rules == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *rules = nullptr;
  if (!is_text(robots, robots_size) || !are_texts(names, name_count) || !is_text(dialect, dialect_size) ||
      !is_text(url, url_size)) {
    return ROBOTRULES_INVALID_ARGUMENT;
  }
  return compile(
      view_of(robots, robots_size), [&] { return tokens_of(names, name_count, ignores_star); },
      view_of(dialect, dialect_size), view_of(url, url_size), rules);
}

void robotrules_rules_free(robotrules_rules* rules) noexcept { delete rules; }

robotrules_status robotrules_rules_check(const robotrules_rules* rules, const char* url, std::size_t url_size,
                                         robotrules_verdict* verdict) noexcept {
  if (verdict == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  if (rules == nullptr || !is_text(url, url_size)) {
    *verdict = no_verdict();
    return ROBOTRULES_INVALID_ARGUMENT;
  }
  const robotrules_status status = guarded([&] {
    // Made in its place: a copy would wait until the processor has stored all the small members.
    ::new (static_cast<void*>(verdict)) robotrules_verdict(verdict_of(rules->rules.check(view_of(url, url_size))));
    return ROBOTRULES_OK;
  });
  if (status != ROBOTRULES_OK) *verdict = no_verdict();
  return status;
}

std::int32_t robotrules_rules_access(const robotrules_rules* rules, const char* url, std::size_t url_size) noexcept {
  if (rules == nullptr || !is_text(url, url_size)) return ROBOTRULES_ACCESS_UNKNOWN;
  std::int32_t access = ROBOTRULES_ACCESS_UNKNOWN;
  const robotrules_status status = guarded([&] {
    access = access_of(rules->rules.check(view_of(url, url_size)).access());
    return ROBOTRULES_OK;
  });
  return status == ROBOTRULES_OK ? access : ROBOTRULES_ACCESS_UNKNOWN;
}

robotrules_status robotrules_rules_check_many(const robotrules_rules* rules, const robotrules_str* urls,
                                              std::size_t count, std::int32_t* access, std::uint32_t* lines) noexcept {
  if (count > max_size / sizeof(robotrules_str)) return ROBOTRULES_INVALID_ARGUMENT;  // no array is so long
  const auto forget = [&] {
    if (access != nullptr) std::fill_n(access, count, std::int32_t{ROBOTRULES_ACCESS_UNKNOWN});
    if (lines != nullptr) std::fill_n(lines, count, 0U);
  };
  if (rules == nullptr || !are_texts(urls, count) || (access == nullptr && count != 0)) {
    forget();
    return ROBOTRULES_INVALID_ARGUMENT;
  }
  const robotrules_status status = guarded([&] {
    for (std::size_t i = 0; i < count; ++i) {
      const robotrules::Verdict verdict = rules->rules.check(view_of(urls[i]));
      access[i] = access_of(verdict.access());
      if (lines != nullptr) lines[i] = rule_of(verdict.rule()).line;
    }
    return ROBOTRULES_OK;
  });
  if (status != ROBOTRULES_OK) forget();
  return status;
}

robotrules_status robotrules_rules_explain(const robotrules_rules* rules, const char* url, std::size_t url_size,
                                           robotrules_text** sentence) noexcept {
  return give(sentence, rules != nullptr && is_text(url, url_size),
              [&] { return rules->rules.check(view_of(url, url_size)).explanation(); });
}

robotrules_status robotrules_rules_lines(const robotrules_rules* rules, robotrules_rule* lines, std::size_t room,
                                         std::size_t* count) noexcept {
  if (count == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *count = 0;
  if (rules == nullptr || (lines == nullptr && room != 0)) return ROBOTRULES_INVALID_ARGUMENT;
  return guarded([&] {
    const auto all = rules->rules.lines();
    for (std::size_t i = 0; i < std::min(room, all.size()); ++i) lines[i] = rule_of(all[i]);
    *count = all.size();
    return ROBOTRULES_OK;
  });
}

robotrules_status robotrules_rules_settings(const robotrules_rules* rules, robotrules_settings* settings) noexcept {
  if (settings == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *settings = {-1, -1, 0, -1, -1, -1, -1};
  if (rules == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  settings->crawl_delay = delay_of(rules->rules.crawl_delay());
  if (const auto rate = rules->rules.request_rate()) {
    settings->rate_period = rate->period.count();
    settings->rate_requests = rate->requests;
    if (rate->during) {
      settings->rate_from = rate->during->from;
      settings->rate_to = rate->during->to;
    }
  }
  if (const auto time = rules->rules.visit_time()) {
    settings->visit_from = time->from;
    settings->visit_to = time->to;
  }
  return ROBOTRULES_OK;
}

robotrules_status robotrules_rules_usage(const robotrules_rules* rules, const char* url, std::size_t url_size,
                                         robotrules_usage* usage) noexcept {
  if (usage == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *usage = {str_of({}), 0, 0, 0, 0, 0, 0};
  if (rules == nullptr || !is_text(url, url_size)) return ROBOTRULES_INVALID_ARGUMENT;
  return guarded([&] {
    const auto [content, signal] = rules->rules.usage(view_of(url, url_size));
    *usage = {str_of(content.path),          preference_of(content.train_ai), preference_of(content.ai_use),
              preference_of(content.search), preference_of(signal.search),    preference_of(signal.ai_input),
              preference_of(signal.ai_train)};
    return ROBOTRULES_OK;
  });
}

robotrules_status robotrules_rules_clean_url(const robotrules_rules* rules, const char* url, std::size_t url_size,
                                             robotrules_text** cleaned) noexcept {
  return give(cleaned, rules != nullptr && is_text(url, url_size),
              [&] { return rules->rules.apply_clean_param(view_of(url, url_size)); });
}

robotrules_status robotrules_rules_get_facts(const robotrules_rules* rules, robotrules_rules_facts* facts) noexcept {
  if (facts == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *facts = {str_of({}), 0, 0};
  if (rules == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *facts = {str_of(rules->rules.dialect().name), rules->rules.size(), rules->rules.memory_bytes()};
  return ROBOTRULES_OK;
}
