#include <robotrules/robots_policy.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <utility>

#include "base/escape.hpp"

namespace robotrules {
namespace {

constexpr std::array<std::pair<PolicyAction, std::string_view>, 3> actions{
    {{PolicyAction::allow_all, "allow_all"},
     {PolicyAction::disallow_all, "disallow_all"},
     {PolicyAction::unreachable, "unreachable"}}};

constexpr std::pair<std::string_view, PolicyAction RobotsPolicy::*> action_fields[] = {
    {"unauthorized", &RobotsPolicy::unauthorized},        {"not_found", &RobotsPolicy::not_found},
    {"client_error", &RobotsPolicy::client_error},        {"too_many_requests", &RobotsPolicy::too_many_requests},
    {"server_error", &RobotsPolicy::server_error},        {"too_many_redirects", &RobotsPolicy::too_many_redirects},
    {"long_unreachable", &RobotsPolicy::long_unreachable}};
constexpr std::pair<std::string_view, bool RobotsPolicy::*> flag_fields[] = {
    {"keep_stale", &RobotsPolicy::keep_stale}, {"allow_downgrade", &RobotsPolicy::allow_downgrade}};
constexpr std::pair<std::string_view, std::chrono::seconds RobotsPolicy::*> time_fields[] = {
    {"freshness_floor", &RobotsPolicy::freshness_floor},
    {"freshness_limit", &RobotsPolicy::freshness_limit},
    {"redirects_again", &RobotsPolicy::redirects_again},
    {"retry_first", &RobotsPolicy::retry_first},
    {"retry_longest", &RobotsPolicy::retry_longest},
    {"stale_for", &RobotsPolicy::stale_for},
    {"long_unreachable_again", &RobotsPolicy::long_unreachable_again}};
constexpr std::string_view redirects_field = "max_redirects";
constexpr std::string_view no_preset = "custom";

// 100 years. A clock plus this time does not overflow.
constexpr std::int64_t max_seconds = std::int64_t{100} * 366 * 86'400;

template <class Number>
bool read_number(std::string_view text, Number& into, Number max) {
  Number value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size() || value > max || value < Number{0}) return false;
  into = value;
  return true;
}

template <class Fields>
auto find_field(const Fields& fields, std::string_view name) {
  return std::ranges::find(fields, name, [](const auto& field) { return field.first; });
}

bool is_field(std::string_view name) {
  return find_field(action_fields, name) != std::end(action_fields) ||
         find_field(flag_fields, name) != std::end(flag_fields) ||
         find_field(time_fields, name) != std::end(time_fields) || name == redirects_field;
}

bool read_field(std::string_view name, std::string_view value, RobotsPolicy& into) {
  if (const auto field = find_field(action_fields, name); field != std::end(action_fields)) {
    const auto action = std::ranges::find(actions, value, [](const auto& known) { return known.second; });
    if (action == actions.end()) return false;
    into.*field->second = action->first;
    return true;
  }
  if (const auto field = find_field(flag_fields, name); field != std::end(flag_fields)) {
    into.*field->second = value == "1";
    return value == "0" || value == "1";
  }
  if (const auto field = find_field(time_fields, name); field != std::end(time_fields)) {
    std::int64_t seconds = 0;
    if (!read_number(value, seconds, max_seconds)) return false;
    into.*field->second = std::chrono::seconds(seconds);
    return true;
  }
  return name == redirects_field && read_number(value, into.max_redirects, 1'000U);
}

// Returns true if both policies judge records alike. The name and the settings for fetching may differ.
bool are_alike(RobotsPolicy one, const RobotsPolicy& other) {
  one.name = other.name;
  one.timeout = other.timeout;
  one.body_limit = other.body_limit;
  return one == other;
}

// Returns the preset with that name if it judges records alike, or else null.
const RobotsPolicy* preset_like(const RobotsPolicy& policy, std::string_view name) {
  const RobotsPolicy* const preset = RobotsPolicy::find(name);
  return preset != nullptr && are_alike(policy, *preset) ? preset : nullptr;
}

// Returns true for lower-case letters and "_". Every field name is such a word, also in newer versions.
bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char one) { return (one >= 'a' && one <= 'z') || one == '_'; });
}

}  // namespace

std::string policy_text(const RobotsPolicy& policy) {
  const RobotsPolicy* const preset = preset_like(policy, policy.name);
  std::string text(preset != nullptr ? preset->name : no_preset);
  const auto add_field = [&](std::string_view name, std::string_view value) {
    text.append(" ").append(name).append("=").append(value);
  };
  for (const auto& [name, field] : action_fields) {
    add_field(name, std::ranges::find(actions, policy.*field, [](const auto& known) { return known.first; })->second);
  }
  for (const auto& [name, field] : flag_fields) add_field(name, policy.*field ? "1" : "0");
  for (const auto& [name, field] : time_fields) {
    add_field(name, std::to_string(std::clamp<std::int64_t>((policy.*field).count(), 0, max_seconds)));
  }
  add_field(redirects_field, std::to_string(std::min(policy.max_redirects, 1'000U)));
  return text;
}

Result<RobotsPolicy> policy_of_text(std::string_view text) {
  RobotsPolicy policy;
  const std::string_view name = text.substr(0, text.find(' '));
  if (name.empty()) return Error{"invalid-policy", "the policy has no name"};
  std::string unknown;
  for (std::size_t at = name.size(); at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at + 1), text.size());
    const std::string_view field = text.substr(at + 1, end - at - 1);
    const std::size_t sign = field.find('=');
    const std::string_view key = field.substr(0, sign);
    if (sign != std::string_view::npos && is_word(key) && !is_field(key)) {
      unknown = key;
    } else if (sign == std::string_view::npos || !read_field(key, field.substr(sign + 1), policy)) {
      return Error{"invalid-policy", "\"" + base::excerpt(field) + "\" is not a field of a policy"};
    }
    at = end;
  }
  if (!unknown.empty()) return Error{"policy-newer", "this program does not know the field \"" + unknown + "\""};
  const RobotsPolicy* const preset = preset_like(policy, name);
  policy.name = preset != nullptr ? preset->name : no_preset;
  const std::string whole = policy_text(policy);
  if (whole.substr(policy.name.size()) != text.substr(name.size())) {
    return Error{"invalid-policy", "a field is missing, repeated or in the wrong place"};
  }
  return policy;
}

}  // namespace robotrules
