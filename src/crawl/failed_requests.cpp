// The crawl after a request that failed or was refused: it repeats the request, or leaves out the site, or the URL has
// failed.
#include <algorithm>
#include <utility>

#include "crawl/crawl_loop.hpp"
#include "crawl/site_sentence.hpp"
#include "fields/retry_after.hpp"
#include "http/synthetic.hpp"
#include "robot/may_pass.hpp"

namespace robotrules::crawl {
namespace {

// A site that gives no answer is given up after this time, and CrawlOptions::max_tries pauses.
constexpr std::chrono::minutes give_up_after{10};
// URLs of a site that wait for the robots.txt of another site, to which they are redirected, or for room for their
// bodies. Further ones have failed.
constexpr std::ptrdiff_t max_waiting = 256;
// A URL that is answered with 503 waits: the first time, doubled up to the last one.
constexpr std::chrono::minutes first_unavailable{1};
constexpr std::chrono::minutes last_unavailable{60};

// Returns true if a redirect led to a site that pauses because it gave no answer, so that nothing was sent to it.
bool is_target_away(const Response& response) noexcept {
  return response.source == ResponseSource::too_early && response.waited_for == WaitReason::away;
}

// Returns true if the request failed before a server answered it.
bool is_failure(const Response& response) noexcept {
  switch (response.source) {
    case ResponseSource::robots_denied:
    case ResponseSource::parked:
    case ResponseSource::store: return false;
    case ResponseSource::too_early: return is_target_away(response);
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
    return options_.disk_full_wait * (1U << std::min(std::max(task.tries, 1U) - 1, LackWait::max_doublings));
  }
  if (is_unavailable(response)) {
    const unsigned before = std::max(task.tries - task.unanswered, 1U) - 1;
    const auto doubled = first_unavailable * (1U << std::min(before, 6U));
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
  if (!is_of_site(task, response)) return ++task.tries - task.unanswered;
  if (!lacks_robots(response)) {
    site.robots_failures = 0;
    return ++task.tries - task.unanswered;
  }
  const bool is_new = site.robots_failures == 0 || site.robots_again != response.try_again_at;
  site.robots_again = response.try_again_at;
  return is_new ? ++site.robots_failures : site.robots_failures;
}

// Returns null if the site has answered, or if the failure is not one of the site.
std::optional<CrawlLoop::Silence> CrawlLoop::silence_of(const Response& response) const {
  const bool is_of_page = response.source == ResponseSource::network || response.source == ResponseSource::timeout ||
                          is_target_away(response);
  const bool is_of_robots = is_unreachable(response) && response.robots->status == 0;
  const auto origin = Origin::of(response.url);
  if (!(is_of_page || is_of_robots) || response.cause != FailureCause::none || !origin) return std::nullopt;
  const auto store = robot_.rules()->store();
  const Timestamp now = store->now();
  if (is_of_robots) {
    const auto record = store->robots(*origin);
    if (!record || !record.value() || !record.value()->failing_since) return std::nullopt;
    const RobotsRecord& known = *record.value();
    return Silence{std::max(known.failures, 1U) - 1U, now - *known.failing_since, known.fresh_until - now};
  }
  const auto gate = store->gate(gate_key(*origin));
  // Without a pause that runs now, the row is one of earlier failures.
  if (!gate || gate->failures == 0 || !gate->failing_since || gate->away_until <= now) return std::nullopt;
  return Silence{gate->failures - 1U, now - *gate->failing_since, gate->away_until - now};
}

// Returns how long to wait until a site that gave no answer is asked again.
std::chrono::microseconds CrawlLoop::wait_after(const Task& task, const Response& response,
                                                const Silence& silence) const {
  return lacks_robots(response) ? std::max(time_until_retry(task, response), silence.pause_left) : silence.pause_left;
}

// Returns false for final results. When the crawl stops, what has tries left stays pending.
bool CrawlLoop::may_retry(Site& site, Task& task, const Response& response, const std::optional<Silence>& silence) {
  const bool is_own = is_of_site(task, response);
  if (silence) {
    site.is_silent = site.is_silent || is_own;
    if (!lacks_robots(response)) {
      ++task.tries;
      ++task.unanswered;
    }
    if (!task.unanswered_since) task.unanswered_since = time();
    if (is_own && !lacks_robots(response) && site.last_answer > *task.unanswered_since) {
      return task.unanswered < options_.max_tries;
    }
    const bool is_new = silence->pause_left.count() > 0;  // else the record of an earlier failure, which ends now
    if (is_new && silence->pauses >= options_.max_tries && silence->lasts >= give_up_after) {
      if (is_own && !site.given_up) {
        site.given_up = response;
        note_given_up(site, *silence);
      }
      return false;
    }
    if (wait_after(task, response, *silence) > options_.max_wait) return false;
    return options_.max_tries > 1 && (is_own || std::ranges::count_if(site.ahead, is_waiting) < max_waiting);
  }
  if (count_try(site, task, response) >= options_.max_tries || !agent::may_pass(response)) return false;
  const bool is_too_long = response.source == ResponseSource::disk_too_small;
  if (!lacks_robots(response) && !is_too_long) return true;
  if (!is_too_long && time_until_retry(task, response) > options_.max_wait) return false;
  return (is_own && !is_too_long) || std::ranges::count_if(site.ahead, is_waiting) < max_waiting;
}

// The site is given up: its URLs fail without a request.
void CrawlLoop::fail_ahead(Site& site) {
  while (!site.ahead.empty() && !stopping_ && !error_ && unwritten_ <= max_unwritten) {
    Task task = std::move(site.ahead.front());
    site.ahead.pop_front();
    task.is_too_long = false;  // its turn may be another URL's
    lack_.not_found_by(task.item.id);
    const std::string& url = task.item.request.url;
    Response response = agent::synthetic_response(
        site.given_up->source, task.item.request.method, url,
        url + ": not requested, because the site gives no answer: " + sentence_of(site.known.origin, *site.given_up));
    response.robots = site.given_up->robots;
    response.requested_at = response.received_at = robot_.rules()->store()->now();
    end_url(site, std::move(task), std::move(response), false);
  }
  site.ahead.empty() ? read_if_needed(site) : stall(site);
}

// Requests the URL again, before the others of the site, when the crawl goes on.
void CrawlLoop::hold_back(Site& site, Task task, WaitReason why) {
  hold(task, why);
  site.ahead.push_front(std::move(task));
}

// Retries a transient failure: when the site's gate permits it, after the site's other URLs, or after a wait.
void CrawlLoop::retry(Site& site, Task task, const Response& response, const std::optional<Silence>& silence) {
  ++counts_.retried;
  task.is_too_long = response.source == ResponseSource::disk_too_small;
  // The URL itself waits, and not its site.
  const bool waits_alone =
      task.is_too_long || (is_unavailable(response) && std::ranges::count_if(site.ahead, is_waiting) < max_waiting);
  const bool waits_elsewhere = silence && !is_of_site(task, response);  // else the robot waits for the pause
  if (!lacks_robots(response) && !waits_alone && !waits_elsewhere) return site.ahead.push_back(std::move(task));
  hold(task, task.is_too_long         ? WaitReason::disk
             : silence                ? WaitReason::away
             : lacks_robots(response) ? WaitReason::robots_txt
                                      : WaitReason::penalty);
  const auto when = time() + (silence ? wait_after(task, response, *silence) : time_until_retry(task, response));
  if (is_of_site(task, response) && !waits_alone) {
    site.not_before = when;
    site.ahead.push_front(std::move(task));
  } else {  // the site's other URLs continue
    task.not_before = when;
    task.waits_for = waits_alone ? task.item.request.url : robots_url_of(response);
    if (waits_elsewhere) {  // one URL tries for all
      for (Task& other : site.ahead) {
        if (other.not_before && other.waits_for == task.waits_for) other.not_before = std::max(*other.not_before, when);
      }
    }
    site.ahead.push_back(std::move(task));
  }
  later_.emplace(when, site.known.id);
}

// The URL waits until it is requested again.
void CrawlLoop::hold(Task& task, WaitReason why) const {
  task.held_since = time();
  task.held_for = why;
}

// Adds the waits between the tries of a URL to its last response, for the log.
void CrawlLoop::add_waits(const Task& task, Response& response) {
  if (task.held > response.waited) response.waited_for = task.held_for;
  response.waited += task.held;
}

// Keeps the first failure of a site for on_site_failure, or the first response that pauses the site.
void CrawlLoop::note_failure(const Site& site, const Task& task, const Response& response,
                             const std::optional<Silence>& silence, bool is_final) {
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
  if (!is_final && silence && !lacks_robots(response)) {
    failure.next_try_in =
        std::max(std::chrono::ceil<std::chrono::seconds>(silence->pause_left), std::chrono::seconds(0));
  }
  if (pauses) {
    if (const auto wait = robot_.host_wait(response.url)) {
      failure.next_try_in = std::chrono::ceil<std::chrono::seconds>(wait.value());
    }
  }
  site_failures_.push_back(std::move(failure));
}

void CrawlLoop::note_given_up(const Site& site, const Silence& silence) {
  failed_sites_.insert(site.known.id);  // after a restart this is its only message
  if (!options_.on_site_failure) return;
  SiteFailure failure;
  failure.origin = site.known.origin;
  failure.why = FetchedPage{*site.given_up, {}, {}}.reason();
  failure.sentence = "no answer for " +
                     std::to_string(std::chrono::floor<std::chrono::minutes>(silence.lasts).count()) +
                     " minutes, so all of its URLs have failed: " + sentence_of(failure.origin, *site.given_up);
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
