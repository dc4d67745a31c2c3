#include "crawl/crawl_loop.hpp"

#include <algorithm>
#include <utility>

#include <robotrules/page.hpp>

#include "cli/get/denial.hpp"
#include "cli/io/terminal.hpp"

namespace robotrules::crawl {
namespace {

constexpr std::size_t portion = 16;  // URLs of a site that are read at once
constexpr std::size_t low = 4;       // so few left: read more
constexpr std::size_t sites_at_a_time = 512;
constexpr std::size_t most_settled = 1'000;                  // in one transaction
constexpr std::chrono::milliseconds longest_unsettled{100};  // and longer where the disk is slow
// Pages that wait to be written: beyond that no request is made. Their memory is the robot's to count; of those that
// nothing was fetched of, it counts none.
constexpr std::size_t max_unwritten = 4'096;
// URLs of a site that wait for a robots.txt of another site, to which they are redirected. More of them have failed.
constexpr std::ptrdiff_t max_waiting = 256;

bool may_pass(const Response& response) noexcept {
  switch (response.source) {
    case ResponseSource::server: return response.code == 429 || response.code == 503;
    case ResponseSource::network:
    case ResponseSource::timeout:
    case ResponseSource::internal:  // no memory for it, no descriptor, or no room for its temporary file
    case ResponseSource::robots_unreachable: return true;
    default: return false;
  }
}

// A 304 answers a conditional request, a 206 one for a range. Neither kind of field goes along to another origin.
bool is_unasked(const Response& response, const QueueItem& item) {
  if (response.is_synthetic() || (response.code != 304 && response.code != 206)) return false;
  const Headers& sent = item.request.headers;
  const bool known = item.result && (!item.result->etag.empty() || !item.result->last_modified.empty());
  const bool asked =
      response.code == 206 ? sent.has("Range") : known || sent.has("If-None-Match") || sent.has("If-Modified-Since");
  const auto origin = Origin::of(item.request.url);
  const auto hops = response.redirects();
  const bool stayed = Origin::of(response.url) == origin && std::all_of(hops.begin(), hops.end(), [&](const auto& hop) {
                        return Origin::of(hop->url) == origin;
                      });
  return !asked || !stayed;
}

}  // namespace

UrlState state_of(const Response& response) noexcept {
  switch (response.source) {
    case ResponseSource::server:
    case ResponseSource::handler: return response.code < 400 ? UrlState::done : UrlState::failed;
    case ResponseSource::robots_denied: return UrlState::denied;
    case ResponseSource::parked: return UrlState::parked;
    default: return UrlState::failed;
  }
}

Crawl::Crawl(RobotUA& robot, UrlQueue& queue, PageOutput& output, PageOutput* log, CrawlOptions options)
    : robot_(robot),
      queue_(queue),
      output_(output),
      log_(log),
      options_(std::move(options)),
      needs_(output.needs()),
      token_(robot.rules()->agent()),
      settle_every_(longest_unsettled),
      output_end_(output.position()),
      log_end_(log == nullptr ? 0 : log->position()),
      thread_([this] { work(); }) {}

Crawl::~Crawl() {
  cancel();
  {
    std::unique_lock lock(mutex_);
    over_.wait(lock, [this] { return is_over(); });
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Crawl::more(bool open) {
  {
    const std::lock_guard lock(mutex_);
    open_ = open;
    place_.reset();
    pass_ended_ = pass_was_idle_ = false;
    ++additions_;
    for (const auto& [id, site] : sites_) {  // what came may belong before what was read already
      site->read_all = false;
      site->place.reset();
    }
  }
  changed_.notify_all();
}

void Crawl::stop() {
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

void Crawl::cancel() {
  stop();
  std::vector<Pending> under_way;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [number, known] : in_flight_) under_way.push_back(known.pending);
  }
  for (const Pending& one : under_way) one.cancel();
}

bool Crawl::wait_for(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return over_.wait_for(lock, time, [this] { return is_over(); });
}

Result<void> Crawl::result() const {
  const std::lock_guard lock(mutex_);
  return error_ ? Result<void>(*error_) : Result<void>();
}

bool Crawl::is_over() const {
  if (!in_flight_.empty() || busy_ || !pages_.empty() || !settled_.empty()) return false;
  return stopping_ || error_ || (!open_ && sites_.empty() && pass_ended_ && pass_was_idle_);
}

bool Crawl::throttled() const { return unwritten_ > max_unwritten; }

// --- the robot's side ------------------------------------------------------------------------------------------------

void Crawl::begin_what_may(Site& site) {
  while (!stopping_ && !error_ && site.in_flight < options_.per_site && !site.ahead.empty()) {
    const auto now = Clock::now();
    if (site.not_before && *site.not_before > now) return;  // later_ has it
    const auto ready = std::ranges::find_if(
        site.ahead, [now](const Task& task) { return !task.not_before || *task.not_before <= now; });
    if (ready == site.ahead.end()) break;  // likewise
    if (throttled() || (options_.rate > 0 && next_begin_ > now)) {
      if (!std::exchange(site.stalled, true)) stalled_.push_back(site.known.id);
      return;
    }
    if (options_.rate > 0) {
      const auto step = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / options_.rate));
      next_begin_ = std::max(next_begin_, now - step) + step;
    }
    Task task = std::move(*ready);
    site.ahead.erase(ready);
    task.not_before.reset();
    begin(site, std::move(task));
  }
  const auto waiting = static_cast<std::size_t>(std::ranges::count_if(site.ahead, is_waiting));
  if (!stopping_ && site.ahead.size() < low + waiting && !site.read_all && !std::exchange(site.reading, true)) {
    to_read_.push_back(site.known.id);
    changed_.notify_one();
  }
}

