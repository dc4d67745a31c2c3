#include "servers/postgres/postgres_store.hpp"

#include <optional>
#include <utility>

#include <robotrules/robots_policy.hpp>

#include "servers/postgres/moments.hpp"
#include "servers/postgres/owner.hpp"
#include "servers/postgres/postgres_gates.hpp"
#include "servers/postgres/postgres_records.hpp"
#include "servers/postgres/postgres_schema.hpp"
#include "servers/postgres/sql.hpp"
#include "servers/record_cache.hpp"
#include "servers/server_session.hpp"
#include "store/kept_store.hpp"
#include "store/request_check.hpp"

namespace robotrules::store::postgres {
namespace {

class PostgresStore final : public KeptStore {
 public:
  PostgresStore(std::shared_ptr<Pool> pool, const ServerStoreOptions& options)
      : pool_(std::move(pool)),
        cache_(options.cache_bytes, options.max_staleness),
        owner_(pool_, pool_->settings().owner_lease.value_or(options.owner_lease),
               [this] { static_cast<void>(gates_.withdraw_lost_grants()); }) {}

  ~PostgresStore() override { owner_.stop(); }  // before the gates that its reports use
  Result<void> start() { return owner_.start(); }

  Timestamp now() const override { return pool_->clock().now(); }

  Result<std::uint64_t> changes() const override { return cache_.changes(); }

  Result<std::shared_ptr<const RobotsRecord>> robots(const Origin& origin) const override {
    return records_.find(origin);
  }

  Result<void> set_fresh_until(const Origin& origin, Timestamp time) override {
    return records_.set_fresh_until(origin, time);
  }
  Result<void> erase_robots(const Origin& origin) override { return records_.erase(origin); }

  Result<GateState> gate(std::string_view key) const override { return gates_.state(key); }
  Result<std::optional<Timestamp>> just_visited() const override { return moments_.just_visited(); }

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
    // Counting many rows takes time.
    const auto answers = pool_->transact(long_limit, [&](Transaction& transaction) {
      return transaction.run_alone({{sql("count_rows"), Parameters().text(pool_->settings().schema)}});
    });
    return answers ? Result<StoreStats>(stats_in(RowOf(answers.value().front(), 0))) : answers.error();
  }

  StoreHealth health() const override { return pool_->health(); }

  std::unique_ptr<StoreSession> open_session(std::function<void(std::function<void()>)> post) override {
    return make_server_session(*this, std::move(post), false);
  }

 private:
  Result<std::string> setting(std::string_view name) const override {
    auto answers = pool_->read({read_meta(name)});
    return answers ? Result<std::string>(meta_in(answers.value().front())) : answers.error();
  }
  Result<void> set_setting(std::string_view name, const std::string& value) override {
    const auto kept = setting(name);
    if (!kept) return kept.error();
    if (kept.value() == value) return {};
    cache_.all_changed();
    auto set = pool_->change({set_meta(name, value)});
    cache_.all_changed();
    return without_value(set);
  }
  Result<bool> rename(const std::string& before, const std::string& name) override {
    std::optional<CommitGate::Commit> commit;
    auto renamed = pool_->transact(long_limit, [&](Transaction& transaction) -> Result<bool> {
      auto answers = transaction.run(
          {{sql("add_meta"), Parameters().text(agent_setting)}, {sql("lock_meta"), Parameters().text(agent_setting)}});
      if (!answers) return answers.error();
      if (meta_in(answers.value()[1]) != before) return false;
      // No other transaction may hold rows now: it may need one of the tables next. Others use them in this order.
      Batch batch{{sql("lock_all")}, set_meta(agent_setting, name)};
      for (Statement& statement : Records::clear()) batch.push_back(std::move(statement));
      batch.push_back({sql("forget_visits")});
      cache_.all_changed();
      if (!commit) commit.emplace(records_.gate());
      auto done = transaction.commit(std::move(batch));
      return done ? Result<bool>(true) : done.error();
    });
    if (commit) cache_.all_changed();
    return renamed;
  }
  Error unreadable_policy(const Error& why) const override {
    if (why.code != "policy-newer") return damaged(pool_->shown(), "its policy cannot be read");
    return {"store-newer", "The policy of the store " + pool_->shown() +
                               " was written by a newer version of robotrules (" + why.message + "): use that version"};
  }

  Result<std::uint64_t> put_records(NewRecords records, Keep keep, const RobotsLease* lease) override {
    return records_.put(records, keep == Keep::the_newer, lease);
  }
  Result<LeaseAnswer> grant_lease(const Origin& origin, std::chrono::microseconds length, std::uint64_t lost) override {
    return records_.lease(origin, length, lost, lost_leases());
  }
  Result<void> end_lease(const RobotsLease& lease) override { return records_.release(lease); }

  Result<GateAnswers> make_calls(const GateCalls& calls) override {
    auto answers = gates_.call(calls);
    if (answers) answers.value().changes = cache_.changes();
    return answers;
  }
  Result<bool> change_gate(const std::string& key, const GateChange& change, const Origin* erased) override {
    if (erased == nullptr) return gates_.change(key, change);
    cache_.changed(*erased);
    auto done =
        gates_.change(key, change, [&](Transaction& transaction) { return records_.erase(transaction, *erased); });
    cache_.changed(*erased);
    return done;
  }

  const std::shared_ptr<Pool> pool_;
  mutable RecordCache cache_;
  Owner owner_;
  mutable Moments moments_{pool_, owner_};
  mutable Records records_{pool_, moments_, cache_};
  Gates gates_{pool_, moments_};
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
