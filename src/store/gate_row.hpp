// The arithmetic of the gate on one key: what every backend does between reading a key's row and writing it back.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <robotrules/sqlite_store.hpp>
#include <robotrules/store.hpp>

namespace robotrules::store {

struct Hold {
  std::uint64_t fence = 0;
  Timestamp granted_at;
  Timestamp expires_at;
  bool arms = false;       // its completion arms the interval, as does the end of its owner
  Timestamp armed_before;  // armed_at and last_visit before the dispatch, for cancel()
  std::optional<Timestamp> last_before;
  Process owner = {};
};

struct GateRow {
  std::int64_t interval = 0;  // microseconds; of the last dispatch
  IntervalSource source = IntervalSource::configured;
  Timestamp armed_at;        // the interval runs from here: never later than now
  std::int64_t latency = 0;  // microseconds; of the last response
  Timestamp penalty_until;
  Timestamp incident_at;  // when the last incident began
  std::uint32_t incidents = 0;
  std::uint64_t visits = 0;
  std::optional<Timestamp> last_visit;
  std::vector<Hold> holds;
  // To be kept even where the call is refused: its times follow a clock that was set back, or a penalty came late.
  bool moved = false;
};

inline constexpr std::chrono::hours max_wait{24};

// What stands in the way of a dispatch at `now`; null where nothing does. Holds that have expired are taken out of
// the row first, and count as dispatches that were completed when they expired; a penalty that is longer than the
// request's max_penalty is shortened to it. `just_visited`: before that moment
// nothing is known, so every key counts as visited then.
struct Obstacle {
  Timestamp until;
  WaitWhy why = WaitWhy::interval;
};
std::optional<Obstacle> find_obstacle(GateRow& row, const ReserveRequest& request, Timestamp now,
                                      std::optional<Timestamp> just_visited);

// Holds whose owner has ended are taken out, and count as dispatches that were completed now. False where there are
// none.
bool end_holds(GateRow& row, const std::function<bool(const Process&)>& has_ended, Timestamp now);

// Precondition: no obstacle.
void grant(GateRow& row, const ReserveRequest& request, std::uint64_t fence, Timestamp now, const Process& owner = {});

// False where the row has no such hold: it was completed, cancelled, or has expired. Of a hold that has expired the
// penalty is kept all the same (`moved`).
bool complete(GateRow& row, const Token& token, const Outcome& outcome, Timestamp now);
bool cancel(GateRow& row, const Token& token, Timestamp now);

// The two answers to a request.
Token token_for(const ReserveRequest& request, std::uint64_t fence, Timestamp now);

// The longest-lasting obstacle among several keys. The keys must outlive it.
class Refusal {
 public:
  void add(const std::string& key, const std::optional<Obstacle>& obstacle);
  bool stands() const noexcept { return key_ != nullptr; }
  ReserveAnswer answer(Timestamp now) const;  // precondition: stands()

 private:
  const std::string* key_ = nullptr;
  Obstacle longest_;
};

// Times no farther from 1970 than the end of 9999, intervals that may be asked for, counts and fences that can be added
// to: a damaged file must not overflow what is reckoned with.
bool is_sound(const GateRow& row, std::uint64_t fence);
inline constexpr std::int64_t max_time = 253'402'300'799'000'000;
inline constexpr std::int64_t max_count = std::int64_t{1} << 62;

inline bool is_sound(Timestamp time) {
  return time.time_since_epoch().count() >= -max_time && time.time_since_epoch().count() <= max_time;
}
// The nearest sound time.
Timestamp bounded(Timestamp time);

// One more visit, `at` or now if that is earlier.
void add_visit(GateRow& row, Timestamp at, Timestamp now);
void restore(GateRow& row, Timestamp penalty_until, std::uint64_t visits, std::optional<Timestamp> last, Timestamp now);

// Takes the penalty and what led to it away. False when there was none.
bool forget_penalty(GateRow& row);

// Is this row worth keeping at `now`, or does it say no more than a missing one?
bool is_live(const GateRow& row, Timestamp now);

GateState state_of(GateRow row, Timestamp now);

}  // namespace robotrules::store
