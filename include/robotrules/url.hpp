// URLs: the origin of a URL, references and dot segments, and the form in which the agents request a URL.
//
//     auto origin = robotrules::Origin::of("https://Example.org:443/page");
//     if (!origin) return;                        // not an http or https URL
//     origin->to_string();                        // "https://example.org"
//     origin->robots_url();                       // "https://example.org/robots.txt"
//     join_url("https://example.org/a/b?c", "../d#e");                         // "https://example.org/d#e"
//     resolve_dot_segments("https://example.org/a/%2E%2e/b?c=/../d");          // "https://example.org/b?c=/../d"
//     plain_url("HTTP://bücher.example:80/a/../%7Eb c#part").value();          // "http://xn--bcher-kva.example/~b%20c"
//
// Thread rule: value types and pure functions; any thread may call them. Errors: Origin::of() returns null, and
// plain_url() fails. The other functions accept every text. Only std::bad_alloc is thrown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/base.hpp>

namespace robotrules {

// --- the origin: the key for everything that is remembered about a site ----------------------------------------------

// The rules of a robots.txt apply only to the scheme, host and port that it was fetched from (RFC 9309 section 2.3).
struct ROBOTRULES_API Origin {
  std::string scheme;      // "http" or "https"
  std::string host;        // lower case, without a dot at the end; IPv6 in brackets; Unicode names are not converted
  std::uint16_t port = 0;  // the port in use: 80 or 443 if the URL names none

  // Returns the origin of an absolute http or https URL; userinfo is left out. Returns null if the URL
  //   - is relative or has another scheme,
  //   - has no host, or an IPv6 address that is not valid,
  //   - has a character that no host may contain (control, space, or one of "<>\"\\^`{|}%[]"), or
  //   - has a port outside 1..65535.
  static std::optional<Origin> of(std::string_view url);

  // Returns "https://example.org" or "http://example.org:8080". The port is written unless it is the scheme's default.
  std::string to_string() const;

  // Returns the URL of this origin's robots.txt.
  std::string robots_url() const { return to_string() + "/robots.txt"; }

  friend bool operator==(const Origin&, const Origin&) = default;
  friend auto operator<=>(const Origin&, const Origin&) = default;
};

// --- references ------------------------------------------------------------------------------------------------------

// Returns `url` with the "." and ".." segments of its path resolved. "%2e" and "%2E" in these
// segments mean "." (URL standard of the WHATWG). Everything else stays as it is, also the query and the fragment.
// `url` is an absolute URL or a path.
ROBOTRULES_API std::string resolve_dot_segments(std::string_view url);

// Returns `reference` resolved against the absolute URL `base`, strictly: "http:x" is an absolute URL. The fragment of
// `reference` is kept, and that of `base` is not. "%2e" in dot segments means "." (URL standard of the WHATWG). Nothing
// else is changed; plain_url() makes the form that is sent. Returns `reference` itself if `base` has no authority.
ROBOTRULES_API std::string join_url(std::string_view base, std::string_view reference);

// --- the form in which a URL is sent ---------------------------------------------------------------------------------

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

class Rules;
class Verdict;

// Returns the verdict about a URL that is sent in the form of plain_url(): the rules are asked about the URL as it was
// found and as it is sent, and either may disallow it. Dialects compare escapes in different ways: under Google's,
// "Disallow: /%7Ejoe" does not match "/~joe". RobotUA asks in this way. If plain_url() fails, asks about `url` alone.
ROBOTRULES_API Verdict check_as_sent(const Rules& rules, std::string_view url);
ROBOTRULES_API Verdict check_as_sent(const Rules&& rules, std::string_view url) = delete;  // the verdict reads rules

}  // namespace robotrules
