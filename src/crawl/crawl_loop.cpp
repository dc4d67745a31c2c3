#include "crawl/crawl_loop.hpp"

#include <algorithm>
#include <utility>

#include "crawl/call_back.hpp"

namespace robotrules::crawl {

CrawlLoop::CrawlLoop(RobotUA& robot, UrlQueue& queue, PageOutput& output, PageOutput* log, CrawlOptions options)
    : robot_(robot),
      options_(std::move(options)),
      needs_(output.needs()),
      pages_(options_.settle_later && options_.on_page, options_.max_unsettled),
      writer_(output, log, queue, options_, std::string(robot.rules()->agent()), pages_.settles_later() ? &pages_.unsettled() : nullptr),
      link_(queue),
      retries_(robot, options_),
      reports_(options_.on_site_failure != nullptr),
      lack_(options_.disk_full_wait, options_.disk_full_reminder),
      network_(options_.disk_full_reminder),
      rate_(options_.max_rate),
      robots_callback_(record_robots()) {
  try {
    thread_ = std::thread([this] { work(); });
  } catch (...) {
    forget_robots();
    throw;
  }
}

CrawlLoop::~CrawlLoop() {
  forget_robots();
  cancel();
  {
    std::unique_lock lock(mutex_);
    over_.wait(lock, [this] { return is_over(); });
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void CrawlLoop::urls_added(bool more_will_come) {
  {
    const std::lock_guard lock(mutex_);
    open_ = more_will_come;
    note_additions();
  }
  changed_.notify_all();
}

// The queue may have new URLs. Precondition: the caller holds the mutex.
void CrawlLoop::note_additions() {
  none_free_ = none_left_ = false;
  ++additions_;
  for (const auto& [id, site] : sites_) {  // new URLs may belong before those that were read
    site->read_all = false;
    site->place.reset();
    if (site->unsettled > 0 && site->in_flight == 0) read_if_needed(*site);  // else it waits for the program
  }
}

void CrawlLoop::stop() {
  std::vector<Pending> waiting;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const std::int64_t id : std::exchange(to_read_, {})) sites_.at(id)->reading = false;
    for (const auto& [id, site] : sites_) site->ahead.clear();
    for (const auto& [number, known] : in_flight_) waiting.push_back(known.pending);
  }
  for (const Pending& one : waiting) one.cancel_if_waiting();
  changed_.notify_all();
}

void CrawlLoop::cancel() {
  stop();
  std::vector<Pending> under_way;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [number, known] : in_flight_) under_way.push_back(known.pending);
  }
  for (const Pending& one : under_way) one.cancel();
}

void CrawlLoop::reopen_log() {
  {
    const std::lock_guard lock(mutex_);
    if (!writer_.has_log() || is_over()) return;
    reopen_ = true;
  }
  changed_.notify_all();
}

bool CrawlLoop::wait_for(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return over_.wait_for(lock, time, [this] { return is_over(); });
}

std::optional<CrawlLoop::Clock::time_point> CrawlLoop::next_work() {
  std::unique_lock lock(mutex_);
  asks_for_work_ = true;
  changed_.notify_one();
  over_.wait(lock, [this] { return !asks_for_work_; });
  return next_event();
}

Result<void> CrawlLoop::result() const {
  const std::lock_guard lock(mutex_);
  const auto& error = leaves_with_ ? leaves_with_ : error_;
  return error ? Result<void>(*error) : Result<void>();
}

bool CrawlLoop::is_over() const {
  if (abandoned_) return gave_back_sites_ && in_flight_.empty() && answering_ == 0;
  if (!in_flight_.empty() || answering_ > 0 || busy_ || !pages_.empty() || reports_.has_news() ||
      writer_.has_unsettled() || has_news() || reopen_ || link_.has_lost_claim()) {
    return false;
  }
  return sites_.empty() && ended_sites_.empty() && (stopping_ || error_ || (!open_ && none_left_));
}

bool CrawlLoop::must_give_back_sites() const { return abandoned_ && in_flight_.empty() && !gave_back_sites_; }

bool CrawlLoop::throttled() const {
  return lack_.holds_requests() || link_.holds_requests() || !may_try_network() || pages_.holds_requests();
}

// --- the crawl's own thread ------------------------------------------------------------------------------------------

void CrawlLoop::fail(const Error& error) {
  const bool is_newer = error.code == "store-newer";  // pages under way are still written and settled
  {
    const std::lock_guard lock(mutex_);
    std::optional<Error>& kept = is_newer ? leaves_with_ : error_;
    if (!kept) kept = error;
  }
  is_newer ? stop() : cancel();
}

