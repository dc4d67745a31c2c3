#include "robot/site_wait.hpp"

#include <algorithm>
#include <vector>

#include "robot/gate_keys.hpp"
#include "robot/page_pace.hpp"

namespace robotrules::agent {
namespace {

using std::chrono::microseconds;

// "13:05"
std::string clock_text(unsigned minutes) {
  const auto two = [](unsigned number) { return std::string(number < 10 ? "0" : "") + std::to_string(number); };
  return two(minutes / 60) + ":" + two(minutes % 60);
}

// "3600 s", "0.5 s"
std::string seconds_text(Milliseconds time) {
  std::string text = std::to_string(time.count() / 1'000);
  if (const auto rest = time.count() % 1'000; rest != 0) {
    text += "." + std::to_string(1'000 + rest).substr(1);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text + " s";
}

}  // namespace

WaitReason reason_of(IntervalSource source) noexcept {
  switch (source) {
    case IntervalSource::crawl_delay: return WaitReason::crawl_delay;
    case IntervalSource::request_rate: return WaitReason::request_rate;
    case IntervalSource::adaptive: return WaitReason::adaptive;
    case IntervalSource::configured: break;
  }
  return WaitReason::delay;
}

Result<SiteWait> gate_wait(const Store& store, const Pace& pace, const Rules& rules, const Origin& origin,
                           Timestamp now) {
  SiteWait wait;
  const auto see = [&wait](microseconds time, WaitReason why) {
    if (time <= wait.time) return;
    wait.time = time;
    wait.why = why;
  };
  const ReserveRequest request = page_request(pace, rules, gate_keys_of(origin, pace), now);
  const auto unknown_before = store.just_visited();
  if (!unknown_before) return unknown_before.error();
  if (unknown_before.value()) see(*unknown_before.value() + request.interval - now, WaitReason::just_visited);
  for (const std::string& key : request.keys) {
    const auto gate = store.gate(key);
    if (!gate) return gate.error();
    const GateState& state = gate.value();
    wait.has_request_in_flight = wait.has_request_in_flight || state.in_flight > 0;
    const microseconds adaptive = request.adaptive.after(state.latency);
    see(state.interval_start + request.interval - now, reason_of(request.source));
    see(state.interval_start + adaptive - now, WaitReason::adaptive);
    see(std::min<microseconds>(state.penalty_until - now, pace.max_retry_after), WaitReason::penalty);
    see(state.away_until - now, WaitReason::away);
  }
  return wait;
}

WaitReason reason_for(const Wait& wait, microseconds interval, IntervalSource source, Timestamp now) noexcept {
  switch (wait.why) {
    case WaitWhy::penalty: return WaitReason::penalty;
    case WaitWhy::in_flight: return WaitReason::in_flight;
    case WaitWhy::just_visited: return WaitReason::just_visited;
    case WaitWhy::away: return WaitReason::away;
    case WaitWhy::unreachable: return WaitReason::store;
    case WaitWhy::interval: break;
  }
  return wait.until - now > interval ? WaitReason::adaptive : reason_of(source);
}

std::string sentence_about(WaitReason reason, const Rules& rules) {
  switch (reason) {
    case WaitReason::crawl_delay:
      return "its Crawl-delay of " + seconds_text(rules.crawl_delay().value_or(Milliseconds(0))) +
             " after the last request is not over";
    case WaitReason::request_rate: return "its Request-rate permits no page";
    case WaitReason::visit_time: {
      const auto window = rules.visit_time().value_or(TimeOfDay());
      return "its Visit-time, " + clock_text(window.from) + " to " + clock_text(window.to) + " UTC, does not begin";
    }
    case WaitReason::penalty: return "it has asked for a pause";
    case WaitReason::in_flight: return "other requests to it are not answered yet";
    case WaitReason::away: return "it gave no answer to the last request";
    case WaitReason::just_visited: return "it may have been visited just now";
    case WaitReason::store: return "the store cannot be reached";
    default: return "the delay after the last request is not over";
  }
}

}  // namespace robotrules::agent
