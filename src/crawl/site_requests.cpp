// The requests of a crawl: it hands the URLs of its sites to the robot, and takes the responses.
#include <algorithm>
#include <utility>

#include "crawl/crawl_loop.hpp"
#include "crawl/found_url.hpp"
#include "crawl/page_headers.hpp"
#include "crawl/site_sentence.hpp"
#include "http/synthetic.hpp"

namespace robotrules::crawl {
namespace {

// Adds the waits between the tries of a URL to its last response, for the log.
void add_waits(const UrlTask& task, Response& response) {
  if (task.held > response.waited) response.waited_for = task.held_for;
  response.waited += task.held;
}

}  // namespace

// Precondition of all functions but answered() and take_answer(): the caller holds the mutex.

void CrawlLoop::start_ready_requests(Site& site) {
  if (site.given_up) return fail_ahead(site);
  while (!end_.is_ending() && site.in_flight < options_.max_per_site && !site.ahead.empty()) {
    const auto now = time();
    if (site.not_before && *site.not_before > now) return;  // the site waits for that time
    const auto ready = std::ranges::find_if(site.ahead, [&](const Task& task) {
      return (!task.not_before || *task.not_before <= now) && sites_.has_turn(site, task);
    });
    if (ready == site.ahead.end()) break;  // the site waits
    if (throttled() || !rate_.may_begin(now)) return sites_.stall(site);
    rate_.begins(now);
    Task task = std::move(*ready);
    site.ahead.erase(ready);
    task.not_before.reset();
    task.waits_for.clear();
    begin(site, std::move(task));
  }
  sites_.read_if_needed(site);
}

void CrawlLoop::begin(Site& site, Task task) {
  Request request;
  request.method = task.item.request.method;
  request.url = url_to_request(task.item.request);
  request.headers = page_headers(task.item, options_, needs_);
  request.headers_cross_origins = false;  // they are only for the site that the list names
  request.max_size = options_.max_size;
  request.record = needs_.recording;
  request.keep_body = needs_.body || options_.obey_page || options_.keep_body;
  ++site.in_flight;
  if (task.is_too_long) sites_.begin_turn();
  if (const auto since = std::exchange(task.held_since, std::nullopt)) {
    task.held += std::chrono::duration_cast<std::chrono::microseconds>(time() - *since);
  }
  network_.tries(time());
  site.not_before.reset();
  site.begun = time();
  if (site.first_begun == Clock::time_point{}) site.first_begun = site.begun;
  const auto kept = std::make_shared<Task>(std::move(task));
  const std::uint64_t number = requests_.add();
  try {  // answered() waits for the mutex
    requests_.started(number,
                      robot_.start(std::move(request), [this, id = site.known.id, number, kept](Response response) {
                        answered(id, number, kept, std::move(response));
                      }));
  } catch (...) {
    requests_.not_started(number);
    throw;
  }
}

// Called on the robot's thread. Until answer_taken(), the crawl is not over, so it is not destroyed.
void CrawlLoop::answered(std::int64_t id, std::uint64_t number, const std::shared_ptr<Task>& task, Response response) {
  try {
    take_answer(id, number, task, std::move(response));
  } catch (...) {
    abandon();
  }
  const std::lock_guard lock(mutex_);
  requests_.answer_taken();
  changed_.notify_one();
  if (is_over()) over_.notify_all();
}

void CrawlLoop::take_answer(std::int64_t id, std::uint64_t number, const std::shared_ptr<Task>& task,
                            Response response) {
  const std::lock_guard lock(mutex_);
  const bool was_recalled = requests_.answered(number);
  totals_.count_responses(response);
  Site& site = *sites_.find(id);
  --site.in_flight;
  if (is_of_site(*task, response)) note_interval(site, response);
  const bool is_network_lost = note_network(response);
  const bool is_recalled = response.source == ResponseSource::cancelled && was_recalled && !end_.is_ending();
  const bool has_answered =
      is_of_site(*task, response) ? response.source == ResponseSource::server : response.previous != nullptr;
  if (has_answered) {
    site.last_answer = time();
    site.is_silent = false;
    site.given_up.reset();
  }
  const bool is_proxy_lost = lack_.is_proxy_lost(response, number, requests_.last_number(), site.begun_before_lack);
  const bool lacks = is_proxy_lost || response.source == ResponseSource::disk_full;
  if (!lacks) lack_.not_found_by(task->item.id);
  const bool is_given_up = pages_.is_given_up() || link_.has_lost_claim();
  if (is_given_up || (response.source == ResponseSource::cancelled && !is_recalled)) {
    // the URL stays pending; the crawl ends
  } else if (is_network_lost || is_recalled) {
    site.is_silent = is_network_lost;
    if (task->is_too_long) sites_.end_turn(time());
    if (site.leaves || end_.is_ending()) {
      sites_.forget_url(task->item.id);
    } else {
      hold_back(site, std::move(*task), WaitReason::network);
    }
  } else if (lacks) {  // if the crawl ends, it stays pending too
    if (!end_.is_ending()) {
      lack_.found_by(task->item.id);
      if (task->is_too_long) sites_.end_turn(time());
      wait_for(is_proxy_lost ? Lack::proxy : Lack::room, without_url(response));
      hold_back(site, std::move(*task), is_proxy_lost ? WaitReason::proxy : WaitReason::disk);
    }
  } else if (!end_.has_failed()) {
    take_result(site, std::move(*task), std::move(response));
  }
  go_on(site);
}

// Ends the URL, tries it again later, or leaves it to another worker or to the next run.
void CrawlLoop::take_result(Site& site, Task task, Response response) {
  const bool parks = !end_.is_ending() && retries_.parks_site(response);
  const auto silence = retries_.silence_of(response);
  const bool was_given_up = site.given_up.has_value();
  const bool is_final = parks || !retries_.may_retry(site, task, response, silence);
  // To the next worker of the site, or to the next run.
  const bool is_left = (site.leaves || end_.is_ending()) && !is_final;
  if (!was_given_up && site.given_up) reports_.note_given_up(site, *silence);
  if (parks) ++task.tries;
  if (SiteFailure* failure = parks ? nullptr : reports_.note_failure(site, task, response, is_final);
      failure != nullptr && !is_final) {
    failure->next_try_in = retries_.next_try_in(task, response, silence);
  }
  if (parks || response.source == ResponseSource::parked) {
    totals_.note_left_out(response.try_again_at);
    reports_.note_left_out(site, response);
  }
  if (is_left) {
    if (task.is_too_long) sites_.end_turn(time());
    sites_.forget_url(task.item.id);
  } else if (is_final) {
    end_url(site, std::move(task), std::move(response), parks);
  } else {
    if (task.is_too_long) sites_.end_turn(time());
    totals_.count_retry();
    if (const auto when = retries_.put_back(site, std::move(task), response, silence)) {
      sites_.wait_until(*when, site);
    }
  }
}

// The site is given up: its URLs fail without a request.
void CrawlLoop::fail_ahead(Site& site) {
  while (!site.ahead.empty() && !end_.is_ending() && !pages_.is_full()) {
    Task task = std::move(site.ahead.front());
    site.ahead.pop_front();
    task.is_too_long = false;  // its turn may be another URL's
    lack_.not_found_by(task.item.id);
    const std::string& url = task.item.request.url;
    Response response = agent::synthetic_response(site.given_up->source, task.item.request.method, url,
                                                  url + ": not requested, because the site gives no answer: " +
                                                      failure_sentence(site.known.origin, *site.given_up));
    response.robots = site.given_up->robots;
    response.requested_at = response.received_at = robot_.rules()->store()->now();
    end_url(site, std::move(task), std::move(response), false);
  }
  if (site.ahead.empty()) {
    sites_.read_if_needed(site);
  } else {
    sites_.stall(site);
  }
}

// Requests the URL again, before the others of the site, when the crawl goes on.
void CrawlLoop::hold_back(Site& site, Task task, WaitReason why) {
  retries_.hold(task, why);
  site.ahead.push_front(std::move(task));
}

// May destroy the site.
void CrawlLoop::go_on(Site& site) {
  start_ready_requests(site);
  drop_if_done(site);
}

// Ends a URL with its last response.
void CrawlLoop::end_url(Site& site, Task task, Response response, bool parks) {
  ++site.done;
  site.last_done = time();
  add_waits(task, response);
  if (pages_.settles_later()) ++site.unsettled;
  pages_.add({std::move(task.item), std::move(response), std::max(task.tries, 1U), parks, task.is_too_long});
}

void CrawlLoop::drop_if_done(Site& site) {
  const bool ends = end_.is_ending() || link_.has_lost_claim() || (site.leaves && site.ahead.empty());
  if (site.unsettled > 0 || site.in_flight > 0 || site.reading || !(ends || (site.ahead.empty() && site.read_all)))
    return;
  sites_.end(site, pages_.received());
}

void CrawlLoop::resume_stalled() {
  const auto now = time();
  while (Site* site = sites_.take_waited(now)) go_on(*site);
  if (is_waiting_for_network()) sites_.prefer_answering();
  std::size_t left = sites_.stalled();
  while (left-- > 0 && !throttled() && rate_.may_begin(time())) {
    if (Site* site = sites_.take_stalled()) go_on(*site);
  }
}

}  // namespace robotrules::crawl
