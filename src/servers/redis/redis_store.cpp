#include "servers/redis/redis_store.hpp"

#include <charconv>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <robotrules/robots_policy.hpp>

#include "servers/redis/redis_gates.hpp"
#include "servers/redis/redis_problems.hpp"
#include "servers/redis/redis_records.hpp"
#include "servers/server_session.hpp"
#include "store/lost_leases.hpp"
#include "store/request_check.hpp"

namespace robotrules::store::redis {
namespace {

class RedisStore final : public Store {
 public:
  RedisStore(std::unique_ptr<Link> link, const ServerStoreOptions& options)
      : link_(std::move(link)), gates_(*link_), records_(*link_, options) {
    link_->start([this](std::chrono::milliseconds timeout) { gates_.mend(timeout); });
  }
  ~RedisStore() override { link_->stop(); }

  Timestamp now() const override { return link_->now(); }

  Result<std::string> agent() const override {
    const auto kept = setting("agent");
    if (!kept) return kept.error();
    return kept.value().value_or("");
  }

  // The data of the other robot is deleted before the name changes: a process that ends in between leaves no data under
  // a wrong name.
  Result<std::string> set_agent(std::string_view name, OtherAgent other) override {
    for (;;) {
      auto kept = agent();
      if (!kept || kept.value() == name) return kept;
      if (auto fault = find_fault(kept.value(), std::string(name), other)) return *std::move(fault);
      if (auto cleared = clear(); !cleared) return cleared.error();
      const auto renamed = link_->call(
          link_->function(Link::settings_tag, "rename", {link_->settings_key()}, {kept.value(), std::string(name)}));
      if (!renamed) return renamed.error();
      records_.all_changed();
      if (renamed->number_at(1) == 1) return kept;
    }
  }

  Result<std::optional<RobotsPolicy>> policy() const override {
    const auto kept = setting("policy");
    if (!kept) return kept.error();
    if (!kept.value()) return std::optional<RobotsPolicy>();
    auto policy = policy_of_text(*kept.value());
    if (policy) return std::optional(std::move(policy).value());
    return Error{
        policy.error().code == "policy-newer" ? "store-newer" : "store-damaged",
        "The policy of the store in Redis cannot be read: " + policy.error().message + "; set the policy again"};
  }
  Result<void> set_policy(const RobotsPolicy& policy) override {
    const auto answer =
        link_->servers().call(Link::settings_tag, {"HSET", link_->settings_key(), "policy", policy_text(policy)});
    records_.all_changed();
    if (!answer.reply) return answer.reply.error();
    return {};
  }

  Result<std::uint64_t> changes() const override { return records_.changes(); }
  Result<std::shared_ptr<const RobotsRecord>> robots(const Origin& origin) const override {
    return records_.find(origin);
  }
  Result<void> put_robots(const Origin& origin, RobotsRecord record, const RobotsLease* lease) override {
    return lost_leases_.note(lease, records_.put(origin, record, lease));
  }
  Result<void> put_all(std::vector<std::pair<Origin, RobotsRecord>> records) override {
    const auto put = records_.put_many(records, false);
    if (!put) return put.error();
    return {};
  }
  Result<std::uint64_t> put_newer(std::vector<std::pair<Origin, RobotsRecord>> records) override {
    return records_.put_many(records, true);
  }
  Result<void> set_fresh_until(const Origin& origin, Timestamp time) override {
    return records_.set_fresh_until(origin, time);
  }
  Result<void> erase_robots(const Origin& origin) override {
    const auto erased = records_.erase(origin);
    if (!erased) return erased.error();
    return {};
  }
  Result<LeaseAnswer> lease_robots_fetch(const Origin& origin, std::chrono::microseconds length) override {
    return lost_leases_.lease(
        origin, [&] { return records_.lease(origin, length); },
        [this](const RobotsLease& own) { return records_.release(own); });
  }
  Result<void> release(const RobotsLease& lease) override { return lost_leases_.note(&lease, records_.release(lease)); }

  GateAnswers call_gate(const GateCalls& calls) override {
    const auto time = since_boot();
    GateAnswers answers = gates_.call(calls);
    answers.changes = records_.changes();
    return asked_at(time, std::move(answers));
  }
  Result<ReserveAnswer> reserve(const ReserveRequest& request) override {
    GateCalls calls;
    calls.requests.push_back(std::make_shared<const ReserveRequest>(request));
    return std::move(call_gate(calls).requests.front());
  }
  Result<void> complete(const Token& token, const Outcome& outcome) override { return end({token, outcome}); }
  Result<void> cancel(const Token& token) override { return end({token, std::nullopt}); }
  Result<GateState> gate(std::string_view key) const override { return gates_.state(key); }
  Result<std::optional<Timestamp>> just_visited() const override { return link_->just_visited(); }

