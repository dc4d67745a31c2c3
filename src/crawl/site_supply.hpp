// When a crawl claims further sites of its queue, and shares them with other workers.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <robotrules/url_queue.hpp>

namespace robotrules::crawl {

class SiteSupply {
 public:
  using Clock = std::chrono::steady_clock;
  // `is_shared`: UrlQueue::is_shared(). `max_sites`: CrawlOptions::max_sites.
  SiteSupply(bool is_shared, std::size_t max_sites) : is_shared_(is_shared), max_sites_(max_sites) {}

  // Returns how many sites are claimed at once: few enough that the crawl never has more than `max_sites`.
  std::size_t at_once() const noexcept;
  bool has_room(std::size_t active) const noexcept { return active == 0 || active + at_once() <= max_sites_; }
  // `is_idle`: the crawl has no site. `active`: sites.
  bool may_claim(std::size_t active, bool is_idle, Clock::time_point now) const noexcept;
  struct Claimed {
    std::size_t sites = 0;      // that the queue has returned
    bool is_idle = false;       // the crawl had no site
    bool is_current = true;     // no URL was added meanwhile
    std::uint64_t pending = 0;  // URLs of a shared queue
  };
  void claimed(const Claimed& claimed, Clock::time_point now) noexcept;
  // The queue may have new URLs, or a site was released that may have them.
  void urls_added() noexcept { none_free_ = none_left_ = false; }
  void sites_released() noexcept { none_free_ = false; }
  // The claim of the job is lost.
  void claim_dropped() noexcept { none_free_ = none_left_ = asked_while_idle_ = false; }

  void set_open(bool is_open) noexcept { is_open_ = is_open; }
  // Returns true if more URLs will come.
  bool is_open() const noexcept { return is_open_; }
  // Returns true if all URLs are done and no more will come.
  bool is_complete() const noexcept { return !is_open_ && none_left_; }
  // Returns true if the last claim got all sites that were free.
  bool none_free() const noexcept { return none_free_; }

  // Sharing: from time to time a worker says whether it has no site. Precondition: the crawl has claimed the job.
  bool may_share(Clock::time_point now) const noexcept { return is_shared_ && !is_complete() && now >= share_at_; }
  // Returns when to ask a shared queue the next time, for sites or for the other workers; null: not by time.
  std::optional<Clock::time_point> next_question(std::size_t active, bool is_idle) const noexcept;
  // Returns what to say.
  bool begin_share(bool is_idle, Clock::time_point now) noexcept;
  // Returns how many of the sites that stay this worker should give back. While others have no site, it claims no
  // further ones.
  std::size_t shared(const QueueWorkers& workers, std::size_t staying) noexcept;

 private:
  const bool is_shared_;
  const std::size_t max_sites_;
  bool is_open_ = true;
  bool none_free_ = false;
  bool none_left_ = false;         // and the crawl had no site, so all URLs are done
  bool asked_while_idle_ = false;  // the last claim got no site, and the crawl had none
  bool others_are_idle_ = false;
  Clock::time_point ask_again_at_{};  // for sites that other workers have released
  Clock::time_point share_at_{};
};

}  // namespace robotrules::crawl
