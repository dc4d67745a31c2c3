// URLs in the form in which the agents send them.
#pragma once

#include <string>
#include <string_view>

#include <robotrules/origin.hpp>
#include <robotrules/result.hpp>

namespace robotrules::agent {

// An absolute http or https URL, ready to be sent. The host name is in A-labels, odd spellings of addresses are
// replaced by the usual one, dot segments ("%2e" included) are resolved, and spaces and bytes outside ASCII are
// percent-encoded. Userinfo and fragment are removed.
struct Url {
  std::string text;
  Origin origin;
  std::string user;  // from the userinfo, decoded
  std::string password;

  std::string_view path_and_query() const noexcept;
};

// Fails with "invalid-url" if the text is not an absolute URL with a host or is longer than `max_bytes` bytes, and with
// "unsupported-scheme".
Result<Url> read_url(std::string_view text, std::size_t max_bytes);
// Returns the URL that `reference` means on the page `base`. Fails as read_url() does.
Result<Url> resolve_url(const Url& base, std::string_view reference, std::size_t max_bytes);

}  // namespace robotrules::agent
