// URLs in the form in which the agents send them.
#pragma once

#include <string>
#include <string_view>

#include <robotrules/base.hpp>
#include <robotrules/url.hpp>

#include "base/visibility.hpp"

namespace robotrules::agent {

// An absolute http or https URL, ready to be sent: `text` is the normal form (plain_url() describes it).
struct ROBOTRULES_INTERNAL_API Url {
  std::string text;
  // The URL as it was found, with the same origin and without dot segments and fragment, but with the escapes and
  // characters of path and query as they were written. Empty: as in `text`. Rules are asked about it too
  // (http/spellings.hpp).
  std::string found;
  Origin origin;
  std::string user;  // from the userinfo, decoded
  std::string password;

  std::string_view path_and_query() const noexcept;
  // Returns `found`, or `text` if both are the same.
  const std::string& as_found() const noexcept { return found.empty() ? text : found; }
};

// Fails with "invalid-url" if the text is not an absolute URL with a host, or if it, `text` or `found` is longer than
// `max_bytes` bytes, and with "unsupported-scheme".
ROBOTRULES_INTERNAL_API Result<Url> read_url(std::string_view text, std::size_t max_bytes);
// Returns the URL that `reference` means on the page `base`. If `base` was found in another spelling, the result was
// too. Fails as read_url() does.
ROBOTRULES_INTERNAL_API Result<Url> resolve_url(const Url& base, std::string_view reference, std::size_t max_bytes);

}  // namespace robotrules::agent
