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
#include <vector>

#include <robotrules/result.hpp>
#include <robotrules/robot_ua.hpp>
#include <robotrules/time.hpp>

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

// The sitemaps of a site, fetched politely: from robots.txt to the last URL.
//
//     auto done = robotrules::fetch_sitemaps(ua, "https://example.org", {}, [&](const SitemapEntry& entry) {
//       queue.emplace_back(entry.loc);
//       return true;
//     });
//
// Every request goes through the RobotUA: robots.txt is obeyed, its pace and the address guard hold, wherever a Sitemap
// line or an index leads. Sitemaps are read as they come (sitemap.hpp), plain or gzip: memory does not grow with them.

struct SitemapFetchOptions {
  SitemapOptions reading;         // of each sitemap: 50,000 entries, 50 MiB, ...
  std::size_t sitemaps = 50'000;  // that are fetched in all
  // True: a sitemap may list URLs of every host. By default it may list URLs of its own host, and of the host whose
  // robots.txt names it or the index that it stands in (sitemaps.org, "Sitemaps & Cross Submits").
  bool any_host = false;
};

// One sitemap that was to be fetched. `error` is empty where it was read to its end; else a stable code, those of
// SitemapReader or
//   "sitemap-not-fetched"   no success: `status` and `message` say why
//   "sitemap-nested-index"  an index inside an index, which sitemaps.org does not allow: it is not followed
struct FetchedSitemap {
  std::string url;
  std::optional<std::size_t> index;  // that it stands in, as a place in FetchedSitemaps::sitemaps; null: robots.txt or
                                     // the caller names it
  SitemapKind kind = SitemapKind::unknown;
  SitemapCounts counts;
  std::uint64_t other_hosts = 0;  // entries that were left out because they are of another host
  int status = 0;
  std::string error;
  std::string message;
};

struct FetchedSitemaps {
  std::vector<FetchedSitemap> sitemaps;  // in the order in which they were fetched
  bool cut = false;                      // there were more than options.sitemaps, or the callback ended it
};

// `where` is a sitemap, or a site: a URL without a path ("https://example.org"), whose robots.txt names its sitemaps.
// `each` gets the URLs of pages, not those of other sitemaps, and answers false to end it all; it is called on the
// agent's thread or the caller's, never on both at once, and must not make calls that wait. Sitemaps that are named
// twice are fetched once. Waits until all is done, so it must not be called on the agent's thread. Errors:
// "invalid-url", "unsupported-scheme": `where` is none; "robots-unreachable": the site's robots.txt can't be had; those
// of the store.
Result<FetchedSitemaps> fetch_sitemaps(RobotUA& agent, std::string_view where, const SitemapFetchOptions& options,
                                       const std::function<bool(const SitemapEntry&)>& each);

}  // namespace robotrules
