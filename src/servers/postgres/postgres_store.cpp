#include "servers/postgres/postgres_store.hpp"

#include <optional>
#include <utility>

#include <robotrules/robots_policy.hpp>

#include "servers/postgres/moments.hpp"
#include "servers/postgres/owner.hpp"
#include "servers/postgres/postgres_gates.hpp"
#include "servers/postgres/postgres_records.hpp"
#include "servers/postgres/postgres_schema.hpp"
#include "servers/record_cache.hpp"
#include "servers/server_session.hpp"
#include "store/lost_leases.hpp"
#include "store/request_check.hpp"

namespace robotrules::store::postgres {
namespace {

using Keep = Records::Keep;

constexpr std::string_view agent_name = "agent";
constexpr std::string_view policy_name = "policy";

class PostgresStore final : public Store {
 public:
  PostgresStore(std::shared_ptr<Pool> pool, const ServerStoreOptions& options)
      : pool_(std::move(pool)),
        cache_(options.cache_bytes, options.max_staleness),
        owner_(pool_, pool_->settings().owner_lease.value_or(options.owner_lease),
               [this] { static_cast<void>(gates_.withdraw_lost_grants()); }) {}

  ~PostgresStore() override { owner_.stop(); }  // before the gates that its reports use
  Result<void> start() { return owner_.start(); }

  Timestamp now() const override { return pool_->clock().now(); }

  Result<std::string> agent() const override { return value_of(agent_name); }

  Result<std::string> set_agent(std::string_view name, OtherAgent other) override {
    // Every robot sets its name when it starts, and mostly it is the same.
    auto kept = value_of(agent_name);
    if (!kept || kept.value() == name) return kept;
    std::string before;
    std::optional<CommitGate::Commit> commit;
    auto set = pool_->transact(long_limit, [&](Transaction& transaction) -> Result<void> {
      // A row to lock, so that two processes do not set different names at once.
      auto answers =
          transaction.run({{"INSERT INTO meta VALUES($1, '') ON CONFLICT DO NOTHING", Parameters().text(agent_name)},
                           {"SELECT value FROM meta WHERE name = $1 FOR UPDATE", Parameters().text(agent_name)}});
      if (!answers) return answers.error();
      before = meta_in(answers.value()[1]);
      if (before == name) return {};
      if (auto fault = find_fault(before, std::string(name), other)) return *std::move(fault);
      // No other transaction may hold rows now: it may need one of the tables next. Others use them in this order.
      Batch batch{{"LOCK TABLE gate, robots, body IN EXCLUSIVE MODE"}, set_meta(agent_name, name)};
      for (Statement& statement : Records::clear()) batch.push_back(std::move(statement));
      batch.push_back({"UPDATE gate SET visits = 0, last_visit = NULL WHERE visits <> 0 OR last_visit IS NOT NULL"});
      cache_.all_changed();
      if (!commit) commit.emplace(records_.gate());
      auto done = transaction.commit(std::move(batch));
      return done ? Result<void>() : Result<void>(done.error());
    });
    if (commit) cache_.all_changed();
    if (!set) return set.error();
    return before;
  }

  Result<std::optional<RobotsPolicy>> policy() const override {
    const auto text = value_of(policy_name);
    if (!text) return text.error();
    if (text.value().empty()) return std::optional<RobotsPolicy>();
    auto policy = policy_of_text(text.value());
    if (policy) return std::optional(std::move(policy).value());
    if (policy.error().code != "policy-newer") return damaged(pool_->shown(), "its policy cannot be read");
    return Error{"store-newer", "The policy of the store " + pool_->shown() +
                                    " was written by a newer version of robotrules (" + policy.error().message +
                                    "): use that version"};
  }

  Result<void> set_policy(const RobotsPolicy& policy) override {
    const std::string text = policy_text(policy);
    const auto kept = value_of(policy_name);
    if (!kept) return kept.error();
    if (kept.value() == text) return {};
    cache_.all_changed();
    auto set = pool_->transact([&](Transaction& transaction) -> Result<void> {
      auto done = transaction.commit({set_meta(policy_name, text)});
      return done ? Result<void>() : Result<void>(done.error());
    });
    cache_.all_changed();
    return set;
  }

  Result<std::uint64_t> changes() const override { return cache_.changes(); }

  Result<std::shared_ptr<const RobotsRecord>> robots(const Origin& origin) const override {
    return records_.find(origin);
  }

  Result<void> put_robots(const Origin& origin, RobotsRecord robots, const RobotsLease* lease) override {
    const auto put = records_.put({{origin, std::move(robots)}}, Keep::the_given, lease);
    return lost_leases_.note(lease, put ? Result<void>() : put.error());
  }
  Result<void> put_all(std::vector<std::pair<Origin, RobotsRecord>> records) override {
    const auto put = records_.put(records, Keep::the_given);
    return put ? Result<void>() : put.error();
  }
  Result<std::uint64_t> put_newer(std::vector<std::pair<Origin, RobotsRecord>> records) override {
    return records_.put(records, Keep::the_newer);
  }
  Result<void> set_fresh_until(const Origin& origin, Timestamp time) override {
    return records_.set_fresh_until(origin, time);
  }
  Result<void> erase_robots(const Origin& origin) override { return records_.erase(origin); }

