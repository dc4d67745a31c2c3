// The line of sites: those that a crawl has claimed, until they are released.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "crawl/active_site.hpp"

namespace robotrules::crawl {

// A site is active until all its URLs are done. Its next URLs are read ahead in small portions. It may wait: to be
// read, for the next request of the crawl (it is stalled), or for a time. When it has ended, it is released as soon as
// the results of all its URLs are in the queue.
class SiteLine {
 public:
  using Clock = std::chrono::steady_clock;
  using Sites = std::unordered_map<std::int64_t, std::unique_ptr<ActiveSite>>;
  static constexpr std::size_t max_read = 16;  // URLs of a site that are read from the queue at once

  // Adds a site that was claimed. If the answer to a release was lost, the queue may return a site that is active or
  // ended.
  void add(QueueSite known);
  const Sites& active() const noexcept { return sites_; }
  // Null: the site is not active.
  ActiveSite* find(std::int64_t id) const;
  // Returns true if it has no site, neither an active one nor an ended one.
  bool empty() const noexcept { return sites_.empty() && ended_.empty(); }
  // The claimed sites, active or not.
  std::vector<std::int64_t> ids() const;
  // Drops all sites.
  void clear();

  // --- reading ahead

  // The queue may have new URLs of any site, also before those that were read.
  void urls_added();
  // Counts the calls of urls_added().
  std::uint64_t additions() const noexcept { return additions_; }
  // Returns true if further URLs of the site are to be read now, and it did not wait for that before.
  bool read_if_needed(ActiveSite& site);
  bool must_read() const noexcept { return !to_read_.empty(); }
  // Returns the next site to be read. Precondition: must_read(). The site stays active while it is being read.
  ActiveSite& next_to_read();
  // Ends the reading of a site. `items`: at most `max_read`, after ActiveSite::place.
  void read(ActiveSite& site, std::vector<QueueItem> items);
  // The site could not be read: it is read again, before the others.
  void read_failed(ActiveSite& site);
  // A URL is known from reading until its result is in the queue, so it is not requested twice.
  void forget_url(std::int64_t id) { known_urls_.erase(id); }
  // Drops the URLs that were read and reads no further ones, until clear().
  void stop_reading();
  // The same, and nothing waits for the program: the claim is lost.
  void stop_all();

  // --- waiting

  void stall(ActiveSite& site);
  std::size_t stalled() const noexcept { return stalled_.size(); }
  // Returns the first stalled site; null: it has ended. Precondition: stalled() > 0.
  ActiveSite* take_stalled();
  // A site that answered last comes first.
  void prefer_answering();
  void wait_until(Clock::time_point when, const ActiveSite& site) { later_.emplace(when, site.known.id); }
  std::optional<Clock::time_point> next_wait_ends() const;
  // Returns a site whose wait is over; null: none.
  ActiveSite* take_waited(Clock::time_point now);

  // Of the URLs whose bodies did not fit on the disk, one at a time has its turn.
  bool has_turn(const ActiveSite& site, const UrlTask& task);
  void begin_turn() noexcept { has_turn_begun_ = true; }
  // The body did not fit again, or its page is written, so the disk has the room of its temporary file again.
  void end_turn(Clock::time_point now);

  // --- ending

  // Up to `count` active sites that do not leave yet.
  std::vector<ActiveSite*> choose_leaving(std::size_t count) const;
  std::size_t count_staying() const;
  // `pages`: PageLine::received(); the last page of the site is among them.
  void end(ActiveSite& site, std::uint64_t pages);
  void end_all(std::uint64_t pages);
  bool has_ended() const noexcept { return !ended_.empty(); }
  struct Release {
    std::vector<std::int64_t> sites;
    bool may_have_urls = false;  // one of them may have new URLs
  };
  // Returns the ended sites of whose pages the queue has the results: of the first `pages`. Call end_release() or
  // release_failed() when they are released.
  Release begin_release(std::uint64_t pages);
  void end_release() noexcept { releasing_.clear(); }
  // They are released again, before those that have ended meanwhile.
  void release_failed();

 private:
  struct Ended {
    std::int64_t site;
    std::uint64_t pages;
    std::uint64_t additions;
  };

  Sites sites_;
  std::uint64_t additions_ = 0;
  bool is_stopped_ = false;
  std::unordered_set<std::int64_t> known_urls_;
  std::deque<std::int64_t> to_read_;
  std::deque<std::int64_t> stalled_;
  std::multimap<Clock::time_point, std::int64_t> later_;
  bool has_turn_begun_ = false;
  std::unordered_set<std::int64_t> await_turn_;  // sites with URLs that wait for the end of the turn
  std::deque<Ended> ended_;
  std::deque<Ended> releasing_;
};

}  // namespace robotrules::crawl
