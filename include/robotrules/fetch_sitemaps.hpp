// The sitemaps of a site, fetched politely: from robots.txt to the last URL.
//
//     auto done = robotrules::fetch_sitemaps(ua, "https://example.org", {}, [&](const SitemapEntry& entry) {
//       queue.emplace_back(entry.loc);
//       return true;
//     });
//
// Every request goes through the RobotUA: robots.txt is obeyed, its pace and the address guard hold, wherever a Sitemap
// line or an index leads. Sitemaps are read as they come (sitemap.hpp), plain or gzip: memory does not grow with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/result.hpp>
#include <robotrules/robot_ua.hpp>
#include <robotrules/sitemap.hpp>

namespace robotrules {

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
