// Sitemaps: a streaming reader for one sitemap, and a polite fetch of all sitemaps of a site.
//
//     SitemapReader reader("https://example.org/sitemap.xml.gz", {}, [](const SitemapEntry& entry) { ... });
//     while (...) if (auto fed = reader.feed(chunk); !fed) return fed.error();
//     if (auto done = reader.finish(); !done) return done.error();
//
// The reader reads urlset and sitemapindex (sitemaps.org 0.9), plain text with one URL on each line, RSS and Atom; all
// of them also as gzip. It finds the format from the bytes and ignores the media type. The charset is that of the byte
// order mark, else of the Content-Type, else of the XML declaration, else UTF-8. Its memory is about half a megabyte
// and does not grow with the sitemap.
//
// No entry vanishes. An entry that is not written as its format wants, but whose URL is certain, is repaired
// (SitemapRepair). Every other entry is counted as left out (SitemapCounts).
// Thread rule: one thread at a time may use a reader. fetch_sitemaps() may be called from any thread, except the
// agent's own: the thread of its callbacks and handlers (class UserAgent, user_agent.hpp).
// Errors: reading any bytes gives entries, an error, or both. The callback also gets the entries that were complete
// before the error.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/robot_ua.hpp>

namespace robotrules {

// The format of a sitemap; `unknown` until enough bytes were read.
enum class SitemapKind : std::uint8_t { unknown, urlset, index, text, rss, atom };
ROBOTRULES_API std::string_view to_string(SitemapKind kind) noexcept;

// The changefreq of an entry; `unknown` if it is missing or invalid.
enum class ChangeFrequency : std::uint8_t { unknown, always, hourly, daily, weekly, monthly, yearly, never };
ROBOTRULES_API std::string_view to_string(ChangeFrequency frequency) noexcept;

// What was repaired in an entry. If several repairs were made, it is the first of these.
enum class SitemapRepair : std::uint8_t {
  none,
  // The URL is not in the element for it: text of <url>, <sitemap> or a permalink <guid>, <loc> without <url>, several
  // <loc> in one <url>, <sitemap> in a urlset, <url> in an index, or a name in other letters of case, as <LOC>.
  misplaced,
  relative,   // a relative reference ("/a", "//host/a"), or the sitemap's own host without a scheme ("host/a")
  spaces,     // spaces inside are percent-encoded; tabs and line ends inside are removed
  long_form,  // longer than SitemapOptions::max_url_bytes as written, and not longer when resolved
};
// Returns "none", "misplaced", "relative", "spaces" or "long-form". A view of a literal.
ROBOTRULES_API std::string_view to_string(SitemapRepair repair) noexcept;

// One URL of a sitemap. The views are valid until the callback returns.
struct SitemapEntry {
  // An absolute http or https URL: as written, without white space around it, or after a repair as it is sent
  // (plain_url()). Relative references are resolved against the URL of the sitemap and xml:base.
  std::string_view loc;
  // The same URL before the repair of its characters, as with spaces, so that robots.txt is asked about this spelling
  // too (QueuedUrl::found); empty: as `loc`.
  std::string_view found;
  bool is_sitemap = false;  // true: the URL is that of another sitemap, as in an index
  // The lastmod date; a date without a time means 00:00 UTC. In feeds it is the date of the entry.
  std::optional<Timestamp> lastmod;
  ChangeFrequency changefreq = ChangeFrequency::unknown;
  std::optional<double> priority;  // 0 to 1; null: missing or invalid
  SitemapRepair repair = SitemapRepair::none;

