// Why robots.txt keeps a URL from being fetched, for people.
#pragma once

#include <string>
#include <string_view>

#include <robotrules/message.hpp>

namespace robotrules::cli {

// "https://a.test/x: disallowed by "Disallow: /x" in line 2, of the group ... [https://a.test/robots.txt]".
// Precondition: the note is of a URL that is disallowed.
std::string denial(std::string_view url, const RobotsNote& note);

// Of what became of `url`: a redirect may have led to what is denied.
std::string denial(std::string_view url, const Response& response);

}  // namespace robotrules::cli
