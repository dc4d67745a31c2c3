#include <optional>
#include <utility>
#include <variant>

#include <robotrules/open_store.hpp>
#include <robotrules/url.hpp>

#include "c/core/handles.hpp"
#include "c/store/common.hpp"

using namespace robotrules::c_abi;

// The answer to one question, which keeps the store open.
struct robotrules_reservation {
  std::shared_ptr<robotrules::Store> store;
  robotrules::ReserveAnswer answer;
};

namespace {

using robotrules::Blocked;
using robotrules::Granted;
using robotrules::OutcomeCause;
using robotrules::Result;
using robotrules::Store;
using robotrules::Wait;
using std::chrono::microseconds;

constexpr std::uint32_t store_flags =
    ROBOTRULES_STORE_EXISTING | ROBOTRULES_STORE_FIRST_EVER | ROBOTRULES_STORE_READ_ONLY | ROBOTRULES_STORE_DURABLE;

Result<std::shared_ptr<Store>> open(std::string_view name, std::uint32_t flags) {
  if (name == "memory:") return robotrules::make_memory_store();
  robotrules::StoreOptions options;
  options.sqlite.create = (flags & ROBOTRULES_STORE_EXISTING) == 0;
  options.sqlite.first_ever = (flags & ROBOTRULES_STORE_FIRST_EVER) != 0;
  options.sqlite.accept_read_only = (flags & ROBOTRULES_STORE_READ_ONLY) != 0;
  if ((flags & ROBOTRULES_STORE_DURABLE) != 0) options.sqlite.durability = robotrules::Durability::full;
  return robotrules::open_store(name, std::move(options));
}

robotrules::ReserveRequest request_of(const robotrules_str* keys, std::size_t key_count,
                                      const robotrules_gate_request& from) {
  robotrules::ReserveRequest request;
  request.keys = tokens_of(keys, key_count, 0).tokens;
  request.interval = microseconds(from.interval);
  if (from.hold != 0) request.hold = microseconds(from.hold);
  if (from.max_penalty != 0) request.max_penalty = microseconds(from.max_penalty);
  if (from.in_flight != 0) request.in_flight = from.in_flight;
  request.from_start = from.from_start != 0;
  request.robots_fetch = from.robots_fetch != 0;
  return request;
}

const Granted* granted(const robotrules_reservation* reservation) noexcept {
  return reservation != nullptr ? std::get_if<Granted>(&reservation->answer) : nullptr;
}

// Returns null if there is no such cause.
std::optional<OutcomeCause> outcome_cause(std::int32_t cause) noexcept {
  switch (cause) {
    case ROBOTRULES_CAUSE_NONE: return OutcomeCause::none;
    case ROBOTRULES_CAUSE_CONNECT: return OutcomeCause::connect;
    case ROBOTRULES_CAUSE_TIMEOUT: return OutcomeCause::timeout;
    case ROBOTRULES_CAUSE_DNS: return OutcomeCause::dns;
    case ROBOTRULES_CAUSE_ROUTE: return OutcomeCause::route;
    case ROBOTRULES_CAUSE_CANCELLED: return OutcomeCause::cancelled;
    default: return std::nullopt;
  }
}

constexpr robotrules_gate_answer no_answer = {0, 0, ROBOTRULES_NO_TIME, {"", 0}, {"", 0}};

}  // namespace

robotrules_status robotrules::c_abi::fail(const Error& failure, robotrules_error** error) {
  if (error != nullptr) *error = new_handle<robotrules_error>(std::string(failure.code), failure.message);
  return ROBOTRULES_FAILED;
}

void robotrules_error_code(const robotrules_error* error, robotrules_str* code) noexcept {
  if (code != nullptr) *code = error != nullptr ? str_of(error->code) : str_of({});
}

void robotrules_error_message(const robotrules_error* error, robotrules_str* message) noexcept {
  if (message != nullptr) *message = error != nullptr ? str_of(error->message) : str_of({});
}

void robotrules_error_free(robotrules_error* error) noexcept { delete error; }

robotrules_status robotrules_store_open(const char* name, std::size_t name_size, std::uint32_t flags,
                                        robotrules_store** store, robotrules_error** error) noexcept {
  if (store != nullptr) *store = nullptr;
  const bool valid = store != nullptr && is_text(name, name_size) && (flags & ~store_flags) == 0;
  return guarded_if(valid, error, [&] {
    auto opened = open(view_of(name, name_size), flags);
    if (opened) *store = new_handle<robotrules_store>(*opened);
    return status_of(opened, error);
  });
}

void robotrules_store_free(robotrules_store* store) noexcept { delete store; }

std::int64_t robotrules_store_now(const robotrules_store* store) noexcept {
  std::int64_t now = ROBOTRULES_NO_TIME;
  if (store == nullptr) return now;
  const robotrules_status status = guarded([&] {
    now = time_of(store->store->now());
    return ROBOTRULES_OK;
  });
  return status == ROBOTRULES_OK ? now : ROBOTRULES_NO_TIME;
}

