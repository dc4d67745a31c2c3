// Store: where what a robot knows of the sites it visits is kept.
//
// RobotRules and the user agents ask through this interface and hold nothing themselves but compiled rules, so that a
// durable or shared store changes no line of a program. What a store keeps: for each origin its robots.txt, for each
// gate key how long to stay away, how often and when it was visited. One store belongs to one robot: the robot's name
// is part of what it keeps.
//
// Nothing here assumes one process or one clock: time is the store's.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <robotrules/origin.hpp>
#include <robotrules/result.hpp>
#include <robotrules/robots_policy.hpp>
#include <robotrules/time.hpp>

namespace robotrules {

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

// What became of the last attempt to fetch a robots.txt.
enum class RobotsOutcome : std::uint8_t {
  rules,        // it was there; its rules hold
  unavailable,  // the site has none: all is allowed
  unreachable,  // it could not be had: all is disallowed, or the last good copy holds (stale)
};
std::string_view to_string(RobotsOutcome outcome) noexcept;

// A robots.txt as it is kept: the octets are the truth, whatever is compiled from them can be made again. `body`,
// `truncated`, `url`, `hops`, `etag`, `last_modified` and `fetched_at` are those of the last good fetch; `outcome`,
// `status`, `fresh_until` and the failures those of the last attempt.
struct RobotsRecord {
  std::shared_ptr<const std::string> body;  // as it was received; null: never had. Stores share equal ones
  bool truncated = false;                   // `body` is what lies within the size limit of a longer one
  std::string url;                          // where it came from in the end; what is relative in it is resolved against
  std::vector<std::string> hops;            // the URLs that redirected there
  std::string etag;
  std::string last_modified;
  Timestamp fetched_at;
  RobotsOutcome outcome = RobotsOutcome::rules;
  int status = 200;
  Timestamp fresh_until;
  std::optional<Timestamp> failing_since;  // the first failure since the last good fetch
  std::uint32_t failures = 0;              // since then
};

struct Visits {
  std::uint64_t count = 0;
  std::optional<Timestamp> last;  // null: never
};

// The right to fetch the robots.txt of one origin; only one has it at a time.
struct RobotsLease {
  std::uint64_t fence = 0;
  Origin origin;
  Timestamp expires_at;
};
using LeaseAnswer = std::variant<RobotsLease, Wait>;

// What another robot's name does to a store that has one.
enum class OtherAgent : std::uint8_t {
  clears,   // records and visits go: they were another robot's
  refused,  // nothing changes: error "other-agent"
};

// What a robot wants of the gate in one moment, of many sites.
struct GateCalls {
  struct End {
    Token token;
    std::optional<Outcome> outcome;  // null: the dispatch did not happen
  };
  std::vector<End> ends;                        // first, in this order
  std::vector<const ReserveRequest*> requests;  // then these
};
struct GateAnswers {
  std::vector<Result<void>> ends;
  std::vector<Result<ReserveAnswer>> requests;
  // What changes() would have answered in that moment, where it is known without asking.
  std::optional<std::uint64_t> changes;
};

// What was forgotten: records that have not been fresh since `before`, and gates without a visit since then that hold
// nobody up.
struct Pruned {
  std::uint64_t robots = 0;
  std::uint64_t gates = 0;
};

struct StoreStats {
  std::uint64_t origins = 0;       // with a robots.txt
  std::uint64_t bodies = 0;        // different ones
  std::uint64_t body_bytes = 0;    // of these, before compression
  std::uint64_t gates = 0;         // keys
  std::uint64_t stored_bytes = 0;  // in memory or in the file
};

// Thread rule: every function may be called from any thread at any time.
// Errors: an in-memory store answers with "unknown-token", "invalid-request" and "other-agent" alone; a durable one
// also says what could not be read or written ("store-…"), and then nothing has changed.
class Store {
 public:
  virtual ~Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // The store's clock.
  virtual Timestamp now() const = 0;
  // The same, or some milliseconds behind where that is cheaper: for what need not be known better, as how fresh a
  // record is. Gates go by now().
  virtual Timestamp about_now() const { return now(); }

  // The robot's name, as it is compared with robots.txt; empty: nobody's yet.
  virtual Result<std::string> agent() const = 0;
  // A name that differs from the one kept clears records and visits, or is refused. Intervals, penalties and holds
  // stay: the sites are the same. Answers the name that was kept before.
  virtual Result<std::string> set_agent(std::string_view name, OtherAgent other = OtherAgent::clears) = 0;

