// The URL that an entry of a sitemap, or a Sitemap line of a robots.txt, means.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <robotrules/sitemap.hpp>
#include <robotrules/url.hpp>

#include "base/visibility.hpp"
#include "url/url.hpp"

namespace robotrules::agent {

// Where an entry is written.
enum class EntryPlace : std::uint8_t {
  field,  // in the element or the line that is for it: all of it is a URL, be it relative
  text,   // in a line of a text, or in an element where no URL belongs: only what looks like a URL is one
};

// The result. If there is no URL, `url` is empty.
struct EntryUrl {
  std::string url;    // as written if it needs no repair, else as the agents send it
  std::string found;  // the same URL in the spelling that was written; empty: as `url`
  Origin origin;
  SitemapRepair repair = SitemapRepair::none;
  bool too_long = false;  // it would be longer than the limit

  const std::string& as_found() const noexcept { return found.empty() ? url : found; }
};

// Longest URL as written: white space, a fragment or dot segments may make it longer than the URL.
constexpr std::size_t max_written_bytes(std::size_t max_url_bytes) noexcept { return 8 * max_url_bytes; }

// Finds the absolute http or https URL of at most `max_bytes` bytes that `written` means on `page`. It repairs
//   - a relative reference, also "//host/x", and the host of `page` without a scheme ("example.org/x"),
//   - spaces inside, which are percent-encoded; tabs and line ends inside are removed (URL Standard, section 4.4),
//   - a URL that is shorter than it is written.
// With EntryPlace::text, a relative reference begins with "/" and has no spaces. U+FFFD is in no URL: it stands for
// bytes that are not of the charset.
ROBOTRULES_INTERNAL_API EntryUrl find_entry_url(const Url& page, std::string_view written, EntryPlace place,
                                                std::size_t max_bytes);

// Counts an entry with this result, as SitemapCounts says. Returns false if it is left out.
ROBOTRULES_INTERNAL_API bool count_entry(const EntryUrl& found, SitemapCounts& counts);

}  // namespace robotrules::agent