robotrules_status robotrules_gate_key(const char* url, std::size_t url_size, robotrules_text** key) noexcept {
  return text_of_origin(
      url, url_size, [](const robotrules::Origin& origin) { return robotrules::gate_key(origin); }, key);
}

robotrules_status robotrules_store_reserve(robotrules_store* store, const robotrules_str* keys, std::size_t key_count,
                                           const robotrules_gate_request* request, robotrules_reservation** reservation,
                                           robotrules_error** error) noexcept {
  if (reservation != nullptr) *reservation = nullptr;
  robotrules_gate_request given = ROBOTRULES_GATE_REQUEST_INIT;
  const bool valid = reservation != nullptr && store != nullptr && are_texts(keys, key_count) &&
                     (request == nullptr || read_struct<sizeof given>(request, given));
  return guarded_if(valid, error, [&] {
    // Made first: after a grant nothing may fail, as the caller could not complete it.
    auto made = std::make_unique<robotrules_reservation>();
    made->store = store->store;
    auto answer = store->store->reserve(request_of(keys, key_count, given));
    if (!answer) return fail(answer.error(), error);
    made->answer = std::move(*answer);
    *reservation = made.release();
    return robotrules_status{ROBOTRULES_OK};
  });
}

robotrules_status robotrules_reservation_answer(const robotrules_reservation* reservation,
                                                robotrules_gate_answer* answer) noexcept {
  if (answer == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *answer = no_answer;
  if (reservation == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  if (const auto* given = std::get_if<Granted>(&reservation->answer)) {
    answer->answer = ROBOTRULES_GATE_GRANTED;
    answer->fence = given->token.fence;
    answer->until = time_of(given->token.expires_at);
  } else if (const auto* wait = std::get_if<Wait>(&reservation->answer)) {
    *answer = {ROBOTRULES_GATE_WAIT, 0, time_of(wait->until), str_of(to_string(wait->why)), str_of(wait->key)};
  } else if (const auto* blocked = std::get_if<Blocked>(&reservation->answer)) {
    *answer = {ROBOTRULES_GATE_BLOCKED, 0, time_of(blocked->until), str_of({}), str_of(blocked->key)};
  }
  return ROBOTRULES_OK;
}

robotrules_status robotrules_reservation_complete(robotrules_reservation* reservation, std::int32_t http_status,
                                                  std::int64_t retry_after, std::int64_t latency,
                                                  robotrules_error** error) noexcept {
  const Granted* grant = granted(reservation);
  const bool valid = grant != nullptr && http_status >= 0 && retry_after >= -1 && latency >= 0;
  return guarded_if(valid, error, [&] {
    robotrules::Outcome outcome;
    outcome.status = http_status;
    if (retry_after >= 0) outcome.retry_after = microseconds(retry_after);
    outcome.latency = microseconds(latency);
    return status_of(reservation->store->complete(grant->token, outcome), error);
  });
}

robotrules_status robotrules_reservation_fail(robotrules_reservation* reservation, std::int32_t cause,
                                              robotrules_error** error) noexcept {
  const Granted* grant = granted(reservation);
  const auto why = outcome_cause(cause);
  return guarded_if(grant != nullptr && why.has_value(), error, [&] {
    robotrules::Outcome outcome;
    outcome.cause = *why;
    return status_of(reservation->store->complete(grant->token, outcome), error);
  });
}

robotrules_status robotrules_reservation_may_send(robotrules_reservation* reservation,
                                                  robotrules_error** error) noexcept {
  const Granted* grant = granted(reservation);
  return guarded_if(grant != nullptr, error,
                    [&] { return status_of(reservation->store->may_send(grant->token), error); });
}

robotrules_status robotrules_reservation_cancel(robotrules_reservation* reservation,
                                                robotrules_error** error) noexcept {
  const Granted* grant = granted(reservation);
  return guarded_if(grant != nullptr, error,
                    [&] { return status_of(reservation->store->cancel(grant->token), error); });
}

void robotrules_reservation_free(robotrules_reservation* reservation) noexcept { delete reservation; }

robotrules_status robotrules_store_gate(const robotrules_store* store, const char* key, std::size_t key_size,
                                        robotrules_gate_state* state, robotrules_error** error) noexcept {
  if (state != nullptr) *state = {ROBOTRULES_NO_TIME, ROBOTRULES_NO_TIME, ROBOTRULES_NO_TIME, 0, 0, 0};
  const bool valid = state != nullptr && store != nullptr && is_text(key, key_size);
  return guarded_if(valid, error, [&] {
    const auto gate = store->store->gate(view_of(key, key_size));
    if (gate) {
      *state = {time_of(gate->next_at()),  time_of(gate->penalty_until),
                time_of(gate->last_visit), gate->visits,
                gate->in_flight,           gate->incidents};
    }
    return status_of(gate, error);
  });
}
