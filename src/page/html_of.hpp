// The HTML of a response.
#pragma once

#include <string>

#include <robotrules/message.hpp>

namespace robotrules::agent {

// As UTF-8, as much of it as is ever looked at for a head; empty where its Content-Type says something else.
std::string html_of(const Response& page);

}  // namespace robotrules::agent
