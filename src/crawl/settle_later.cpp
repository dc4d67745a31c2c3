// CrawlOptions::settle_later: a page that on_page got waits for the program, and its site and its place in the output
// wait with it.
#include <algorithm>
#include <utility>

#include "crawl/crawl_loop.hpp"

namespace robotrules::crawl {

Result<void> CrawlLoop::settle(std::uint64_t page, std::span<const QueuedUrl> links) {
  auto settled = pages_.unsettled().settle(page, links);
  if (settled) {
    const std::lock_guard lock(mutex_);
    changed_.notify_one();
  }
  return settled;
}

// --- precondition of the other functions: the caller holds the mutex -------------------------------------------------

// The pages that the program has settled can be marked in the queue now.
void CrawlLoop::finish_pages() {
  for (UnsettledPages::Settled& page : pages_.unsettled().take()) {
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
  pages_.unsettled().clear();
  totals_.settled(writer_.give_up_unfinished());
}

}  // namespace robotrules::crawl