void Crawl::begin(Site& site, Task task) {
  const std::uint64_t number = ++last_number_;
  Request request;
  request.method = task.item.request.method;
  request.url = task.item.request.url;
  request.headers = task.item.request.headers;
  request.headers_cross_origins = false;  // a list may be somebody else's, and its fields are for the site it names
  if (const auto& before = task.item.result) {  // it was fetched once: is that still current?
    if (!before->etag.empty()) request.headers.set("If-None-Match", before->etag);
    if (!before->last_modified.empty()) request.headers.set("If-Modified-Since", before->last_modified);
  }
  request.max_size = options_.max_size;
  request.record = needs_.recording;
  request.keep_body = needs_.body || options_.obey_page;
  ++site.in_flight;
  site.not_before.reset();
  site.begun = Clock::now();
  if (site.first_begun == Clock::time_point{}) site.first_begun = site.begun;
  const auto kept = std::make_shared<Task>(std::move(task));
  Pending pending = robot_.start(std::move(request), [this, id = site.known.id, number, kept](Response response) {
    answered(id, number, kept, std::move(response));
  });
  in_flight_.emplace(number, InFlight{site.known.id, std::move(pending)});  // the answer waits for the mutex
}

// On the robot's thread.
void Crawl::answered(std::int64_t id, std::uint64_t number, const std::shared_ptr<Task>& task, Response response) {
  const std::lock_guard lock(mutex_);
  in_flight_.erase(number);
  Site& site = *sites_.at(id);
  --site.in_flight;
  if (response.source == ResponseSource::cancelled) {  // it stays pending
  } else if (!error_ && !try_again(site, *task, response)) {
    ++site.done;
    ++unwritten_;
    pages_.push_back({std::move(*task), std::move(response)});
  }
  begin_what_may(site);
  leave_if_through(site);
  changed_.notify_one();
  if (is_over()) over_.notify_all();
}

