// The wait for what all requests of a crawl need: room on a disk, or the proxy.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>

#include <robotrules/message.hpp>

#include "crawl/notice.hpp"

namespace robotrules::crawl {

// Meanwhile no request starts. After the pause, a request or a page shows whether the lack is over; each pause in vain
// is followed by a longer one.
class LackWait {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Lack { room, proxy };
  static constexpr unsigned max_doublings = 6;  // of the pause

  LackWait(Clock::duration pause, Clock::duration reminder) : pause_(pause), room_(reminder), proxy_(reminder) {}

  // A request or a page has found the lack.
  void begin(Lack lack, const std::string& sentence, Clock::time_point now);
  // Returns true until the lack is over, or until try_again() after the pause.
  bool holds_requests() const noexcept { return again_at_.has_value(); }
  // Returns true during the pause.
  bool is_waiting(Clock::time_point now) const noexcept { return again_at_ && now < *again_at_; }
  bool is_waiting_for(Lack lack, Clock::time_point now) const noexcept { return lack_ == lack && is_waiting(now); }
  // Returns when the pause ends. Precondition: holds_requests().
  Clock::time_point again_at() const noexcept { return *again_at_; }
  // Returns true after the pause, until try_again().
  bool pause_is_over(Clock::time_point now) const noexcept { return again_at_ && now >= *again_at_; }
  void try_again() noexcept { again_at_.reset(); }

  // The lack is over when all that has found it has succeeded since: the URLs whose last request did, the output, the
  // queue. A page on one disk proves nothing for another one, or for the proxy.
  void found_by(std::int64_t url) { found_by_.insert(url); }
  void not_found_by(std::int64_t url) { found_by_.erase(url); }
  void output_is_full(bool is_full) noexcept { output_is_full_ = is_full; }
  void queue_is_full(bool is_full) noexcept { queue_is_full_ = is_full; }
  // A page or a result was written: ends the wait if all have succeeded.
  void end_if_over();
  // The URLs are another worker's now.
  void forget_urls() noexcept { found_by_.clear(); }

  // Returns true if the response to the request of that number shows that the proxy serves no site. Returns false if it
  // has served a request that began after it first failed for this site: then it fails for the site alone, and the
  // crawl must not wait. `last_before`: of the site, the number of the last request when the proxy first failed for it.
  bool is_proxy_lost(const Response& response, std::uint64_t number, std::uint64_t last_number,
                     std::optional<std::uint64_t>& last_before);

  Notice& notice(Lack lack) noexcept { return lack == Lack::room ? room_ : proxy_; }
  bool has_news() const noexcept { return room_.has_news() || proxy_.has_news(); }

 private:
  Clock::duration pause_;
  Notice room_;
  Notice proxy_;
  std::optional<Clock::time_point> again_at_;
  Lack lack_ = Lack::room;
  unsigned in_vain_ = 0;  // tries in turn
  std::unordered_set<std::int64_t> found_by_;
  bool output_is_full_ = false;
  bool queue_is_full_ = false;
  std::uint64_t last_served_ = 0;  // the last request that a server answered
};

}  // namespace robotrules::crawl