  // The policy by which the robot judges its records; null: none was set. A durable store keeps what the policy says of
  // records and of when to look again, but not how a file is fetched (`timeout` and `body_limit`); a policy that is
  // none of the presets comes back with the name "custom".
  virtual Result<std::optional<RobotsPolicy>> policy() const = 0;
  virtual Result<void> set_policy(const RobotsPolicy& policy) = 0;

  // --- robots.txt --------------------------------------------------------------------------------------------------

  // Rises with every change of a record by anybody; equal numbers mean equal records, so that what was read can be
  // kept.
  virtual Result<std::uint64_t> changes() const = 0;
  // The record of the origin, or null. It is never changed, only replaced: a new one is another object.
  virtual Result<std::shared_ptr<const RobotsRecord>> robots(const Origin& origin) const = 0;
  // Replaces the record of the origin whole, and ends the lease where one is given: error "unknown-token" where it is
  // not held any more, and then nothing is replaced. A durable store keeps times up to the end of 9999, later ones as
  // that.
  virtual Result<void> put_robots(const Origin& origin, RobotsRecord record, const RobotsLease* lease = nullptr) = 0;
  // The same of many as one change: all or none.
  virtual Result<void> put_all(std::vector<std::pair<Origin, RobotsRecord>> records) = 0;
  // The same, but where a record is kept that was fetched later than the one given, it stays. Answers how many were
  // put.
  virtual Result<std::uint64_t> put_newer(std::vector<std::pair<Origin, RobotsRecord>> records) = 0;
  // Changes nothing where there is no record.
  virtual Result<void> set_fresh_until(const Origin& origin, Timestamp time) = 0;
  virtual Result<void> erase_robots(const Origin& origin) = 0;

  // Only one of many fetches the robots.txt of an origin: who is granted the lease. It ends by put_robots(), release()
  // or after `length`, as its owner may have died; in a file sooner, where it is known that he has.
  virtual Result<LeaseAnswer> lease_robots_fetch(const Origin& origin, std::chrono::microseconds length) = 0;
  virtual Result<void> release(const RobotsLease& lease) = 0;

  // --- the gate (gate.hpp) -----------------------------------------------------------------------------------------

  // Atomic over all keys. Errors: "invalid-request" where there is no key, one twice, or a negative or endless time.
  virtual Result<ReserveAnswer> reserve(const ReserveRequest& request) = 0;
  // Error "unknown-token" where the token was completed or cancelled already, or its hold has expired; a penalty that
  // comes after the hold has expired is kept all the same.
  virtual Result<void> complete(const Token& token, const Outcome& outcome) = 0;
  // The dispatch did not happen. Errors as above.
  virtual Result<void> cancel(const Token& token) = 0;
  // The same calls as reserve(), complete() and cancel(), one after the other, with the same answers; a durable store
  // makes one transaction of them.
  virtual GateAnswers call_gate(const GateCalls& calls);
  virtual Result<GateState> gate(std::string_view key) const = 0;
  // What happened before this moment is not known, so every key counts as visited then; null: all is known.
  virtual Result<std::optional<Timestamp>> just_visited() const = 0;

  // --- visits ------------------------------------------------------------------------------------------------------

  // One more visit of the origin's gate key; `last` becomes `at`.
  virtual Result<void> add_visit(const Origin& origin, Timestamp at) = 0;
  virtual Result<Visits> visits(const Origin& origin) const = 0;
  // Puts back what another store knew of a key: the later penalty holds, visits are added up.
  virtual Result<void> restore_gate(std::string_view key, Timestamp penalty_until, const Visits& visits) = 0;

  // Forgets what keeps the robot away from the site for long: its record, and the penalty of its gate key. The interval
  // since the last dispatch and requests in flight hold all the same. Returns false when there was nothing to forget.
  virtual Result<bool> forget(const Origin& origin) = 0;

  // --- tending -----------------------------------------------------------------------------------------------------

  // Calls `each` with origins in ascending order of their text, records made along the way may be missing; ends early
  // where it answers false.
  virtual Result<void> for_each_origin(const std::function<bool(const Origin&, const RobotsRecord&)>& each) const = 0;
  virtual Result<Pruned> prune(Timestamp before) = 0;
  virtual Result<StoreStats> stats() const = 0;

 protected:
  Store() = default;
};

struct MemoryStoreOptions {
  std::function<Timestamp()> clock;  // empty: the machine's; called from any thread
  // Half of it for records, in 32 equal parts that origins are spread over, half for gates, in 64; beyond, what was
  // longest unused in a part goes, but never a gate that holds somebody up. A part may take a tenth more for a while,
  // and always holds its last record, however great.
  std::size_t limit_bytes = std::size_t{1} << 30;
};

// A store that ends with the process.
std::shared_ptr<Store> make_memory_store(MemoryStoreOptions options = {});

}  // namespace robotrules
