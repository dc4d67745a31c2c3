// Questions about one group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/robots_txt.hpp>

namespace robotrules::advice {

// Returns a key that is equal for agents that robots treat as equal: the first word up to "/", in lower case.
std::string agent_key(std::string_view value);

// Returns true if a User-agent line of the group is "*".
bool names_star(const Group& group);

// Returns the first names of a group, each once: "A", "B" and 4 more.
std::string names_of(const Group& group);

// Returns true for lines that apply to the robots of their group, unlike Sitemap and unknown lines.
bool is_for_group(DirectiveKind kind) noexcept;

// Returns the rules and settings of a group in file order. The pointers look into `group`.
std::vector<const Directive*> members_of(const Group& group);

// Returns the first of these directives, which are in file order, that is between the two lines; null if none is.
const Directive* first_between(const std::vector<Directive>& directives, std::uint32_t first, std::uint32_t second);

// Returns a hash of these lines. Groups with equal hashes do the same.
std::size_t hash_of_members(const Group& group);

// Returns true for a Disallow line with a path.
bool closes(const Directive& rule);

// Returns the first rule of this kind that matches every URL, or null.
const Directive* whole_rule(const Group& group, DirectiveKind kind);

// Returns "delete the line", or the advice that keeps a group with this one rule from joining the group below.
std::string_view delete_line(const Group* group) noexcept;

// Returns "line 5".
std::string in_line(std::uint32_t line);

}  // namespace robotrules::advice
