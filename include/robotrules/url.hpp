// URLs as the agents ask for them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <robotrules/result.hpp>

namespace robotrules {

// What goes over the wire for an absolute http or https URL, and the key of what is remembered of its site:
// "HTTP://bücher.example:80/a/../b c#part" is "http://xn--bcher-kva.example/b%20c". Names in A-labels, odd spellings of
// addresses made plain, dot segments ("%2e" included) resolved, spaces and octets beyond ASCII escaped; without
// userinfo and fragment. Errors: "invalid-url": no absolute URL with a host, or longer than `longest` octets;
// "unsupported-scheme". Thread rule: any thread.
Result<std::string> plain_url(std::string_view url, std::size_t longest = 8'192);

}  // namespace robotrules
