// URLs in the form in which the agents request them.
//
//     auto url = robotrules::plain_url("HTTP://bücher.example:80/a/../%7Eb c#part");
//     if (!url) return report(url.error().message);
//     request(url.value());  // "http://xn--bcher-kva.example/~b%20c"
//
// Thread rule: pure functions; any thread may call them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <robotrules/export.hpp>
#include <robotrules/result.hpp>
#include <robotrules/rules.hpp>

namespace robotrules {

// Returns `url` in the form in which it is sent, the normal form: URLs that mean the same to every server become equal.
// The normal form of a normal form is the same text. The origin of this form is the key of the site in the store.
//
// The host name is in A-labels, IP addresses are in their usual spelling, and dot segments ("%2e" included) are
// resolved. The default port, userinfo and fragment are removed. In path and query (RFC 3986 section 6.2.2):
//   - escapes have digits in capitals: "%c3" becomes "%C3";
//   - escapes of letters, digits and "-._~" are decoded: "%7E" becomes "~". Others stay: "%2F" is not "/";
//   - bytes that occur in no URL are escaped: spaces (a "+" in the query), bytes outside ASCII, and "<>\^`{|} and the
//     double quote. "[" and "]" stay, and so does a "%" that begins no escape.
//
// Fails with "invalid-url" if `url` is not an absolute URL with a host or is longer than `max_bytes` bytes, and with
// "unsupported-scheme" if its scheme is neither http nor https.
ROBOTRULES_API Result<std::string> plain_url(std::string_view url, std::size_t max_bytes = 8'192);

// Returns the verdict about a URL that is sent in the form of plain_url(): the rules are asked about the URL as it was
// found and as it is sent, and either may disallow it. Dialects compare escapes in different ways: under Google's,
// "Disallow: /%7Ejoe" does not match "/~joe". RobotUA asks in this way. If plain_url() fails, asks about `url` alone.
ROBOTRULES_API Verdict check_as_sent(const Rules& rules, std::string_view url);
ROBOTRULES_API Verdict check_as_sent(const Rules&& rules, std::string_view url) = delete;  // the verdict reads rules

}  // namespace robotrules
