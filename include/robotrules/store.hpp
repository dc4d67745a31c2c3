// A store of what a robot knows about the sites it visits (gates, robots.txt records, visits), in memory or in a file.
//
//     auto store = robotrules::make_memory_store();  // or open_store("robots.db"), see open_store.hpp
//     auto rules = robotrules::RobotRules::open(store, "FooBot/1.0").value();
//     auto state = store->gate("https://example.org");
//     if (state) std::cout << state->visits << " visits\n";
//
// For each origin, a store keeps a robots.txt record. For each gate key, it keeps how long the robot must stay away,
// the number of visits, and the time of the last visit. RobotRules and the user agents themselves keep only compiled
// rules, so they work with every store, also with a durable or a shared one. A store belongs to one robot and keeps its
// name. Several processes may share a store; all of them use the store's clock.
//
// Thread rule: any thread may call any function of a store at any time. Everything else here is a value type.
// Errors: see class Store.
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

#include <robotrules/base.hpp>
#include <robotrules/gate.hpp>
#include <robotrules/robots_policy.hpp>
#include <robotrules/url.hpp>

namespace robotrules {

// --- Records: the robots.txt of each origin, visits, and leases to fetch a robots.txt ------------------------------

// The stored robots.txt of an origin. It keeps the bytes of the file; rules are compiled from them again when needed.
// `outcome`, `status`, `fresh_until` and the failures describe the last attempt to fetch it. All other fields describe
// the last attempt that did not fail: its outcome was `rules` or `unavailable`.
struct RobotsRecord {
  std::shared_ptr<const std::string> body;  // the bytes as received; null: there is no file. Stores share equal bodies
  bool truncated = false;                   // the file was longer than the size limit, and `body` is its first part
  std::string url;                          // the final URL; relative URLs in the file are resolved against it
  std::vector<std::string> hops;            // the URLs that redirected to `url`
  std::string etag;
  std::string last_modified;
  Timestamp fetched_at;
  RobotsOutcome outcome = RobotsOutcome::rules;
  int status = 200;
  Timestamp fresh_until;                   // until then the record is used, and the file is not fetched again
  std::optional<Timestamp> failing_since;  // the first failure after the last attempt that did not fail
  std::uint32_t failures = 0;              // failed attempts since then
};

// The number of visits to a site, and the time of the last one.
struct Visits {
  std::uint64_t count = 0;
  std::optional<Timestamp> last;  // null: never
};

// The right to fetch the robots.txt of an origin. Only one caller has it at a time.
struct RobotsLease {
  std::uint64_t fence = 0;
  Origin origin;
  Timestamp expires_at;
};
using LeaseAnswer = std::variant<RobotsLease, Wait>;

// --- Store: the interface ------------------------------------------------------------------------------------------

// The effect of a new robot name on a store that has another one.
enum class OtherAgent : std::uint8_t {
  // Records and visits of the other robot are deleted, without a warning. Do not use it for a store that several
  // programs share: each program with another name would delete the data of the others.
  clears,
  refused,  // nothing changes, and the call fails with "other-agent"
};

class StoreSession;

// Several calls of the gate at once: first complete() or cancel() for `ends`, then reserve() for `requests`, in order.
struct GateCalls {
  struct Finish {
    Token token;
    std::optional<Outcome> outcome;  // null: the request was not sent, so the token is cancelled
  };
  std::vector<Finish> ends;
  std::vector<std::shared_ptr<const ReserveRequest>> requests;
};
struct GateAnswers {
  std::vector<Result<void>> ends;
  std::vector<Result<ReserveAnswer>> requests;
  // The value of changes() at the time of the calls; null: not known, call changes().
  std::optional<std::uint64_t> changes;
};

// The numbers of entries that prune() has deleted.
struct Pruned {
  std::uint64_t robots = 0;  // records
  std::uint64_t gates = 0;   // gate keys
};

struct StoreStats {
  std::uint64_t origins = 0;       // origins with a record
  std::uint64_t bodies = 0;        // different bodies
  std::uint64_t body_bytes = 0;    // bytes of these, before compression
  std::uint64_t gates = 0;         // gate keys
  std::uint64_t stored_bytes = 0;  // bytes in memory or in the file
};

// Whether a store on a server can be reached. A store in memory or in a file is always reachable.
struct StoreHealth {
  bool is_reachable = true;
  std::optional<Timestamp> failing_since;  // the first call after the last answer; null: the last call was answered
  std::uint64_t failures = 0;              // calls without an answer since the store was opened
  std::string problem;                     // a sentence about the last failure; empty: there was none
};

// Returns true for errors of a store or a queue that end when its server is back: "store-unreachable" and
// "store-read-only".
ROBOTRULES_API bool is_passing(const Error& error) noexcept;

// Thread rule: any thread may call any function at any time.
// Errors: a store in memory fails only with "unknown-token", "invalid-request" and "other-agent". A durable store also
// fails with the "store-…" errors of open_sqlite_store() if it cannot read or write; then nothing has changed.
class ROBOTRULES_API Store {
 public:
  virtual ~Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // Returns the time of the store's clock.
  virtual Timestamp now() const = 0;
  // Returns the time since the machine started, including sleep (CLOCK_BOOTTIME), by which may_send() measures. Tests
  // with a clock of their own override it.
  virtual std::chrono::microseconds since_boot() const;
  // Returns now() or a time some milliseconds before it, and costs less. It is good enough to tell whether a record is
  // fresh. Gates use now().
  virtual Timestamp approximate_now() const { return now(); }