// What may be otherwise the next time is tried again: when the site's gate lets it, or behind the site's other URLs.
bool Crawl::try_again(Site& site, Task& task, const Response& response) {
  if (stopping_ || ++task.tries >= options_.tries || !may_pass(response)) return false;
  if (response.source == ResponseSource::robots_unreachable) {
    const auto left = response.try_again_at ? *response.try_again_at - robot_.rules()->store()->now() : std::chrono::hours(1);
    if (left > options_.longest_wait) return false;
    const auto when = Clock::now() + std::max<Clock::duration>(left, std::chrono::milliseconds(1));
    if (Origin::of(response.url) == Origin::of(task.item.request.url)) {
      site.not_before = when;
      site.ahead.push_front(std::move(task));
    } else {  // it is a redirect's target that can't be asked: the site's other URLs go on
      if (std::ranges::count_if(site.ahead, is_waiting) >= max_waiting) return false;
      task.not_before = when;
      site.ahead.push_back(std::move(task));
    }
    later_.emplace(when, site.known.id);
  } else {
    site.ahead.push_back(std::move(task));
  }
  ++counts_.retried;
  return true;
}

void Crawl::leave_if_through(Site& site) {
  if (site.in_flight > 0 || site.reading || !(stopping_ || error_ || (site.ahead.empty() && site.read_all))) return;
  const std::int64_t id = site.known.id;
  sites_.erase(id);
}

void Crawl::let_go_on() {
  const auto now = Clock::now();
  while (!later_.empty() && later_.begin()->first <= now) {
    const auto found = sites_.find(later_.begin()->second);
    later_.erase(later_.begin());
    if (found != sites_.end()) begin_what_may(*found->second);
  }
  std::size_t left = stalled_.size();
  while (left-- > 0 && !throttled() && !(options_.rate > 0 && next_begin_ > Clock::now())) {
    const auto found = sites_.find(stalled_.front());
    stalled_.pop_front();
    if (found == sites_.end()) continue;
    found->second->stalled = false;
    begin_what_may(*found->second);
  }
}

// --- the crawl's own thread ------------------------------------------------------------------------------------------

void Crawl::fail(const Error& error) {
  {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
  }
  cancel();
}

// Null: something must be told first.
std::optional<Crawl::Clock::time_point> Crawl::next_event() const {
  std::optional<Clock::time_point> next;
  const auto sooner = [&next](Clock::time_point time) { next = next ? std::min(*next, time) : time; };
  if (!settled_.empty()) sooner(unsettled_since_ + settle_every_);
  if (stopping_ || error_) return next;
  if (!later_.empty()) sooner(later_.begin()->first);
  if (!stalled_.empty() && !throttled() && options_.rate > 0) sooner(next_begin_);
  return next;
}

// With the mutex held, as the next two.
Crawl::Step Crawl::next_step() const {
  if (!pages_.empty()) return Step::write;
  const bool ending = stopping_ || error_.has_value();
  const bool due = !settled_.empty() && (settled_.size() >= most_settled || in_flight_.empty() || ending ||
                                         Clock::now() >= unsettled_since_ + settle_every_);
  if (due) return Step::settle;
  if (ending) return Step::none;
  if (!to_read_.empty()) return Step::read;
  if (!pass_ended_ && sites_.size() < options_.sites_at_once) return Step::take;
  // What came into the queue behind the place of a pass is for the next one.
  if (pass_ended_ && !pass_was_idle_ && sites_.empty() && settled_.empty()) return Step::begin_again;
  return Step::none;
}

void Crawl::work() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    let_go_on();
    const Step step = next_step();
    if (step != Step::none) {
      take_step(step, lock);
      continue;
    }
    if (is_over()) over_.notify_all();
    const auto changed = [this] { return ended_ || next_step() != Step::none; };
    if (const auto next = next_event()) {
      changed_.wait_until(lock, *next, changed);
    } else {
      changed_.wait(lock, [&] { return changed() || next_event(); });
    }
  }
}

