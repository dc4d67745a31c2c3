// Sitemaps, as a stream: octets in, entries out.
//
//     SitemapReader reader("https://example.org/sitemap.xml.gz", {}, [](const SitemapEntry& entry) { ... });
//     while (...) if (auto fed = reader.feed(chunk); !fed) return fed.error();
//     if (auto done = reader.finish(); !done) return done.error();
//
// Read are urlset and sitemapindex (sitemaps.org 0.9), lists of URLs in plain text, RSS and Atom, each also as gzip;
// what it is is seen in the octets, whatever a server calls it. Memory is bounded by the options, not by the sitemap:
// about half a megabyte. Whatever the octets, there are entries, an error, or both: entries that were whole before the
// fault count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/gate.hpp>
#include <robotrules/result.hpp>

namespace robotrules {

enum class SitemapKind : std::uint8_t { unknown, urlset, index, text, rss, atom };
std::string_view to_string(SitemapKind kind) noexcept;

enum class ChangeFrequency : std::uint8_t { unknown, always, hourly, daily, weekly, monthly, yearly, never };
std::string_view to_string(ChangeFrequency frequency) noexcept;

// One URL. `loc` is an absolute http or https URL as written, without white space around it; a view until the callback
// is over.
struct SitemapEntry {
  std::string_view loc;
  bool is_sitemap = false;           // of an index: another sitemap
  std::optional<Timestamp> lastmod;  // W3C date and time (a day is its first moment, UTC); of feeds the entry's date
  ChangeFrequency changefreq = ChangeFrequency::unknown;
  std::optional<double> priority;  // 0..1
};

struct SitemapOptions {
  std::size_t entries = 50'000;                        // of one sitemap (sitemaps.org); more is an error
  std::size_t octets = std::size_t{50} * 1024 * 1024;  // of one sitemap, decoded; more is an error
  std::size_t url_octets = 8192;                       // URLs that are longer are counted and left out
  bool own_host = false;                               // leave out URLs of other hosts than the sitemap's
};

// What was met. Of the entries those in `given` went to the callback.
struct SitemapCounts {
  std::size_t entries = 0;
  std::size_t given = 0;
  std::size_t no_url = 0;      // loc is missing, relative, of another scheme, or no URL
  std::size_t too_long = 0;    // for url_octets
  std::size_t other_host = 0;  // with own_host
  std::size_t octets = 0;      // decoded
};

// Errors: "sitemap-unknown-format" (neither XML of these kinds nor a list of URLs), "sitemap-malformed" (not well
// formed, or gzip that is none), "sitemap-truncated" (it ends too soon), "sitemap-entities" (it declares entities of
// its own, which no sitemap needs and which can be made to explode), "sitemap-too-deep" (elements in elements, or a tag
// longer than 256 KiB), "sitemap-too-many-entries", "sitemap-too-large".
//
// Thread rule: one thread at a time. The callback may throw: feed() or finish() then throws the same, and the reader
// can only be destroyed.
class SitemapReader {
 public:
  using Callback = std::function<void(const SitemapEntry&)>;

  // `url` is where the sitemap came from.
  SitemapReader(std::string_view url, const SitemapOptions& options, Callback callback);
  ~SitemapReader();
  SitemapReader(SitemapReader&&) noexcept;
  SitemapReader& operator=(SitemapReader&&) noexcept;

  // The next octets, in pieces of any size. After an error every call answers the same error.
  Result<void> feed(std::string_view octets);
  // There are no more.
  Result<void> finish();

  SitemapKind kind() const noexcept;
  const SitemapCounts& counts() const noexcept;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace robotrules
