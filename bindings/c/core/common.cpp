#include "c/core/common.hpp"

#include <string>

#include <robotrules/version.hpp>

namespace robotrules::c_abi {
namespace {

// A status with its code and its sentence, at the index of its value.
struct StatusText {
  std::string_view code;
  std::string_view message;
};
constexpr StatusText statuses[] = {
    {"ok", "The call succeeded."},
    {"invalid-argument",
     "An argument is not valid: a handle or a result pointer is null, a text has a null pointer or a "
     "length above SIZE_MAX / 2, or a value is not one that the header names. Correct the call."},
    {"out-of-range", "The index is too large. Ask for the count first."},
    {"out-of-memory", "There is not enough memory for the result. Nothing has changed; free memory and call again."},
    {"unknown-dialect",
     "There is no dialect of that name. The dialects are rfc9309, google, www-robotrules, robotstxt-rb, original-1994 "
     "and "
     "draft-1996."},
    {"invalid-url", "The URL is not an absolute http or https URL. Write it with its scheme and host."},
    {"failed", "The store or the agent could not do its work. The error has the reason; pass a pointer to get it."},
    {"internal", "The library has a fault, or the status is not one of its own. Report it with the call."},
};

const StatusText& text_of(robotrules_status status) noexcept {
  const bool known = status >= ROBOTRULES_OK && status <= ROBOTRULES_INTERNAL;
  return statuses[known ? status : robotrules_status{ROBOTRULES_INTERNAL}];
}

constexpr Why whys[] = {Why::no_robots, Why::rule,       Why::no_rule,     Why::empty_group,
                        Why::no_group,  Why::robots_txt, Why::other_scheme};

const Why* find_why(std::int32_t why) noexcept {
  const auto index = static_cast<std::size_t>(why);
  return why >= 0 && index < std::size(whys) ? &whys[index] : nullptr;
}

}  // namespace

bool are_texts(const robotrules_str* names, std::size_t count) noexcept {
  if (count > max_size / sizeof(robotrules_str) || (names == nullptr && count != 0)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_text(names[i])) return false;
  }
  return true;
}

AgentTokens tokens_of(const robotrules_str* names, std::size_t count, std::int32_t ignores_star) {
  AgentTokens agent;
  agent.tokens.reserve(count);
  for (std::size_t i = 0; i < count; ++i) agent.tokens.emplace_back(view_of(names[i]));
  agent.ignores_star = ignores_star != 0;
  return agent;
}

std::int32_t access_of(Access access) noexcept {
  switch (access) {
    case Access::allowed: return ROBOTRULES_ACCESS_ALLOWED;
    case Access::disallowed: return ROBOTRULES_ACCESS_DISALLOWED;
    case Access::unknown: break;
  }
  return ROBOTRULES_ACCESS_UNKNOWN;
}

std::int32_t why_of(Why why) noexcept {
  switch (why) {
    case Why::rule: return ROBOTRULES_WHY_RULE;
    case Why::no_rule: return ROBOTRULES_WHY_NO_RULE;
    case Why::empty_group: return ROBOTRULES_WHY_EMPTY_GROUP;
    case Why::no_group: return ROBOTRULES_WHY_NO_GROUP;
    case Why::robots_txt: return ROBOTRULES_WHY_ROBOTS_TXT;
    case Why::other_scheme: return ROBOTRULES_WHY_OTHER_SCHEME;
    case Why::no_robots: break;
  }
  return ROBOTRULES_WHY_NO_ROBOTS;
}

robotrules_rule rule_of(const std::optional<RuleLine>& rule) noexcept {
  if (!rule) return {str_of({}), 0, ROBOTRULES_ACCESS_UNKNOWN};
  return {str_of(rule->pattern), rule->line, access_of(rule->access)};
}

robotrules_verdict verdict_of(const Verdict& verdict) noexcept {
  const GroupLine group = verdict.group();
  return {access_of(verdict.access()),  why_of(verdict.why()), rule_of(verdict.rule()),
          rule_of(verdict.runner_up()), str_of(group.agent),   group.line,
          group.is_default ? 1 : 0};
}

