#include "store/gate_row.hpp"

#include <algorithm>
#include <limits>

namespace robotrules {

std::string_view to_string(IntervalSource source) noexcept {
  switch (source) {
    case IntervalSource::configured: return "configured";
    case IntervalSource::crawl_delay: return "crawl-delay";
    case IntervalSource::request_rate: return "request-rate";
    case IntervalSource::adaptive: break;
  }
  return "adaptive";
}

std::string_view to_string(WaitWhy why) noexcept {
  switch (why) {
    case WaitWhy::interval: return "interval";
    case WaitWhy::penalty: return "penalty";
    case WaitWhy::in_flight: return "in-flight";
    case WaitWhy::just_visited: return "just-visited";
    case WaitWhy::away: return "away";
    case WaitWhy::unreachable: break;
  }
  return "unreachable";
}

std::string_view to_string(OutcomeCause cause) noexcept {
  switch (cause) {
    case OutcomeCause::none: return "none";
    case OutcomeCause::connect: return "connect";
    case OutcomeCause::timeout: return "timeout";
    case OutcomeCause::dns: return "dns";
    case OutcomeCause::route: return "route";
    case OutcomeCause::cancelled: break;
  }
  return "cancelled";
}

std::chrono::microseconds AdaptiveInterval::after(std::chrono::microseconds latency) const noexcept {
  if (!(factor > 0) || latency.count() <= 0) return std::chrono::microseconds(0);
  const double wanted = static_cast<double>(latency.count()) * factor;
  return std::chrono::microseconds(static_cast<std::int64_t>(std::min(wanted, static_cast<double>(max.count()))));
}

namespace store {
namespace {

using std::chrono::microseconds;

// Upper limit for intervals and penalties: 10 years. Such a time after now() does not overflow a clock.
constexpr microseconds max_pause = std::chrono::hours(24) * 3'650;

// A 503 may be of one URL alone: the first one is a short pause, and a row of them ends after so many answers.
constexpr std::chrono::seconds first_unavailable{5};
constexpr std::uint32_t recovery_after_unavailable = 4;
// A failure that comes so long after the one before it, and an interval, begins a new row of failures.
constexpr std::chrono::hours failures_last{12};

// Returns the pause after a number of incidents: 1 minute, doubled with every further incident, up to an hour.
microseconds back_off(std::uint32_t incidents) {
  const auto doubled = std::chrono::minutes(1) * (1 << std::min(incidents - 1, 6u));
  return std::min(microseconds(doubled), microseconds(std::chrono::hours(1)));
}

// Returns the pause after a number of failures: 5 seconds, doubled with every further failure, up to 10 minutes.
microseconds pause_after(std::uint32_t failures) {
  const auto doubled = std::chrono::seconds(5) * (1 << std::min(failures - 1, 7u));
  return std::min(microseconds(doubled), microseconds(std::chrono::minutes(10)));
}

// Returns true if the site did not answer. The robot's own cancel says nothing of it.
bool is_failure(OutcomeCause cause) { return cause != OutcomeCause::none && cause != OutcomeCause::cancelled; }

// If the clock was set back, the row has times that are later than `now`. Moves all its times back, so that the latest
// event counts as having happened now. So no gap between requests gets shorter, and no wait grows without bound.
void follow_clock(GateRow& row, Timestamp now) {
  Timestamp latest = std::max({row.last_visit.value_or(Timestamp{}), row.incident_at, row.failed_at, row.armed_at});
  for (const Hold& hold : row.holds) latest = std::max(latest, hold.granted_at);
  if (latest <= now) return;
  const microseconds back = latest - now;
  row.must_write = true;
  row.armed_at -= back;
  row.penalty_until -= back;
  row.incident_at -= back;
  row.failing_since -= back;
  row.failed_at -= back;
  if (row.last_visit) *row.last_visit -= back;
  for (Hold& hold : row.holds) {
    hold.granted_at -= back;
    hold.expires_at -= back;
    hold.armed_before -= back;
    if (hold.last_before) *hold.last_before -= back;
  }
}

// Starts the interval at `time`. It still runs from there if a dispatch in flight is cancelled later.
void arm(GateRow& row, Timestamp time) {
  row.armed_at = std::max(row.armed_at, time);
  for (Hold& hold : row.holds) hold.armed_before = std::max(hold.armed_before, time);
}

// Returns the interval of the request on this key, with the adaptive interval.
microseconds interval_on(const GateRow& row, const ReserveRequest& request) {
  return std::max(request.interval, request.adaptive.after(microseconds(row.latency)));
}

void expire_holds(GateRow& row, Timestamp now) {
  follow_clock(row, now);
  for (const Hold& hold : row.holds) {
    if (hold.expires_at <= now && hold.arms) arm(row, hold.expires_at);
  }
  std::erase_if(row.holds, [now](const Hold& hold) { return hold.expires_at <= now; });
}

// Shortens a penalty that ends later than `longest` from now. The row is written, so that the penalty ends then.
void cap_penalty(GateRow& row, microseconds longest, Timestamp now) {
  if (row.penalty_until - now <= longest) return;
  row.penalty_until = now + longest;
  row.must_write = true;
}

// Adds the penalty that the response causes. Returns false if it causes none.
bool penalise(GateRow& row, const Outcome& outcome, Timestamp granted_at, microseconds longest, Timestamp now) {
  const bool refused = outcome.status == 429 || outcome.status == 503;
  const bool has_pause_status = refused || outcome.status == 403 || (outcome.status >= 300 && outcome.status < 400);
  const bool has_retry_after = has_pause_status && outcome.retry_after && *outcome.retry_after > microseconds(0);
  if (!refused && !has_retry_after) return false;
  // A request that was in flight when the incident began belongs to that incident.
  if (row.incidents == 0) row.recovery = 0;
  if (row.incidents == 0 || granted_at > row.incident_at) {
    ++row.incidents;
    row.incident_at = now;
  }
  const bool is_unavailable = outcome.status == 503 && !has_retry_after;
  row.recovery = std::max(row.recovery, is_unavailable ? recovery_after_unavailable : 1);
  microseconds pause = back_off(row.incidents);
  if (is_unavailable) pause = row.incidents == 1 ? first_unavailable : back_off(row.incidents - 1);
  if (has_retry_after) pause = std::min(*outcome.retry_after, longest);
  row.penalty_until = std::max(row.penalty_until, now + pause);
  return true;
}

// Only an answer to a request that was sent after the incident began can end the incidents.
void recover(GateRow& row, const Outcome& outcome, Timestamp granted_at) {
  if (row.incidents == 0 || outcome.status == 0 || outcome.status >= 500 || granted_at <= row.incident_at) return;
  if (row.recovery > 1) {
    --row.recovery;
  } else {
    row.incidents = row.recovery = 0;
  }
}

// Counts a request without an answer, or ends the row of these after an answer. Requests that were in flight together
// are one failure. Returns false if there was an answer.
bool note_failure(GateRow& row, const Outcome& outcome, Timestamp granted_at, Timestamp now) {
  if (!is_failure(outcome.cause)) {
    if (outcome.status != 0 && outcome.cause == OutcomeCause::none && granted_at > row.failed_at) {
      row.failures = 0;
      row.failing_since = row.failed_at = Timestamp{};
    }
    return false;
  }
  if (row.failed_at + failures_last + microseconds(row.interval) < now) row.failures = 0;
  if (row.failures == 0) row.failing_since = now;
  if (row.failures == 0 || granted_at > row.failed_at) {
    row.failures = std::min(row.failures, max_failures - 1) + 1;
    row.failed_at = now;
  }
  return true;
}

}  // namespace

std::optional<Obstacle> find_obstacle(GateRow& row, const ReserveRequest& request, Timestamp now,
                                      std::optional<Timestamp> just_visited) {
  expire_holds(row, now);
  cap_penalty(row, request.max_penalty, now);
  std::optional<Obstacle> longest;
  const auto wait = [&](Timestamp until, WaitWhy why) {
    if (until > now && (!longest || until > longest->until)) longest = {until, why};
  };
  wait(row.penalty_until, WaitWhy::penalty);
  wait(away_until(row), WaitWhy::away);
  if (!request.robots_fetch) {
    wait(row.armed_at + interval_on(row, request), WaitWhy::interval);
    if (just_visited) wait(*just_visited + request.interval, WaitWhy::just_visited);
  }
  if (row.holds.size() >= std::max(request.in_flight, 1u)) {
    const auto first = std::ranges::min_element(row.holds, {}, &Hold::expires_at);
    wait(first->expires_at, WaitWhy::in_flight);
  }
  return longest;
}

bool end_holds(GateRow& row, const std::function<bool(const Process&)>& has_ended, Timestamp now) {
  const auto ended = std::ranges::stable_partition(row.holds, [&](const Hold& hold) { return !has_ended(hold.owner); });
  if (ended.empty()) return false;
  for (const Hold& hold : ended) {
    if (hold.arms) arm(row, now);
  }
  row.holds.erase(ended.begin(), ended.end());
  row.must_write = true;
  return true;
}

std::uint64_t next_fence(std::uint64_t before, Timestamp time) {
  return std::max(before + 1, static_cast<std::uint64_t>(std::max<std::int64_t>(time.time_since_epoch().count(), 0)));
}

void grant(GateRow& row, const ReserveRequest& request, std::uint64_t fence, Timestamp now, const Process& owner) {
  const bool arms = !request.robots_fetch && !request.from_start;
  row.holds.push_back({fence, now, now + request.hold, arms, row.armed_at, row.last_visit, owner});
  if (request.robots_fetch) return;
  const microseconds interval = interval_on(row, request);
  row.interval = interval.count();
  row.source = interval > request.interval ? IntervalSource::adaptive : request.source;
  row.armed_at = std::max(row.armed_at, now);
  ++row.visits;
  row.last_visit = row.last_visit ? std::max(*row.last_visit, now) : now;
}

Outcome outcome_on(std::string_view key, const Outcome& outcome) {
  Outcome counted = outcome;
  if (key.find("://") == std::string_view::npos) counted.cause = OutcomeCause::none;
  return counted;
}

bool complete(GateRow& row, const Token& token, const Outcome& outcome, Timestamp now) {
  expire_holds(row, now);
  const auto hold = std::ranges::find(row.holds, token.fence, &Hold::fence);
  if (hold == row.holds.end()) {
    // The hold expired before the response came. The penalty and the pause count all the same: otherwise the next
    // request would be sent too early.
    if (token.expires_at > now) return false;
    const bool is_penalised = penalise(row, outcome, token.granted_at, token.max_penalty, now);
    if (is_failure(outcome.cause)) note_failure(row, outcome, token.granted_at, now);
    row.must_write = row.must_write || is_penalised || is_failure(outcome.cause);
    return false;
  }
  const Timestamp granted_at = hold->granted_at;
  row.holds.erase(hold);
  if (!token.robots_fetch) {
    if (outcome.status != 0) row.latency = std::clamp(outcome.latency, microseconds(0), max_pause).count();
    const microseconds adaptive = std::min(token.adaptive.after(microseconds(row.latency)), max_pause);
    if (adaptive > microseconds(row.interval)) {
      row.interval = adaptive.count();
      row.source = IntervalSource::adaptive;
    }
    if (!token.from_start) arm(row, now);
  }

  const bool is_penalised = penalise(row, outcome, granted_at, token.max_penalty, now);
  const bool has_failed = note_failure(row, outcome, granted_at, now);
  if (!is_penalised && !has_failed) recover(row, outcome, granted_at);
  return true;
}

bool cancel(GateRow& row, const Token& token, Timestamp now) {
  expire_holds(row, now);
  const auto hold = std::ranges::find(row.holds, token.fence, &Hold::fence);
  if (hold == row.holds.end()) return false;
  // The dispatch did not happen. An interval that another dispatch has started since then stays.
  if (!token.robots_fetch) {
    if (row.armed_at == hold->granted_at) row.armed_at = std::min(hold->armed_before, now);
    if (row.visits > 0) --row.visits;
    if (row.last_visit == hold->granted_at) row.last_visit = hold->last_before;
  }
  row.holds.erase(hold);
  return true;
}

Token token_for(const ReserveRequest& request, std::uint64_t fence, Timestamp now) {
  return {fence, request.keys,       request.interval,   request.adaptive, request.from_start, request.robots_fetch,
          now,   now + request.hold, request.max_penalty};
}

void Refusal::add(const std::string& key, const std::optional<Obstacle>& obstacle) {
  if (!obstacle || (key_ != nullptr && obstacle->until <= longest_.until)) return;
  key_ = &key;
  longest_ = *obstacle;
}

ReserveAnswer Refusal::answer(Timestamp now) const {
  if (longest_.why == WaitWhy::penalty && longest_.until - now > max_wait) return Blocked{longest_.until, *key_};
  return Wait{longest_.until, *key_, longest_.why};
}

bool is_sound(const GateRow& row, std::uint64_t fence) {
  const auto time = [](std::optional<Timestamp> at) { return !at || is_sound(*at); };
  const auto span = [](std::int64_t length) { return length >= 0 && microseconds(length) <= max_pause; };
  const auto number = [](std::uint64_t count) { return count <= static_cast<std::uint64_t>(max_count); };
  return time(row.armed_at) && time(row.penalty_until) && time(row.incident_at) && time(row.last_visit) &&
         time(row.failing_since) && time(row.failed_at) && span(row.interval) && span(row.latency) &&
         number(row.visits) && number(fence) && row.incidents < std::numeric_limits<std::uint32_t>::max() &&
         row.recovery <= recovery_after_unavailable && row.failures <= max_failures &&
         std::ranges::all_of(
             row.holds,
             [&](const Hold& hold) {
               return time(hold.granted_at) && time(hold.expires_at) && time(hold.armed_before) &&
                      time(hold.last_before) && number(hold.fence);
             });
}

Timestamp bounded(Timestamp time) {
  return std::clamp(time, Timestamp(microseconds(-max_time)), Timestamp(microseconds(max_time)));
}

void add_visit(GateRow& row, Timestamp at, Timestamp now) {
  ++row.visits;
  row.last_visit = std::min(bounded(at), now);
}

void restore(GateRow& row, Timestamp penalty_until, std::uint64_t visits, std::optional<Timestamp> last,
             Timestamp now) {
  row.penalty_until = std::max(row.penalty_until, std::min(penalty_until, now + max_pause));
  constexpr std::uint64_t max_visits = max_count / 2;  // leaves room for later visits
  row.visits += std::min(visits, max_visits - std::min(row.visits, max_visits));
  if (last) row.last_visit = std::max(row.last_visit, std::optional(std::min(bounded(*last), now)));
}

Timestamp away_until(const GateRow& row) {
  return row.failures == 0 ? Timestamp{} : row.failed_at + pause_after(row.failures);
}

bool forget_penalty(GateRow& row) {
  if (row.incidents == 0 && row.failures == 0 && row.penalty_until == Timestamp{}) return false;
  row.incidents = row.recovery = row.failures = 0;
  row.incident_at = row.penalty_until = row.failing_since = row.failed_at = Timestamp{};
  return true;
}

bool is_live(const GateRow& row, Timestamp now) {
  const microseconds interval(row.interval);
  const bool in_flight = std::ranges::any_of(
      row.holds, [&](const Hold& hold) { return hold.expires_at + (hold.arms ? interval : microseconds(0)) > now; });
  const bool in_trouble =
      (row.incidents > 0 && row.incident_at + max_wait > now) || (row.failures > 0 && row.failed_at + max_wait > now);
  return in_flight || in_trouble || row.armed_at + interval > now || row.penalty_until > now;
}

bool is_old(const GateRow& row, Timestamp before, Timestamp now) {
  return (!row.last_visit || *row.last_visit < before) && !is_live(row, now);
}

GateState state_of(GateRow row, Timestamp now) {
  expire_holds(row, now);
  GateState state;
  state.interval = microseconds(row.interval);
  state.source = row.source;
  state.interval_start = row.armed_at;
  state.latency = microseconds(row.latency);
  state.penalty_until = row.penalty_until;
  state.incidents = row.incidents;
  state.failures = row.failures;
  if (row.failures > 0) state.failing_since = row.failing_since;
  state.away_until = away_until(row);
  state.visits = row.visits;
  state.last_visit = row.last_visit;
  state.in_flight = static_cast<std::uint32_t>(row.holds.size());
  for (const Hold& hold : row.holds) {
    state.first_hold_ends = std::min(state.first_hold_ends.value_or(hold.expires_at), hold.expires_at);
  }
  return state;
}

}  // namespace store
}  // namespace robotrules
