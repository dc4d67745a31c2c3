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
      writer_(output, log, queue, options_, std::string(robot.rules()->agent()),
              pages_.settles_later() ? &pages_.unsettled() : nullptr),
      link_(queue),
      supply_(link_.is_shared(), options_.max_sites),
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
    must_exit_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void CrawlLoop::urls_added(bool more_will_come) {
  {
    const std::lock_guard lock(mutex_);
    supply_.set_open(more_will_come);
    note_additions();
  }
  changed_.notify_all();
}

// The queue may have new URLs. Precondition: the caller holds the mutex.
void CrawlLoop::note_additions() {
  supply_.urls_added();
  sites_.urls_added();
}

Result<void> CrawlLoop::settle(std::uint64_t page, std::span<const QueuedUrl> links) {
  auto settled = pages_.unsettled().settle(page, links);
  if (settled) {
    const std::lock_guard lock(mutex_);
    changed_.notify_one();
  }
  return settled;
}

void CrawlLoop::stop() {
  std::vector<Pending> waiting;
  {
    const std::lock_guard lock(mutex_);
    end_.stop();
    sites_.stop_reading();
    waiting = requests_.all();
  }
  for (const Pending& one : waiting) one.cancel_if_waiting();
  changed_.notify_all();
}

void CrawlLoop::cancel() {
  stop();
  std::vector<Pending> under_way;
  {
    const std::lock_guard lock(mutex_);
    under_way = requests_.all();
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
  return end_.result();
}

// --- precondition of the next functions: the caller holds the mutex --------------------------------------------------

bool CrawlLoop::is_over() const {
  if (end_.is_abandoned()) return end_.gave_back_sites() && requests_.is_idle();
  if (!requests_.is_idle() || busy_ || !pages_.empty() || reports_.has_news() || writer_.has_unsettled() ||
      has_news() || reopen_ || link_.has_lost_claim()) {
    return false;
  }
  return sites_.empty() && (end_.is_ending() || supply_.is_complete());
}

bool CrawlLoop::must_give_back_sites() const {
  return end_.is_abandoned() && requests_.empty() && !end_.gave_back_sites();
}

// Returns true if no request may start.
bool CrawlLoop::throttled() const {
  return lack_.holds_requests() || link_.holds_requests() || !may_try_network() || pages_.holds_requests();
}

bool CrawlLoop::may_write() const { return !pages_.empty() && (pages_.room() > 0 || end_.is_ending()); }

bool CrawlLoop::must_settle() const {
  return writer_.has_unsettled() && (requests_.empty() || end_.is_ending() || writer_.is_due(time()));
}

CrawlLoop::Step CrawlLoop::next_step() const {
  if (end_.is_abandoned()) return Step::none;
  if (has_news()) return Step::tell;
  if (reports_.has_news()) return Step::report;
  if (link_.has_lost_claim()) return requests_.empty() && !is_waiting_for_queue() ? Step::drop : Step::none;
  if (is_waiting_for(Lack::room)) return Step::none;
  if (reopen_ && !is_waiting_for_queue()) return writer_.has_unsettled() ? Step::settle : Step::reopen;
  if (may_write()) return Step::write;
  if (is_waiting_for_queue()) return Step::none;
  if (must_settle()) return Step::settle;
  if (may_release()) return Step::release;
  if (end_.is_ending()) return Step::none;
  if (lack_.pause_is_over(time())) return Step::go_on;
  if (sites_.must_read()) return Step::read;
  if (may_claim()) return Step::claim;
  if (link_.has_claim() && supply_.may_share(time())) return Step::share;
  return link_.holds_requests() ? Step::go_on : Step::none;
}

// Returns when there is something to do next; null: only after a notification.
std::optional<CrawlLoop::Clock::time_point> CrawlLoop::next_event() const {
  if (end_.is_abandoned()) return std::nullopt;
  std::optional<Clock::time_point> next;
  const auto sooner = [&next](std::optional<Clock::time_point> time) {
    if (time) next = next ? std::min(*next, *time) : *time;
  };
  const bool waits_for_queue = is_waiting_for_queue();
  if (waits_for_queue) sooner(link_.again_at());
  if (link_.has_lost_claim()) return requests_.empty() ? next : std::nullopt;
  if (is_waiting_for(Lack::room)) return lack_.again_at();
  if (is_waiting_for(Lack::proxy)) sooner(lack_.again_at());
  if (!waits_for_queue && writer_.has_unsettled()) sooner(writer_.settle_at());
  if (end_.is_ending()) return next;
  if (!waits_for_queue && link_.is_shared() && link_.has_claim())
    sooner(supply_.next_question(sites_.active().size(), sites_.empty()));
  sooner(sites_.next_wait_ends());
  if (sites_.stalled() > 0 && !throttled()) sooner(rate_.next());
  if (sites_.stalled() > 0 && is_waiting_for_network()) sooner(network_.next_try(time()));
  return next;
}

// --- the crawl's own thread ------------------------------------------------------------------------------------------

void CrawlLoop::fail(const Error& error) {
  {
    const std::lock_guard lock(mutex_);
    end_.fail(error);
  }
  error.code == "store-newer" ? stop() : cancel();
}

// Ends the crawl after an exception, also if there is no memory. Precondition: it is being handled, and the caller does
// not hold the mutex.
void CrawlLoop::abandon() noexcept {
  {
    const std::lock_guard lock(mutex_);
    end_.abandon();
  }
  try {
    cancel();
  } catch (...) {  // requests on the wire end by themselves
  }
  changed_.notify_all();
}

void CrawlLoop::work() {
  std::unique_lock lock(mutex_);
  while (!must_exit_) {
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
      end_.sites_given_back();
    }
    if (std::exchange(asks_for_work_, false) || is_over()) over_.notify_all();
    const auto changed = [this] {
      return must_exit_ || asks_for_work_ || next_step() != Step::none || must_give_back_sites() ||
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
  if (step == Step::go_on) {  // only a request can show whether the wait is over
    lack_.try_again();
    link_.try_again();
    return;
  }
  std::deque<Page> pages = step == Step::write ? pages_.take() : std::deque<Page>();
  const std::vector<SiteFailure> failures = step == Step::report ? reports_.take() : std::vector<SiteFailure>();
  Site* site = step == Step::read ? &sites_.next_to_read() : nullptr;
  const auto place = site != nullptr ? site->place : std::nullopt;
  if (step == Step::reopen) reopen_ = false;
  busy_ = true;
  lock.unlock();
  switch (step) {
    case Step::tell: tell(); break;
    case Step::report: report(failures); break;
    case Step::drop: drop_sites(); break;
    case Step::write: write_pages(std::move(pages)); break;
    case Step::settle: settle_pages(); break;
    case Step::reopen: reopen_file(); break;
    case Step::release: release_sites(); break;
    case Step::read: read_ahead(*site, place); break;
    case Step::claim: claim_sites(); break;
    case Step::share: share_sites(); break;
    case Step::go_on:
    case Step::none: break;
  }
  lock.lock();
  busy_ = false;
}

void CrawlLoop::report(const std::vector<SiteFailure>& failures) {
  for (const SiteFailure& failure : failures) {
    const auto called = call_back("on_site_failure", [&] { options_.on_site_failure(failure); });
    if (!called) return fail(called.error());
  }
}

void CrawlLoop::write_pages(std::deque<Page> pages) {
  const std::size_t count = pages.size();
  const bool had_turn = std::ranges::any_of(pages, &Page::has_turn);
  PageWriter::Written written = writer_.write(std::move(pages), robot_.rules()->store()->now());
  const bool is_full = written.error && written.error->code == disk_full_code;
  if (written.error && !is_full) fail(*written.error);
  const std::lock_guard lock(mutex_);
  totals_.count_written(written);
  if (had_turn && std::ranges::none_of(written.left, &Page::has_turn)) sites_.end_turn(time());
  pages_.written(count, std::move(written.left));
  if (is_full) {
    lack_.output_is_full(true);
    end_.is_ending() ? pages_.give_up() : wait_for(Lack::room, written.error->message);
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
    if (is_full && !end_.is_ending()) return wait_for(Lack::room, settled.error().message);
    if (is_full) pages_.give_up();
    if (settled && writer_.has_links()) note_additions();
    const auto ids = writer_.take_settled();
    totals_.settled(ids.size());
    for (const std::int64_t id : ids) sites_.forget_url(id);
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
    reopen_ = !(is_full && end_.is_ending());
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
