// The sites of a crawl: claimed, read ahead, and released when the results of their URLs are in the queue.
#include <algorithm>
#include <utility>

#include "crawl/crawl_loop.hpp"

namespace robotrules::crawl {
namespace {

constexpr std::size_t max_read = 16;                       // URLs of a site that are read from the queue at once
constexpr std::chrono::milliseconds ask_again_after{500};  // for sites that other workers have released

// Returns how many sites are claimed at once: few enough that the crawl never has more than `max_sites`.
std::size_t sites_at_once(std::size_t max_sites) noexcept { return std::clamp<std::size_t>(max_sites / 16, 1, 512); }

}  // namespace

// --- on the crawl's own thread ---------------------------------------------------------------------------------------

void CrawlLoop::claim_sites() {
  std::uint64_t additions = 0;
  {
    const std::lock_guard lock(mutex_);
    additions = additions_;
  }
  const std::size_t wanted = sites_at_once(options_.max_sites);
  auto found = link_.claim_sites(wanted, [this] { return writer_.keep_positions(); });
  const bool is_empty = found && found.value().empty();
  const Result<void> asked = found && link_.is_shared() ? refresh_pending(is_empty) : Result<void>();
  // If only asking for the pending URLs fails, the sites are active all the same.
  const Error* error = is_empty ? error_of(asked) : error_of(found);
  const QueueAnswer answer = heed(error, true);
  if (answer != QueueAnswer::done && answer != QueueAnswer::disk_full) return;
  const std::lock_guard lock(mutex_);
  if (error != nullptr) {
    lack_.queue_is_full(true);
    return wait_for(Lack::room, error->message);
  }
  const bool is_idle = is_empty && sites_.empty() && ended_sites_.empty();
  none_left_ = is_idle && additions == additions_ && (!link_.is_shared() || link_.pending() == 0);
  asked_while_idle_ = is_idle;
  ask_again_at_ = time() + ask_again_after;
  none_free_ = found.value().size() < wanted && additions == additions_;
  for (QueueSite& known : found.value()) {
    const std::int64_t id = known.id;
    totals_.count_site(id);
    // If the answer to a release was lost, the queue may return a site that the crawl still has, or still releases.
    std::erase_if(ended_sites_, [id](const Ended& ended) { return ended.site == id; });
    std::unique_ptr<Site>& site = sites_[id];
    if (site == nullptr) site = std::make_unique<Site>();
    site->known = std::move(known);
    site->read_all = false;
    if (!std::exchange(site->reading, true)) to_read_.push_back(id);
  }
}

void CrawlLoop::read_ahead(std::int64_t id, const std::optional<QueuePlace>& place) {
  auto items = link_.take(id, place, max_read);
  const QueueAnswer answer = heed(items, true);
  if (answer == QueueAnswer::claim_lost || answer == QueueAnswer::failed) return;
  const std::lock_guard lock(mutex_);
  if (!items) {
    sites_.at(id)->reading = !stopping_;
    if (!stopping_) to_read_.push_front(id);
    if (answer == QueueAnswer::disk_full) wait_for(Lack::room, items.error().message);
    return;
  }
  Site& site = *sites_.at(id);  // the site stays while it is being read
  site.reading = false;
  const bool is_current = site.additions == additions_;
  site.read_all = is_current && items.value().size() < max_read;
  for (QueueItem& item : items.value()) {
    if (is_current) site.place = place_of(item);
    if (!stopping_ && !site.leaves && known_urls_.insert(item.id).second) site.ahead.push_back({std::move(item), 0});
  }
  go_on(site);
}

// Releases the sites that have ended and whose pages are all in the queue. If the crawl ends, releases all sites.
void CrawlLoop::release_sites() {
  std::deque<Ended> before;
  {
    const std::lock_guard lock(mutex_);
    if ((stopping_ || error_) && in_flight_.empty()) {
      finish_pages();
      if (writer_.has_unsettled() || !pages_.empty()) return;  // these come first
      for (const auto& [id, site] : sites_) ended_sites_.push_back({id, pages_.received(), additions_});
      sites_.clear();
      to_read_.clear();  // of a claim that was made while the crawl was stopped
      give_up_unsettled();
    }
    before = ended_sites_;
    const std::uint64_t settled = pages_.ended();
    for (; !ended_sites_.empty() && ended_sites_.front().pages <= settled; ended_sites_.pop_front()) {
      releasing_.push_back(ended_sites_.front().site);
      if (ended_sites_.front().additions != additions_) none_free_ = false;  // it may have new URLs
    }
  }
  if (!link_.has_claim() || releasing_.empty()) return;
  const auto done = link_.release(releasing_);
  const std::size_t count = std::exchange(releasing_, {}).size();
  if (heed(done) != QueueAnswer::must_wait) return;  // the queue knows that they are given back
  const std::lock_guard lock(mutex_);
  // Sites that have ended meanwhile are behind them.
  ended_sites_.insert(ended_sites_.begin(), before.begin(), before.begin() + static_cast<std::ptrdiff_t>(count));
}

// After an exception, for a later crawl with the same queue. If this fails too, the sites are free when the claim ends.
void CrawlLoop::give_back_sites() noexcept {
  try {
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [id, site] : sites_) releasing_.push_back(id);
      for (const Ended& ended : ended_sites_) releasing_.push_back(ended.site);
      give_up_unsettled();
    }
    if (link_.has_claim() && !releasing_.empty()) static_cast<void>(link_.release(releasing_));
  } catch (...) {  // see above
  }
}

// --- precondition of the other functions: the caller holds the mutex -------------------------------------------------

bool CrawlLoop::has_room_for_sites() const {
  return sites_.empty() || sites_.size() + sites_at_once(options_.max_sites) <= options_.max_sites;
}

// After all sites have ended, the queue is asked once more: other processes may have added URLs.
bool CrawlLoop::may_claim() const {
  if (!has_room_for_sites()) return false;
  const bool is_idle = sites_.empty() && ended_sites_.empty();
  if (others_are_idle_ && !is_idle) return false;
  if (link_.is_shared() && none_free_) return time() >= ask_again_at_ || (is_idle && !asked_while_idle_);
  return !none_free_ || (!none_left_ && sites_.empty() && ended_sites_.empty());
}

// Only while all pages are settled; settle() releases sites too.
bool CrawlLoop::may_release() const {
  if (writer_.has_unsettled() || !pages_.empty()) return false;
  return !ended_sites_.empty() || ((stopping_ || error_) && in_flight_.empty() && !sites_.empty());
}

void CrawlLoop::drop_if_done(Site& site) {
  const bool ends = stopping_ || error_ || link_.has_lost_claim() || (site.leaves && site.ahead.empty());
  if (site.unsettled > 0 || site.in_flight > 0 || site.reading || !(ends || (site.ahead.empty() && site.read_all)))
    return;
  const std::int64_t id = site.known.id;
  ended_sites_.push_back({id, pages_.received(), additions_});
  sites_.erase(id);
}

}  // namespace robotrules::crawl