// The mutex is let go of meanwhile.
void Crawl::take_step(Step step, std::unique_lock<std::mutex>& lock) {
  std::deque<Page> pages;
  std::int64_t site = 0;
  std::optional<QueuePlace> place;
  if (step == Step::write) pages.swap(pages_);
  if (step == Step::read) {
    site = to_read_.front();
    to_read_.pop_front();
    place = sites_.at(site)->place;  // which stays as long as it is being read
    sites_.at(site)->additions = additions_;
  }
  if (step == Step::begin_again) {
    pass_ended_ = false;
    pass_was_idle_ = true;  // until it takes a site
    place_.reset();
    return;
  }
  busy_ = true;
  lock.unlock();
  try {
    if (step == Step::write) write_pages(std::move(pages));
    if (step == Step::settle) settle();
    if (step == Step::read) read_ahead(site, place);
    if (step == Step::take) take_sites();
  } catch (const std::bad_alloc&) {
    fail({"out-of-memory", "there is not enough memory to go on"});
  }
  lock.lock();
  busy_ = false;
}

void Crawl::take_sites() {
  std::optional<QueuePlace> place;
  {
    const std::lock_guard lock(mutex_);
    place = place_;
  }
  auto found = queue_.sites(place, sites_at_a_time);
  if (!found) return fail(found.error());
  const std::lock_guard lock(mutex_);
  for (QueueSite& known : found.value()) {
    place_ = place_of(known);
    const std::int64_t id = known.id;
    const auto [entry, is_new] = sites_.try_emplace(id);
    if (!is_new) continue;
    note_seen(id);
    pass_was_idle_ = false;
    entry->second = std::make_unique<Site>();
    entry->second->known = std::move(known);
    entry->second->reading = true;
    to_read_.push_back(id);
  }
  pass_ended_ = found.value().size() < sites_at_a_time;
}

void Crawl::read_ahead(std::int64_t id, const std::optional<QueuePlace>& place) {
  auto items = queue_.peek(id, place, portion);
  if (!items) return fail(items.error());
  const std::lock_guard lock(mutex_);
  Site& site = *sites_.at(id);  // which stays as long as it is being read
  site.reading = false;
  const bool is_current = site.additions == additions_;
  site.read_all = is_current && items.value().size() < portion;
  for (QueueItem& item : items.value()) {
    if (is_current) site.place = place_of(item);
    if (!stopping_ && known_urls_.insert(item.id).second) site.ahead.push_back({std::move(item), 0});
  }
  begin_what_may(site);
  leave_if_through(site);
}

// Each site counts once, however often a pass takes it.
void Crawl::note_seen(std::int64_t id) {
  constexpr std::size_t most = std::size_t{1} << 30;
  const auto at = static_cast<std::size_t>(id);
  if (id < 0 || at >= most) return;
  if (at >= seen_.size()) seen_.resize(std::max(at + 1, std::min(seen_.size() * 2, most)));
  if (!seen_[at]) ++counts_.sites_seen;
  seen_[at] = true;
}

// A page that has not changed since it was kept out is kept out, whatever the few fields of a 304 say.
bool Crawl::is_kept_out(const Page& page, Timestamp now) const {
  if (!options_.obey_page || page.response.is_synthetic()) return false;
  const auto& before = page.task.item.result;
  if (page.response.code == 304 && before && before->why == kept_out_by_page) return true;
  const PageRules rules = page_rules_of(page.response, token_);
  return rules.noarchive || !rules.index_allowed(now);
}