robotrules_verdict no_verdict() noexcept { return verdict_of(Verdict()); }

robotrules_status text_of_origin(const char* url, std::size_t url_size, std::string (*text_of)(const Origin& origin),
                                 robotrules_text** text) noexcept {
  if (text == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *text = nullptr;
  if (!is_text(url, url_size)) return ROBOTRULES_INVALID_ARGUMENT;
  return guarded([&]() -> robotrules_status {
    const auto origin = Origin::of(view_of(url, url_size));
    if (!origin) return ROBOTRULES_INVALID_URL;
    *text = new_handle<robotrules_text>(text_of(*origin));
    return ROBOTRULES_OK;
  });
}

}  // namespace robotrules::c_abi

using namespace robotrules::c_abi;

void robotrules_status_code(robotrules_status status, robotrules_str* code) noexcept {
  if (code != nullptr) *code = str_of(text_of(status).code);
}

void robotrules_status_message(robotrules_status status, robotrules_str* message) noexcept {
  if (message != nullptr) *message = str_of(text_of(status).message);
}

void robotrules_text_view(const robotrules_text* text, robotrules_str* view) noexcept {
  if (view != nullptr) *view = text != nullptr ? str_of(text->value) : str_of({});
}

void robotrules_text_free(robotrules_text* text) noexcept { delete text; }

std::uint32_t robotrules_version_number() noexcept {
  return ROBOTRULES_VERSION_MAJOR * 10'000 + ROBOTRULES_VERSION_MINOR * 100 + ROBOTRULES_VERSION_PATCH;
}

void robotrules_version(robotrules_str* version) noexcept {
  if (version != nullptr) *version = str_of(ROBOTRULES_VERSION);
}

std::uint32_t robotrules_c_api() noexcept { return ROBOTRULES_C_API; }

std::size_t robotrules_dialect_count() noexcept { return robotrules::Dialect::presets().size(); }

robotrules_status robotrules_dialect_name(std::size_t index, robotrules_str* name) noexcept {
  const auto presets = robotrules::Dialect::presets();
  return give_row(name, &presets, index, [](const robotrules::Dialect* dialect) {
    return str_of(dialect != nullptr ? dialect->name : std::string_view());
  });
}

robotrules_status robotrules_robot_name(const char* agent, std::size_t agent_size, robotrules_str* name) noexcept {
  if (name == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *name = str_of({});
  if (!is_text(agent, agent_size)) return ROBOTRULES_INVALID_ARGUMENT;
  return guarded([&] {
    *name = str_of(robotrules::robot_name(view_of(agent, agent_size)));
    return ROBOTRULES_OK;
  });
}

robotrules_status robotrules_robots_url(const char* url, std::size_t url_size, robotrules_text** robots_url) noexcept {
  return text_of_origin(
      url, url_size, [](const robotrules::Origin& origin) { return origin.robots_url(); }, robots_url);
}

void robotrules_access_name(std::int32_t access, robotrules_str* name) noexcept {
  if (name == nullptr) return;
  switch (access) {
    case ROBOTRULES_ACCESS_ALLOWED: *name = str_of(to_string(robotrules::Access::allowed)); return;
    case ROBOTRULES_ACCESS_DISALLOWED: *name = str_of(to_string(robotrules::Access::disallowed)); return;
    case ROBOTRULES_ACCESS_UNKNOWN: *name = str_of(to_string(robotrules::Access::unknown)); return;
    default: *name = str_of({});
  }
}

void robotrules_why_name(std::int32_t why, robotrules_str* name) noexcept {
  if (name == nullptr) return;
  const auto* found = find_why(why);
  *name = str_of(found != nullptr ? robotrules::to_string(*found) : "");
}

void robotrules_why_reason(std::int32_t why, robotrules_str* reason) noexcept {
  if (reason == nullptr) return;
  const auto* found = find_why(why);
  *reason = str_of(found != nullptr ? robotrules::reason_without_rule(*found) : "");
}
