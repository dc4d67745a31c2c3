// What a store means that keeps its rows in a database or on a server. The backends read and write rows.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/store.hpp>

#include "base/visibility.hpp"
#include "store/gate_row.hpp"
#include "store/lost_leases.hpp"
#include "store/table_row.hpp"

namespace robotrules::store {

// A change of the row of a key that is no part of a dispatch.
struct GateChange {
  enum class Kind : std::uint8_t { visit, restore, lift };  // Store::add_visit(), restore_gate() and forget()
  Kind kind = Kind::lift;
  Timestamp time{};  // of the visit, or the end of the penalty
  Visits visits{};
};
// Makes the change. Returns false if it changes nothing.
ROBOTRULES_INTERNAL_API bool apply(const GateChange& change, GateRow& row, Timestamp now);

inline constexpr std::string_view agent_setting = "agent";
inline constexpr std::string_view policy_setting = "policy";
// Returns the policy in the text of that setting; null: it is empty. Fails with unreadable(why) if it cannot be read.
ROBOTRULES_INTERNAL_API Result<std::optional<RobotsPolicy>> policy_in(
    const Result<std::string>& text, const std::function<Error(const Error& why)>& unreadable);

// Reads a row with the numbers of origins, bodies, bytes of bodies, gates and stored bytes.
ROBOTRULES_INTERNAL_API StoreStats stats_in(const TableRow& row);

// The seam are the private functions. Each of them is one atomic change, unless it says something else. Errors and
// thread rule: as class Store.
class ROBOTRULES_INTERNAL_API KeptStore : public Store {
 public:
  Result<std::string> agent() const final { return setting(agent_setting); }
  Result<std::string> set_agent(std::string_view name, OtherAgent other) final;
  Result<std::optional<RobotsPolicy>> policy() const final;
  Result<void> set_policy(const RobotsPolicy& policy) final;

  Result<void> put_robots(const Origin& origin, RobotsRecord record, const RobotsLease* lease) final;
  Result<void> put_all(std::vector<std::pair<Origin, RobotsRecord>> records) final;
  Result<std::uint64_t> put_newer(std::vector<std::pair<Origin, RobotsRecord>> records) final;
  Result<LeaseAnswer> lease_robots_fetch(const Origin& origin, std::chrono::microseconds length) final;
  Result<void> release(const RobotsLease& lease) final;

  Result<ReserveAnswer> reserve(const ReserveRequest& request) final;
  Result<void> complete(const Token& token, const Outcome& outcome) final { return end({token, outcome}); }
  Result<void> cancel(const Token& token) final { return end({token, std::nullopt}); }
  GateAnswers call_gate(const GateCalls& calls) final;
  Result<void> add_visit(const Origin& origin, Timestamp at) final;
  Result<Visits> visits(const Origin& origin) const final;
  Result<void> restore_gate(std::string_view key, Timestamp penalty_until, const Visits& visits) final;
  Result<bool> forget(const Origin& origin) final;

 protected:
  using NewRecords = std::vector<std::pair<Origin, RobotsRecord>>;
  enum class Keep : std::uint8_t { the_given, the_newer };

  LostLeases& lost_leases() noexcept { return lost_leases_; }

 private:
  // Read and set a setting. Empty: there is none.
  virtual Result<std::string> setting(std::string_view name) const = 0;
  virtual Result<void> set_setting(std::string_view name, const std::string& value) = 0;
  // Sets the name of the robot and deletes all records and visits. Returns false and changes nothing if the name is no
  // longer `before`.
  virtual Result<bool> rename(const std::string& before, const std::string& name) = 0;
  // Returns the error for a policy that cannot be read.
  virtual Error unreadable_policy(const Error& why) const = 0;

  // Puts the records, and returns how many were replaced or added. `keep`: the_newer: a stored record stays if it was
  // fetched later. `lease`: null, or one that ends; fails with "unknown-token" if it is no longer held.
  virtual Result<std::uint64_t> put_records(NewRecords records, Keep keep, const RobotsLease* lease) = 0;
  // Grants the lease unless another one is held. `lost`: a held lease with this fence is replaced; 0: none is.
  virtual Result<LeaseAnswer> grant_lease(const Origin& origin, std::chrono::microseconds length,
                                          std::uint64_t lost) = 0;
  virtual Result<void> end_lease(const RobotsLease& lease) = 0;

  // Makes the calls. If it fails, none was made, or it is unknown which.
  virtual Result<GateAnswers> make_calls(const GateCalls& calls) = 0;
  // Changes the row of a key and deletes the record of `erased` (null: of none). Returns false if nothing has changed.
  virtual Result<bool> change_gate(const std::string& key, const GateChange& change, const Origin* erased) = 0;

  Result<void> end(GateCalls::Finish finish);

  LostLeases lost_leases_;
};

}  // namespace robotrules::store