void Crawl::write_pages(std::deque<Page> pages) {
  const Timestamp now = robot_.rules()->store()->now();
  CrawlCounts more;
  FailureCounts failures;
  const std::size_t count = pages.size();
  std::uint64_t unsettled = 0;
  std::optional<Error> failed;                 // then what is left of them stays pending
  for (; !pages.empty(); pages.pop_front()) {  // each lets go of its memory
    if (failed) continue;
    const Page& page = pages.front();
    const Response& response = page.response;
    if (response.source == ResponseSource::store) {
      failed = Error{"store-failed", response.warning};
      continue;
    }
    FetchedPage fetched{response, page.task.item.request.url, page.task.item.request.method, {}, {}};
    FinishedUrl settled{page.task.item.id, state_of(response), {}};
    if (is_unasked(response, page.task.item)) {
      fetched.why = unasked_status;
      settled.state = UrlState::failed;
    }
    if (page.task.item.result) fetched.known_since = page.task.item.result->at;
    const bool from_server = !response.is_synthetic();
    if (fetched.why.empty() && is_kept_out(page, now)) {
      fetched.kept_out = true;
      fetched.why = kept_out_by_page;
      ++more.kept_out;
    }
    Result<void> written = output_.write(fetched);
    if (written && log_ != nullptr) written = log_->write(fetched);
    if (!written) {  // a page that only the log lacks stands behind output_end_, where recover() finds it
      failed = written.error();
      continue;
    }
    output_end_ = output_.position();
    if (log_ != nullptr) log_end_ = log_->position();
    settled.result.status = from_server ? response.code : 0;
    settled.result.why = fetched.reason();
    settled.result.at = now;
    settled.result.bytes = response.body_size;
    if (from_server && fetched.why != unasked_status) {  // whose validators are of a page that is not had
      const auto field = [&](const char* name, const std::string UrlResult::* before) {
        if (const auto value = response.headers.get(name)) return std::string(*value);
        return response.code == 304 && page.task.item.result ? *page.task.item.result.*before : std::string();
      };
      settled.result.etag = field("ETag", &UrlResult::etag);
      settled.result.last_modified = field("Last-Modified", &UrlResult::last_modified);
    }
    switch (settled.state) {
      case UrlState::denied: ++more.denied; break;
      case UrlState::failed:
        ++more.failed;
        ++failures[from_server && fetched.why != unasked_status ? std::to_string(response.code)
                                                                : std::string(fetched.reason())];
        break;
      case UrlState::parked: ++more.parked; break;
      default: ++more.done; ++more.by_class[static_cast<std::size_t>(std::clamp(response.code / 100, 0, 5))];
    }
    if (options_.explain &&
        (response.source == ResponseSource::robots_denied || response.source == ResponseSource::robots_unreachable)) {
      complain("get", denial(fetched.url, response));
    }
    more.octets += response.bytes_received;
    if (settled_.empty()) unsettled_since_ = Clock::now();
    settled_.push_back(std::move(settled));
    ++unsettled;
  }
  if (failed) fail(*failed);
  const std::lock_guard lock(mutex_);
  counts_.done += more.done;
  counts_.denied += more.denied;
  counts_.failed += more.failed;
  counts_.parked += more.parked;
  counts_.octets += more.octets;
  counts_.kept_out += more.kept_out;
  for (std::size_t i = 0; i < more.by_class.size(); ++i) counts_.by_class[i] += more.by_class[i];
  for (const auto& [why, number] : failures) failures_[why] += number;
  unsettled_ += unsettled;
  unwritten_ -= count;
  counts_.in_output = output_.position();
}

// The queue must not say "done" of a page that a failure of the machine would take away: where the output is one file,
// it is brought to the disk first.
void Crawl::settle() {
  std::optional<OutputPosition> position;
  Result<void> settled;
  const auto begun = Clock::now();
  if (!options_.output_name.empty()) {
    position = OutputPosition{options_.output_name, output_end_};
    if (output_end_ > 0) settled = output_.flush();
  }
  const auto took = Clock::now() - begun;
  if (settled) settled = queue_.settle(settled_, position);
  // A transaction of its own: what stands behind this position may be settled already.
  if (settled && log_ != nullptr && !options_.log_name.empty()) {
    settled = queue_.settle({}, OutputPosition{options_.log_name, log_end_});
  }
  {
    const std::lock_guard lock(mutex_);
    settle_every_ = std::clamp<Clock::duration>(10 * took, longest_unsettled, longest_unsettled * 50);
    for (const FinishedUrl& one : settled_) known_urls_.erase(one.id);
    settled_.clear();
    unsettled_ = 0;
  }
  if (!settled) fail(settled.error());
}

}  // namespace robotrules::crawl
