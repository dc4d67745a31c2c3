// Origin: scheme, host and port of a URL; the key of everything remembered about a site.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace robotrules {

// RFC 9309 section 2.3: rules hold for the scheme, host and port they were fetched from.
//
// Shape: `scheme` and `host` are lower case, the host without a trailing dot, an IPv6 address in its brackets; `port`
// is the effective one (80 for http, 443 for https where the URL names none). Names in Unicode are not converted here.
struct Origin {
  std::string scheme;
  std::string host;
  std::uint16_t port = 0;

  // The origin of an absolute http or https URL; userinfo is left out. Null where the URL is relative, has another
  // scheme, no host, octets in the host that no host may hold (controls, space, "<>\"\\^`{|}%"), or no port
  // in 1..65535.
  static std::optional<Origin> of(std::string_view url);

  // "https://example.org", "http://example.org:8080": the port only where it is not the scheme's own.
  std::string to_string() const;

  // The URL of this origin's robots.txt.
  std::string robots_url() const { return to_string() + "/robots.txt"; }

  friend bool operator==(const Origin&, const Origin&) = default;
  friend auto operator<=>(const Origin&, const Origin&) = default;
};

}  // namespace robotrules
