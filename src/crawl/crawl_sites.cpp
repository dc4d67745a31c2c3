// The sites of a crawl: claimed, read ahead, shared with other workers, and released when the results of their URLs are
// in the queue.
#include <utility>

#include "crawl/call_back.hpp"
#include "crawl/crawl_loop.hpp"

namespace robotrules::crawl {

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
  return link_.note(error, end_.is_ending(), time());
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

void CrawlLoop::claim_sites() {
  std::uint64_t additions = 0;
  {
    const std::lock_guard lock(mutex_);
    additions = sites_.additions();
  }
  auto found = link_.claim_sites(supply_.at_once(), [this] { return writer_.keep_positions(); });
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
  supply_.claimed({.sites = found.value().size(),
                   .is_idle = sites_.empty(),
                   .is_current = additions == sites_.additions(),
                   .pending = link_.pending()},
                  time());
  for (QueueSite& known : found.value()) {
    totals_.count_site(known.id);
    sites_.add(std::move(known));
  }
}

void CrawlLoop::read_ahead(Site& site, const std::optional<QueuePlace>& place) {
  auto items = link_.take(site.known.id, place, SiteLine::max_read);
  const QueueAnswer answer = heed(items, true);
  if (answer == QueueAnswer::claim_lost || answer == QueueAnswer::failed) return;
  const std::lock_guard lock(mutex_);
  if (items) {
    sites_.read(site, std::move(items).value());
    return go_on(site);
  }
  sites_.read_failed(site);
  if (answer == QueueAnswer::disk_full) wait_for(Lack::room, items.error().message);
}

// If other workers have no sites, gives some back to them.
void CrawlLoop::share_sites() {
  bool has_no_site = false;
  {
    const std::lock_guard lock(mutex_);
    has_no_site = supply_.begin_share(sites_.empty(), time());
  }
  const auto workers = link_.share(has_no_site);
  if (heed(workers) != QueueAnswer::done) return;
  if (options_.on_workers) {
    const auto called = call_back("on_workers", [&] { options_.on_workers(workers.value()); });
    if (!called) return fail(called.error());
  }
  const std::lock_guard lock(mutex_);
  const std::size_t too_many = supply_.shared(workers.value(), sites_.count_staying());
  for (Site* site : sites_.choose_leaving(too_many)) {  // requests under way are completed
    site->leaves = true;
    for (const Task& task : site->ahead) {
      sites_.forget_url(task.item.id);
      lack_.not_found_by(task.item.id);
    }
    site->ahead.clear();
    drop_if_done(*site);
  }
}

// Releases the sites that have ended and whose pages are all in the queue. If the crawl ends, releases all sites.
void CrawlLoop::release_sites() {
  SiteLine::Release release;
  {
    const std::lock_guard lock(mutex_);
    if (end_.is_ending() && requests_.empty()) {
      finish_pages();
      if (writer_.has_unsettled() || !pages_.empty()) return;  // these come first
      sites_.end_all(pages_.received());
      give_up_unsettled();
    }
    release = sites_.begin_release(pages_.ended());
    if (release.may_have_urls) supply_.sites_released();
  }
  if (!link_.has_claim() || release.sites.empty()) return;
  const QueueAnswer answer = heed(link_.release(release.sites));
  const std::lock_guard lock(mutex_);
  // After any other error, the queue frees them by itself.
  answer == QueueAnswer::must_wait ? sites_.release_failed() : sites_.end_release();
}

// After an exception, for a later crawl with the same queue. If this fails too, the sites are free when the claim ends.
void CrawlLoop::give_back_sites() noexcept {
  try {
    std::vector<std::int64_t> ids;
    {
      const std::lock_guard lock(mutex_);
      ids = sites_.ids();
      give_up_unsettled();
    }
    if (link_.has_claim() && !ids.empty()) static_cast<void>(link_.release(ids));
  } catch (...) {  // see above
  }
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
    sites_.stop_all();
    under_way = requests_.all();
  }
  for (const Pending& one : under_way) one.cancel();
}

// Ends what lose_claim() began: the crawl has no sites, and claims the job again.
void CrawlLoop::drop_sites() {
  // The worker may still have the other sites. No worker can claim them until they are released.
  std::vector<std::int64_t> ids;
  {
    const std::lock_guard lock(mutex_);
    ids = sites_.ids();
  }
  if (link_.has_claim()) {
    const auto done = link_.release(ids);
    const QueueAnswer answer = note_answer(error_of(done));
    if (answer == QueueAnswer::must_wait) return;
    if (answer == QueueAnswer::failed || answer == QueueAnswer::disk_full) fail(done.error());
  }
  const std::lock_guard lock(mutex_);
  sites_.clear();
  lack_.forget_urls();
  supply_.claim_dropped();
  link_.drop_claim();
}

// --- precondition of the other functions: the caller holds the mutex -------------------------------------------------

bool CrawlLoop::is_waiting_for_queue() const { return !end_.is_ending() && link_.is_waiting(time()); }

bool CrawlLoop::may_claim() const { return supply_.may_claim(sites_.active().size(), sites_.empty(), time()); }

// Only while all pages are settled; settle_pages() releases sites too.
bool CrawlLoop::may_release() const {
  if (writer_.has_unsettled() || !pages_.empty()) return false;
  return sites_.has_ended() || (end_.is_ending() && requests_.empty() && !sites_.active().empty());
}

// The pages that the program has settled can be marked in the queue now.
void CrawlLoop::finish_pages() {
  if (!pages_.settles_later()) return;
  for (UnsettledPages::Settled& page : pages_.unsettled().take()) {
    const auto id = writer_.finish(std::move(page));
    Site* site = id ? sites_.find(*id) : nullptr;
    if (site == nullptr) continue;
    --site->unsettled;
    go_on(*site);
  }
}

// The crawl ends, or has lost its claim: the pages that the program has not settled stay pending.
void CrawlLoop::give_up_unsettled() {
  pages_.unsettled().clear();
  totals_.settled(writer_.give_up_unfinished());
}

}  // namespace robotrules::crawl
