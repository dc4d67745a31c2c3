// CrawlOptions::settle_later: a page that on_page got waits for the program, and its site and its place in the output
// wait with it.
#include <algorithm>
#include <utility>

#include "crawl/crawl_loop.hpp"

namespace robotrules::crawl {

Result<void> CrawlLoop::settle(std::uint64_t page, std::span<const QueuedUrl> links) {
  auto settled = unsettled_pages_.settle(page, links);
  if (settled) {
    const std::lock_guard lock(mutex_);
    changed_.notify_one();
  }
  return settled;
}

// --- precondition of the other functions: the caller holds the mutex -------------------------------------------------

// The pages that the program has settled can be marked in the queue now.
void CrawlLoop::finish_pages() {
  if (!settles_later_) return;
  for (UnsettledPages::Settled& page : unsettled_pages_.take()) {
    const auto id = writer_.finish(std::move(page));
    const auto found = id ? sites_.find(*id) : sites_.end();
    if (found == sites_.end()) continue;
    Site& site = *found->second;
    --site.unsettled;
    go_on(site);
  }
}

// The crawl ends, or has lost its claim: the pages that the program has not settled stay pending.
void CrawlLoop::give_up_unsettled() {
  unsettled_pages_.clear();
  totals_.settled(writer_.give_up_unfinished());
}

// Returns how many pages more on_page may get before one is settled.
std::size_t CrawlLoop::room_for_pages() const {
  if (!settles_later_) return pages_.size();
  const std::size_t limit = std::max<std::size_t>(options_.max_unsettled, 1);
  return limit - std::min(limit, unsettled_pages_.size());
}

// Returns the pages that on_page may get now. If the crawl ends, those beyond stay pending.
std::deque<Page> CrawlLoop::next_pages() {
  const std::size_t room = room_for_pages();
  if (room >= pages_.size()) return std::exchange(pages_, {});
  if (room == 0) give_up_pages();
  std::deque<Page> pages;
  for (; pages.size() < room; pages_.pop_front()) pages.push_back(std::move(pages_.front()));
  return pages;
}

}  // namespace robotrules::crawl
