// The HTML of a response.
#pragma once

#include <string>

#include <robotrules/message.hpp>

namespace robotrules::agent {

// Returns the body in UTF-8, as much of it as a head may need. Empty if the Content-Type is not HTML.
std::string html_of(const Response& page);

// Returns true if the page is HTML with a body that is not in the response.
bool lacks_html(const Response& page);

}  // namespace robotrules::agent
