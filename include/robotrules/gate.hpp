// The gate of a store: when may a robot send its next request to a site?
//
//     using namespace std::chrono_literals;
//     auto answer = store->reserve({.keys = {gate_key(origin)}, .interval = 10s});
//     if (!answer) return report(answer.error().message);
//     if (auto* granted = std::get_if<Granted>(&*answer)) {
//       const int status = fetch();
//       if (auto done = store->complete(granted->token, {.status = status}); !done) report(done.error().message);
//     } else if (auto* wait = std::get_if<Wait>(&*answer)) {
//       come_back_at(wait->until);
//     }
//
// For each gate key, there are three reasons to wait:
//   - The interval starts at the last dispatch (the sending of a request). It starts again at the completion of this
//     dispatch, unless the request has set from_start. Its length is the `interval` of the request that asks now,
//     whatever earlier requests had.
//   - The penalty is the time that a server asked for (429, 503, Retry-After). Several refusals in a burst are one
//     incident. A penalty is shortened only if it is longer than the max_penalty of a request, and only Store::forget()
//     removes it.
//   - The pause after a request that got no answer (Outcome::cause): 5 s, doubled with each further one in a row up to
//     10 min. It holds for the key of the origin alone. An answer ends the row.
//
// A request in flight holds its keys until it is completed or cancelled. If its owner dies, the hold expires after a
// time. A store in a file ends the hold sooner if it notices the death (open_store.hpp). If complete() is called
// after the hold has ended, it fails with "unknown-token" and changes nothing. There is one exception: if the outcome
// causes a penalty or a pause and the hold has expired, it is kept.
//
// Thread rule: everything here is a value type. Errors: see class Store (store.hpp).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/url.hpp>

namespace robotrules {

// Returns the gate key of an origin: "https://example.org". A robot always uses this key. It may add keys of its own,
// with a prefix that no origin has: "host:example.org", "domain:example.org", "ip:192.0.2.1".
inline std::string gate_key(const Origin& origin) { return origin.to_string(); }

// The source of an interval. The store keeps it, so that a program can say why it waits.
enum class IntervalSource : std::uint8_t { configured, crawl_delay, request_rate, adaptive };
ROBOTRULES_API std::string_view to_string(IntervalSource source) noexcept;

// An interval that grows with the latency of responses.
struct ROBOTRULES_API AdaptiveInterval {
  double factor = 0;  // the interval is `factor` times the latency of the key's last response; 0: not adaptive
  std::chrono::microseconds max{0};
  // Returns the interval after a response with that latency.
  std::chrono::microseconds after(std::chrono::microseconds latency) const noexcept;
  friend bool operator==(const AdaptiveInterval&, const AdaptiveInterval&) = default;
};

// The argument of Store::reserve(): what a robot needs before it sends a request.
struct ReserveRequest {
  std::vector<std::string> keys;          // one or more; all of them must be free
  std::chrono::microseconds interval{0};  // between dispatches; if `adaptive` gives a longer one, that one is used
  IntervalSource source = IntervalSource::configured;
  AdaptiveInterval adaptive{};
  bool from_start = false;  // true: the interval runs only from the dispatch, not again from its completion
  // Time until the hold expires. After that, its owner counts as dead.
  std::chrono::microseconds hold = std::chrono::minutes(5);
  std::uint32_t in_flight = 1;  // max. requests in flight on a key
  // Longer penalties are shortened to this, also those that the store already keeps.
  std::chrono::microseconds max_penalty = std::chrono::hours(24);
  // True: the request fetches a robots.txt. It waits for penalties and for requests in flight, but not for the
  // interval. It does not start the interval, and it does not count as a visit.
  bool robots_fetch = false;
};

// A request must be sent within this time after reserve() was called. If a server has lost its last writes, another
// process may be granted the same key after this time and the interval. Store::may_send() checks it.
inline constexpr std::chrono::seconds max_grant_age{2};

// The right to one dispatch, that is, to send one request. If two tokens have a key in common, the later token has the
// greater fence. `keys`, `interval` and the other settings are copied from the request.
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
  // The value of Store::since_boot() before reserve() was called. A store of your own sets it: a token without it is
  // too old for may_send().
  std::chrono::microseconds asked_at{0};
};

