// The gate of a store in Redis: calls of the functions in gate.lua.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <robotrules/store.hpp>

#include "servers/redis/link.hpp"
#include "store/kept_store.hpp"

namespace robotrules::store::redis {

// Any thread. Errors: as the functions of Store.
class Gates {
 public:
  explicit Gates(Link& link) : link_(link), mended_losses_(link.losses()) {}

  // Makes the calls in one round trip to each server.
  GateAnswers call(const GateCalls& calls);
  Result<GateState> state(std::string_view key);
  // Returns false if nothing has changed.
  Result<bool> change(const std::string& key, const GateChange& change);
  // Removes the numbers of visits of all keys.
  Result<void> forget_visits();
  Result<std::uint64_t> prune(Timestamp before);
  Result<std::uint64_t> count();
  // Takes back the reservations whose answer was lost. After a server may have lost writes, sends the penalties again
  // that this process has reported. Is called now and then.
  void mend(std::chrono::milliseconds timeout);

 private:
  // A reservation whose answer was lost: it may hold its keys, and nothing knows its token.
  struct Lost {
    std::string tag;
    std::vector<std::string> keys;
    std::string serial;
    bool robots_fetch = false;
    std::chrono::microseconds until{};  // then, it needs not be taken back any more; of time_since_boot()
  };
  struct Penalty {
    std::string tag;
    Timestamp until;
  };
  std::string row_key(std::string_view tag, std::string_view key) const;
  std::vector<std::string> row_keys(const std::string& first_tag, const std::vector<std::string>& keys) const;
  Call on_row(const std::string& key, std::string_view name, std::vector<std::string> arguments) const;
  Call change_call(const std::string& key, const GateChange& change) const;
  Call end_call(const GateCalls::Finish& end) const;
  // `made`: the call, in case its answer is lost.
  Call reserve_call(const ReserveRequest& request, const Lost& made) const;
  Call lost_call(const Lost& lost) const;
  // Null: the keys can be kept together.
  std::optional<Error> find_fault(const ReserveRequest& request) const;
  Result<ReserveAnswer> answer_of(const ReserveRequest& request, const Reply& reply) const;
  // Return the results of end_call() and reserve_call(), and keep what this process must remember of them. `is_late`:
  // the answer came so late that a grant must not be used.
  Result<void> end_answer(const Token& token, const Answer& answer);
  Result<ReserveAnswer> reserve_answer(const ReserveRequest& request, Lost made, const Answer& answer, bool is_late);
  // Returns those of these sites; at most as many as fit in a round trip.
  std::vector<Lost> lost_of(const GateCalls& calls) const;
  void settle(const Lost& lost, const Answer& answer);
  void add_lost(Lost lost, std::chrono::microseconds hold);
  void take_back(std::chrono::milliseconds timeout);
  // `reply`: of end_call().
  void keep_penalties(const Token& token, const Reply& reply);
  void forget_penalty(const std::string& row);
  // Returns false if one of them could not be sent.
  bool send_penalties(std::chrono::milliseconds timeout);
  // Makes a call on each row of the store. Returns how many answers had a 1.
  Result<std::uint64_t> on_all_rows(std::string_view name, const std::vector<std::string>& arguments);

  Link& link_;
  std::atomic<std::uint64_t> last_serial_ = 0;
  std::uint64_t mended_losses_;  // of the thread that calls mend()
  mutable std::mutex mutex_;     // of all below
  std::vector<Lost> lost_;
  std::unordered_map<std::string, Penalty> penalties_;  // by the key of the row
};

}  // namespace robotrules::store::redis
