// The inside of Crawl. A site is active until all its URLs are done: its next URLs are read ahead in small portions and
// handed to the robot one by one, which waits for the site's gate. One thread of the crawl takes the responses, writes
// them to the output first and marks them in the queue afterwards, so that a crash repeats only requests in flight. The
// crawl claims a site before it is active, and releases it when the results of all its URLs are in the queue.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <robotrules/crawl.hpp>

#include "crawl/active_site.hpp"
#include "crawl/crawl_clock.hpp"
#include "crawl/crawl_end.hpp"
#include "crawl/crawl_totals.hpp"
#include "crawl/lack_wait.hpp"
#include "crawl/network_wait.hpp"
#include "crawl/page_line.hpp"
#include "crawl/page_writer.hpp"
#include "crawl/queue_link.hpp"
#include "crawl/request_rate.hpp"
#include "crawl/requests_in_flight.hpp"
#include "crawl/retry_policy.hpp"
#include "crawl/site_line.hpp"
#include "crawl/site_reports.hpp"
#include "crawl/site_supply.hpp"

namespace robotrules::crawl {

// The functions are those of Crawl.
class CrawlLoop {
 public:
  CrawlLoop(RobotUA& robot, UrlQueue& queue, PageOutput& output, PageOutput* log, CrawlOptions options);
  ~CrawlLoop();
  CrawlLoop(const CrawlLoop&) = delete;
  CrawlLoop& operator=(const CrawlLoop&) = delete;

  void urls_added(bool more_will_come);
  void stop();
  void cancel();
  Result<void> settle(std::uint64_t page, std::span<const QueuedUrl> links);
  void reopen_log();
  bool wait_for(std::chrono::milliseconds time);
  std::optional<std::chrono::steady_clock::time_point> next_work();
  Result<void> result() const;
  CrawlCounts counts() const;
  FailureCounts failures() const;
  std::optional<NextTry> next_try() const;
  std::chrono::milliseconds slowest() const;
  std::vector<SiteCounts> busiest(std::size_t count) const;
  std::vector<SiteCounts> most_delayed(std::size_t count) const;

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point time() const { return now_of(options_); }
  using Task = UrlTask;
  using Site = ActiveSite;
  enum class Step { none, tell, report, drop, write, settle, reopen, release, go_on, read, claim, share };
  void work();
  void take_step(Step step, std::unique_lock<std::mutex>& lock);
  void report(const std::vector<SiteFailure>& failures);
  void write_pages(std::deque<Page> pages);
  void settle_pages();
  void reopen_file();
  void fail(const Error& error);
  void abandon() noexcept;
  // The sites and the queue (crawl_sites.cpp).
  template <class T>
  static const Error* error_of(const Result<T>& result) {
    return result ? nullptr : &result.error();
  }
  template <class T>
  QueueAnswer heed(const Result<T>& result, bool waits_for_room = false) {
    return heed(error_of(result), waits_for_room);
  }
  QueueAnswer heed(const Error* error, bool waits_for_room);
  QueueAnswer note_answer(const Error* error);
  Result<void> refresh_pending(bool must);
  void claim_sites();
  void read_ahead(Site& site, const std::optional<QueuePlace>& place);
  void share_sites();
  void release_sites();
  void give_back_sites() noexcept;
  void lose_claim();
  void drop_sites();
  // Waits of the whole crawl (crawl_waits.cpp).
  void recall_waiting();
  void tell();

  // Precondition of the following functions but answered() and take_answer(): the caller holds the mutex.
  Step next_step() const;
  std::optional<Clock::time_point> next_event() const;
  bool is_over() const;
  bool must_give_back_sites() const;
  bool throttled() const;
  bool may_write() const;
  bool must_settle() const;
  bool may_claim() const;
  bool may_release() const;
  bool has_news() const;
  using Lack = LackWait::Lack;
  bool is_waiting_for(Lack lack) const;
  bool is_waiting_for_network() const;
  bool is_waiting_for_queue() const;
  bool may_try_network() const;
  bool note_network(const Response& response);
  void wait_for(Lack lack, const std::string& sentence);
  void note_additions();
  void finish_pages();
  void give_up_unsettled();
  // The requests (site_requests.cpp).
  void start_ready_requests(Site& site);
  void go_on(Site& site);
  void begin(Site& site, Task task);
  void answered(std::int64_t site, std::uint64_t number, const std::shared_ptr<Task>& task, Response response);
  void take_answer(std::int64_t site, std::uint64_t number, const std::shared_ptr<Task>& task, Response response);
  void take_result(Site& site, Task task, Response response);
  void fail_ahead(Site& site);
  void hold_back(Site& site, Task task, WaitReason why);
  void end_url(Site& site, Task task, Response response, bool parks);
  void drop_if_done(Site& site);
  void resume_stalled();
  // The display (counts.cpp).
  void note_interval(Site& site, const Response& response) const;
  std::chrono::milliseconds time_for(const Site& site, std::uint64_t but) const;

  // Lets the robot's callback see whether the crawl still exists (robots_pages.cpp).
  struct RobotsCallback {
    std::mutex mutex;
    CrawlLoop* crawl;  // null after the destructor has begun
  };
  std::shared_ptr<RobotsCallback> record_robots();
  void forget_robots();
  void robots_exchanged(const Response& exchange);

  RobotUA& robot_;
  const CrawlOptions options_;
  const PageNeeds needs_;
  PageLine pages_;
  PageWriter writer_;  // used by the thread; others may only query it while the thread is not busy
  QueueLink link_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;  // there is work for the thread
  std::condition_variable over_;
  SiteLine sites_;
  SiteSupply supply_;
  RequestsInFlight requests_;
  const RetryPolicy retries_;
  SiteReports reports_;
  CrawlTotals totals_;
  LackWait lack_;
  NetworkWait network_;
  RequestRate rate_;
  CrawlEnd end_;
  bool busy_ = false;           // the thread is in a step, without the mutex
  bool reopen_ = false;         // the log is to be opened again
  bool asks_for_work_ = false;  // next_work() waits
  bool must_exit_ = false;      // the thread

  std::shared_ptr<RobotsCallback> robots_callback_;  // null: the output does not keep robots.txt exchanges
  std::thread thread_;
};

}  // namespace robotrules::crawl