  // Returns the robot's name, as it is compared with User-agent lines. Empty: no name was set yet.
  virtual Result<std::string> agent() const = 0;
  // Sets the robot's name and returns the name before. If the store has another name, `other` decides whether its
  // records and visits are deleted or the call fails with "other-agent". Intervals, penalties and holds stay, because
  // the sites are the same.
  virtual Result<std::string> set_agent(std::string_view name, OtherAgent other = OtherAgent::clears) = 0;

  // Return and set the policy by which the robot judges its records; null: none was set. A durable store keeps every
  // field except `timeout` and `body_limit`, which say how a file is fetched. If the policy is not a preset, a durable
  // store returns it with the name "custom".
  virtual Result<std::optional<RobotsPolicy>> policy() const = 0;
  virtual Result<void> set_policy(const RobotsPolicy& policy) = 0;

  // --- robots.txt --------------------------------------------------------------------------------------------------

  // Returns a change counter: while it is unchanged, records and the policy that were read before are still valid.
  virtual Result<std::uint64_t> changes() const = 0;
  // Returns the record of the origin, or null if there is none. The object never changes; a new record is a new object.
  virtual Result<std::shared_ptr<const RobotsRecord>> robots(const Origin& origin) const = 0;
  // Replaces the whole record of the origin. If a lease is given, it ends; if it is no longer held, the call fails with
  // "unknown-token" and replaces nothing. A durable store keeps times up to the end of the year 9999; it keeps that
  // time in place of a later one.
  virtual Result<void> put_robots(const Origin& origin, RobotsRecord record, const RobotsLease* lease = nullptr) = 0;
  // Replaces many records as one change: all of them or none.
  virtual Result<void> put_all(std::vector<std::pair<Origin, RobotsRecord>> records) = 0;
  // Does the same, but keeps each stored record whose `fetched_at` is later than that of the new one. Returns how many
  // records were replaced or added.
  virtual Result<std::uint64_t> put_newer(std::vector<std::pair<Origin, RobotsRecord>> records) = 0;
  // Sets `fresh_until` of the record. If there is no record, nothing changes.
  virtual Result<void> set_fresh_until(const Origin& origin, Timestamp time) = 0;
  // Deletes the record.
  virtual Result<void> erase_robots(const Origin& origin) = 0;

  // Grants the right to fetch the robots.txt of an origin, or returns how long to wait for the caller that has it. The
  // lease ends with put_robots() or release(). If its owner dies before that, it ends after `length`. A store in a file
  // ends it sooner if it notices that the owner has died. A durable store takes back a lease of this object if the call
  // that should have ended it has failed, for example on a full disk. Fails with "invalid-request" unless `length` is
  // positive and at most a year.
  virtual Result<LeaseAnswer> lease_robots_fetch(const Origin& origin, std::chrono::microseconds length) = 0;
  // Ends the lease. Fails with "unknown-token" if it is no longer held.
  virtual Result<void> release(const RobotsLease& lease) = 0;

