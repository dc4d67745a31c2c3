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
#include "store/kept_store.hpp"
#include "store/request_check.hpp"

namespace robotrules::store::redis {
namespace {

class RedisStore final : public KeptStore {
 public:
  RedisStore(std::unique_ptr<Link> link, const ServerStoreOptions& options)
      : link_(std::move(link)), gates_(*link_), records_(*link_, options) {
    link_->start([this](std::chrono::milliseconds timeout) { gates_.mend(timeout); });
  }
  ~RedisStore() override { link_->stop(); }

  Timestamp now() const override { return link_->now(); }

  Result<std::uint64_t> changes() const override { return records_.changes(); }
  Result<std::shared_ptr<const RobotsRecord>> robots(const Origin& origin) const override {
    return records_.find(origin);
  }
  Result<void> set_fresh_until(const Origin& origin, Timestamp time) override {
    return records_.set_fresh_until(origin, time);
  }
  Result<void> erase_robots(const Origin& origin) override { return without_value(records_.erase(origin)); }
  Result<GateState> gate(std::string_view key) const override { return gates_.state(key); }
  Result<std::optional<Timestamp>> just_visited() const override { return link_->just_visited(); }

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
  Result<std::string> setting(std::string_view name) const override {
    const auto answer = link_->servers().call(Link::settings_tag, {"HGET", link_->settings_key(), std::string(name)});
    if (!answer.reply) return answer.reply.error();
    return answer.reply->kind == Reply::Kind::text ? answer.reply->text : std::string();
  }
  Result<void> set_setting(std::string_view name, const std::string& value) override {
    const auto answer =
        link_->servers().call(Link::settings_tag, {"HSET", link_->settings_key(), std::string(name), value});
    records_.all_changed();
    return without_value(answer.reply);
  }
  // The data of the other robot is deleted before the name changes: a process that ends in between leaves no data under
  // a wrong name.
  Result<bool> rename(const std::string& before, const std::string& name) override {
    if (auto cleared = records_.clear(); !cleared) return cleared.error();
    if (auto cleared = gates_.forget_visits(); !cleared) return cleared.error();
    const auto renamed =
        link_->call(link_->function(Link::settings_tag, "rename", {link_->settings_key()}, {before, name}));
    if (!renamed) return renamed.error();
    records_.all_changed();
    return renamed->number_at(1) == 1;
  }
  Error unreadable_policy(const Error& why) const override {
    return {why.code == "policy-newer" ? "store-newer" : "store-damaged",
            "The policy of the store in Redis cannot be read: " + why.message + "; set the policy again"};
  }

  Result<std::uint64_t> put_records(NewRecords records, Keep keep, const RobotsLease* lease) override {
    if (records.size() != 1 || keep == Keep::the_newer) return records_.put_many(records, keep == Keep::the_newer);
    auto put = records_.put(records.front().first, records.front().second, lease);
    return put ? Result<std::uint64_t>(1) : put.error();
  }
  Result<LeaseAnswer> grant_lease(const Origin& origin, std::chrono::microseconds length, std::uint64_t lost) override {
    return records_.lease(origin, length, lost);
  }
  Result<void> end_lease(const RobotsLease& lease) override { return records_.release(lease); }

  Result<GateAnswers> make_calls(const GateCalls& calls) override {
    GateAnswers answers = gates_.call(calls);
    answers.changes = records_.changes();
    return answers;
  }
  // Two changes: first the record is deleted.
  Result<bool> change_gate(const std::string& key, const GateChange& change, const Origin* erased) override {
    const auto is_erased = erased == nullptr ? Result<bool>(false) : records_.erase(*erased);
    if (!is_erased) return is_erased;
    const auto changed = gates_.change(key, change);
    return changed ? Result<bool>(is_erased.value() || changed.value()) : changed;
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
