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
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <robotrules/crawl.hpp>

#include "crawl/active_site.hpp"
#include "crawl/crawl_clock.hpp"
#include "crawl/crawl_totals.hpp"
#include "crawl/lack_wait.hpp"
#include "crawl/network_wait.hpp"
#include "crawl/page_line.hpp"
#include "crawl/page_writer.hpp"
#include "crawl/queue_link.hpp"
#include "crawl/request_rate.hpp"
#include "crawl/retry_policy.hpp"
#include "crawl/site_reports.hpp"

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
  struct InFlight {
    std::int64_t site;
    Pending pending;
    bool is_recalled = false;  // it was taken back, because the network has failed
  };

  struct Ended {
    std::int64_t site;
    std::uint64_t pages;      // PageLine::received() when the site ended: the last page is among them
    std::uint64_t additions;  // additions_ then
  };

  enum class Step { none, tell, drop, write, report, settle, reopen, release, go_on, read, claim, share };
  void work();
  Step next_step() const;
  void take_step(Step step, std::unique_lock<std::mutex>& lock);
  std::optional<Clock::time_point> next_event() const;
  void write_pages(std::deque<Page> pages);
  void settle_pages();
  void reopen_file();
  // The sites (site_claims.cpp).
  void claim_sites();
  void read_ahead(std::int64_t site, const std::optional<QueuePlace>& place);
  void release_sites();
  void give_back_sites() noexcept;
  // A queue that several workers share (shared_queue.cpp).
  Result<void> refresh_pending(bool must);
  void share_sites();
  void lose_claim();
  void drop_sites();
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
  void fail(const Error& error);
  void abandon() noexcept;
  void tell();

  // Precondition: the caller holds the mutex.
  void start_ready_requests(Site& site);
  void go_on(Site& site);
  void stall(Site& site);
  void read_if_needed(Site& site);
  void begin(Site& site, Task task);
  void note_additions();
  void finish_pages();
  void give_up_unsettled();
  void resume_stalled();
  void drop_if_done(Site& site);
  bool may_claim() const;
  bool may_release() const;
  bool is_over() const;
  bool must_give_back_sites() const;
  bool throttled() const;
  // Waits of the whole crawl (crawl_waits.cpp).
  using Lack = LackWait::Lack;
  void wait_for(Lack lack, const std::string& sentence);
  bool is_waiting_for(Lack lack) const;
  bool has_news() const;
  bool is_waiting_for_network() const;
  bool may_try_network() const;
  void choose_network_try();
  bool note_network(const Response& response);
  void recall_waiting();
  bool is_waiting_for_queue() const;
  bool has_room_for_sites() const;
  std::optional<Clock::time_point> next_question() const;
  bool may_share() const;
  void give_back(const QueueWorkers& workers);
  bool has_turn(const Site& site, const Task& task);
  void end_turn();
  void note_interval(Site& site, const Response& response) const;
  std::chrono::milliseconds time_for(const Site& site, std::uint64_t but) const;

  // Lets the robot's callback see whether the crawl still exists.
  struct RobotsCallback {
    std::mutex mutex;
    CrawlLoop* crawl;  // null after the destructor has begun
  };
  std::shared_ptr<RobotsCallback> record_robots();
  void forget_robots();
  void robots_exchanged(const Response& exchange);
  void answered(std::int64_t site, std::uint64_t number, const std::shared_ptr<Task>& task, Response response);
  void take_answer(std::int64_t site, std::uint64_t number, const std::shared_ptr<Task>& task, Response response);
  void take_result(Site& site, Task task, Response response);
  void fail_ahead(Site& site);
  void end_url(Site& site, Task task, Response response, bool parks);
  void hold_back(Site& site, Task task, WaitReason why);

  RobotUA& robot_;
  const CrawlOptions options_;
  const PageNeeds needs_;
  PageLine pages_;
  PageWriter writer_;  // used by the thread; others may only query it while the thread is not busy

  QueueLink link_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;  // there is work for the thread
  std::condition_variable over_;
  std::unordered_map<std::int64_t, std::unique_ptr<Site>> sites_;
  std::unordered_map<std::uint64_t, InFlight> in_flight_;
  unsigned answering_ = 0;  // calls of answered() that are not in in_flight_ any more
  std::uint64_t last_number_ = 0;
  std::unordered_set<std::int64_t> known_urls_;  // read ahead, in flight, or written and not yet marked in the queue
  std::uint64_t additions_ = 0;                  // calls of urls_added()
  std::deque<std::int64_t> to_read_;
  std::deque<std::int64_t> stalled_;
  std::multimap<Clock::time_point, std::int64_t> later_;
  std::deque<Ended> ended_sites_;  // still claimed
  bool none_free_ = false;         // the last claim got all sites that were free
  bool none_left_ = false;         // and the crawl had no site, so all URLs are done
  bool open_ = true;
  bool stopping_ = false;
  bool ended_ = false;
  bool busy_ = false;    // the thread is in a step, without the mutex
  bool reopen_ = false;  // the log is to be opened again
  std::optional<Error> error_;
  std::optional<Error> leaves_with_;  // the error of a crawl that was stopped for it
  bool asks_for_work_ = false;        // next_work() waits
  CrawlTotals totals_;

  const RetryPolicy retries_;
  SiteReports reports_;
  LackWait lack_;
  NetworkWait network_;
  RequestRate rate_;
  bool trying_too_long_ = false;                 // a URL whose body did not fit is requested again, or being written
  std::unordered_set<std::int64_t> await_turn_;  // sites with URLs that wait for the end of this request
  // A shared queue.
  Clock::time_point ask_again_at_{};  // for sites that other workers have released
  Clock::time_point share_at_{};      // for the next call of UrlQueue::share()
  bool others_are_idle_ = false;      // so this crawl claims no further sites
  bool asked_while_idle_ = false;     // the last claim got no site, and the crawl had none
  // A step or a callback of the robot threw an exception. Nothing is written or settled any more: what is not settled
  // stays pending, as after the death of the process.
  bool abandoned_ = false;
  bool gave_back_sites_ = false;         // after that
  std::vector<std::int64_t> releasing_;  // the sites of a call of release() that has not returned. Used by the thread
  Error out_of_memory_{"out-of-memory", "there is not enough memory to continue"};  // made while there is memory

  std::shared_ptr<RobotsCallback> robots_callback_;  // null: the output does not keep robots.txt exchanges
  std::thread thread_;
};

}  // namespace robotrules::crawl
