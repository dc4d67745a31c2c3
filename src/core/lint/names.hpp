// Names that people write where a directive's name belongs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <robotrules/robots_txt.hpp>

namespace robotrules::core {

// The directive that `name` is a slip for: by letters alone ("user_agent"), by one or two slips ("Alow"), or as its
// beginning ("Allowed"). `other` where none is near.
DirectiveKind nearest_directive(std::string_view name) noexcept;

// True for the names of RFC 9309 and the commonest others, in any case: user-agent, allow, disallow, sitemap,
// crawl-delay, host.
bool is_common_name(std::string_view name) noexcept;

// A directive that begins inside `value` behind white space ("Disallow:" in "* Disallow: /"): where its name begins.
// npos where there is none.
std::size_t find_joined_directive(std::string_view value) noexcept;

// How robots tell agents apart, near enough to group lines: the first word up to "/", in lower case.
std::string agent_key(std::string_view value);

}  // namespace robotrules::core
