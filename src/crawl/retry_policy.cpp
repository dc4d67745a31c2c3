#include "crawl/retry_policy.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "crawl/crawl_clock.hpp"
#include "crawl/failure_kind.hpp"
#include "crawl/lack_wait.hpp"
#include "crawl/site_sentence.hpp"
#include "fields/retry_after.hpp"
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

// Returns true for a 503 that does not say when to come back.
bool is_unavailable(const Response& response) {
  return response.source == ResponseSource::server && response.code == 503 &&
         agent::retry_after_of(response.headers, response.received_at).value_or(std::chrono::seconds(0)).count() <= 0;
}

std::string robots_url_of(const Response& response) {
  const auto origin = Origin::of(response.url);
  return origin ? origin->robots_url() : response.url;
}

bool has_room_to_wait(const ActiveSite& site) { return std::ranges::count_if(site.ahead, is_waiting) < max_waiting; }

// Counts a request and returns how many there were. If the robots.txt of the site cannot be fetched, that counts for
// all of its URLs together, so that they fail together.
unsigned count_try(ActiveSite& site, UrlTask& task, const Response& response) {
  if (!is_of_site(task, response)) return ++task.tries - task.unanswered;
  if (!lacks_robots(response)) {
    site.robots_failures = 0;
    return ++task.tries - task.unanswered;
  }
  const bool is_new = site.robots_failures == 0 || site.robots_again != response.try_again_at;
  site.robots_again = response.try_again_at;
  return is_new ? ++site.robots_failures : site.robots_failures;
}

}  // namespace

// Returns how long to wait until the robots.txt of the response's site is fetched again, or until there may be room for
// a body.
std::chrono::microseconds RetryPolicy::time_until_retry(const UrlTask& task, const Response& response) const {
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

bool RetryPolicy::parks_site(Response& response) const {
  if (is_robots_unreachable(response)) {
    if (pause_asked_for(*response.robots, robot_.rules()->store()->now()) <= options_.max_wait) return false;
    response.waited_for = WaitReason::penalty;
    return true;
  }
  const bool is_refusal = response.code == 429 || response.code == 503;
  if (response.source != ResponseSource::server || !is_refusal) return false;
  const auto wait = robot_.host_wait(response.url);
  if (!wait || wait.value() <= options_.max_wait) return false;
  response.try_again_at = robot_.rules()->store()->now() + wait.value();
  response.waited_for = WaitReason::penalty;
  return true;
}

std::optional<Silence> RetryPolicy::silence_of(const Response& response) const {
  const bool is_of_page = response.source == ResponseSource::network || response.source == ResponseSource::timeout ||
                          is_target_away(response);
  const bool is_of_robots = is_robots_unreachable(response) && response.robots->status == 0;
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
std::chrono::microseconds RetryPolicy::wait_after(const UrlTask& task, const Response& response,
                                                  const Silence& silence) const {
  return lacks_robots(response) ? std::max(time_until_retry(task, response), silence.pause_left) : silence.pause_left;
}

bool RetryPolicy::may_retry(ActiveSite& site, UrlTask& task, const Response& response,
                            const std::optional<Silence>& silence) const {
  if (silence) return may_retry_silent(site, task, response, *silence);
  const bool is_own = is_of_site(task, response);
  if (count_try(site, task, response) >= options_.max_tries || !agent::may_pass(response)) return false;
  const bool is_too_long = response.source == ResponseSource::disk_too_small;
  if (!lacks_robots(response) && !is_too_long) return true;
  if (!is_too_long && time_until_retry(task, response) > options_.max_wait) return false;
  return (is_own && !is_too_long) || has_room_to_wait(site);
}

bool RetryPolicy::may_retry_silent(ActiveSite& site, UrlTask& task, const Response& response,
                                   const Silence& silence) const {
  const bool is_own = is_of_site(task, response);
  site.is_silent = site.is_silent || is_own;
  if (!lacks_robots(response)) {
    ++task.tries;
    ++task.unanswered;
  }
  if (!task.unanswered_since) task.unanswered_since = now_of(options_);
  if (is_own && !lacks_robots(response) && site.last_answer > *task.unanswered_since) {
    return task.unanswered < options_.max_tries;
  }
  const bool is_new = silence.pause_left.count() > 0;  // else the record of an earlier failure, which ends now
  if (is_new && silence.pauses >= options_.max_tries && silence.lasts >= give_up_after) {
    if (is_own && !site.given_up) site.given_up = response;
    return false;
  }
  if (wait_after(task, response, silence) > options_.max_wait) return false;
  return options_.max_tries > 1 && (is_own || has_room_to_wait(site));
}

std::optional<RetryPolicy::Clock::time_point> RetryPolicy::put_back(ActiveSite& site, UrlTask task,
                                                                    const Response& response,
                                                                    const std::optional<Silence>& silence) const {
  task.is_too_long = response.source == ResponseSource::disk_too_small;
  // The URL itself waits, and not its site.
  const bool waits_alone = task.is_too_long || (is_unavailable(response) && has_room_to_wait(site));
  const bool waits_elsewhere = silence && !is_of_site(task, response);  // else the robot waits for the pause
  if (!lacks_robots(response) && !waits_alone && !waits_elsewhere) {
    site.ahead.push_back(std::move(task));
    return std::nullopt;
  }
  hold(task, task.is_too_long         ? WaitReason::disk
             : silence                ? WaitReason::away
             : lacks_robots(response) ? WaitReason::robots_txt
                                      : WaitReason::penalty);
  const auto when =
      now_of(options_) + (silence ? wait_after(task, response, *silence) : time_until_retry(task, response));
  if (is_of_site(task, response) && !waits_alone) {
    site.not_before = when;
    site.ahead.push_front(std::move(task));
  } else {  // the site's other URLs continue
    task.not_before = when;
    task.waits_for = waits_alone ? task.item.request.url : robots_url_of(response);
    if (waits_elsewhere) {  // one URL tries for all
      for (UrlTask& other : site.ahead) {
        if (other.not_before && other.waits_for == task.waits_for) other.not_before = std::max(*other.not_before, when);
      }
    }
    site.ahead.push_back(std::move(task));
  }
  return when;
}

std::optional<std::chrono::seconds> RetryPolicy::next_try_in(const UrlTask& task, const Response& response,
                                                             const std::optional<Silence>& silence) const {
  using std::chrono::ceil;
  using std::chrono::seconds;
  if (response.source == ResponseSource::server) {  // a 429 or 503
    const auto wait = robot_.host_wait(response.url);
    return wait ? std::optional(ceil<seconds>(wait.value())) : std::nullopt;
  }
  if (silence && !lacks_robots(response)) return std::max(ceil<seconds>(silence->pause_left), seconds(0));
  if (lacks_robots(response) || response.source == ResponseSource::disk_too_small) {
    return ceil<seconds>(time_until_retry(task, response));
  }
  return std::nullopt;
}

void RetryPolicy::hold(UrlTask& task, WaitReason why) const {
  task.held_since = now_of(options_);
  task.held_for = why;
}

}  // namespace robotrules::crawl
