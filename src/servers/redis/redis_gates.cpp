#include "servers/redis/redis_gates.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <memory>
#include <unordered_set>
#include <utility>

#include "base/escape.hpp"
#include "servers/redis/redis_problems.hpp"
#include "servers/redis/site_tag.hpp"
#include "store/gate_row.hpp"
#include "store/machine_clock.hpp"
#include "store/request_check.hpp"

namespace robotrules::store::redis {
namespace {

using std::chrono::microseconds;

constexpr std::size_t max_lost = 10'000;
constexpr std::size_t max_penalties = 10'000;
constexpr std::chrono::minutes forgotten{10};  // FORGOTTEN in guard.lua

std::string flag(bool value) { return value ? "1" : "0"; }

std::string decimal(double value) {
  std::array<char, 40> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  return std::string(text.data(), written.ptr);
}

// The outcome may cause a penalty that must not be lost.
bool may_penalise(const std::optional<Outcome>& outcome) {
  return outcome && (outcome->status == 429 || outcome->status == 503 ||
                     outcome->retry_after.value_or(microseconds(0)) > microseconds(0));
}

}  // namespace

std::string Gates::row_key(std::string_view tag, std::string_view key) const {
  return link_.base_of(tag).append("g:").append(key);
}

// Finding a tag takes long, and most calls have one key.
std::vector<std::string> Gates::row_keys(const std::string& first_tag, const std::vector<std::string>& keys) const {
  std::vector<std::string> rows;
  rows.reserve(keys.size());
  for (const std::string& key : keys) rows.push_back(row_key(rows.empty() ? first_tag : tag_of_gate(key), key));
  return rows;
}

Call Gates::on_row(const std::string& key, std::string_view name, std::vector<std::string> arguments) const {
  std::string tag = tag_of_gate(key);
  std::vector<std::string> rows{row_key(tag, key)};
  return link_.function(std::move(tag), name, std::move(rows), std::move(arguments));
}

std::optional<Error> Gates::find_fault(const ReserveRequest& request) const {
  if (auto fault = store::find_fault(request)) return fault;
  if (!link_.settings().cluster) return std::nullopt;
  const std::string tag = tag_of_gate(request.keys.front());
  for (const std::string& key : request.keys) {
    if (key.starts_with("ip:")) {
      return Error{"invalid-request", "The gate key " + base::excerpt(key) +
                                          " cannot be kept in a Redis Cluster, because the sites at one address are "
                                          "on several nodes: leave the pace by address out, or use one Redis server "
                                          "or PostgreSQL"};
    }
    if (tag_of_gate(key) != tag) {
      return Error{"invalid-request", "The gate keys " + base::excerpt(request.keys.front()) + " and " +
                                          base::excerpt(key) +
                                          " cannot be reserved together in a Redis Cluster, because they belong to two "
                                          "registrable domains, which may be on two nodes: use one Redis server"};
    }
  }
  return std::nullopt;
}

Call Gates::end_call(const GateCalls::Finish& end) const {
  const Token& token = end.token;
  std::string tag = tag_of_gate(token.keys.front());
  std::vector<std::string> keys = row_keys(tag, token.keys);
  std::vector<std::string> arguments{number(link_.now()),
                                     std::to_string(token.fence),
                                     number(token.granted_at),
                                     number(token.expires_at),
                                     flag(token.from_start),
                                     flag(token.robots_fetch),
                                     decimal(token.adaptive.factor),
                                     number(token.adaptive.max.count()),
                                     number(token.max_penalty.count())};
  if (end.outcome) {
    arguments.push_back(std::to_string(end.outcome->status));
    arguments.push_back(number(end.outcome->retry_after.value_or(microseconds(0)).count()));
    arguments.push_back(number(end.outcome->latency.count()));
    arguments.push_back(std::to_string(static_cast<int>(end.outcome->cause)));
    std::string& counts = arguments.emplace_back();
    for (const std::string& key : token.keys) counts += flag(outcome_on(key, *end.outcome).cause == end.outcome->cause);
  }
  Call call = link_.function(std::move(tag), "end", std::move(keys), std::move(arguments));
  call.waits_for_replica = may_penalise(end.outcome);
  return call;
}

Call Gates::reserve_call(const ReserveRequest& request, const Lost& made) const {
  return link_.function(
      made.tag, "reserve", made.keys,
      {made.serial, flag(link_.has_guard()), number(request.interval.count()),
       std::to_string(static_cast<int>(request.source)), decimal(request.adaptive.factor),
       number(request.adaptive.max.count()), flag(request.from_start), number(request.hold.count()),
       std::to_string(request.in_flight), number(request.max_penalty.count()), flag(request.robots_fetch)});
}

Call Gates::lost_call(const Lost& lost) const {
  return link_.function(lost.tag, "abandon", lost.keys, {lost.serial, flag(lost.robots_fetch)});
}

Result<ReserveAnswer> Gates::answer_of(const ReserveRequest& request, const Reply& reply) const {
  const std::int64_t node_now = reply.number_at(0);
  const Timestamp now = link_.time_of(node_now, node_now);
  if (reply.number_at(1) == 1)
    return ReserveAnswer(Granted{token_for(request, static_cast<std::uint64_t>(reply.number_at(2)), now)});
  const auto place = static_cast<std::size_t>(reply.number_at(3)) - 1;
  const std::int64_t why = reply.number_at(4, -1);
  if (reply.number_at(1) != 2 || place >= request.keys.size() || why < 0 ||
      why > static_cast<std::int64_t>(WaitWhy::away)) {
    return Error{"store-unreachable", "The Redis server was asked too late"};
  }
  const Timestamp until = link_.time_of(reply.number_at(2), node_now);
  Refusal refusal;
  refusal.add(request.keys[place], Obstacle{until, static_cast<WaitWhy>(why)});
  return refusal.answer(now);
}

Result<void> Gates::end_answer(const Token& token, const Answer& answer) {
  if (!answer.reply) return answer.reply.error();
  keep_penalties(token, answer.reply.value());
  if (answer.reply->number_at(1) != 1) return unknown_token(token.fence);
  return {};
}

Result<ReserveAnswer> Gates::reserve_answer(const ReserveRequest& request, Lost made, const Answer& answer,
                                            bool is_late) {
  if (!answer.reply) {
    if (answer.may_be_executed) add_lost(std::move(made), request.hold);
    return answer.reply.error();
  }
  if (is_late && answer.reply->number_at(1) == 1) {
    // A request that is sent now is sent later than the server knows, or this owner already counts as dead.
    add_lost(std::move(made), request.hold);
    return unreachable(answer.node->name(), "its answer came too late");
  }
  return answer_of(request, answer.reply.value());
}

GateAnswers Gates::call(const GateCalls& calls) {
  GateAnswers answers;
  answers.ends.resize(calls.ends.size());
  answers.requests.assign(calls.requests.size(), Result<ReserveAnswer>(ReserveAnswer(Wait{})));
  const std::vector<Lost> before = lost_of(calls);
  std::vector<Call> made;
  made.reserve(before.size() + calls.ends.size() + calls.requests.size());
  for (const Lost& one : before) made.push_back(lost_call(one));
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < calls.ends.size(); ++i) {
    if (calls.ends[i].token.keys.empty() || calls.ends[i].token.fence > static_cast<std::uint64_t>(max_count)) {
      answers.ends[i] = unknown_token(calls.ends[i].token.fence);
      continue;
    }
    ends.push_back(i);
    made.push_back(end_call(calls.ends[i]));
  }
  std::vector<std::pair<std::size_t, Lost>> requests;
  for (std::size_t i = 0; i < calls.requests.size(); ++i) {
    const ReserveRequest& request = *calls.requests[i];
    if (auto fault = find_fault(request)) {
      answers.requests[i] = *std::move(fault);
      continue;
    }
    Lost one{tag_of_gate(request.keys.front()), {}, std::to_string(++last_serial_), request.robots_fetch, {}};
    one.keys = row_keys(one.tag, request.keys);
    made.push_back(reserve_call(request, one));
    requests.emplace_back(i, std::move(one));
  }
  if (made.empty()) return answers;