  // Returns `found`, or `loc` if both are the same.
  std::string_view as_found() const noexcept { return found.empty() ? loc : found; }
};

// Limits for reading one sitemap.
struct SitemapOptions {
  std::size_t max_entries = 50'000;                       // entries (the limit of sitemaps.org); more is an error
  std::size_t max_bytes = std::size_t{50} * 1024 * 1024;  // decompressed bytes; more is an error
  // Bytes of one URL when it is resolved; longer URLs are counted and skipped. No more than eight times as many are
  // read of a URL as written.
  std::size_t max_url_bytes = 8192;
  bool own_host = false;  // skip URLs whose host is not the sitemap's
};

// Numbers of entries read so far. Only the entries in `given` went to the callback; the others were skipped. In the
// result of fetch_sitemaps(), `given` of an index counts the sitemaps that may be fetched.
struct ROBOTRULES_API SitemapCounts {
  std::size_t entries = 0;
  std::size_t given = 0;
  std::size_t no_url = 0;      // the URL is missing, of another scheme, or not a URL
  std::size_t too_long = 0;    // the URL is longer than SitemapOptions::max_url_bytes
  std::size_t other_host = 0;  // the URL is of another host, with SitemapOptions::own_host
  std::size_t bytes = 0;       // decompressed bytes of the sitemap
  // Entries of `given` that were repaired, by SitemapRepair. Each is counted once; none: always 0.
  std::array<std::size_t, 5> repairs{};

  // Counts an entry with this repair in `repairs`.
  void count(SitemapRepair repair) noexcept;
  std::size_t of(SitemapRepair repair) const noexcept { return repairs[static_cast<std::size_t>(repair)]; }
  // Returns the number of entries that were repaired.
  std::size_t repaired() const noexcept;
  // Returns the number of entries that were left out.
  std::size_t left_out() const noexcept { return no_url + too_long + other_host; }
};

// A reader of one sitemap, fed with bytes.
//
// feed() and finish() fail with:
//   "sitemap-unknown-format"    the bytes are neither XML of these formats nor a list of URLs
//   "sitemap-malformed"         the XML is not well formed, or the gzip data is damaged
//   "sitemap-truncated"         the sitemap ends too early
//   "sitemap-entities"          the XML declares entities: no sitemap needs them, and they can expand enormously
//   "sitemap-too-complex"       elements nest too deeply, a tag exceeds 256 KiB, the names exceed 4 MiB, there are
//                               more xml:base than SitemapOptions permits entries, or relative URLs are longer
//                               together than it permits a sitemap to be
//   "sitemap-too-many-entries"  more entries than SitemapOptions permits
//   "sitemap-too-large"         more decompressed bytes than SitemapOptions permits
// Thread rule: one thread at a time. If the callback throws, feed() or finish() throws the same exception, and the
// reader must not be used again.
class ROBOTRULES_API SitemapReader {
 public:
  using Callback = std::function<void(const SitemapEntry&)>;

  // `url` is the URL of the sitemap, after redirects. `callback` is called for each entry, inside feed() and finish().
  // `content_type` is the field of the response, for its charset; empty: there is none.
  SitemapReader(std::string_view url, const SitemapOptions& options, Callback callback,
                std::string_view content_type = {});
  ~SitemapReader();
  SitemapReader(SitemapReader&&) noexcept;
  SitemapReader& operator=(SitemapReader&&) noexcept;

  // Reads the next bytes, in pieces of any size. After an error, each call returns the same error.
  Result<void> feed(std::string_view bytes);
  // Reads the rest. Call it after the last bytes: only then is it known that the sitemap is complete.
  Result<void> finish();

