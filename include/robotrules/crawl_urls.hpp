// Lists of URLs: crawl_urls() fetches one into a file in one call, UrlListReader reads one, and forecast() says what a
// crawl of one would do.
//
//     auto robot = robotrules::RobotUA::make("my-robot/0.1", "me@example.org").value();
//     const std::vector<std::string> urls{"https://example.org/", "https://example.org/about"};
//     auto counts = robotrules::crawl_urls(robot, urls, "pages.warc.gz", {.queue = "crawl.db"});
//     if (!counts) return report(counts.error().message);
//
// crawl_urls() does what crawl.hpp describes: opens a queue, resumes what an earlier call began, opens the output, adds
// the URLs, and crawls until each has a result. Programs that need more use these pieces themselves.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/crawl.hpp>
#include <robotrules/open_store.hpp>
#include <robotrules/page_output.hpp>
#include <robotrules/robot_ua.hpp>
#include <robotrules/url_queue.hpp>

namespace robotrules {

struct CrawlUrlsOptions {
  // The file or the database of the queue, a name for open_store(). The same call after a crash, or after on_progress
  // has ended it, then continues: pages that are in the output are not fetched again. Empty: a temporary queue, which
  // nothing resumes.
  std::string queue{};
  std::string job{default_job};
  OutputOptions output{};  // empty `agent`, `from` and `policy`: those of the robot
  // `output_path` is set by crawl_urls(); `log_path` and `settle_later` have no effect. on_page also gets the pages
  // that an earlier call has written and not settled (resume()), so no link is lost that it adds.
  CrawlOptions crawl{};
  // Called with the counts when the crawl has begun, after each `progress_interval`, and at the end, on the
  // thread of the caller. If it returns false, requests on the wire are completed, and the other URLs stay pending.
  std::function<bool(const CrawlCounts& counts)> on_progress{};
  std::chrono::milliseconds progress_interval{1'000};
};

// Fetches each URL into `output` (open_output()), as far as robots.txt allows it, and returns the counts of this call.
// It waits until all are done. URLs are written as in a list: read_url_line(). The robot may not be used by another
// crawl meanwhile. After a crash, only requests that were under way are repeated, if the output is a WARC or NDJSON
// file; pages of a tree may be fetched again.
//
// Fails with the errors of read_url_line() before anything is opened, and with those of open_url_queue(),
// UrlQueue::claim(), resume(), open_output() and Crawl::result().
// Thread rule: any thread but that of the robot's callbacks.
ROBOTRULES_API Result<CrawlCounts> crawl_urls(RobotUA& robot, const std::vector<std::string>& urls,
                                              const std::string& output, CrawlUrlsOptions options = {});

// --- lists of URLs --------------------------------------------------------------------------------------------------

// Fails with "invalid-headers" if a field may not be sent with the pages of a crawl: only the robot sets User-Agent,
// From, Host and the fields of the connection. Also if a field cannot be sent. No value is in the message.
ROBOTRULES_API Result<void> check_page_headers(const Headers& headers);

// Reads a URL of a list: the URL itself, or a JSON object with `url` and optional `method` ("GET", "HEAD"), `headers`
// (an object, or an array of [name, value]) and `priority`. The members that `robotrules db PATH queue export` adds for
// the result are ignored: `state`, `status`, `why`, `warning`, `at`, `bytes` and `digest`. Spaces around it are
// ignored, and text after a tab, except in JSON. A URL without a scheme is https if it begins with a host name that has
// a dot: "example.org/x". The URL is brought to the form of plain_url(). If path or query were written otherwise, or if
// `queue export` wrote the member `found`, QueuedUrl::found has that spelling. Fails with "invalid-json",
// "unknown-member", "invalid-method", "invalid-headers", "invalid-priority" or an error of plain_url().
ROBOTRULES_API Result<QueuedUrl> read_url_line(std::string_view line);

// Splits a list of URLs into lines while its bytes arrive. The list is UTF-8 text, or such text compressed by gzip or
// zstd; its first bytes tell which. It reads other lists of lines too, such as NDJSON.
//
//   UrlListReader list;
//   const auto take = [&](std::string_view line, std::uint64_t) { return add(read_url_line(line)); };
//   while (...) if (auto read = list.write(bytes, take); !read) return report(read.error().message);
//   if (auto read = list.finish(take); !read) return report(read.error().message);
//
// Memory: one line, and what decompression needs (zstd: at most 128 MiB). Thread rule: one thread at a time. Both calls
// fail with "invalid-list" if the list is damaged or truncated, is UTF-16, or has a line longer than max_line_bytes.
// All lines before the error were passed on, and no call may follow.
class ROBOTRULES_API UrlListReader {
 public:
  static constexpr std::size_t max_line_bytes = std::size_t{16} << 20;
  // Receives a line without its line end (LF or CRLF), spaces around it and a byte order mark. Empty lines and comments
  // (lines that begin with "#") are left out, but have a number too: the first line is 1. Returns false to end the
  // reading; the rest of the list is then ignored.
  using OnLine = std::function<bool(std::string_view line, std::uint64_t number)>;

