// StoreDecorator: a store that passes all calls to another one, for programs that change or watch a few of them.
//
//     class LoggedStore : public robotrules::StoreDecorator {
//      public:
//       using StoreDecorator::StoreDecorator;
//       robotrules::Result<void> erase_robots(const robotrules::Origin& origin) override {
//         std::cerr << "erase " << origin.to_string() << "\n";
//         return StoreDecorator::erase_robots(origin);
//       }
//     };
//
// Robots ask the gate with call_gate(), which does not call reserve(), complete() and cancel() of the decorator. A
// robot that uses the decorator opens a session of the decorator, not of the store within.
//
// Thread rule and errors: those of the store within.
#pragma once

#include <memory>
#include <utility>

#include <robotrules/base.hpp>
#include <robotrules/store.hpp>

namespace robotrules {

class ROBOTRULES_API StoreDecorator : public Store {
 public:
  // `inner` must not be null.
  explicit StoreDecorator(std::shared_ptr<Store> inner) : inner_(std::move(inner)) {}

  Timestamp now() const override { return inner_->now(); }
  std::chrono::microseconds since_boot() const override { return inner_->since_boot(); }
  Timestamp approximate_now() const override { return inner_->approximate_now(); }
  Result<std::string> agent() const override { return inner_->agent(); }
  Result<std::string> set_agent(std::string_view name, OtherAgent other = OtherAgent::clears) override {
    return inner_->set_agent(name, other);
  }
  Result<std::optional<RobotsPolicy>> policy() const override { return inner_->policy(); }
  Result<void> set_policy(const RobotsPolicy& policy) override { return inner_->set_policy(policy); }
  Result<std::uint64_t> changes() const override { return inner_->changes(); }
  Result<std::shared_ptr<const RobotsRecord>> robots(const Origin& origin) const override {
    return inner_->robots(origin);
  }
  Result<void> put_robots(const Origin& origin, RobotsRecord record, const RobotsLease* lease = nullptr) override {
    return inner_->put_robots(origin, std::move(record), lease);
  }
  Result<void> put_all(std::vector<std::pair<Origin, RobotsRecord>> records) override {
    return inner_->put_all(std::move(records));
  }
  Result<std::uint64_t> put_newer(std::vector<std::pair<Origin, RobotsRecord>> records) override {
    return inner_->put_newer(std::move(records));
  }
  Result<void> set_fresh_until(const Origin& origin, Timestamp time) override {
    return inner_->set_fresh_until(origin, time);
  }
  Result<void> erase_robots(const Origin& origin) override { return inner_->erase_robots(origin); }
  Result<LeaseAnswer> lease_robots_fetch(const Origin& origin, std::chrono::microseconds length) override {
    return inner_->lease_robots_fetch(origin, length);
  }
  Result<void> release(const RobotsLease& lease) override { return inner_->release(lease); }
  Result<ReserveAnswer> reserve(const ReserveRequest& request) override { return inner_->reserve(request); }
  Result<void> complete(const Token& token, const Outcome& outcome) override {
    return inner_->complete(token, outcome);
  }
  Result<void> cancel(const Token& token) override { return inner_->cancel(token); }
  GateAnswers call_gate(const GateCalls& calls) override { return inner_->call_gate(calls); }
  Result<GateState> gate(std::string_view key) const override { return inner_->gate(key); }
  Result<std::optional<Timestamp>> just_visited() const override { return inner_->just_visited(); }
  Result<void> add_visit(const Origin& origin, Timestamp at) override { return inner_->add_visit(origin, at); }
  Result<Visits> visits(const Origin& origin) const override { return inner_->visits(origin); }
  Result<void> restore_gate(std::string_view key, Timestamp penalty_until, const Visits& visits) override {
    return inner_->restore_gate(key, penalty_until, visits);
  }
  Result<bool> forget(const Origin& origin) override { return inner_->forget(origin); }
  Result<void> for_each_origin(const std::function<bool(const Origin&, const RobotsRecord&)>& each) const override {
    return inner_->for_each_origin(each);
  }
  Result<Pruned> prune(Timestamp before) override { return inner_->prune(before); }
  Result<StoreStats> stats() const override { return inner_->stats(); }
  StoreHealth health() const override { return inner_->health(); }
  bool may_wait() const noexcept override { return inner_->may_wait(); }

 private:
  std::shared_ptr<Store> inner_;
};

}  // namespace robotrules
