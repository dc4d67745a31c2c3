#include "crawl/queue_link.hpp"

#include <algorithm>

#include <robotrules/store.hpp>

namespace robotrules::crawl {
namespace {

constexpr std::chrono::milliseconds first_queue_pause{500};
constexpr unsigned max_queue_doublings = 4;
constexpr std::chrono::milliseconds ask_pending_after{1'000};

}  // namespace

Result<std::vector<QueueSite>> QueueLink::claim_sites(std::size_t count,
                                                      const std::function<Result<void>()>& on_claim) {
  if (!claim_) {
    const auto claim = queue_.claim();
    if (!claim) return claim.error();
    if (auto done = on_claim(); !done) return done.error();
    claim_ = claim.value();
  }
  return queue_.claim_sites(*claim_, count);
}

QueueAnswer QueueLink::note(const Error* error, bool crawl_ends, Clock::time_point now) {
  if (error == nullptr) {
    again_at_.reset();
    failures_ = 0;
    notice_.ends();
    return QueueAnswer::done;
  }
  if (is_shared_ && error->code == claim_lost_code) return QueueAnswer::claim_lost;
  if (is_passing(*error)) {
    if (crawl_ends) return QueueAnswer::unreachable;
    again_at_ = now + first_queue_pause * (1U << std::min(failures_++, max_queue_doublings));
    notice_.waits(error->message + "; the crawl waits until it answers", now);
    return QueueAnswer::must_wait;
  }
  return error->code == disk_full_code ? QueueAnswer::disk_full : QueueAnswer::failed;
}

bool QueueLink::must_ask_pending(Clock::time_point now) const noexcept {
  return now - pending_at_ >= ask_pending_after;
}

void QueueLink::note_pending(std::uint64_t pending, Clock::time_point now) noexcept {
  pending_ = pending;
  pending_at_ = now;
}

}  // namespace robotrules::crawl