// Answer to reserve(): the request may be sent now. Call Store::may_send() directly before it is handed to the client,
// and complete() or cancel() afterwards.
struct Granted {
  Token token;
};

enum class WaitWhy : std::uint8_t {
  interval,      // the interval since the last dispatch is not over
  penalty,       // the server asked for a pause
  in_flight,     // other requests hold the key; `until` is when the first hold expires, but it may end sooner
  just_visited,  // the store was lost or the machine restarted, so the robot may have visited the site just before
  away,          // the last requests got no answer
  unreachable,   // the server of the store does not answer, so nothing is known about the key (StoreHealth)
};
ROBOTRULES_API std::string_view to_string(WaitWhy why) noexcept;

// Answer to reserve(): ask again at `until`.
struct Wait {
  Timestamp until;
  std::string key;  // the key with the longest wait
  WaitWhy why = WaitWhy::interval;
};

// Answer to reserve(): a penalty lasts for more than another day, so leave the key alone. If max_penalty is a day or
// less, this answer does not occur: reserve() returns a Wait.
//
// A RobotUA returns ResponseSource::parked after this answer, and after a Wait that is longer than
// RobotUAOptions::max_wait. A crawl leaves out the URLs of both (UrlState::parked).
struct Blocked {
  Timestamp until;
  std::string key;
};
using ReserveAnswer = std::variant<Granted, Wait, Blocked>;

// Why a request got no answer, or none that is whole.
enum class OutcomeCause : std::uint8_t {
  none,       // there was an answer, or the site is not the cause
  connect,    // the connection could not be made, or broke
  timeout,    // there was a connection, and a time limit was reached
  dns,        // the name could not be resolved at the time
  route,      // this machine had no route to the site
  cancelled,  // the robot itself ended the request
};
ROBOTRULES_API std::string_view to_string(OutcomeCause cause) noexcept;

// The end of a dispatch.
//   - Status 429 and 503 cause a penalty: as long as `retry_after`, or else 1 minute, doubled with each further
//     incident in a row, up to 1 h. One answer below 500 ends the row.
//   - A 503 without `retry_after` may be of one URL alone. If it is the first incident in a row, the penalty is 5 s;
//     for the second one it is 1 minute, doubled with each further one. Four answers below 500 end this row, so that
//     503 and 200 in turn lead to longer penalties.
//   - Status 403 and 3xx cause a penalty only if there is a `retry_after`.
//   - `connect`, `timeout`, `dns` and `route` pause the origin's own key (see above), even if a head with a status came
//     before. Status 0 without a cause and `cancelled` pause nothing and end no row.
struct Outcome {
  int status = 0;                                          // 0: no answer
  std::optional<std::chrono::microseconds> retry_after{};  // null: the response has no Retry-After field
  std::chrono::microseconds latency{0};                    // from the request to the end of the response
  OutcomeCause cause = OutcomeCause::none;
};

// The state of a gate key. For a new request, the interval ends at `interval_start` plus the interval of the new
// request, which may differ from `interval` here.
struct GateState {
  std::chrono::microseconds interval{0};  // of the last request
  IntervalSource source = IntervalSource::configured;
  Timestamp interval_start;                  // start of the interval
  std::chrono::microseconds latency{0};      // of the last response
  Timestamp penalty_until;                   // in the past: there is no penalty now
  std::uint32_t incidents = 0;               // incidents in a row
  std::uint32_t failures = 0;                // requests in a row that got no answer
  std::optional<Timestamp> failing_since;    // the end of the first of these; null: there is none
  Timestamp away_until;                      // end of the pause after the last one; in the past: there is none now
  std::uint32_t in_flight = 0;               // requests in flight
  std::optional<Timestamp> first_hold_ends;  // when the first of their holds expires; it may end sooner
  std::uint64_t visits = 0;
  std::optional<Timestamp> last_visit;

  // Returns when the interval of the last request is over.
  Timestamp next_at() const noexcept { return interval_start + interval; }
};

}  // namespace robotrules
