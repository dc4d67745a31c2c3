// The gate: how far a robot keeps from a site, in one atomic call.
//
//     auto answer = store->reserve({.keys = {gate_key(origin)}, .interval = 10s});
//     if (auto* granted = std::get_if<Granted>(&answer.value())) { fetch; store->complete(granted->token, {.status =
//     200}); } else if (auto* wait = std::get_if<Wait>(&answer.value())) come back at wait->until;
//
// Two clocks hold for each key. The interval runs from the last dispatch and, unless asked otherwise, from its
// completion; how long it is says the request that is made now, whatever the ones before it asked for. The penalty is
// what a server asked for (429, 503, Retry-After): a burst of refusals is one incident, and nothing but max_penalty
// shortens it. A request in flight holds the key until it is completed, cancelled, or its hold expires because its
// owner died; a store in a file also ends it when it notices that (sqlite_store.hpp). Who completes later than that is
// told "unknown-token", and changes nothing but this: if the answer he brings asks for a penalty, it is kept, as the
// server has asked for it all the same.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <robotrules/origin.hpp>

namespace robotrules {

// Microseconds since 1970, UTC.
using Timestamp = std::chrono::sys_time<std::chrono::microseconds>;

// The key of an origin, the one that is always there: "https://example.org". Others are words of the caller's choice,
// with a prefix that no origin has: "host:example.org", "domain:example.org", "ip:192.0.2.1".
inline std::string gate_key(const Origin& origin) { return origin.to_string(); }

// Who asked for the interval; kept, so that "why must I wait?" has an answer.
enum class IntervalSource : std::uint8_t { configured, crawl_delay, request_rate, adaptive };
std::string_view to_string(IntervalSource source) noexcept;

// An interval that follows how long responses take.
struct AdaptiveInterval {
  double factor = 0;  // times the latency of the key's last response; 0: not looked at
  std::chrono::microseconds max{0};
  std::chrono::microseconds after(std::chrono::microseconds latency) const noexcept;
  friend bool operator==(const AdaptiveInterval&, const AdaptiveInterval&) = default;
};

struct ReserveRequest {
  std::vector<std::string> keys;          // one or more; each must be free
  std::chrono::microseconds interval{0};  // from one dispatch to the next, or what `adaptive` makes of it if longer
  IntervalSource source = IntervalSource::configured;
  AdaptiveInterval adaptive{};
  bool from_start = false;  // the interval is measured from the dispatch alone, not from its completion
  std::chrono::microseconds hold = std::chrono::minutes(5);  // an owner silent for so long counts as dead
  std::uint32_t in_flight = 1;                               // most requests at once on a key
  // A longer penalty counts as this, also one that is kept already.
  std::chrono::microseconds max_penalty = std::chrono::hours(24);
  // A robots.txt is fetched: penalties and holds are obeyed, the interval of pages is neither waited for nor armed, and
  // no visit is counted.
  bool robots_fetch = false;
};

// The right to one dispatch. Fences rise: of two tokens of a key the later has the greater.
struct Token {
  std::uint64_t fence = 0;
  std::vector<std::string> keys;
  std::chrono::microseconds interval{0};
  AdaptiveInterval adaptive{};
  bool from_start = false;
  bool robots_fetch = false;
  Timestamp granted_at;
  Timestamp expires_at;
  std::chrono::microseconds max_penalty = std::chrono::hours(24);
};

struct Granted {
  Token token;
};
enum class WaitWhy : std::uint8_t {
  interval,      // the last dispatch was too short a time ago
  penalty,       // the server asked for it
  in_flight,     // others hold the key; `until` is when the first of the holds expires at the latest
  just_visited,  // what happened before the store was lost or the machine failed is not known
};
std::string_view to_string(WaitWhy why) noexcept;

struct Wait {
  Timestamp until;
  std::string key;  // that which makes it the longest
  WaitWhy why = WaitWhy::interval;
};
// The server asked for more time than a robot waits (a day), and max_penalty lets it: leave the key alone.
struct Blocked {
  Timestamp until;
  std::string key;
};
using ReserveAnswer = std::variant<Granted, Wait, Blocked>;

// How a dispatch ended. A penalty comes of status 429 and 503, as long as `retry_after` says or else 1 minute, doubled
// with each incident, up to 1 h; and of `retry_after` with 403 and 3xx.
struct Outcome {
  int status = 0;  // 0: no answer
  std::optional<std::chrono::microseconds> retry_after;
  std::chrono::microseconds latency{0};  // from the request to the end of the response
};

// What a store knows of a key. `penalty_until` in the past holds nobody up. A request with another interval than the
// last one has its turn at `armed_at` plus its own interval.
struct GateState {
  std::chrono::microseconds interval{0};
  IntervalSource source = IntervalSource::configured;
  Timestamp armed_at;                    // the interval runs from here
  std::chrono::microseconds latency{0};  // of the last response
  Timestamp penalty_until;
  std::uint32_t incidents = 0;  // in a row
  std::uint32_t in_flight = 0;
  std::optional<Timestamp> first_hold_ends;  // of these, unless it is completed sooner
  std::uint64_t visits = 0;
  std::optional<Timestamp> last_visit;

  // When a request with the interval of the last one has its turn.
  Timestamp next_at() const noexcept { return armed_at + interval; }
};

}  // namespace robotrules
