// The arithmetic of the gate on one key: every backend reads a row, changes it with these functions and writes it back.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/open_store.hpp>
#include <robotrules/store.hpp>

#include "base/visibility.hpp"

namespace robotrules::store {

// A dispatch in flight.
struct Hold {
  std::uint64_t fence = 0;
  Timestamp granted_at;
  Timestamp expires_at;
  bool arms = false;       // the interval starts again at its completion, or when it ends otherwise
  Timestamp armed_before;  // armed_at and last_visit before the dispatch, for cancel()
  std::optional<Timestamp> last_before;
  Process owner = {};
};

// The state of one gate key. The interval is "armed" at a time: it runs from there.
struct GateRow {
  std::int64_t interval = 0;  // microseconds; of the last dispatch
  IntervalSource source = IntervalSource::configured;
  Timestamp armed_at;        // start of the interval; never later than now
  std::int64_t latency = 0;  // microseconds; of the last response
  Timestamp penalty_until;
  Timestamp incident_at;  // when the last incident began
  std::uint32_t incidents = 0;
  std::uint32_t recovery = 0;  // answers that are still needed to end the incidents in a row; 0 as an older version: 1
  std::uint32_t failures = 0;  // requests in a row without an answer
  Timestamp failing_since;     // the first of these
  Timestamp failed_at;         // the last of these; the pause after it begins there
  std::uint64_t visits = 0;
  std::optional<Timestamp> last_visit;
  std::vector<Hold> holds;
  // True: the row must be written even if the call is refused. Its times have followed a clock that was set back, a
  // penalty was shortened or came late, or holds of an ended owner were removed.
  bool must_write = false;
};

inline constexpr std::chrono::hours max_wait{24};
inline constexpr std::uint32_t max_failures = 1'000'000;  // further ones are not counted

// The longest-lasting obstacle to a dispatch on one key.
struct Obstacle {
  Timestamp until;
  WaitWhy why = WaitWhy::interval;
};
// Returns the obstacle to a dispatch at `now`, or null if there is none. First removes holds that have expired; they
// count as dispatches that were completed when they expired. Also shortens a penalty that is longer than the request's
// max_penalty. `just_visited`: visits until that time may not be known, so every key counts as visited then.
std::optional<Obstacle> find_obstacle(GateRow& row, const ReserveRequest& request, Timestamp now,
                                      std::optional<Timestamp> just_visited);

// Removes the holds whose owner has ended; they count as dispatches that were completed now. Returns false if there are
// none.
bool end_holds(GateRow& row, const std::function<bool(const Process&)>& has_ended, Timestamp now);

// Returns the next fence of a row. It is at least the time in microseconds, so it is also greater than the fences of an
// earlier row with the same key that was pruned.
ROBOTRULES_INTERNAL_API std::uint64_t next_fence(std::uint64_t before, Timestamp time);

// Adds a hold for a dispatch at `now`. Precondition: find_obstacle() returned null.
void grant(GateRow& row, const ReserveRequest& request, std::uint64_t fence, Timestamp now, const Process& owner = {});

// Returns the outcome as it counts for a key: only an origin's own key is paused because there was no answer. Other
// hosts of its domain or its address may answer.
ROBOTRULES_INTERNAL_API Outcome outcome_on(std::string_view key, const Outcome& outcome);

// End the token's hold. Return false if the row has no such hold, because it was completed or cancelled or has expired.
// If the hold has expired, complete() still adds the penalty or the pause and sets `must_write`.
bool complete(GateRow& row, const Token& token, const Outcome& outcome, Timestamp now);
bool cancel(GateRow& row, const Token& token, Timestamp now);

// Returns the token for a request that was granted.
ROBOTRULES_INTERNAL_API Token token_for(const ReserveRequest& request, std::uint64_t fence, Timestamp now);

// The longest-lasting obstacle among several keys. The keys must outlive it. answer() returns Wait or Blocked.
class ROBOTRULES_INTERNAL_API Refusal {
 public:
  void add(const std::string& key, const std::optional<Obstacle>& obstacle);
  bool has_obstacle() const noexcept { return key_ != nullptr; }
  ReserveAnswer answer(Timestamp now) const;  // precondition: has_obstacle()

 private:
  const std::string* key_ = nullptr;
  Obstacle longest_;
};

// Returns true if all values are in range: times up to the end of the year 9999 and as far before 1970, intervals of at
// most 10 years, and counts and fences of at most max_count. So values from a damaged file cannot overflow a
// calculation.
ROBOTRULES_INTERNAL_API bool is_sound(const GateRow& row, std::uint64_t fence);
inline constexpr std::int64_t max_time = 253'402'300'799'000'000;
inline constexpr std::int64_t max_count = std::int64_t{1} << 62;

inline bool is_sound(Timestamp time) {
  return time.time_since_epoch().count() >= -max_time && time.time_since_epoch().count() <= max_time;
}
// Returns the nearest time that is in range.
ROBOTRULES_INTERNAL_API Timestamp bounded(Timestamp time);

// Counts one more visit, at the earlier of `at` and `now`.
ROBOTRULES_INTERNAL_API void add_visit(GateRow& row, Timestamp at, Timestamp now);
// Adds what another store knew: the later penalty and the later visit apply, and visits are added up.
ROBOTRULES_INTERNAL_API void restore(GateRow& row, Timestamp penalty_until, std::uint64_t visits,
                                     std::optional<Timestamp> last, Timestamp now);

// Returns until when the key pauses after its last failure; a time in the past if it does not.
ROBOTRULES_INTERNAL_API Timestamp away_until(const GateRow& row);

// Removes the penalty, the incidents and the failures. Returns false if there were none.
ROBOTRULES_INTERNAL_API bool forget_penalty(GateRow& row);

// Returns true if the row may still delay a request: something is in flight, an interval or a penalty is not over, or
// incidents or failures are less than a day old.
ROBOTRULES_INTERNAL_API bool is_live(const GateRow& row, Timestamp now);
// Returns true if Store::prune() deletes the row: it delays no request, and was not visited since `before`.
ROBOTRULES_INTERNAL_API bool is_old(const GateRow& row, Timestamp before, Timestamp now);

ROBOTRULES_INTERNAL_API GateState state_of(GateRow row, Timestamp now);

}  // namespace robotrules::store
