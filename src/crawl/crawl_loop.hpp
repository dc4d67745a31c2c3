// Fetching what is in a queue: many sites at once, one page of a site at a time, and nothing of it lost.
//
// A site is worked on from when the queue names it until its URLs are through: its next URLs are read ahead in small
// portions, handed to the robot one by one, which waits for the site's gate, and what comes is handed to one thread of
// the crawl that writes the output first and settles the queue then. So whoever is killed has fetched again only what
// was in flight.
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
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <robotrules/robot_ua.hpp>
#include <robotrules/url_queue.hpp>

#include <robotrules/crawl.hpp>
#include <robotrules/page_output.hpp>

namespace robotrules::crawl {

struct CrawlOptions {
  std::size_t sites_at_once = 20'000;
  unsigned per_site = 1;  // requests at once; the robot's Pace::max_in_flight must be as many
  unsigned tries = 3;     // of a URL whose server fails or refuses for now
  double rate = 0;        // URLs begun a second, of all sites together; 0: any
  std::uint64_t max_size = std::uint64_t{16} << 20;
  std::chrono::seconds longest_wait{3'600};  // for a robots.txt that can't be had: beyond, its URLs have failed
  bool obey_page = false;                    // noindex and noarchive keep a page out of the output
  bool explain = false;                      // of each URL that is denied, say why on standard error
  std::string output_name;                   // under which the queue keeps the output's position; empty: it has none
  std::string log_name;                      // the same for the log
};

// Thread rule: any thread, but the destructor.
class Crawl {
 public:
  // `log` may be null. All must outlive it, the robot's callbacks too.
  Crawl(RobotUA& robot, UrlQueue& queue, PageOutput& output, PageOutput* log, CrawlOptions options);
  ~Crawl();
  Crawl(const Crawl&) = delete;
  Crawl& operator=(const Crawl&) = delete;

  // The queue has URLs, or more of them. `open`: still more will come, so that it is not over when all are through.
  void more(bool open);
  // Begins nothing any more; what is on the wire is finished and settled, what waits for its turn stays pending.
  void stop();
  // Ends what is on the wire too; it stays pending.
  void cancel();
  // True when it is over: nothing is pending, or stop() has done its work, or it failed.
  bool wait_for(std::chrono::milliseconds time);
  // What ended it: of the queue, the store or the output.
  Result<void> result() const;

  CrawlCounts counts() const;
  FailureCounts failures() const;
  // The longest that a site which is worked on will take, by how fast it has been; 0: nothing is known.
  std::chrono::milliseconds slowest() const;
  // The sites with the most pages done, and those whose next page is the longest away.
  std::vector<SiteCounts> busiest(std::size_t count) const;
  std::vector<SiteCounts> most_delayed(std::size_t count) const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Task {
    QueueItem item;
    unsigned tries = 0;
    std::optional<Clock::time_point> not_before{};  // a site that it is redirected to can't be asked sooner
  };
  static bool is_waiting(const Task& task) noexcept { return task.not_before.has_value(); }
  struct Site {
    QueueSite known;
    std::deque<Task> ahead;           // read from the queue
    std::optional<QueuePlace> place;  // how far
    bool reading = false;             // more is asked for
    bool read_all = false;
    std::uint64_t additions = 0;  // when it was read last
    unsigned in_flight = 0;
    std::uint64_t done = 0;
    bool stalled = false;  // it could begin, but nobody may
    std::optional<Clock::time_point> not_before;
    Clock::time_point begun{};  // its last request
    Clock::time_point first_begun{};
  };
  struct Page {
    Task task;
    Response response;
  };
  struct InFlight {
    std::int64_t site;
    Pending pending;
  };

  enum class Step { none, write, settle, read, take, begin_again };
  void work();
  Step next_step() const;
  void take_step(Step step, std::unique_lock<std::mutex>& lock);
  std::optional<Clock::time_point> next_event() const;
  void write_pages(std::deque<Page> pages);
  void settle();
  void take_sites();
  void read_ahead(std::int64_t site, const std::optional<QueuePlace>& place);
  void fail(const Error& error);
  bool is_kept_out(const Page& page, Timestamp now) const;

  // With the mutex held.
  void begin_what_may(Site& site);
  void begin(Site& site, Task task);
  void let_go_on();
  void leave_if_through(Site& site);
  bool is_over() const;
  bool throttled() const;
  void note_seen(std::int64_t site);

  void answered(std::int64_t site, std::uint64_t number, const std::shared_ptr<Task>& task, Response response);
  bool try_again(Site& site, Task& task, const Response& response);

  RobotUA& robot_;
  UrlQueue& queue_;
  PageOutput& output_;
  PageOutput* log_;
  const CrawlOptions options_;
  const PageNeeds needs_;
  const std::string token_;  // that pages name the robot by

  mutable std::mutex mutex_;
  std::condition_variable changed_;  // something for the thread
  std::condition_variable over_;
  std::unordered_map<std::int64_t, std::unique_ptr<Site>> sites_;
  std::unordered_map<std::uint64_t, InFlight> in_flight_;
  std::uint64_t last_number_ = 0;
  std::deque<Page> pages_;
  std::unordered_set<std::int64_t> known_urls_;  // read ahead, in flight, or answered and still pending in the queue
  std::uint64_t additions_ = 0;                  // calls of more()
  std::size_t unwritten_ = 0;                    // pages_ and those being written
  std::deque<std::int64_t> to_read_;
  std::deque<std::int64_t> stalled_;
  std::multimap<Clock::time_point, std::int64_t> later_;
  Clock::time_point next_begin_{};   // by the rate
  std::optional<QueuePlace> place_;  // how far the sites were taken
  bool pass_ended_ = false;
  bool pass_was_idle_ = false;  // it took no site
  bool open_ = true;
  bool stopping_ = false;
  bool ended_ = false;
  bool busy_ = false;  // the thread works on something
  std::optional<Error> error_;
  CrawlCounts counts_;
  FailureCounts failures_;
  Clock::duration settle_every_;  // the longer it takes to bring the output to the disk, the seldomer that is done
  std::uint64_t unsettled_ = 0;   // counted already, and pending in the queue
  std::vector<bool> seen_;        // by the number of a site

  // The thread's own.
  std::vector<FinishedUrl> settled_;
  Clock::time_point unsettled_since_{};
  std::uint64_t output_end_ = 0;  // of the last page of settled_
  std::uint64_t log_end_ = 0;

  std::thread thread_;
};

// What the queue keeps of a response.
UrlState state_of(const Response& response) noexcept;

}  // namespace robotrules::crawl
