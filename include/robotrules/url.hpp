// URLs in the one spelling in which they are sent.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <robotrules/result.hpp>

namespace robotrules {

// An absolute http or https URL as the user agents send it: names in A-labels (IDNA), odd spellings of addresses made
// plain, dot segments resolved, a default port left out, spaces and octets beyond ASCII escaped; without userinfo and
// fragment. Two that are the same then are the same page, to a queue or a cache.
// Errors, with a sentence: "invalid-url" (no absolute URL with a host, or longer than `longest` octets),
// "unsupported-scheme". Thread rule: any thread.
Result<std::string> normalised_url(std::string_view text, std::size_t longest = 8'192);

}  // namespace robotrules
