// One rule of a page, from its name and value.
#pragma once

#include <optional>
#include <string_view>

#include <robotrules/page.hpp>

namespace robotrules::agent {

// Adds a rule to `rules`: "max-snippet" with the value "20", or "noindex" without a value. An unknown rule, or one with
// an invalid value, is added to `unknown` with the text `written`.
void apply_rule(std::string_view name, std::optional<std::string_view> value, std::string_view written,
                PageRules& rules);

// Adds a comma-separated list of rules: the content of a robots meta element, or the text after a robot's name.
void read_rule_list(std::string_view list, PageRules& rules);

// Returns true if `name` is that of a rule with a value ("unavailable_after", "max-..."), and so not the name of a
// robot.
bool takes_value(std::string_view name) noexcept;
// Returns true if `name` is that of a rule, with or without a value.
bool is_rule_name(std::string_view name) noexcept;

// Returns true if `name`, as a page writes it, names this robot.
bool names_agent(std::string_view name, std::string_view agent) noexcept;

// Lowers `held` to the smaller of two limits; -1 means no limit.
void limit(std::optional<int>& held, const std::optional<int>& other) noexcept;
// Adds to the unknown rules, unless it is there already or the list is full.
void add_unknown(std::string_view written, PageRules& rules);

// Removes the first item from `list` and returns it, trimmed. Items are separated by commas, but not by commas inside
// quotes or inside the date of an unavailable_after.
std::string_view next_item(std::string_view& list) noexcept;

}  // namespace robotrules::agent
