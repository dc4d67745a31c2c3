// An origin: the scheme, host and port of a URL. It is the key for everything that is remembered about a site.
//
//     auto origin = robotrules::Origin::of("https://Example.org:443/page");
//     if (!origin) return;                        // not an http or https URL
//     origin->to_string();                        // "https://example.org"
//     origin->robots_url();                       // "https://example.org/robots.txt"
//
// Thread rule: a value type. Errors: null for a URL without an origin. Only std::bad_alloc is thrown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/export.hpp>

namespace robotrules {

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

}  // namespace robotrules