  Result<LeaseAnswer> lease_robots_fetch(const Origin& origin, std::chrono::microseconds length) override {
    if (auto fault = find_fault(length)) return *std::move(fault);
    return lost_leases_.lease(
        origin, [&] { return records_.lease(origin, length); },
        [this](const RobotsLease& own) { return records_.release(own); });
  }
  Result<void> release(const RobotsLease& lease) override { return lost_leases_.note(&lease, records_.release(lease)); }

  Result<ReserveAnswer> reserve(const ReserveRequest& request) override {
    if (auto fault = find_fault(request)) return *std::move(fault);
    GateCalls calls;
    calls.requests.push_back(std::make_shared<const ReserveRequest>(request));
    return std::move(call_gate(calls).requests.front());
  }
  Result<void> complete(const Token& token, const Outcome& outcome) override { return end({token, outcome}); }
  Result<void> cancel(const Token& token) override { return end({token, std::nullopt}); }

  // If the batch fails, all calls are made one by one, so that only those fail that are the cause: their row cannot be
  // read, or there is no room for it. If the server takes no call at all, all calls have the same answer.
  GateAnswers call_gate(const GateCalls& calls) override {
    const auto time = since_boot();
    auto answers = gates_.call(calls);
    if (answers) {
      answers.value().changes = cache_.changes();
      return asked_at(time, std::move(answers).value());
    }
    const std::string_view code = answers.error().code;
    const bool is_of_all =
        is_passing(answers.error()) || code == "store-refused" || code == "store-foreign" || code == "store-forked";
    if (!is_of_all && calls.ends.size() + calls.requests.size() > 1) return Store::call_gate(calls);
    GateAnswers failed;
    failed.ends.assign(calls.ends.size(), answers.error());
    failed.requests.assign(calls.requests.size(), answers.error());
    return failed;
  }

  Result<GateState> gate(std::string_view key) const override { return gates_.state(key); }
  Result<std::optional<Timestamp>> just_visited() const override { return moments_.just_visited(); }

  Result<void> add_visit(const Origin& origin, Timestamp at) override {
    const auto done = gates_.change(gate_key(origin), [at](GateRow& row, Timestamp time) {
      store::add_visit(row, at, time);
      return true;
    });
    return done ? Result<void>() : done.error();
  }
  Result<Visits> visits(const Origin& origin) const override {
    const auto state = gate(gate_key(origin));
    if (!state) return state.error();
    return Visits{state.value().visits, state.value().last_visit};
  }
  Result<void> restore_gate(std::string_view key, Timestamp penalty_until, const Visits& visits) override {
    const auto done = gates_.change(std::string(key), [&](GateRow& row, Timestamp time) {
      store::restore(row, penalty_until, visits.count, visits.last, time);
      return true;
    });
    return done ? Result<void>() : done.error();
  }

  Result<bool> forget(const Origin& origin) override {
    cache_.changed(origin);
    auto done = gates_.change(
        gate_key(origin), [](GateRow& row, Timestamp) { return forget_penalty(row); },
        [&](Transaction& transaction) { return records_.erase(transaction, origin); });
    cache_.changed(origin);
    return done;
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
    struct Column {
      enum : int { origins, bodies, body_bytes, gates, stored_bytes };
    };
    // Counting many rows takes time.
    const auto answers = pool_->transact(long_limit, [&](Transaction& transaction) {
      return transaction.run_alone(
          {{"SELECT (SELECT count(*) FROM robots WHERE outcome IS NOT NULL), count(*), coalesce(sum(size), 0)::bigint,"
            " (SELECT count(*) FROM gate), (SELECT sum(pg_catalog.pg_total_relation_size(pg_class.oid))::bigint FROM "
            "pg_class"
            " JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND relkind = 'r') FROM body"
            " WHERE EXISTS(SELECT 1 FROM robots WHERE robots.body = body.hash)",
            Parameters().text(pool_->settings().schema)}});
    });
    if (!answers) return answers.error();
    const auto number = [&](int column) {
      return static_cast<std::uint64_t>(answers.value().front().number(0, column));
    };
    return StoreStats{number(Column::origins), number(Column::bodies), number(Column::body_bytes),
                      number(Column::gates), number(Column::stored_bytes)};
  }

  StoreHealth health() const override { return pool_->health(); }

  std::unique_ptr<StoreSession> open_session(std::function<void(std::function<void()>)> post) override {
    return make_server_session(*this, std::move(post), false);
  }

 private:
  Result<std::string> value_of(std::string_view name) const {
    auto answers = pool_->read({read_meta(name)});
    return answers ? Result<std::string>(meta_in(answers.value().front())) : answers.error();
  }

  Result<void> end(GateCalls::Finish finish) {
    GateCalls calls;
    calls.ends.push_back(std::move(finish));
    auto answers = gates_.call(calls);
    return answers ? std::move(answers.value().ends.front()) : answers.error();
  }

  const std::shared_ptr<Pool> pool_;
  mutable RecordCache cache_;
  Owner owner_;
  mutable Moments moments_{pool_, owner_};
  mutable Records records_{pool_, moments_, cache_};
  Gates gates_{pool_, moments_};
  LostLeases lost_leases_;
};

}  // namespace

Result<std::shared_ptr<Store>> open_postgres_store(const std::string& name, const ServerStoreOptions& options) {
  auto pool = open_database(name, options, Plans::indexed);
  if (!pool) return pool.error();
  auto made = std::make_shared<PostgresStore>(std::move(pool).value(), options);
  if (auto started = made->start(); !started) return started.error();
  return std::shared_ptr<Store>(std::move(made));
}

}  // namespace robotrules::store::postgres
