// A crawl: fetches the URLs of a queue, many sites at the same time, politely, and writes the pages to an output.
//
// crawl_urls() (crawl_urls.hpp) does it in one call. A program that needs more has these steps:
//
//   const bool is_first_run = !std::filesystem::exists("crawl.db");
//   auto store = open_store("crawl.db", {.sqlite = {.first_ever = is_first_run}}).value();  // rules, visits and queue
//   auto robot = RobotUA::make("FooBot/1.0", "bots@example.org", {.store = store}).value();
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

#include <robotrules/base.hpp>
#include <robotrules/page_output.hpp>
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

}  // namespace robotrules