  const microseconds begun = time_since_boot();
  const std::vector<Answer> got = link_.call(made);
  const auto most = link_.max_answer_time();
  const bool is_late = most && time_since_boot() - begun > *most;
  auto next = got.begin();
  for (const Lost& one : before) settle(one, *next++);
  for (const std::size_t place : ends) {
    answers.ends[place] = end_answer(calls.ends[place].token, *next++);
  }
  for (auto& [place, one] : requests) {
    answers.requests[place] = reserve_answer(*calls.requests[place], std::move(one), *next++, is_late);
  }
  return answers;
}

// --- reservations whose answer was lost ------------------------------------------------------------------------------

std::vector<Gates::Lost> Gates::lost_of(const GateCalls& calls) const {
  std::vector<Lost> found;
  const std::lock_guard lock(mutex_);
  if (lost_.empty()) return found;
  std::unordered_set<std::string> tags;
  for (const auto& request : calls.requests) {
    for (const std::string& key : request->keys) tags.insert(tag_of_gate(key));
  }
  for (const Lost& one : lost_) {
    if (found.size() < rows_per_trip && tags.contains(one.tag)) found.push_back(one);
  }
  return found;
}

void Gates::add_lost(Lost lost, microseconds hold) {
  lost.until = time_since_boot() + hold + forgotten;
  const std::lock_guard lock(mutex_);
  if (lost_.size() < max_lost) lost_.push_back(std::move(lost));
}

