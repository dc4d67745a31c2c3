// The gate of a store in Redis: calls of the functions in gate.lua.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/store.hpp>

#include "store/redis/link.hpp"

namespace robotrules::store::redis {

// Any thread. Errors: as the functions of Store.
class Gates {
 public:
  explicit Gates(Link& link) : link_(link) {}

  // Makes the calls in one round trip to each server.
  GateAnswers call(const GateCalls& calls);
  Result<GateState> state(std::string_view key);
  Result<void> add_visit(const Origin& origin, Timestamp at);
  Result<void> restore(std::string_view key, Timestamp penalty_until, const Visits& visits);
  // Returns false if there was no penalty.
  Result<bool> lift_penalty(const Origin& origin);
  // Removes the numbers of visits of all keys.
  Result<void> forget_visits();
  Result<std::uint64_t> prune(Timestamp before);
  Result<std::uint64_t> count();
  // Takes back the reservations whose answer was lost. Is called now and then.
  void take_back();

 private:
  // A reservation whose answer was lost: it may hold its keys, and nothing knows its token.
  struct Lost {
    std::string tag;
    std::vector<std::string> keys;
    std::string serial;
    bool robots_fetch = false;
  };
  std::string row_key(const std::string& key) const;
  Call on_row(const std::string& key, std::string_view name, std::vector<std::string> arguments) const;
  Call end_call(const GateCalls::Finish& end) const;
  Call lost_call(const Lost& lost) const;
  // Null: the keys can be kept together.
  std::optional<Error> find_fault(const ReserveRequest& request) const;
  Result<ReserveAnswer> answer_of(const ReserveRequest& request, const Reply& reply) const;
  // Returns those of these sites; at most as many as fit in a round trip.
  std::vector<Lost> lost_of(const GateCalls& calls) const;
  void settle(const Lost& lost, const Answer& answer);
  // Makes a call on each row of the store. Returns how many answers had a 1.
  Result<std::uint64_t> on_all_rows(std::string_view name, const std::vector<std::string>& arguments);

  Link& link_;
  std::atomic<std::uint64_t> last_serial_ = 0;
  mutable std::mutex mutex_;  // of lost_
  std::vector<Lost> lost_;
};

}  // namespace robotrules::store::redis
