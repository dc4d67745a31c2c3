// The user and password in a URL. No message, log or file shows them.
#pragma once

#include <string>
#include <string_view>

#include "base/visibility.hpp"

namespace robotrules::base {

// Returns "user:password@", with the "@", of "http://user:password@example.org/"; empty if there is none. `url` may be
// any text: also "user:password@example.org", "http:/user:password@example.org" and a password with a slash, which are
// not valid URLs.
ROBOTRULES_INTERNAL_API std::string_view userinfo_of(std::string_view url) noexcept;

// Returns `text` without that userinfo, wherever it stands. Without a password it is removed only after "//".
ROBOTRULES_INTERNAL_API std::string without_userinfo(std::string text, std::string_view userinfo);
// Returns `url` without its own userinfo. `url` may be any text.
ROBOTRULES_INTERNAL_API std::string without_userinfo(std::string_view url);

// Returns the address of a proxy without its userinfo: "user:password@proxy:3128" too. A proxy has no path, so all
// before the last "@" is userinfo, whatever characters a password has.
ROBOTRULES_INTERNAL_API std::string proxy_without_userinfo(std::string_view proxy);

}  // namespace robotrules::base