  // --- the gate ----------------------------------------------------------------------------------------------------

  // Reserves all keys at once, or none. Fails with "invalid-request" if there is no key, a key is empty or given twice,
  // or a time is negative or longer than a year. The hold must be longer than 0.
  virtual Result<ReserveAnswer> reserve(const ReserveRequest& request) = 0;
  // Ends a dispatch after its response. Fails with "unknown-token" if the token was completed or cancelled before, or
  // if its hold has expired. After an expired hold, a penalty or pause that the outcome causes is kept all the same.
  virtual Result<void> complete(const Token& token, const Outcome& outcome) = 0;
  // Ends a dispatch that did not happen. Fails as complete() does.
  virtual Result<void> cancel(const Token& token) = 0;
  // Call it directly before the request of a granted token is handed to the client. If more than max_grant_age has
  // passed since reserve() was called, cancels the token and fails with "too-late": call reserve() again. Else asks
  // no server and returns at once.
  Result<void> may_send(const Token& token);
  // Makes several calls of complete(), cancel() and reserve(), one after the other, with the same results. A durable
  // store makes them in one transaction.
  virtual GateAnswers call_gate(const GateCalls& calls);
  // Returns what the store knows about a key.
  virtual Result<GateState> gate(std::string_view key) const = 0;
  // Returns the time since which the store knows all visits. Earlier visits may be unknown, so every key counts as
  // visited at that time. Null: the store knows all visits.
  virtual Result<std::optional<Timestamp>> just_visited() const = 0;

  // --- visits ------------------------------------------------------------------------------------------------------

  // Counts one more visit of the origin's gate key, at the time `at`. If `at` is later than now(), it becomes now().
  virtual Result<void> add_visit(const Origin& origin, Timestamp at) = 0;
  virtual Result<Visits> visits(const Origin& origin) const = 0;
  // Adds what another store knew about a key: the later penalty applies, and visits are added up.
  virtual Result<void> restore_gate(std::string_view key, Timestamp penalty_until, const Visits& visits) = 0;

  // Deletes the things that may keep the robot away from a site for a long time: the record, and the penalty and the
  // pause of the gate key. The interval and requests in flight still count. Returns false if there was none of them.
  virtual Result<bool> forget(const Origin& origin) = 0;

  // --- maintenance -------------------------------------------------------------------------------------------------

  // Calls `each` with every origin and its record, in ascending order of the origin's text, until `each` returns false.
  // Records that are added during the call may be left out.
  virtual Result<void> for_each_origin(const std::function<bool(const Origin&, const RobotsRecord&)>& each) const = 0;
  // Deletes records whose `fresh_until` is before `before`. Also deletes gate keys without a visit since `before`,
  // unless they still delay a request.
  virtual Result<Pruned> prune(Timestamp before) = 0;
  virtual Result<StoreStats> stats() const = 0;

  // Returns whether the last calls were answered. Does not wait.
  virtual StoreHealth health() const { return {}; }

  // Returns false if no call waits, neither for a disk nor for a network nor for another process.
  virtual bool may_wait() const noexcept { return true; }
  // Opens a session for a robot (seams/store_session.hpp), which must end before the store. `post` runs a task on the
  // robot's loop. By default, a store that may wait is called on a thread of the session.
  virtual std::unique_ptr<StoreSession> open_session(std::function<void(std::function<void()>)> post);

 protected:
  Store() = default;
};

// --- A store in memory ---------------------------------------------------------------------------------------------

struct MemoryStoreOptions {
  std::function<Timestamp()> clock{};  // empty: the machine's clock. It is called from any thread
  // Max. bytes in memory: half for records, in 32 equal parts, and half for gate keys, in 64 equal parts. When a part
  // is full, the entries that were not used for the longest time are deleted. Gate keys that delay a request and
  // origins with a lease stay. For a short time, a part may take up to a tenth more. A part always keeps its last
  // record, however large it is.
  std::size_t limit_bytes = std::size_t{1} << 30;
};

// Returns a store that ends with the process.
ROBOTRULES_API std::shared_ptr<Store> make_memory_store(MemoryStoreOptions options = {});

}  // namespace robotrules
