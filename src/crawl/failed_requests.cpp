// The crawl after a request that failed or was refused: it repeats the request, or leaves out the site, or the URL has
// failed.
#include <algorithm>
#include <utility>

#include "crawl/crawl_loop.hpp"
#include "crawl/site_sentence.hpp"
#include "fields/retry_after.hpp"
#include "robot/may_pass.hpp"

namespace robotrules::crawl {
namespace {

// URLs of a site that wait for the robots.txt of another site, to which they are redirected, or for room for their
// bodies. Further ones have failed.
constexpr std::ptrdiff_t max_waiting = 256;
// A URL that is answered with 503 waits: the first time, doubled up to the last one.
constexpr std::chrono::minutes first_unavailable{1};
constexpr std::chrono::minutes last_unavailable{60};

// Returns true if the request failed before a server answered it.
bool is_failure(const Response& response) noexcept {
  switch (response.source) {
    case ResponseSource::robots_denied:
    case ResponseSource::parked:
    case ResponseSource::too_early:
    case ResponseSource::store: return false;
    default: return response.is_synthetic();
  }
}

// Returns true if the robots.txt of the site could not be fetched, so that all of its URLs wait.
bool lacks_robots(const Response& response) noexcept {
  return response.source == ResponseSource::robots_unreachable ||
         (response.source == ResponseSource::proxy_refused && response.try_again_at);
}

bool is_unreachable(const Response& response) noexcept {
  return response.source == ResponseSource::robots_unreachable && response.robots != nullptr;
}

// Returns what happened to a request for a page of `origin`. If the page was redirected to another site, the sentence
// names that site, because the failure is not one of `origin`.
std::string sentence_of(const std::string& origin, const Response& response) {
  const auto target = Origin::of(response.url);
  const std::string site = target ? target->to_string() : origin;
  const std::string sentence =
      is_unreachable(response) ? sentence_about(site, *response.robots) : without_own_url(site, response.warning);
  return site == origin ? sentence : "a page is redirected to " + site + ": " + sentence;
}

// Returns true for a 503 that does not say when to come back.
bool is_unavailable(const Response& response) {
  return response.source == ResponseSource::server && response.code == 503 &&
         agent::retry_after_of(response.headers, response.received_at).value_or(std::chrono::seconds(0)).count() <= 0;
}

std::string robots_url_of(const Response& response) {
  const auto origin = Origin::of(response.url);
  return origin ? origin->robots_url() : response.url;
}

}  // namespace

// Precondition of all functions: the caller holds the mutex.

// Returns how long to wait until the robots.txt of the response's site is fetched again, or until there may be room for
// a body.
std::chrono::microseconds CrawlLoop::time_until_retry(const Task& task, const Response& response) const {
  if (response.source == ResponseSource::disk_too_small) {
    return options_.disk_full_wait * (1U << std::min(std::max(task.tries, 1U) - 1, max_doublings));
  }
  if (is_unavailable(response)) {
    const auto doubled = first_unavailable * (1U << std::min(std::max(task.tries, 1U) - 1, 6U));
    return std::min<std::chrono::microseconds>(doubled, last_unavailable);
  }
  if (!response.try_again_at) return std::chrono::hours(1);
  const std::chrono::microseconds left = *response.try_again_at - robot_.rules()->store()->now();
  return std::max<std::chrono::microseconds>(left, std::chrono::milliseconds(1));
}

// Returns true if a server asks for a longer wait than the crawl waits, with its answer for a page or for its
// robots.txt, and sets Response::try_again_at. The robot has told the gate so before.
bool CrawlLoop::parks_site(Response& response) const {
  if (!stopping_ && is_unreachable(response)) {
    if (pause_asked_for(*response.robots, robot_.rules()->store()->now()) <= options_.max_wait) return false;
    response.waited_for = WaitReason::penalty;
    return true;
  }
  const bool is_refusal = response.code == 429 || response.code == 503;
  if (stopping_ || response.source != ResponseSource::server || !is_refusal) return false;
  const auto wait = robot_.host_wait(response.url);
  if (!wait || wait.value() <= options_.max_wait) return false;
  response.try_again_at = robot_.rules()->store()->now() + wait.value();
  response.waited_for = WaitReason::penalty;
  return true;
}

// Counts a request and returns how many there were. If the robots.txt of the site cannot be fetched, that counts for
// all of its URLs together, so that they fail together.
unsigned CrawlLoop::count_try(Site& site, Task& task, const Response& response) {
  if (!is_of_site(task, response)) return ++task.tries;
  if (!lacks_robots(response)) {
    site.robots_failures = 0;
    return ++task.tries;
  }
  const bool is_new = site.robots_failures == 0 || site.robots_again != response.try_again_at;
  site.robots_again = response.try_again_at;
  return is_new ? ++site.robots_failures : site.robots_failures;
}

// Returns false for final results. When the crawl stops, what has tries left stays pending.
bool CrawlLoop::may_retry(Site& site, Task& task, const Response& response) const {
  if (count_try(site, task, response) >= options_.max_tries || !agent::may_pass(response)) return false;
  const bool is_too_long = response.source == ResponseSource::disk_too_small;
  if (!lacks_robots(response) && !is_too_long) return true;
  if (!is_too_long && time_until_retry(task, response) > options_.max_wait) return false;
  return (is_of_site(task, response) && !is_too_long) || std::ranges::count_if(site.ahead, is_waiting) < max_waiting;
}

// Retries a transient failure: when the site's gate permits it, after the site's other URLs, or after a wait.
void CrawlLoop::retry(Site& site, Task task, const Response& response) {
  ++counts_.retried;
  task.is_too_long = response.source == ResponseSource::disk_too_small;
  // The URL itself waits, and not its site.
  const bool waits_alone =
      task.is_too_long || (is_unavailable(response) && std::ranges::count_if(site.ahead, is_waiting) < max_waiting);
  if (!lacks_robots(response) && !waits_alone) return site.ahead.push_back(std::move(task));
  hold(task, task.is_too_long         ? WaitReason::disk
             : lacks_robots(response) ? WaitReason::robots_txt
                                      : WaitReason::penalty);
  const auto when = Clock::now() + time_until_retry(task, response);
  if (is_of_site(task, response) && !waits_alone) {
    site.not_before = when;
    site.ahead.push_front(std::move(task));
  } else {  // the site's other URLs continue
    task.not_before = when;
    task.waits_for = waits_alone ? task.item.request.url : robots_url_of(response);
    site.ahead.push_back(std::move(task));
  }
  later_.emplace(when, site.known.id);
}

// The URL waits until it is requested again.
void CrawlLoop::hold(Task& task, WaitReason why) {
  task.held_since = Clock::now();
  task.held_for = why;
}

// Adds the waits between the tries of a URL to its last response, for the log.
void CrawlLoop::add_waits(const Task& task, Response& response) {
  if (task.held > response.waited) response.waited_for = task.held_for;
  response.waited += task.held;
}

// Keeps the first failure of a site for on_site_failure, or the first response that pauses the site.
void CrawlLoop::note_failure(const Site& site, const Task& task, const Response& response, bool is_final) {
  const bool pauses = !is_final && response.source == ResponseSource::server;  // a 429 or 503
  if (!options_.on_site_failure || !(pauses || is_failure(response)) || !failed_sites_.insert(site.known.id).second)
    return;
  SiteFailure failure;
  failure.origin = site.known.origin;
  failure.why = FetchedPage{response, {}, {}}.reason();
  failure.cause = response.cause;
  const bool is_too_long = response.source == ResponseSource::disk_too_small;
  failure.sentence = sentence_of(failure.origin, response);
  if (pauses) failure.sentence = "the server answers " + std::to_string(response.code) + ", so no page is requested";
  if (is_too_long) failure.sentence = "no room for the body of " + task.item.request.url + ": " + failure.sentence;
  failure.is_final = is_final;
  if (!is_final && (lacks_robots(response) || is_too_long)) {
    failure.next_try_in = std::chrono::ceil<std::chrono::seconds>(time_until_retry(task, response));
  }
  if (pauses) {
    if (const auto wait = robot_.host_wait(response.url)) {
      failure.next_try_in = std::chrono::ceil<std::chrono::seconds>(wait.value());
    }
  }
  site_failures_.push_back(std::move(failure));
}

// Reports a site that is left out, and keeps the time at which the first of these sites may be asked again.
void CrawlLoop::note_left_out(const Site& site, const Response& response, bool parks) {
  const auto until = response.try_again_at;
  if (!parks && response.source != ResponseSource::parked) return;
  if (until) counts_.left_out_until = std::min(counts_.left_out_until.value_or(*until), *until);
  const auto origin = Origin::of(response.url);
  const bool is_own = origin && origin->to_string() == site.known.origin;  // else a redirect led to another site
  if (!options_.on_site_failure || (is_own && !parked_sites_.insert(site.known.id).second)) return;
  SiteFailure failure;
  failure.origin = is_own ? site.known.origin : response.url;
  failure.why = to_string(ResponseSource::parked);
  failure.left_out_until = until;
  failure.sentence = response.source == ResponseSource::server ? "the server answers " + std::to_string(response.code)
                                                               : sentence_of(failure.origin, response);
  site_failures_.push_back(std::move(failure));
}

}  // namespace robotrules::crawl
