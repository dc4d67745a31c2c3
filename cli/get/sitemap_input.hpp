// Sitemaps as input of a crawl: which are read, what is said about them, and what waits for the proxy.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

#include <robotrules/robot_ua.hpp>
#include <robotrules/sitemap.hpp>
#include <robotrules/url_queue.hpp>

#include "cli/get/get_options.hpp"
#include "cli/get/messages.hpp"
#include "cli/get/summary.hpp"

namespace robotrules::cli {

// Reads the sitemaps that the options name (--sitemap, --sitemaps), one after the other. If the robots.txt of a site
// names none, tries /sitemap.xml, once in a job. Prints which entries were repaired or left out, and what cannot be
// read.
//
// If the proxy fails, the other sitemaps are tried first. If it fails for all of them, the reading waits, as the crawl
// does. If it has served another request since it first failed for this URL, it fails for this site alone: then each
// failure is a try.
// Thread rule: one thread at a time. `stop` may be set by any thread.
class SitemapInput {
 public:
  struct Settings {
    unsigned max_tries = 3;
    std::chrono::milliseconds proxy_wait{5'000};  // the first wait for the proxy; later ones are longer
    bool keeps_tries = true;                      // later runs of the job do not try /sitemap.xml again
    bool quiet = false;
  };
  // Gives each URL to `add`; if that returns false, the reading ends. `wait` waits for that time, and returns false if
  // the run ends. All arguments must outlive the object.
  SitemapInput(RobotUA& robot, UrlQueue& queue, const InputOptions& input, const Settings& settings,
               const std::atomic<bool>& stop, std::function<bool(std::string_view url)> add,
               std::function<bool(std::chrono::milliseconds)> wait);

  // Reads all sitemaps. Returns false if `add` or `stop` ended the reading.
  bool read();
  // Valid after read():
  bool complete() const noexcept { return complete_; }  // all sitemaps were read without a fault
  const SitemapTotals& totals() const noexcept { return totals_; }

 private:
  // A sitemap, or a site whose robots.txt names some.
  struct Source {
    std::string where;
    bool is_site = false;
    std::string failed_url{};         // for which the proxy failed last; empty: none
    unsigned tries = 0;               // failures of the proxy for this URL, while it served others
    std::uint64_t served_before = 0;  // served() when the proxy first failed for this URL
  };
  enum class End : std::uint8_t { read, put_off, ended };

  void collect();
  End read(Source& source);
  std::uint64_t served() const;
  bool repeats(Source& source, std::string_view url, std::string_view sentence);
  void tell(const Source& source, const FetchedSitemaps& found);
  void tell_named(const std::string& site, const SitemapCounts& named);
  void tell_guess(const std::string& site, const FetchedSitemap& sitemap);
  void tell_sitemap(const FetchedSitemap& sitemap);
  void tell_entries(const FetchedSitemap& sitemap);
  void tell_totals() const;

  RobotUA& robot_;
  UrlQueue& queue_;
  const InputOptions& input_;
  const Settings settings_;
  const std::atomic<bool>& stop_;
  std::function<bool(std::string_view)> add_;
  std::function<bool(std::chrono::milliseconds)> wait_;
  std::deque<Source> sources_;
  SitemapTotals totals_;
  SiteMessages messages_{"sitemap"};
  SitemapCounts all_;              // kinds of repairs and of entries that were left out
  std::uint64_t other_hosts_ = 0;  // the same
  std::uint64_t nested_ = 0;       // the same
  std::uint64_t told_of_ = 0;      // sitemaps with repaired or left-out entries
  std::uint64_t answers_ = 0;      // sitemaps that a server answered for
  std::size_t put_off_in_turn_ = 0;
  unsigned waits_in_turn_ = 0;
  bool put_off_ = false;  // the source that is being read
  bool added_all_ = true;
  bool complete_ = true;
};

}  // namespace robotrules::cli