  // Returns the format, as far as it is known.
  SitemapKind kind() const noexcept;
  // Returns the counts so far. The reference is valid while the reader lives.
  const SitemapCounts& counts() const noexcept;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// --- fetching the sitemaps of a site --------------------------------------------------------------------------------

// Fetches all sitemaps of a site, from robots.txt to the last URL.
//
//     auto done = robotrules::fetch_sitemaps(ua, "https://example.org", {}, [&](const SitemapEntry& entry) {
//       queue.emplace_back(entry.loc);
//       return true;
//     });
//
// Every request goes through the RobotUA, so robots.txt, the pace and the address guard apply to every sitemap, also on
// other hosts. Sitemaps are read while they arrive, plain or gzip, so memory does not grow with their size.

struct SitemapFetchOptions {
  SitemapOptions reading{};       // limits for each sitemap: 50,000 entries, 50 MiB ...
  std::size_t sitemaps = 50'000;  // limit on the number of sitemaps
  // True: a sitemap may list URLs of all hosts. False: it may list URLs of its own host, and of the host whose
  // robots.txt names it. If an index lists the sitemap, that is the host whose robots.txt names the index
  // (sitemaps.org, "Sitemaps & Cross Submits"). Its own host is that of the URL that was asked for, also if that
  // redirects to another host.
  bool any_host = false;
  // True: if the site's robots.txt names no sitemap, /sitemap.xml of the site is fetched.
  bool guess = false;
  // Requests for one sitemap. A 429 or 503 and a failure of the network are repeated if no byte of the sitemap has
  // come, when the gate permits it: after Retry-After, and not if that is longer than RobotUAOptions::max_wait.
  unsigned max_tries = 3;
  // Called ten times a second. If it returns true, a request that waits for its site is cancelled, and the fetch ends.
  // Empty: nothing ends the fetch early but `on_entry`.
  std::function<bool()> is_stopped{};
  // Called on the caller's thread if the proxy itself fails (ResponseSource::proxy_failed), with the URL that was asked
  // for, which may be that of robots.txt, and the reason. It may wait. If it returns true, the request is made again,
  // and no try is counted. False, or empty: the request has failed.
  std::function<bool(std::string_view url, std::string_view sentence)> on_proxy_failed{};
};

// The result for one sitemap. `error` is empty if the whole sitemap was read. Otherwise it is a code of SitemapReader
// or one of these:
//   "sitemap-not-fetched"   the request did not succeed: `status` and `message` say why
//   "sitemap-nested-index"  an index inside an index, which sitemaps.org does not permit; it is not followed
struct FetchedSitemap {
  std::string url;
  // Position of the index that lists this sitemap, in FetchedSitemaps::sitemaps. Null: robots.txt or the caller named
  // it.
  std::optional<std::size_t> index;
  SitemapKind kind = SitemapKind::unknown;
  SitemapCounts counts;
  std::uint64_t other_hosts = 0;  // entries skipped because they belong to a host that it may not list
  std::uint64_t nested = 0;       // sitemaps in a urlset that an index lists: they are skipped too
  int status = 0;                 // HTTP status; 0: no server answered
  bool may_pass = false;          // "sitemap-not-fetched", but a later request may succeed
  std::string error;              // a stable code; empty: none
  std::string message;            // the error as a sentence

  // Returns the number of entries that were left out.
  std::uint64_t left_out() const noexcept { return counts.left_out() + other_hosts + nested; }
};

// The results for all sitemaps of one call.
struct FetchedSitemaps {
  std::vector<FetchedSitemap> sitemaps;  // in the order of fetching
  // The Sitemap lines of the site's robots.txt, each value once. `given` counts those that name a URL to fetch. All 0
  // if the caller named a sitemap.
  SitemapCounts named;
  // True: robots.txt names no sitemap, so /sitemap.xml was tried (SitemapFetchOptions::guess).
  bool guessed = false;
  // True: some sitemaps were not fetched or not read to the end, because there were more than options.sitemaps, because
  // their URLs together were longer than 16 MiB, or because the callback returned false.
  bool cut = false;
  std::uint64_t beyond_limits = 0;  // sitemaps that were not fetched because of the first two
};

// Fetches sitemaps and gives their page URLs to `on_entry`. Returns when all is done.
//
// `where` is the URL of a sitemap, or a site: a URL without a path ("https://example.org"), whose robots.txt names its
// sitemaps. A sitemap that is named twice is fetched once.
//
// `on_entry` gets the URLs of pages, not of other sitemaps. If it returns false, the fetch ends. It is called on the
// agent's thread or on the caller's thread, never on both at the same time. It must not make calls that wait.
//
// Thread rule: any thread, except the agent's own.
// Errors: "invalid-url" or "unsupported-scheme" if `where` is not such a URL, "robots-unreachable" if the site's
// robots.txt cannot be fetched, and the errors of the store.
ROBOTRULES_API Result<FetchedSitemaps> fetch_sitemaps(RobotUA& agent, std::string_view where,
                                                      const SitemapFetchOptions& options,
                                                      const std::function<bool(const SitemapEntry&)>& on_entry);

}  // namespace robotrules