  Result<void> add_visit(const Origin& origin, Timestamp at) override { return gates_.add_visit(origin, at); }
  Result<Visits> visits(const Origin& origin) const override {
    const auto state = gates_.state(gate_key(origin));
    if (!state) return state.error();
    return Visits{state->visits, state->last_visit};
  }
  Result<void> restore_gate(std::string_view key, Timestamp penalty_until, const Visits& visits) override {
    return gates_.restore(key, penalty_until, visits);
  }
  Result<bool> forget(const Origin& origin) override {
    auto erased = records_.erase(origin);
    if (!erased) return erased;
    auto lifted = gates_.lift_penalty(origin);
    if (!lifted) return lifted;
    return erased.value() || lifted.value();
  }

  Result<void> for_each_origin(const std::function<bool(const Origin&, const RobotsRecord&)>& each) const override {
    return records_.for_each(each);
  }
  Result<Pruned> prune(Timestamp before) override {
    const auto robots = records_.prune(before);
    if (!robots) return robots.error();
    const auto gates = gates_.prune(before);
    if (!gates) return gates.error();
    return Pruned{robots.value(), gates.value()};
  }
  Result<StoreStats> stats() const override {
    StoreStats stats;
    if (auto counted = records_.count(stats); !counted) return counted.error();
    const auto gates = gates_.count();
    if (!gates) return gates.error();
    stats.gates = gates.value();
    const auto bytes = stored_bytes();
    if (!bytes) return bytes.error();
    stats.stored_bytes = bytes.value();
    return stats;
  }

  StoreHealth health() const override { return link_->health(); }
  bool may_wait() const noexcept override { return true; }
  std::unique_ptr<StoreSession> open_session(StoreSession::Post post) override {
    return make_server_session(*this, std::move(post), link_->servers().is_cluster());
  }

 private:
  Result<void> end(GateCalls::Finish end) {
    GateCalls calls;
    calls.ends.push_back(std::move(end));
    return std::move(gates_.call(calls).ends.front());
  }

  Result<void> clear() {
    if (auto cleared = records_.clear(); !cleared) return cleared;
    return gates_.forget_visits();
  }

  Result<std::optional<std::string>> setting(const char* name) const {
    const auto answer = link_->servers().call(Link::settings_tag, {"HGET", link_->settings_key(), name});
    if (!answer.reply) return answer.reply.error();
    if (answer.reply->kind != Reply::Kind::text) return std::optional<std::string>();
    return std::optional(answer.reply->text);
  }

  // The memory that the data of all servers takes, also that of other stores.
  Result<std::uint64_t> stored_bytes() const {
    std::uint64_t sum = 0;
    for (const Answer& answer : link_->servers().on_masters({"INFO", "memory"})) {
      if (!answer.reply) return answer.reply.error();
      constexpr std::string_view name = "\nused_memory_dataset:";
      const std::string& info = answer.reply->text;
      const auto at = info.find(name);
      if (at == std::string::npos) continue;
      std::uint64_t bytes = 0;
      std::from_chars(info.data() + at + name.size(), info.data() + info.size(), bytes);
      sum += bytes;
    }
    return sum;
  }

  const std::unique_ptr<Link> link_;
  mutable Gates gates_;
  mutable Records records_;
  LostLeases lost_leases_;
};

}  // namespace

Result<std::shared_ptr<Store>> open_redis_store(const std::string& name, const ServerStoreOptions& options) {
  return open_redis_store(name, options, {});
}

Result<std::shared_ptr<Store>> open_redis_store(const std::string& name, const ServerStoreOptions& options,
                                                Seams seams) {
  const auto settings = settings_of(name);
  if (!settings) return settings.error();
  auto link = Link::open(settings.value(), options, seams);
  if (!link) return link.error();
  try {
    return std::shared_ptr<Store>(std::make_shared<RedisStore>(std::move(link).value(), options));
  } catch (const std::system_error&) {
    return Error{"store-io", "The store in Redis cannot start a thread: end other threads or processes"};
  }
}

}  // namespace robotrules::store::redis
