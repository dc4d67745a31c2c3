#include "store/kept_store.hpp"

#include <algorithm>

#include <robotrules/robots_policy.hpp>

#include "store/record_columns.hpp"
#include "store/request_check.hpp"

namespace robotrules::store {
namespace {

// The server or the file takes no call at all. Otherwise one of the calls is the cause: its row cannot be read, or
// there is no room for it.
bool is_of_all(const Error& error) {
  return is_passing(error) || error.code == "store-refused" || error.code == "store-foreign" ||
         error.code == "store-forked";
}

}  // namespace

bool apply(const GateChange& change, GateRow& row, Timestamp now) {
  switch (change.kind) {
    case GateChange::Kind::visit: add_visit(row, change.time, now); return true;
    case GateChange::Kind::restore:
      restore(row, change.time, change.visits.count, change.visits.last, now);
      return true;
    case GateChange::Kind::lift: break;
  }
  return forget_penalty(row);
}

Result<std::optional<RobotsPolicy>> policy_in(const Result<std::string>& text,
                                              const std::function<Error(const Error& why)>& unreadable) {
  if (!text) return text.error();
  if (text.value().empty()) return std::optional<RobotsPolicy>();
  auto policy = policy_of_text(text.value());
  if (!policy) return unreadable(policy.error());
  return std::optional(std::move(policy).value());
}

StoreStats stats_in(const TableRow& row) {
  const auto number = [&](int column) { return static_cast<std::uint64_t>(row.integer(column)); };
  return {number(0), number(1), number(2), number(3), number(4)};
}

// --- settings --------------------------------------------------------------------------------------------------------

// Every robot sets its name when it starts, and mostly it is the same.
Result<std::string> KeptStore::set_agent(std::string_view name, OtherAgent other) {
  const std::string next(name);
  while (true) {
    auto before = agent();
    if (!before || before.value() == next) return before;
    if (auto fault = find_fault(before.value(), next, other)) return *std::move(fault);
    const auto renamed = rename(before.value(), next);
    if (!renamed) return renamed.error();
    if (renamed.value()) return before;
  }
}

Result<std::optional<RobotsPolicy>> KeptStore::policy() const {
  return policy_in(setting(policy_setting), [this](const Error& why) { return unreadable_policy(why); });
}
Result<void> KeptStore::set_policy(const RobotsPolicy& policy) {
  return set_setting(policy_setting, policy_text(policy));
}

// --- records ---------------------------------------------------------------------------------------------------------

Result<void> KeptStore::put_robots(const Origin& origin, RobotsRecord record, const RobotsLease* lease) {
  if (lease != nullptr && !is_possible(*lease)) return unknown_token(lease->fence);
  NewRecords one;
  one.emplace_back(origin, std::move(record));
  return lost_leases_.note(lease, without_value(put_records(std::move(one), Keep::the_given, lease)));
}
Result<void> KeptStore::put_all(NewRecords records) {
  return without_value(put_records(std::move(records), Keep::the_given, nullptr));
}
Result<std::uint64_t> KeptStore::put_newer(NewRecords records) {
  return put_records(std::move(records), Keep::the_newer, nullptr);
}

Result<LeaseAnswer> KeptStore::lease_robots_fetch(const Origin& origin, std::chrono::microseconds length) {
  if (auto fault = find_fault(length)) return *std::move(fault);
  return lost_leases_.lease(origin, [&](std::uint64_t lost) { return grant_lease(origin, length, lost); });
}
Result<void> KeptStore::release(const RobotsLease& lease) {
  return lost_leases_.note(&lease, is_possible(lease) ? end_lease(lease) : unknown_token(lease.fence));
}

// --- the gate --------------------------------------------------------------------------------------------------------

Result<ReserveAnswer> KeptStore::reserve(const ReserveRequest& request) {
  if (auto fault = find_fault(request)) return *std::move(fault);
  GateCalls calls;
  calls.requests.emplace_back(std::shared_ptr<const ReserveRequest>(), &request);  // not its owner
  return std::move(call_gate(calls).requests.front());
}
Result<void> KeptStore::end(GateCalls::Finish finish) {
  GateCalls calls;
  calls.ends.push_back(std::move(finish));
  auto answers = make_calls(calls);
  return answers ? std::move(answers.value().ends.front()) : answers.error();
}

GateAnswers KeptStore::call_gate(const GateCalls& calls) {
  const auto time = since_boot();
  auto answers = make_calls(calls);
  if (answers) {
    for (auto& answer : answers.value().requests) {
      if (auto* granted = answer ? std::get_if<Granted>(&answer.value()) : nullptr) granted->token.asked_at = time;
    }
    return std::move(answers).value();
  }
  // Calls one by one: one of them may be the fault, and an end has no other attempt, because nobody repeats it.
  const bool has_others = !calls.ends.empty() || calls.requests.size() > 1;
  if (!is_of_all(answers.error()) && has_others) return Store::call_gate(calls);
  GateAnswers failed;
  failed.ends.assign(calls.ends.size(), answers.error());
  failed.requests.assign(calls.requests.size(), answers.error());
  return failed;
}

Result<void> KeptStore::add_visit(const Origin& origin, Timestamp at) {
  return without_value(change_gate(gate_key(origin), {GateChange::Kind::visit, at}, nullptr));
}
Result<Visits> KeptStore::visits(const Origin& origin) const {
  const auto state = gate(gate_key(origin));
  if (!state) return state.error();
  return Visits{state.value().visits, state.value().last_visit};
}
Result<void> KeptStore::restore_gate(std::string_view key, Timestamp penalty_until, const Visits& visits) {
  return without_value(change_gate(std::string(key), {GateChange::Kind::restore, penalty_until, visits}, nullptr));
}
Result<bool> KeptStore::forget(const Origin& origin) {
  return change_gate(gate_key(origin), {GateChange::Kind::lift}, &origin);
}

}  // namespace robotrules::store
