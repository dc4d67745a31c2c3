// A crawl: fetches the URLs of a queue, many sites at the same time, politely, and writes the pages to an output.
//
//   const bool is_first_run = !std::filesystem::exists("crawl.db");
//   auto store = open_store("crawl.db", {.sqlite = {.first_ever = is_first_run}}).value();  // rules, visits and queue
//   auto rules = std::make_shared<RobotRules>(RobotRules::open(store, "FooBot").value());
//   auto robot = RobotUA::make("FooBot/1.0", "bots@example.org", rules).value();
//   auto queue = open_url_queue("crawl.db").value();
//   queue->claim().value();  // before resume(): no other process changes the output
//   resume(*queue, "/data/pages.warc.gz", "").value();
//   auto output = open_output("/data/pages.warc.gz").value();
//   queue->add(urls).value();
//   Crawl crawl(robot, *queue, *output, {.output_path = "/data/pages.warc.gz"});
//   crawl.urls_added(false);  // no more will come
//   while (!crawl.wait_for(std::chrono::seconds(1))) show(crawl.counts());
//   output->flush().value();
//
// Programs should test each Result; value() ends the program if it is an error. A Crawl is a worker of the queue, with
// the claim that the queue has, or else with a new one. It follows no links: it fetches the pending URLs of the queue.
// UrlQueue::retry_failed() and retry_parked() make other URLs pending again.
//
// The first run on a new file must say so (SqliteStoreOptions::first_ever). Otherwise the robot waits for a whole
// interval before the first request to each site, because an earlier file may have been lost.
//
// A page is first written to the output and then marked as done in the queue. After a crash, resume() marks the pages
// that are in the output but not yet marked. So only requests in flight are repeated.
//
// Links. A program that follows links adds them in on_page, by FetchedPage::add(). They go into the queue in the
// transaction that marks their page as done. After a crash, pages may be in the output but not yet marked, and their
// links are not in the queue. So such a program gives its on_page to resume() too. on_page may be called twice for a
// page, but never not at all.
//
//   const auto on_page = [](const FetchedPage& page) { page.add(links_in(page)).value(); };
//   resume(*queue, "/data/pages.warc.gz", "", {}, on_page).value();
//   CrawlOptions options{.keep_body = true, .output_path = "/data/pages.warc.gz", .on_page = on_page};
//
// If other threads parse the pages, on_page passes them on, with FetchedPage::id, and CrawlOptions::settle_later is
// true. A page then stays pending until Crawl::settle() ends it:
//
//   options.settle_later = true;
//   options.on_page = [&](const FetchedPage& page) { parser.take(page.id, page.response); };
//   ...
//   crawl.settle(id, links).value();  // on the parser's thread
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/export.hpp>
#include <robotrules/page_output.hpp>
#include <robotrules/result.hpp>
#include <robotrules/robot_ua.hpp>
#include <robotrules/url_queue.hpp>

