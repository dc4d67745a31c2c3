// The link of a crawl to its queue: the claim, and the wait while the server of the queue does not answer.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/url_queue.hpp>

#include "crawl/notice.hpp"

namespace robotrules::crawl {

inline constexpr std::string_view claim_lost_code = "claim-lost";

// The meaning of an answer of the queue for the crawl.
enum class QueueAnswer {
  done,
  claim_lost,   // other workers may have the sites; the crawl drops them and claims the job again
  must_wait,    // the server does not answer: the call is made again after a pause
  unreachable,  // the same, but the crawl ends, so it does not wait
  disk_full,
  failed,
};

// Thread rule: the calls of the queue and the claim are for the crawl's thread; for the rest, the caller holds the
// mutex of the crawl.
class QueueLink {
 public:
  using Clock = std::chrono::steady_clock;
  explicit QueueLink(UrlQueue& queue) : queue_(queue), is_shared_(queue.is_shared()) {}

  // UrlQueue::is_shared()
  bool is_shared() const noexcept { return is_shared_; }
  const UrlQueue& queue() const noexcept { return queue_; }

  // Claims the next sites; before the first, the job, and calls `on_claim`.
  Result<std::vector<QueueSite>> claim_sites(std::size_t count, const std::function<Result<void>()>& on_claim);
  bool has_claim() const noexcept { return claim_.has_value(); }
  // Precondition of the next functions: has_claim().
  const QueueClaim& claim() const noexcept { return *claim_; }
  Result<std::vector<QueueItem>> take(std::int64_t site, const std::optional<QueuePlace>& after, std::size_t count) {
    return queue_.take(*claim_, site, after, count);
  }
  Result<void> release(std::span<const std::int64_t> sites) { return queue_.release(*claim_, sites); }
  Result<QueueWorkers> share(bool has_no_site) { return queue_.share(*claim_, has_no_site); }

  // The claim is lost: the sites are dropped when no request is in flight.
  void lose_claim() noexcept { has_lost_claim_ = true; }
  bool has_lost_claim() const noexcept { return has_lost_claim_; }
  // The sites are dropped: the next claim_sites() claims the job again.
  void drop_claim() noexcept {
    claim_.reset();
    has_lost_claim_ = false;
  }

  // Takes the error of a call, or null if it succeeded: begins or ends the wait for the server.
  QueueAnswer note(const Error* error, bool crawl_ends, Clock::time_point now);
  // Returns true until the server answers, or until try_again() after the pause.
  bool holds_requests() const noexcept { return again_at_.has_value(); }
  // Returns true during the pause.
  bool is_waiting(Clock::time_point now) const noexcept { return again_at_ && now < *again_at_; }
  // Precondition: holds_requests().
  Clock::time_point again_at() const noexcept { return *again_at_; }
  void try_again() noexcept { again_at_.reset(); }
  Notice& notice() noexcept { return notice_; }
  bool has_news() const noexcept { return notice_.has_news(); }

  // The number of pending URLs of a shared queue is asked for now and then: its server may be slow or away.
  bool must_ask_pending(Clock::time_point now) const noexcept;
  void note_pending(std::uint64_t pending, Clock::time_point now) noexcept;
  std::uint64_t pending() const noexcept { return pending_; }

 private:
  UrlQueue& queue_;
  const bool is_shared_;
  std::optional<QueueClaim> claim_;
  bool has_lost_claim_ = false;
  std::optional<Clock::time_point> again_at_;
  unsigned failures_ = 0;  // in turn
  Notice notice_{Clock::duration::max()};
  std::uint64_t pending_ = 0;
  Clock::time_point pending_at_{};  // when the queue was asked
};

}  // namespace robotrules::crawl
