// Misspelt and misplaced names of directives.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <robotrules/robots_txt.hpp>

namespace robotrules::advice {

// Returns the directive that `name` probably means: one with the same letters ("user_agent"), with one or two slips
// ("Alow"), or one that `name` begins with ("Allowed"). `other`: none is similar.
DirectiveKind nearest_directive(std::string_view name) noexcept;

// Returns true for the names of RFC 9309 and the most common other names, in upper or lower case: user-agent, allow,
// disallow, sitemap, crawl-delay, host.
bool is_common_name(std::string_view name) noexcept;

// Returns the offset of a directive that begins inside `value`, or npos if there is none. Before it is white space
// ("* Disallow: /"), nothing ("Sitemap: https://a.example/s"), or a path ("/User-agent: FooBot").
std::size_t find_joined_directive(std::string_view value) noexcept;

}  // namespace robotrules::advice