void Gates::settle(const Lost& lost, const Answer& answer) {
  const bool is_settled =
      answer.reply || answer.reply.error().code == "store-damaged" || time_since_boot() > lost.until;
  if (!is_settled) return;
  const std::lock_guard lock(mutex_);
  std::erase_if(lost_, [&](const Lost& one) { return one.serial == lost.serial; });
}

void Gates::take_back(std::chrono::milliseconds timeout) {
  std::vector<Lost> before;
  {
    const std::lock_guard lock(mutex_);
    before.assign(lost_.begin(), lost_.begin() + static_cast<std::ptrdiff_t>(std::min(lost_.size(), rows_per_trip)));
  }
  if (before.empty()) return;
  std::vector<Call> calls;
  calls.reserve(before.size());
  for (const Lost& one : before) calls.push_back(lost_call(one));
  const auto answers = link_.call(calls, timeout);
  for (std::size_t i = 0; i < before.size(); ++i) settle(before[i], answers[i]);
}

// --- penalties that a server may lose --------------------------------------------------------------------------------

void Gates::keep_penalties(const Token& token, const Reply& reply) {
  for (std::size_t i = 0; i < token.keys.size(); ++i) {
    const std::int64_t until = reply.number_at(i + 2);
    if (until == 0) continue;
    const Timestamp now = link_.now();
    const std::lock_guard lock(mutex_);
    if (penalties_.size() >= max_penalties) {
      std::erase_if(penalties_, [&](const auto& one) { return one.second.until <= now; });
    }
    if (penalties_.size() >= max_penalties) return;
    std::string tag = tag_of_gate(token.keys[i]);
    Penalty& kept = penalties_[row_key(tag, token.keys[i])];
    kept.tag = std::move(tag);
    kept.until = std::max(kept.until, link_.time_of(until, reply.number_at(0)));
  }
}

void Gates::forget_penalty(const std::string& row) {
  const std::lock_guard lock(mutex_);
  penalties_.erase(row);
}

