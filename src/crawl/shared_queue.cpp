// A queue on a server: the crawl waits while the server does not answer, asks again for sites that other workers have
// released, and begins anew after its claim is lost.
#include <algorithm>
#include <utility>

#include "crawl/call_back.hpp"
#include "crawl/crawl_loop.hpp"

namespace robotrules::crawl {
namespace {

constexpr std::chrono::milliseconds share_after{1'000};

}  // namespace

// --- on the crawl's own thread ---------------------------------------------------------------------------------------

// Takes the answer of the queue, as QueueLink::note() does. Drops the sites of a lost claim, and ends the crawl after
// an error that does not pass; a full disk is one unless the caller waits for room.
QueueAnswer CrawlLoop::heed(const Error* error, bool waits_for_room) {
  const QueueAnswer answer = note_answer(error);
  if (answer == QueueAnswer::claim_lost) lose_claim();
  if (answer == QueueAnswer::failed || (answer == QueueAnswer::disk_full && !waits_for_room)) fail(*error);
  return answer;
}

QueueAnswer CrawlLoop::note_answer(const Error* error) {
  const std::lock_guard lock(mutex_);
  return link_.note(error, stopping_ || error_, time());
}

// Asks how many URLs are pending: at once, or if the last answer is a second old.
Result<void> CrawlLoop::refresh_pending(bool must) {
  if (!must && !link_.must_ask_pending(time())) return {};
  const auto counts = link_.queue().counts();
  if (!counts) return counts.error();
  const std::lock_guard lock(mutex_);
  link_.note_pending(counts.value().pending, time());
  return {};
}

// If other workers have no sites, gives some back to them.
void CrawlLoop::share_sites() {
  bool is_idle = false;
  {
    const std::lock_guard lock(mutex_);
    share_at_ = time() + share_after;
    is_idle = sites_.empty() && ended_sites_.empty() && !none_left_;
  }
  const auto workers = link_.share(is_idle);
  if (heed(workers) != QueueAnswer::done) return;
  if (options_.on_workers) {
    const auto called = call_back("on_workers", [&] { options_.on_workers(workers.value()); });
    if (!called) return fail(called.error());
  }
  const std::lock_guard lock(mutex_);
  others_are_idle_ = workers.value().without_sites > 0;
  if (others_are_idle_) give_back(workers.value());
}

// Another worker may have the sites: this worker did not reach the server for too long. What it has fetched and not
// settled counts for nothing.
void CrawlLoop::lose_claim() {
  std::vector<Pending> under_way;
  {
    const std::lock_guard lock(mutex_);
    link_.lose_claim();
    pages_.drop();
    static_cast<void>(writer_.take_settled());
    give_up_unsettled();
    totals_.give_up_unsettled();
    to_read_.clear();
    for (const auto& [id, site] : sites_) {
      site->ahead.clear();
      site->reading = false;
      site->unsettled = 0;
    }
    for (const auto& [number, known] : in_flight_) under_way.push_back(known.pending);
  }
  for (const Pending& one : under_way) one.cancel();
}

// Ends what lose_claim() began: the crawl has no sites, and claims the job again.
void CrawlLoop::drop_sites() {
  // The worker may still have the other sites. No worker can claim them until they are released.
  std::vector<std::int64_t> known;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, site] : sites_) known.push_back(id);
    for (const Ended& ended : ended_sites_) known.push_back(ended.site);
  }
  if (link_.has_claim()) {
    const auto done = link_.release(known);
    const QueueAnswer answer = note_answer(error_of(done));
    if (answer == QueueAnswer::must_wait) return;
    if (answer == QueueAnswer::failed || answer == QueueAnswer::disk_full) fail(done.error());
  }
  const std::lock_guard lock(mutex_);
  sites_.clear();
  ended_sites_.clear();
  to_read_.clear();
  stalled_.clear();
  later_.clear();
  await_turn_.clear();
  known_urls_.clear();
  lack_.forget_urls();
  trying_too_long_ = false;
  link_.drop_claim();
  none_free_ = none_left_ = asked_while_idle_ = false;
}

// --- precondition of the other functions: the caller holds the mutex -------------------------------------------------

bool CrawlLoop::is_waiting_for_queue() const { return !stopping_ && !error_ && link_.is_waiting(time()); }

// Returns when to ask the shared queue again; null: not by time.
std::optional<CrawlLoop::Clock::time_point> CrawlLoop::next_question() const {
  if (!link_.is_shared() || !link_.has_claim() || (none_left_ && !open_)) return std::nullopt;
  const bool asks_for_sites =
      none_free_ && has_room_for_sites() && !(others_are_idle_ && !(sites_.empty() && ended_sites_.empty()));
  return asks_for_sites ? std::min(ask_again_at_, share_at_) : share_at_;
}

bool CrawlLoop::may_share() const {
  return link_.is_shared() && link_.has_claim() && !(none_left_ && !open_) && time() >= share_at_;
}

// Lets its share of the sites go. Requests under way are completed.
void CrawlLoop::give_back(const QueueWorkers& workers) {
  std::uint64_t left = 0;
  for (const auto& [id, site] : sites_) left += site->leaves ? 0 : 1;
  left = left * std::min(workers.without_sites, workers.all) / std::max<std::uint64_t>(workers.all, 1);
  std::vector<std::int64_t> leaving;
  for (const auto& [id, site] : sites_) {
    if (leaving.size() >= left) break;
    if (!site->leaves) leaving.push_back(id);
  }
  for (const std::int64_t id : leaving) {
    Site& site = *sites_.at(id);
    site.leaves = true;
    for (const Task& task : site.ahead) {
      known_urls_.erase(task.item.id);
      lack_.not_found_by(task.item.id);
    }
    site.ahead.clear();
    drop_if_done(site);
  }
}

}  // namespace robotrules::crawl
