// One rule of a page, by its name and value.
#pragma once

#include <optional>
#include <string_view>

#include <robotrules/page.hpp>

namespace robotrules::agent {

// Adds the rule; "max-snippet" and "20", "noindex" and nothing. What it does not know or understand becomes unknown,
// with `written` as its text.
void apply_rule(std::string_view name, std::optional<std::string_view> value, std::string_view written,
                PageRules& rules);

// A comma-separated list of rules, as the content of a robots meta element and what stands behind a robot's name.
void read_rule_list(std::string_view list, PageRules& rules);

// True where `name` is that of a rule that has a value: "unavailable_after", "max-...". So it is no robot's.
bool takes_value(std::string_view name) noexcept;
// True where it is a rule's, with a value or without.
bool is_rule_name(std::string_view name) noexcept;

// Does `name`, as a page writes it, name this robot?
bool names_agent(std::string_view name, std::string_view agent) noexcept;

// The smaller of two limits, -1 being none.
void limit(std::optional<int>& held, const std::optional<int>& other) noexcept;
void add_unknown(std::string_view written, PageRules& rules);

// The part of a list up to its next comma that separates rules, taken from the front of `list` and trimmed: commas in
// quotes and in the date of an unavailable_after separate none.
std::string_view next_item(std::string_view& list) noexcept;

}  // namespace robotrules::agent