bool Gates::send_penalties(std::chrono::milliseconds timeout) {
  const Timestamp now = link_.now();
  std::vector<Call> calls;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(penalties_, [&](const auto& one) { return one.second.until <= now; });
    for (const auto& [row, penalty] : penalties_) {
      calls.push_back(link_.function(penalty.tag, "restore", {row}, {number(now), number(penalty.until), "0", ""}));
    }
  }
  const auto sent = link_.count_ones(calls.size(), [&](std::size_t i) { return std::move(calls[i]); }, timeout);
  return sent || sent.error().code == "store-damaged";
}

void Gates::mend(std::chrono::milliseconds timeout) {
  if (const std::uint64_t losses = link_.losses(); losses != mended_losses_ && send_penalties(timeout)) {
    mended_losses_ = losses;
  }
  take_back(timeout);
}

// --- one row ---------------------------------------------------------------------------------------------------------

Result<GateState> Gates::state(std::string_view key) {
  const auto reply = link_.call(on_row(std::string(key), "state", {}));
  if (!reply) return reply.error();
  const std::int64_t now = reply->number_at(0);
  const auto time = [&](std::size_t place) { return link_.time_of(reply->number_at(place), now); };
  // 0 means that the time is not set; it stays the time 0.
  const auto time_or_zero = [&](std::size_t place) { return reply->number_at(place) == 0 ? Timestamp() : time(place); };
  const auto maybe = [&](std::size_t place) {
    return reply->number_at(place) <= never ? std::nullopt : std::optional(time(place));
  };
  GateState state;
  state.interval = microseconds(reply->number_at(1));
  state.source = static_cast<IntervalSource>(std::clamp<std::int64_t>(reply->number_at(2), 0, 3));
  state.interval_start = time_or_zero(3);
  state.latency = microseconds(reply->number_at(4));
  state.penalty_until = time_or_zero(5);
  state.incidents = static_cast<std::uint32_t>(reply->number_at(6));
  state.visits = static_cast<std::uint64_t>(reply->number_at(7));
  state.last_visit = maybe(8);
  state.in_flight = static_cast<std::uint32_t>(reply->number_at(9));
  state.first_hold_ends = maybe(10);
  state.failures = static_cast<std::uint32_t>(reply->number_at(11));
  if (state.failures > 0) state.failing_since = time(12);
  state.away_until = time_or_zero(13);
  return state;
}

Call Gates::change_call(const std::string& key, const GateChange& change) const {
  const std::string now = number(link_.now());
  switch (change.kind) {
    case GateChange::Kind::visit: return on_row(key, "visit", {now, number(change.time)});
    case GateChange::Kind::restore: break;
    case GateChange::Kind::lift: return on_row(key, "lift", {});
  }
  const auto count = static_cast<std::int64_t>(std::min<std::uint64_t>(change.visits.count, std::uint64_t{1} << 53));
  return on_row(key, "restore",
                {now, number(change.time), number(count), change.visits.last ? number(*change.visits.last) : ""});
}

Result<bool> Gates::change(const std::string& key, const GateChange& change) {
  if (change.kind == GateChange::Kind::lift) forget_penalty(row_key(tag_of_gate(key), key));
  const auto reply = link_.call(change_call(key, change));
  return reply ? Result<bool>(reply->number_at(1) == 1) : reply.error();
}

// --- all rows --------------------------------------------------------------------------------------------------------

Result<std::uint64_t> Gates::on_all_rows(std::string_view name, const std::vector<std::string>& arguments) {
  const auto names = link_.keys("g");
  if (!names) return names.error();
  return link_.count_ones(names->size(), [&](std::size_t i) {
    const std::string& key = names.value()[i];
    const auto begin = key.find('{') + 1;
    return link_.function(key.substr(begin, key.find('}') - begin), name, {key}, arguments);
  });
}

Result<void> Gates::forget_visits() { return without_value(on_all_rows("unvisit", {})); }

Result<std::uint64_t> Gates::prune(Timestamp before) {
  return on_all_rows("prune", {number(link_.now()), number(before)});
}

Result<std::uint64_t> Gates::count() {
  const auto names = link_.keys("g");
  return names ? Result<std::uint64_t>(names->size()) : names.error();
}

}  // namespace robotrules::store::redis
