#include "c/store/robots_fetch.hpp"

#include <chrono>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include <robotrules/robots_step.hpp>
#include <robotrules/url.hpp>

#include "c/core/common.hpp"

using namespace robotrules::c_abi;

namespace {

using robotrules::RobotsEnd;
using robotrules::RobotsExchange;
using robotrules::RobotsPolicy;
using robotrules::RobotsRequest;
using robotrules::RobotsResult;
using robotrules::Timestamp;

static_assert(static_cast<int>(robotrules::RobotsOutcome::rules) == ROBOTRULES_OUTCOME_RULES);
static_assert(static_cast<int>(robotrules::RobotsOutcome::unavailable) == ROBOTRULES_OUTCOME_UNAVAILABLE);
static_assert(static_cast<int>(robotrules::RobotsOutcome::unreachable) == ROBOTRULES_OUTCOME_UNREACHABLE);
static_assert(static_cast<int>(RobotsEnd::answered) == ROBOTRULES_END_ANSWERED);
static_assert(static_cast<int>(RobotsEnd::failed) == ROBOTRULES_END_FAILED);
static_assert(static_cast<int>(RobotsEnd::ours) == ROBOTRULES_END_OURS);
static_assert(static_cast<int>(RobotsEnd::by_proxy) == ROBOTRULES_END_BY_PROXY);

constexpr std::size_t max_exchange_fields = 100'000;

Timestamp timestamp_of(std::int64_t microseconds) noexcept {
  return Timestamp(std::chrono::microseconds(microseconds));
}

// Returns true for times up to the year 9999, so that no sum overflows.
bool is_time(std::int64_t microseconds) noexcept {
  constexpr std::int64_t latest = INT64_C(253'402'300'799) * 1'000'000;
  return microseconds >= -latest && microseconds <= latest;
}

bool is_flag(std::int32_t value) noexcept { return value == 0 || value == 1; }

bool is_valid(const robotrules_exchange& exchange) noexcept {
  return exchange.end >= ROBOTRULES_END_ANSWERED && exchange.end <= ROBOTRULES_END_BY_PROXY &&
         exchange.http_status >= 0 && exchange.http_status <= 999 && is_flag(exchange.is_encoded) &&
         is_flag(exchange.is_cut) && is_flag(exchange.is_partial) && exchange.refusals >= 0 &&
         exchange.field_count % 2 == 0 && exchange.field_count <= max_exchange_fields &&
         are_texts(exchange.fields, exchange.field_count) && is_text(exchange.body) && is_text(exchange.failure) &&
         is_time(exchange.requested_at) && is_time(exchange.received_at) && exchange.jitter >= 0 &&
         exchange.jitter <= 1;  // NaN is neither
}

RobotsExchange exchange_of(const robotrules_exchange& given, RobotsRequest request) {
  RobotsExchange exchange{.request = std::move(request), .end = static_cast<RobotsEnd>(given.end)};
  exchange.status = given.http_status;
  for (std::size_t i = 0; i < given.field_count; i += 2) {
    exchange.headers.add(view_of(given.fields[i]), view_of(given.fields[i + 1]));
  }
  exchange.body = view_of(given.body);
  exchange.is_decoded = given.is_encoded == 0;
  exchange.is_cut = given.is_cut != 0;
  exchange.is_whole = given.is_partial == 0;
  exchange.requested_at = timestamp_of(given.requested_at);
  exchange.received_at = timestamp_of(given.received_at);
  exchange.failure = view_of(given.failure);
  exchange.refusals = static_cast<std::uint32_t>(given.refusals);
  exchange.jitter = given.jitter;
  return exchange;
}

robotrules_str field_of(const RobotsRequest& request, std::string_view name) noexcept {
  return str_of(request.headers.get(name).value_or(""));
}

}  // namespace

void robotrules_robots_fetch::begin(Timestamp begun) {
  now = begun;
  step = robots_step(RobotsExchange{.request = {.url = robots_url}}, old(), policy, now);
}

robotrules_status robotrules_robots_fetch_new(const char* robots_url, std::size_t robots_url_size, const char* policy,
                                              std::size_t policy_size, const robotrules_robots_fetch* last,
                                              std::int64_t now, robotrules_robots_fetch** fetch) noexcept {
  if (fetch != nullptr) *fetch = nullptr;
  if (fetch == nullptr || !is_text(robots_url, robots_url_size) || !is_text(policy, policy_size) || !is_time(now)) {
    return ROBOTRULES_INVALID_ARGUMENT;
  }
  return guarded([&]() -> robotrules_status {
    const auto name = view_of(policy, policy_size);
    const RobotsPolicy* chosen = name.empty() ? &RobotsPolicy::rfc9309() : RobotsPolicy::find(name);
    if (chosen == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
    const auto url = view_of(robots_url, robots_url_size);
    if (!robotrules::Origin::of(url)) return ROBOTRULES_INVALID_URL;
    auto made = std::make_unique<robotrules_robots_fetch>();
    made->robots_url = url;
    made->policy = *chosen;
    if (last != nullptr) {
      const auto* result = std::get_if<RobotsResult>(&last->step);
      made->record = result != nullptr ? result->record : last->record;
    }
    made->begin(timestamp_of(now));
    *fetch = made.release();
    return ROBOTRULES_OK;
  });
}

void robotrules_robots_fetch_free(robotrules_robots_fetch* fetch) noexcept { delete fetch; }

robotrules_status robotrules_robots_fetch_limits(robotrules_robots_fetch* fetch, std::uint32_t max_redirects,
                                                 std::size_t body_limit, std::int32_t allow_downgrade) noexcept {
  if (fetch == nullptr || body_limit > max_size || !is_flag(allow_downgrade)) return ROBOTRULES_INVALID_ARGUMENT;
  fetch->policy.max_redirects = max_redirects;
  fetch->policy.body_limit = body_limit;
  fetch->policy.allow_downgrade = allow_downgrade != 0;
  return ROBOTRULES_OK;
}

robotrules_status robotrules_robots_fetch_step(const robotrules_robots_fetch* fetch,
                                               robotrules_robots_step* step) noexcept {
  if (step == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  const robotrules_str none = str_of("");
  *step = {0, none, 0, 0, none, none, none, 0, 0, 0, 0, 0, none, none};
  if (fetch == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  if (const auto* request = std::get_if<RobotsRequest>(&fetch->step)) {
    step->url = str_of(request->url);
    step->at = request->at.time_since_epoch().count();
    step->is_repeated = request->is_repeated ? 1 : 0;
    step->accept = field_of(*request, "Accept");
    step->if_none_match = field_of(*request, "If-None-Match");
    step->if_modified_since = field_of(*request, "If-Modified-Since");
    return ROBOTRULES_OK;
  }
  const auto& [record, reason] = *std::get_if<RobotsResult>(&fetch->step);
  step->is_done = 1;
  step->url = str_of(record.url);
  step->outcome = static_cast<std::int32_t>(record.outcome);
  step->state = static_cast<std::int32_t>(robots_state(&record, fetch->policy, fetch->now));
  step->http_status = record.status;
  step->fresh_until = record.fresh_until.time_since_epoch().count();
  step->is_truncated = record.truncated ? 1 : 0;
  if (record.body != nullptr) step->robots = str_of(*record.body);
  step->reason = str_of(reason);
  return ROBOTRULES_OK;
}

robotrules_status robotrules_robots_fetch_answer(robotrules_robots_fetch* fetch, const robotrules_exchange* exchange,
                                                 std::int64_t now) noexcept {
  robotrules_exchange given = ROBOTRULES_EXCHANGE_INIT;
  const auto* request = fetch != nullptr ? std::get_if<RobotsRequest>(&fetch->step) : nullptr;
  if (request == nullptr || !is_time(now) || !read_struct<sizeof(given)>(exchange, given) || !is_valid(given)) {
    return ROBOTRULES_INVALID_ARGUMENT;
  }
  return guarded([&]() -> robotrules_status {
    auto next = robots_step(exchange_of(given, *request), fetch->old(), fetch->policy, timestamp_of(now));
    fetch->step = std::move(next);
    if (std::holds_alternative<RobotsResult>(fetch->step) && fetch->record) fetch->record->body.reset();  // it is there
    fetch->now = timestamp_of(now);
    return ROBOTRULES_OK;
  });
}
