// The spellings of a URL about which rules are asked.
#pragma once

#include <robotrules/rules.hpp>

#include "url/url.hpp"

namespace robotrules::agent {

// Asks the rules about a URL as it was found and as it is sent: dialects compare escapes in different ways, and a URL
// that is disallowed in one spelling must not be fetched in another. Returns the first verdict that does not allow it;
// else the verdict about the URL as it is sent. The verdict reads the rules, so they must outlive it.
Verdict check_spellings(const Rules& rules, const Url& url);
Verdict check_spellings(const Rules&& rules, const Url& url) = delete;

}  // namespace robotrules::agent
