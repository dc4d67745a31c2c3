#include "robot/page_pace.hpp"

#include <algorithm>
#include <utility>

namespace robotrules {

std::chrono::microseconds page_interval(const Pace& pace, const Rules& rules, Timestamp now) {
  return agent::page_request(pace, rules, {}, now).interval;
}

std::chrono::seconds default_max_wait(const Pace& pace) {
  const auto after_delay = std::chrono::ceil<std::chrono::seconds>(pace.delay) + max_grant_age;
  return std::max<std::chrono::seconds>(std::chrono::hours(1), after_delay);
}

}  // namespace robotrules

namespace robotrules::agent {
namespace {

using std::chrono::microseconds;

// Returns whether `now` is in the span. The last minute belongs to it.
bool is_within(const TimeOfDay& span, Timestamp now) {
  const auto minute =
      std::chrono::floor<std::chrono::minutes>(now - std::chrono::floor<std::chrono::days>(now)).count();
  if (span.from > span.to) return minute >= span.from || minute <= span.to;
  return minute >= span.from && minute <= span.to;
}

}  // namespace

ReserveRequest page_request(const Pace& pace, const Rules& rules, std::vector<std::string> keys, Timestamp now) {
  ReserveRequest request;
  request.keys = std::move(keys);
  request.interval = pace.delay;
  request.adaptive = {pace.adaptive, pace.max_adaptive};
  request.from_start = pace.from_start;
  request.in_flight = pace.max_in_flight;
  request.max_penalty = pace.max_retry_after;
  const auto at_least = [&](microseconds interval, IntervalSource source) {
    if (interval <= request.interval) return;
    request.interval = interval;
    request.source = source;
  };
  if (pace.obey_crawl_delay) {
    if (const auto asked = rules.crawl_delay()) {
      at_least(std::min<microseconds>(*asked, pace.max_crawl_delay), IntervalSource::crawl_delay);
    }
  }
  if (pace.obey_request_rate) {
    const auto rate = rules.request_rate();
    if (rate && rate->requests > 0 && (!rate->during || is_within(*rate->during, now))) {
      at_least(std::min<microseconds>(microseconds(rate->period) / rate->requests, pace.max_crawl_delay),
               IntervalSource::request_rate);
    }
  }
  return request;
}

std::optional<Timestamp> visit_time_begins(const Pace& pace, const Rules& rules, Timestamp now) {
  if (!pace.obey_visit_time) return std::nullopt;
  const auto window = rules.visit_time();
  if (!window || is_within(*window, now)) return std::nullopt;
  Timestamp begins = std::chrono::floor<std::chrono::days>(now) + std::chrono::minutes(window->from);
  if (begins <= now) begins += std::chrono::days(1);
  return begins;
}

}  // namespace robotrules::agent
