// URLs in the form in which the agents request them.
//
//     auto url = robotrules::plain_url("HTTP://bücher.example:80/a/../b c#part");
//     if (!url) return report(url.error().message);
//     request(url.value());  // "http://xn--bcher-kva.example/b%20c"
//
// Thread rule: a pure function; any thread may call it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <robotrules/export.hpp>
#include <robotrules/result.hpp>

namespace robotrules {

// Returns `url` in the form in which it is sent. The origin of this form is the key of the site in the store.
//
// The host name is in A-labels, IP addresses are in their usual spelling, and dot segments ("%2e"
// included) are resolved. Spaces and bytes outside ASCII are percent-encoded. The default port, userinfo and fragment
// are removed. Fails with "invalid-url" if `url` is not an absolute URL with a host or is longer than `max_bytes`
// bytes, and with "unsupported-scheme" if its scheme is neither http nor https.
ROBOTRULES_API Result<std::string> plain_url(std::string_view url, std::size_t max_bytes = 8'192);

}  // namespace robotrules
