// Sentences that say why robots.txt denies a URL.
#pragma once

#include <string>
#include <string_view>

#include <robotrules/message.hpp>

namespace robotrules::cli {

// Returns "https://a.test/x: disallowed by "Disallow: /x" in line 2, of the group ... [https://a.test/robots.txt]".
// Precondition: the note belongs to a disallowed URL.
std::string denial(std::string_view url, const RobotsNote& note);

// Returns the same for a response; the denied URL may be the target of a redirect.
std::string denial(std::string_view url, const Response& response);

}  // namespace robotrules::cli