// Ends the crawl after an exception, also if there is no memory. Precondition: it is being handled, and the caller does
// not hold the mutex.
void CrawlLoop::abandon() noexcept {
  {
    const std::lock_guard lock(mutex_);
    abandoned_ = stopping_ = true;
    if (!error_) {
      try {
        try {
          throw;
        } catch (const std::bad_alloc&) {
          throw;
        } catch (const std::exception& thrown) {
          error_ = Error{"crawl-failed", std::string("the crawl cannot go on: ") + thrown.what()};
        }
      } catch (...) {
        error_ = std::move(out_of_memory_);
      }
    }
  }
  try {
    cancel();
  } catch (...) {  // requests on the wire end by themselves
  }
  changed_.notify_all();
}

// Returns when there is something to do next; null: only after a notification.
std::optional<CrawlLoop::Clock::time_point> CrawlLoop::next_event() const {
  if (abandoned_) return std::nullopt;
  if (link_.has_lost_claim())
    return in_flight_.empty() && is_waiting_for_queue() ? std::optional(link_.again_at()) : std::nullopt;
  if (is_waiting_for(Lack::room)) return lack_.again_at();
  std::optional<Clock::time_point> next;
  const auto sooner = [&next](Clock::time_point time) { next = next ? std::min(*next, time) : time; };
  if (is_waiting_for(Lack::proxy)) sooner(lack_.again_at());
  if (is_waiting_for_queue()) {
    sooner(link_.again_at());
  } else if (writer_.has_unsettled()) {
    sooner(writer_.settle_at());
  }
  if (stopping_ || error_) return next;
  if (const auto question = next_question(); question && !is_waiting_for_queue()) sooner(*question);
  if (!later_.empty()) sooner(later_.begin()->first);
  if (!stalled_.empty() && !throttled()) sooner(rate_.next());
  if (!stalled_.empty() && is_waiting_for_network()) sooner(network_.next_try(time()));
  return next;
}

// Precondition of this function and of the next two: the caller holds the mutex.
CrawlLoop::Step CrawlLoop::next_step() const {
  if (abandoned_) return Step::none;
  if (has_news()) return Step::tell;
  if (reports_.has_news()) return Step::report;
  if (link_.has_lost_claim()) return in_flight_.empty() && !is_waiting_for_queue() ? Step::drop : Step::none;
  if (is_waiting_for(Lack::room)) return Step::none;
  const bool ending = stopping_ || error_.has_value();
  const bool may_write = !pages_.empty() && (pages_.room() > 0 || ending);
  if (may_write && is_waiting_for_queue()) return Step::write;
  if (is_waiting_for_queue()) return Step::none;
  if (reopen_) return writer_.has_unsettled() ? Step::settle : Step::reopen;
  if (may_write) return Step::write;
  const bool due = writer_.has_unsettled() && (in_flight_.empty() || ending || writer_.is_due(time()));
  if (due) return Step::settle;
  if (may_release()) return Step::release;
  if (ending) return Step::none;
  if (lack_.holds_requests() && !lack_.is_waiting(time())) return Step::go_on;
  if (!to_read_.empty()) return Step::read;
  if (may_claim()) return Step::claim;
  if (may_share()) return Step::share;
  return link_.holds_requests() ? Step::go_on : Step::none;
}

void CrawlLoop::work() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    try {
      finish_pages();
      resume_stalled();
      if (const Step step = next_step(); step != Step::none) {
        take_step(step, lock);
        continue;
      }
    } catch (...) {
      if (lock.owns_lock()) lock.unlock();
      abandon();
      lock.lock();
    }
    if (must_give_back_sites()) {
      lock.unlock();
      give_back_sites();
      lock.lock();
      gave_back_sites_ = true;
    }
    if (std::exchange(asks_for_work_, false) || is_over()) over_.notify_all();
    const auto changed = [this] {
      return ended_ || asks_for_work_ || next_step() != Step::none || must_give_back_sites() ||
             pages_.unsettled().has_settled();
    };
    if (options_.clock) {
      changed_.wait(lock, changed);
    } else if (const auto next = next_event()) {
      changed_.wait_until(lock, *next, [&] {
        const auto sooner = next_event();
        return changed() || (sooner && *sooner < *next);
      });
    } else {
      changed_.wait(lock, [&] { return changed() || next_event(); });
    }
  }
}

