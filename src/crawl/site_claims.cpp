// The sites of a crawl: claimed, read ahead, and released when the results of their URLs are in the queue.
#include <algorithm>
#include <utility>

#include "crawl/crawl_loop.hpp"

namespace robotrules::crawl {
namespace {

constexpr std::size_t max_read = 16;  // URLs of a site that are read from the queue at once

// Returns how many sites are claimed at once: few enough that the crawl never has more than `max_sites`.
std::size_t sites_at_once(std::size_t max_sites) noexcept { return std::clamp<std::size_t>(max_sites / 16, 1, 512); }

}  // namespace

// --- on the crawl's own thread ---------------------------------------------------------------------------------------

// Claims the next sites; before the first, the job.
Result<std::vector<QueueSite>> CrawlLoop::next_sites(std::size_t count) {
  if (!claim_) {
    const auto claim = queue_.claim();
    if (!claim) return claim.error();
    claim_ = claim.value();
  }
  return queue_.claim_sites(*claim_, count);
}

void CrawlLoop::claim_sites() {
  std::uint64_t additions = 0;
  {
    const std::lock_guard lock(mutex_);
    additions = additions_;
  }
  const std::size_t wanted = sites_at_once(options_.max_sites);
  auto found = next_sites(wanted);
  if (!found && found.error().code != disk_full_code) return fail(found.error());
  const std::lock_guard lock(mutex_);
  if (!found) return wait_for_room(found.error().message);
  none_left_ = found.value().empty() && sites_.empty() && ended_sites_.empty() && additions == additions_;
  none_free_ = found.value().size() < wanted && additions == additions_;
  for (QueueSite& known : found.value()) {
    const std::int64_t id = known.id;
    note_seen(id);
    auto site = std::make_unique<Site>();
    site->known = std::move(known);
    site->reading = true;
    sites_.emplace(id, std::move(site));
    to_read_.push_back(id);
  }
}

void CrawlLoop::read_ahead(std::int64_t id, const std::optional<QueuePlace>& place) {
  auto items = queue_.take(*claim_, id, place, max_read);
  if (!items && items.error().code != disk_full_code) return fail(items.error());
  const std::lock_guard lock(mutex_);
  if (!items) {
    sites_.at(id)->reading = !stopping_;
    if (!stopping_) to_read_.push_front(id);
    return wait_for_room(items.error().message);
  }
  Site& site = *sites_.at(id);  // the site stays while it is being read
  site.reading = false;
  const bool is_current = site.additions == additions_;
  site.read_all = is_current && items.value().size() < max_read;
  for (QueueItem& item : items.value()) {
    if (is_current) site.place = place_of(item);
    if (!stopping_ && known_urls_.insert(item.id).second) site.ahead.push_back({std::move(item), 0});
  }
  start_ready_requests(site);
  drop_if_done(site);
}

// Releases the sites that have ended and whose pages are all in the queue. If the crawl ends, releases all sites.
void CrawlLoop::release_sites() {
  std::vector<std::int64_t> released;
  {
    const std::lock_guard lock(mutex_);
    if ((stopping_ || error_) && in_flight_.empty()) {
      for (const auto& [id, site] : sites_) ended_sites_.push_back({id, received_, additions_});
      sites_.clear();
      to_read_.clear();  // of a claim that was made while the crawl was stopped
    }
    const std::uint64_t settled = received_ - unwritten_;
    for (; !ended_sites_.empty() && ended_sites_.front().pages <= settled; ended_sites_.pop_front()) {
      released.push_back(ended_sites_.front().site);
      if (ended_sites_.front().additions != additions_) none_free_ = false;  // it may have new URLs
    }
  }
  if (!claim_ || released.empty()) return;
  if (const auto done = queue_.release(*claim_, released); !done) fail(done.error());
}

// --- precondition of the other functions: the caller holds the mutex -------------------------------------------------

// After all sites have ended, the queue is asked once more: other processes may have added URLs.
bool CrawlLoop::may_claim() const {
  if (!sites_.empty() && sites_.size() + sites_at_once(options_.max_sites) > options_.max_sites) return false;
  return !none_free_ || (!none_left_ && sites_.empty() && ended_sites_.empty());
}

// Only while all pages are settled; settle() releases sites too.
bool CrawlLoop::may_release() const {
  if (writer_.has_unsettled() || !pages_.empty()) return false;
  return !ended_sites_.empty() || ((stopping_ || error_) && in_flight_.empty() && !sites_.empty());
}

void CrawlLoop::drop_if_done(Site& site) {
  if (site.in_flight > 0 || site.reading || !(stopping_ || error_ || (site.ahead.empty() && site.read_all))) return;
  const std::int64_t id = site.known.id;
  ended_sites_.push_back({id, received_, additions_});
  sites_.erase(id);
}

// Counts a site once, even if it is claimed several times.
void CrawlLoop::note_seen(std::int64_t id) {
  constexpr std::size_t max_ids = std::size_t{1} << 30;
  const auto at = static_cast<std::size_t>(id);
  if (id < 0 || at >= max_ids) return;
  if (at >= seen_.size()) seen_.resize(std::max(at + 1, std::min(seen_.size() * 2, max_ids)));
  if (!seen_[at]) ++counts_.sites_seen;
  seen_[at] = true;
}

}  // namespace robotrules::crawl
