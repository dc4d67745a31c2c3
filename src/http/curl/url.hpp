// URLs as the agents send them.
#pragma once

#include <string>
#include <string_view>

#include <robotrules/origin.hpp>
#include <robotrules/result.hpp>

namespace robotrules::agent {

// An absolute http or https URL, ready for the wire: names in A-labels, odd spellings of addresses made plain, dot
// segments ("%2e" included) resolved, spaces and octets beyond ASCII escaped; without userinfo and fragment.
struct Url {
  std::string text;
  Origin origin;
  std::string user;  // of its userinfo, decoded
  std::string password;

  std::string_view path_and_query() const noexcept;
};

// Errors, with a sentence: "invalid-url" (no absolute URL with a host, or longer than `longest` octets),
// "unsupported-scheme".
Result<Url> read_url(std::string_view text, std::size_t longest);
// What `reference` means on the page `base`, which has been read.
Result<Url> resolve_url(const Url& base, std::string_view reference, std::size_t longest);

}  // namespace robotrules::agent