// Releases the mutex during the step. After an exception, abandon() ends the crawl.
void CrawlLoop::take_step(Step step, std::unique_lock<std::mutex>& lock) {
  std::deque<Page> pages;
  std::int64_t site = 0;
  std::optional<QueuePlace> place;
  std::vector<SiteFailure> failures;
  if (step == Step::write) pages = pages_.take();
  if (step == Step::report) failures = reports_.take();
  if (step == Step::read) {
    site = to_read_.front();
    to_read_.pop_front();
    place = sites_.at(site)->place;  // the site stays while it is being read
    sites_.at(site)->additions = additions_;
  }
  if (step == Step::reopen) reopen_ = false;
  if (step == Step::go_on) {  // only a request can show whether there is room
    lack_.try_again();
    link_.try_again();
    return;
  }
  busy_ = true;
  lock.unlock();
  if (step == Step::tell) tell();
  if (step == Step::drop) drop_sites();
  if (step == Step::write) write_pages(std::move(pages));
  for (const SiteFailure& failure : failures) {
    if (auto called = call_back("on_site_failure", [&] { options_.on_site_failure(failure); }); !called) {
      fail(called.error());
      break;
    }
  }
  if (step == Step::settle) settle_pages();
  if (step == Step::reopen) reopen_file();
  if (step == Step::read) read_ahead(site, place);
  if (step == Step::release) release_sites();
  if (step == Step::claim) claim_sites();
  if (step == Step::share) share_sites();
  lock.lock();
  busy_ = false;
}

void CrawlLoop::write_pages(std::deque<Page> pages) {
  const std::size_t count = pages.size();
  const bool had_turn = std::ranges::any_of(pages, &Page::has_turn);
  PageWriter::Written written = writer_.write(std::move(pages), robot_.rules()->store()->now());
  const bool is_full = written.error && written.error->code == disk_full_code;
  if (written.error && !is_full) fail(*written.error);
  const std::lock_guard lock(mutex_);
  totals_.count_written(written);
  if (had_turn && std::ranges::none_of(written.left, &Page::has_turn)) end_turn();
  pages_.written(count, std::move(written.left));
  if (is_full) {
    lack_.output_is_full(true);
    stopping_ || error_ ? pages_.give_up() : wait_for(Lack::room, written.error->message);
  } else if (written.unsettled > 0) {
    lack_.output_is_full(false);
    lack_.end_if_over();
  }
  totals_.note_output_size(writer_.output_size());
}

void CrawlLoop::settle_pages() {
  const Result<void> settled = writer_.settle(link_.claim());  // a page is of a claimed site
  const QueueAnswer answer = heed(settled, true);
  if (answer == QueueAnswer::claim_lost || answer == QueueAnswer::must_wait) return;
  const bool is_full = answer == QueueAnswer::disk_full || answer == QueueAnswer::unreachable;
  {
    const std::lock_guard lock(mutex_);
    lack_.queue_is_full(is_full);
    if (settled) lack_.end_if_over();
    if (is_full && !stopping_ && !error_) return wait_for(Lack::room, settled.error().message);
    if (is_full) pages_.give_up();
    if (settled && writer_.has_links()) note_additions();
    const auto ids = writer_.take_settled();
    totals_.settled(ids.size());
    for (const std::int64_t id : ids) known_urls_.erase(id);
  }
  if (!settled) return;
  release_sites();
  if (link_.is_shared()) static_cast<void>(refresh_pending(false));
}

// All pages in the old file are settled, but for those that wait for the program. The position of the new one is stored
// before a line is written to it, so resume() never reads from a position of the old file.
void CrawlLoop::reopen_file() {
  const Result<void> reopened = writer_.reopen_log();
  const Result<void> kept = reopened ? writer_.keep_log_position() : Result<void>();
  const QueueAnswer answer = kept ? QueueAnswer::done : heed(kept, true);
  if (answer == QueueAnswer::unreachable) fail(kept.error());
  if (answer == QueueAnswer::must_wait || answer == QueueAnswer::disk_full) {
    const std::lock_guard lock(mutex_);
    const bool is_full = answer == QueueAnswer::disk_full;
    reopen_ = !is_full || !(stopping_ || error_);
    if (is_full) lack_.queue_is_full(true);
    if (is_full && reopen_) wait_for(Lack::room, kept.error().message);
    if (reopen_) return;
  }
  if (!options_.on_log_reopened) return;
  if (auto called = call_back("on_log_reopened", [&] { options_.on_log_reopened(reopened); }); !called) {
    fail(called.error());
  }
}

}  // namespace robotrules::crawl