namespace robotrules {

namespace crawl {
class CrawlLoop;
}

// The first failed request of a site. A page with an error status, such as 404, is not such a failure. Another call
// reports that the site asks for a longer wait than the crawl waits, so URLs are left out: `why` is "parked". Another
// one reports that a site has given no answer for so long that all of its URLs have failed.
struct SiteFailure {
  std::string origin;
  std::string why;  // a stable code: FetchedPage::reason()
  FailureCause cause = FailureCause::none;
  std::string sentence;                               // what happened
  bool is_final = true;                               // false: the request will be repeated
  std::optional<std::chrono::seconds> next_try_in{};  // until the next try; null: not known
  std::optional<Timestamp> left_out_until{};  // when the site may be asked again; null: not left out, or unknown
};

struct CrawlOptions {
  std::size_t max_sites = 20'000;  // sites with requests at the same time
  unsigned max_per_site = 1;       // requests to one site at the same time, if Pace allows as many
  // Requests for a URL that fails or is refused temporarily. If the robots.txt of a site cannot be fetched, the limit
  // holds for fetching that file, and then all URLs of the site fail.
  // If a site gives no answer (Outcome::cause), it pauses, and the next URL of the site is tried after the pause. All
  // of its URLs fail together when at least so many pauses have passed and the first failure is at least 10 minutes
  // ago. If the site has answered in between, only the URL is at fault, and the limit holds for it alone. With 1, a URL
  // fails at once.
  unsigned max_tries = 3;
  double max_rate = 0;  // requests per second, all sites together; 0: no limit
  // Bytes of a decoded body. A longer body is cut, and its URL ends with UrlState::cut. Limits::max_wire_bytes of the
  // robot should not be less, because a page beyond that limit has failed.
  std::uint64_t max_size = std::uint64_t{1} << 30;
  // The longest wait after a failure:
  //   - If the robots.txt of a site could not be fetched, and the next try is later than this, the site's URLs fail.
  //   - If a site gave no answer, and its pause is longer than this, the URL fails, and the other URLs are left out.
  //   - If a 429 or 503 for a page or for robots.txt asks for a longer wait, the URL is left out (UrlState::parked).
  // RobotUAOptions::max_wait limits the wait before a request (default: an hour, or the delay if that is longer). If a
  // site must be left alone for longer, the robot sends nothing, and the URL is left out too.
  std::chrono::seconds max_wait{3'600};
  bool obey_page = false;  // noindex and noarchive keep a page out of the output
  // on_page gets decoded bodies. If false, Response::body may be empty there, because the crawl then keeps only what
  // the output needs: a WARC file needs the bytes as received, and not the decoded body.
  bool keep_body = false;
  // Fields of every request for a page whose URL in the queue has no field of that name. As those of the queue, they
  // are not sent after a redirect to another origin. See check_page_headers().
  Headers headers{};
  // Paths of output and log, as open_output(), open_log() and resume() get them; best absolute. The queue keeps their
  // positions under these paths. Empty: not kept.
  std::string output_path{};
  std::string log_path{};
  // If the disk of the output, the log, the queue, the store or the temporary files is full, the crawl waits: it starts
  // no request, and tries again after this time. If the pages of several tries in turn do not fit, it doubles the time
  // up to 64 times. Nothing is lost or written twice. Crawl::stop() ends the wait; what is not yet written stays
  // pending. If a disk has room, but not for a long body, only its URL waits: for this time after the first try, and
  // twice as long after each further one. Only one such URL is tried at a time. After max_tries it has failed.
  std::chrono::milliseconds disk_full_wait{5'000};
  std::chrono::milliseconds disk_full_reminder{3'600'000};

  // The callbacks. They are called on the thread of the crawl, one at a time, and must not wait for the crawl. They may
  // call UrlQueue::add() and then Crawl::urls_added(). The first call may come before the constructor of Crawl has
  // returned, so a callback that uses the variable must wait until it is set. If a callback throws an exception, the
  // crawl ends with the error "callback-failed" (Crawl::result()).

  // Called when a wait for room on a disk begins, with a sentence that names the file, and when the crawl goes on after
  // it, with an empty one. During a long wait, it is called again with the sentence after each disk_full_reminder.
  std::function<void(std::string_view sentence)> on_disk_full{};
  // The same for a wait for the proxy: it cannot be reached, its certificate is not accepted, or it wants to know who
  // asks (407). The crawl waits as for a full disk, with the same times. If a proxy fails for one site only, the site's
  // URLs are tried again, and have failed at last ("proxy-refused").
  std::function<void(std::string_view sentence)> on_proxy_failed{};
  // Called when a wait for the server of the queue begins, with a sentence, and when it answers again, with an empty
  // one. While it does not answer, the crawl starts no request; Crawl::stop() ends the wait.
  std::function<void(std::string_view sentence)> on_queue_unreachable{};
  // Called about once a second for a job that several workers share (UrlQueue::share()).
  std::function<void(const QueueWorkers& workers)> on_workers{};
  // The same for a failure of the robot's own network (RobotUA::network_failing_since()). Meanwhile one site at a time
  // is tried, and no failure counts. When the network works again, the sites begin one after the other.
  std::function<void(std::string_view sentence)> on_network_failed{};
  // Called for each URL that ends, also if it is denied or has failed. Its page was written before; it is marked as
  // done afterwards, together with the URLs that the callback gives to FetchedPage::add(). If the callback throws an
  // exception, the page stays pending. For page_rules_of() and other functions that read the body, set keep_body.
  std::function<void(const FetchedPage& page)> on_page{};
  // With on_page: each page that on_page gets stays pending until Crawl::settle() is called for it. At most
  // `max_unsettled` pages (at least 1) are waiting for that; then no request starts and on_page is not called. A site
  // is released when all its pages are settled.
  bool settle_later = false;
  std::size_t max_unsettled = 1'000;
  // Called once for each site, when its first request fails, once if the site is left out, and once when its URLs have
  // failed together (max_tries).
  std::function<void(const SiteFailure& failure)> on_site_failure{};
  // Called after Crawl::reopen_log(), with an error if the log could not be opened again.
  std::function<void(const Result<void>& reopened)> on_log_reopened{};

  // The clock for all waits of the crawl. Empty: that of the machine. A test that sets it calls Crawl::next_work().
  std::function<std::chrono::steady_clock::time_point()> clock{};
};

// A histogram of the times that servers took to answer: from the start of a request, including name lookup and
// connection, to the last byte of the body.
struct ResponseTimes {
  static constexpr std::array<std::int64_t, 12> bounds_ms{10,    25,    50,    100,    250,    500,
                                                          1'000, 2'500, 5'000, 10'000, 30'000, 60'000};
  // counts[N]: responses that took at most bounds_ms[N], and longer than the bound before. The last element counts
  // those that took longer than all bounds.
  std::array<std::uint64_t, bounds_ms.size() + 1> counts{};
  std::chrono::microseconds sum{0};  // of all responses
};

// Progress of a crawl. The members from `done` to `by_class` count URLs of this run when their pages are written; a URL
// that stays pending all the same (CrawlOptions::settle_later, a lost claim) counts again when it is fetched again.
// by_class[N] counts statuses from N00 to N99; [0] and [1] count only responses that a handler gave.
struct CrawlCounts {
  std::uint64_t done = 0;
  std::uint64_t denied = 0;  // by robots.txt
  std::uint64_t failed = 0;
  std::uint64_t cut = 0;                    // the body is longer than CrawlOptions::max_size
  std::uint64_t parked = 0;                 // left out (UrlState::parked)
  std::uint64_t kept_out = 0;               // of `done`: not in the output, because the page asks for it
  std::array<std::uint64_t, 6> by_class{};  // of `done`: [2] with a status of 200 to 299
  std::uint64_t retried = 0;                // requests that were repeated after a temporary failure
  std::uint64_t bytes = 0;                  // of bodies as they were received
  // Responses that servers gave for URLs of this run: redirects, challenges and responses to repeated requests count
  // too. responses[N] counts statuses from N00 to N99; [0] all others. Responses for robots.txt files are not counted.
  std::array<std::uint64_t, 6> responses{};
  ResponseTimes times;             // of `responses`
  RobotsFetches robots;            // by the robot, also before this crawl
  std::uint64_t output_size = 0;   // PageOutput::size()
  std::uint64_t pending = 0;       // pending URLs in the queue, including those in flight
  std::size_t on_the_wire = 0;     // requests that were sent and are not answered yet
  std::size_t waiting = 0;         // requests that wait for robots.txt or for the site's gate
  std::size_t sites = 0;           // active sites
  std::size_t sites_seen = 0;      // sites that are or were active
  bool open = false;               // more URLs will come
  bool disk_full = false;          // the crawl waits until there is room on a disk (CrawlOptions::disk_full_wait)
  bool proxy_failed = false;       // the crawl waits until it can use the proxy (CrawlOptions::on_proxy_failed)
  bool network_failed = false;     // the robot's own network has failed (CrawlOptions::on_network_failed)
  bool queue_unreachable = false;  // it waits for the server of the queue (CrawlOptions::on_queue_unreachable)
  bool waits_for_workers = false;  // it has no site; all URLs to go are of other workers (UrlQueue::is_shared())
  std::optional<Timestamp> left_out_until{};  // of the sites that were left out: when the first may be asked again

  std::uint64_t ended() const noexcept { return done + denied + failed + cut + parked; }
};

// Number of failed URLs by cause: "404", "timeout", ...
using FailureCounts = std::map<std::string, std::uint64_t>;

struct SiteCounts {
  std::string origin;
  std::uint64_t done = 0;
  std::uint64_t pending = 0;
  // Only most_delayed() sets the following.
  std::chrono::milliseconds next_in{0};  // time until its next request may be sent
  WaitReason why = WaitReason::none;     // why it waits; none: its robots.txt or a URL is tried again
  std::chrono::milliseconds left{0};     // estimated time until its last page
};

// What a crawl waits for: a robots.txt that could not be fetched and will be fetched again, a URL whose body does not
// fit on the disk, or the next page of a site.
struct NextTry {
  std::string url;
  std::chrono::milliseconds in{0};
  WaitReason why = WaitReason::none;  // why the site `url` waits for its next page; none: `url` is tried again
};

// Thread rule: any thread may call any function, except the destructor.
class ROBOTRULES_API Crawl {
 public:
  // Begins at once to fetch the URLs that the queue contains. The crawl does not end before urls_added(false). `log`
  // may be null. The robot, the queue, the output and the log must outlive the crawl, and no other crawl may use them.
  Crawl(RobotUA& robot, UrlQueue& queue, PageOutput& output, PageOutput* log, CrawlOptions options = {});
  Crawl(RobotUA& robot, UrlQueue& queue, PageOutput& output, CrawlOptions options = {});
  ~Crawl();  // cancels requests under way
  Crawl(const Crawl&) = delete;
  Crawl& operator=(const Crawl&) = delete;

  // Tells the crawl that the queue may have new URLs. If `more_will_come` is true, the crawl waits for further URLs
  // when all are done; if it is false, the crawl ends then.
  void urls_added(bool more_will_come);
  // Ends a page (CrawlOptions::settle_later): it is marked as done soon, and `links` are added to the queue in the same
  // transaction, as FetchedPage::add() does. May be called from any thread, and in on_page. If the crawl ends by
  // stop(), cancel() or an error before that, the page stays pending. Fails with "unknown-page" if on_page did not get
  // a page with that id, if it was settled before, or if the crawl has given it up since, so that it stays pending; and
  // as FetchedPage::add(), without any change. It returns before the queue is told: if the crawl loses its claim or
  // ends by an error meanwhile, the page stays pending although this succeeded.
  Result<void> settle(std::uint64_t page, std::span<const QueuedUrl> links = {});
  // Starts no more requests. Requests on the wire are completed and written; all other URLs stay pending. Does not wait
  // for pages that are not settled (settle_later): they stay pending, and so do pages that were fetched and that
  // on_page cannot get, because `max_unsettled` pages are out.
  void stop();
  // Like stop(), but ends requests on the wire too; their URLs stay pending.
  void cancel();
  // Makes the log open its file again (PageOutput::reopen()), for example after a log rotation has moved it. Returns at
  // once: the thread of the crawl does it between two pages. First it marks the pages of the old file in the queue, so
  // resume() needs only the new one; pages that are not settled (settle_later) stay pending, and resume() finds them
  // only in a WARC or NDJSON output. If the file cannot be opened, the crawl continues with the old one. Does nothing
  // without a log and after the end of the crawl.
  void reopen_log();
  // Waits until the crawl has ended, at most for `time`. Returns true if it has ended: no URL is pending, or stop() is
  // complete, or an error ended it. If other workers share the queue (UrlQueue::is_shared()), the crawl waits for their
  // pending URLs too, because their sites are free when they end.
  bool wait_for(std::chrono::milliseconds time);
  // For a test with CrawlOptions::clock: waits until the crawl has done all that is due by that clock, and returns when
  // it has something to do next; null: nothing before a response comes, or the crawl has ended.
  std::optional<std::chrono::steady_clock::time_point> next_work();
  // Returns the error that ended the crawl: that of the queue, the store or the output, "callback-failed" if a callback
  // threw an exception, or "out-of-memory". After "claim-lost", the URLs of pages that were not settled may be fetched
  // by another worker. With a shared queue, the crawl does not end then: it drops its sites and claims the job again.
  Result<void> result() const;

  CrawlCounts counts() const;
  FailureCounts failures() const;
  // Returns what is fetched next after a wait; null: nothing waits. The pages of sites count only while no request is
  // on the wire.
  std::optional<NextTry> next_try() const;
  // Estimates how long the slowest active site will still need. For each site this is the time until its robots.txt is
  // fetched again, if it waits for that, plus the number of its pages that are left times the time for each page: the
  // average so far, or the interval that its robots.txt asks for if that is longer. The waits of the gate are in
  // SiteCounts::left of most_delayed(). 0: unknown, because no page is finished and no site waits.
  std::chrono::milliseconds slowest() const;
  // Return at most `count` sites: those with the most pages done, and those with the longest wait for the next page.
  std::vector<SiteCounts> busiest(std::size_t count) const;
  std::vector<SiteCounts> most_delayed(std::size_t count) const;

 private:
  std::unique_ptr<crawl::CrawlLoop> loop_;
};

// The position that tells resume() not to read a log. A program stores it with UrlQueue::settle() when a crawl has
// ended. Later lines of the log may belong to another crawl, so resume() must not take them for pages of this one.
inline constexpr std::uint64_t log_closed = std::uint64_t{1} << 62;

// Prepares a queue and its output for another run; the queue is open, and the output is not yet. Call it at each start:
// without a file or a stored position it does nothing and returns 0. Marks as done the pages that a WARC or NDJSON file
// contains, or, with another output, those that the log contains. Cuts off an incomplete page at the end, and adds
// missing lines to the log. Returns the number of pages that were marked. `output` and `log` are
// CrawlOptions::output_path and log_path; each may be empty. `options` are those of the next open_output().
//
// With `on_page`, as a crawl that follows links has it: calls it for each of these pages whose whole body the output
// can give back, and adds the URLs that it gives to FetchedPage::add() before the page is marked. The response has
// status, headers, the decoded body, URL and times, and neither redirects nor a recording. From WARC it has the reason
// phrase too; a URL after a redirect has neither userinfo nor fragment, and a response of HTTP/2 or HTTP/3 without
// Content-Length has one. A page that the output has twice comes once. All other pages stay pending, so the next crawl
// fetches and writes them again: those of a tree, of standard output and of NDJSON without bodies; revisits, failures
// without a response, and bodies that were cut, are longer than 64 MiB or (in WARC) have an unknown content coding.
// Memory: one response; from NDJSON several times its body, because a page is one line of JSON.
//
// Fails with "output-shorter" if the file lacks pages that are marked as done, "output-busy" if another process writes
// the file, "unknown-output", "output-damaged", "output-failed", "callback-failed" if on_page throws an exception, or
// with an error of the queue.
ROBOTRULES_API Result<std::uint64_t> resume(UrlQueue& queue, const std::string& output, const std::string& log,
                                            const OutputOptions& options = {},
                                            const std::function<void(const FetchedPage& page)>& on_page = {});

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