  UrlListReader();
  ~UrlListReader();
  UrlListReader(UrlListReader&&) noexcept;
  UrlListReader& operator=(UrlListReader&&) noexcept;

  Result<void> write(std::string_view bytes, const OnLine& on_line);
  // Call it after the last bytes: a last line without a line end is passed on now.
  Result<void> finish(const OnLine& on_line);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// --- forecast: what a crawl would do --------------------------------------------------------------------------------

struct SiteForecast {
  std::string origin;
  std::uint64_t allowed = 0;
  std::uint64_t denied = 0;                 // by robots.txt
  std::uint64_t failed = 0;                 // robots.txt cannot be fetched; the crawl tries it again first
  std::uint64_t left_out = 0;               // the site must be left alone for longer than max_wait
  std::string why_not;                      // why the first URL would fail or be left out; empty: none would
  FailureCause cause = FailureCause::none;  // the lasting cause of it
  std::optional<Timestamp> left_out_until;  // when the site may be asked again; null: not left out, or unknown
  std::chrono::microseconds delay{0};       // interval between two pages
  std::chrono::microseconds time{0};        // until the last page, without the time that answers take

  std::uint64_t urls() const noexcept { return allowed + denied + failed + left_out; }
};

struct ForecastOptions {
  Pace pace{};
  std::size_t max_sites = 20'000;        // sites with requests for robots.txt at the same time
  double max_rate = 0;                   // as in CrawlOptions
  std::chrono::seconds max_wait{3'600};  // a site that must be left alone for longer is left out
  // Called for each site, in the order of the queue, on the thread of forecast().
  std::function<void(const SiteForecast& site)> on_site{};
  // Called for each URL that is not allowed, on a thread of the robot, several calls at the same time. If forecast()
  // ends early, calls may still come after it has returned, until the robot is destroyed.
  std::function<void(std::string_view url, const RobotsNote& note, Access access)> on_denied{};
  // Called several times per second on the thread of forecast(), with the number of URLs asked about and of all URLs.
  // If it returns false, forecast() ends early.
  std::function<bool(std::uint64_t asked, std::uint64_t all)> on_progress{};
};

struct Forecast {
  SiteForecast total;    // `time`: that of the longest site, or what max_rate needs if that is longer
  SiteForecast longest;  // the site with the longest time
  std::uint64_t sites = 0;
  bool complete = false;  // false: on_progress ended it
};

// Asks for every pending URL whether the robot may fetch it, and plans when: by the delay, Crawl-delay, Request-rate,
// Visit-time and the pauses that the store knows. Fetches robots.txt files and no pages; the queue stays as it is.
// Sites that share a delay (Pace::by_host, by_domain) are planned one after the other. Fails with an error of the
// queue.
ROBOTRULES_API Result<Forecast> forecast(RobotUA& robot, const UrlQueue& queue, const ForecastOptions& options);

}  // namespace robotrules
