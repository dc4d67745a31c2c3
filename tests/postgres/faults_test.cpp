// A PostgreSQL server that fails at any moment: errors in words, nothing lost, nothing early, and it goes on.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include <robotrules/open_store.hpp>
#include <robotrules/seams/store_session.hpp>

#include "servers/postgres/postgres_problems.hpp"
#include "support/postgres/cutting_proxy.hpp"
#include "support/postgres/postgres_test.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

constexpr auto interval = 50ms;

// Processes that visit a few sites as fast as they may, while something happens to the server.
class Load {
 public:
  explicit Load(std::vector<std::shared_ptr<Store>> stores) : stores_(std::move(stores)) {
    for (std::size_t i = 0; i < stores_.size(); ++i) threads_.emplace_back([this, i] { work(i); });
  }
  ~Load() { stop(); }

  void stop() {
    must_stop_ = true;
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }
  std::size_t visits() const {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (const auto& [key, times] : visits_) count += times.size();
    return count;
  }
  std::size_t failures() const {
    const std::lock_guard lock(mutex_);
    return failures_;
  }
  // After stop(): no visit was early, no error but "store-unreachable" was returned, and the server knows every visit.
  // Other processes' unknown grants are withdrawn first.
  void check() {
    EXPECT_EQ(other_errors_, "");
    for (const auto& store : stores_) {
      for (const auto& [key, times] : visits_) {
        ReserveRequest request{.keys = {"last " + key}, .interval = 0s};
        EXPECT_TRUE(eventually([&] { return store->reserve(request).ok(); }));
        break;
      }
    }
    for (auto& [key, times] : visits_) {
      std::ranges::sort(times);
      for (std::size_t i = 1; i < times.size(); ++i) EXPECT_GE(times[i] - times[i - 1], interval) << key << " " << i;
      const auto state = stores_.front()->gate(key);
      ASSERT_TRUE(state.ok()) << state.error().message;
      EXPECT_EQ(state.value().visits, times.size()) << key;
    }
  }

 private:
  void work(std::size_t number) {
    Store& store = *stores_[number];
    std::mt19937 random(static_cast<unsigned>(number));
    while (!must_stop_) {
      const std::string key = "https://" + std::to_string(random() % 8) + ".example";
      const auto answer = store.reserve({.keys = {key}, .interval = interval});
      note(answer.ok() ? std::string_view() : answer.error().code);
      if (!answer) continue;
      const auto* granted = std::get_if<Granted>(&*answer);
      if (granted == nullptr) continue;
      {
        const std::lock_guard lock(mutex_);
        visits_[key].push_back(granted->token.granted_at);
      }
      while (true) {
        const auto done = store.complete(granted->token, {.status = 200});
        note(done.ok() || done.error().code == "unknown-token" ? std::string_view() : done.error().code);
        if (done.ok() || done.error().code != "store-unreachable" || must_stop_) break;
      }
    }
  }
  void note(std::string_view code) {
    if (code.empty()) return;
    const std::lock_guard lock(mutex_);
    ++failures_;
    if (code != "store-unreachable") other_errors_ = code;
  }

  const std::vector<std::shared_ptr<Store>> stores_;
  std::vector<std::thread> threads_;
  std::atomic<bool> must_stop_{false};
  mutable std::mutex mutex_;
  std::map<std::string, std::vector<Timestamp>> visits_;
  std::size_t failures_ = 0;
  std::string other_errors_;
};

class PostgresFaults : public PostgresTest {};

TEST_F(PostgresFaults, ConnectionsThatAreEndedAtAnyMomentLoseNothing) {
  std::vector<std::shared_ptr<Store>> stores;
  for (int i = 0; i < 4; ++i) stores.push_back(opened(name()));
  Load load(stores);
  std::mt19937 random(3);
  for (int round = 0; round < 30; ++round) {
    const std::size_t before = load.visits();
    PostgresServer::shared().query(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'robotrules' AND"
        " pid % 3 = " +
        std::to_string(random() % 3));
    ASSERT_TRUE(eventually([&] { return load.visits() > before; }));
  }
  load.stop();
  load.check();
}

TEST_F(PostgresFaults, AServerThatCrashesAndStartsAgainLosesNothingAndNoGrantIsEarly) {
  PostgresServer server({.is_durable = true});
  const ServerStoreOptions options{.timeout = 3s};
  std::vector<std::shared_ptr<Store>> stores;
  for (int i = 0; i < 3; ++i) stores.push_back(opened(server.uri("first_ever=1"), options));
  Load load(stores);
  for (int round = 0; round < 2; ++round) {
    std::size_t before = load.visits();
    ASSERT_TRUE(eventually([&] { return load.visits() > before + 20; }));
    const std::size_t failures = load.failures();
    server.stop(PostgresServer::Stop::immediate);
    ASSERT_TRUE(eventually([&] { return load.failures() > failures; }));
    EXPECT_TRUE(eventually([&] { return !stores.front()->health().is_reachable; }));
    EXPECT_NE(stores.front()->health().problem, "");
    server.start();
    before = load.visits();
    ASSERT_TRUE(eventually([&] { return load.visits() > before; }));
  }
  load.stop();
  load.check();
  EXPECT_TRUE(stores.front()->health().is_reachable);
}

TEST_F(PostgresFaults, AfterARestartEverySiteCountsAsVisited) {
  PostgresServer server;
  const auto store = opened(server.uri("first_ever=1"));
  EXPECT_EQ(store->just_visited().value(), std::nullopt);
  server.stop();
  server.start();
  ASSERT_TRUE(store->just_visited().ok());
  EXPECT_NE(store->just_visited().value(), std::nullopt);
  const auto answer = store->reserve({.keys = {"k"}, .interval = 1h});
  ASSERT_TRUE(answer.ok());
  ASSERT_TRUE(std::holds_alternative<Wait>(*answer));
  EXPECT_EQ(std::get<Wait>(*answer).why, WaitWhy::just_visited);
}

// The server of a backup may lack the last visits.
TEST_F(PostgresFaults, AfterARestoredBackupEverySiteCountsAsVisited) {
  std::string copy;
  PostgresServer server;
  {
    const auto store = opened(server.uri("first_ever=1"));
    copy = server.backup();
    ASSERT_TRUE(is_granted(store->reserve({.keys = {"k"}, .interval = 1h})));
  }
  PostgresServer restored({.copy_of = copy});
  const auto answer = opened(restored.uri())->reserve({.keys = {"k"}, .interval = 1h});
  ASSERT_TRUE(answer.ok());
  ASSERT_TRUE(std::holds_alternative<Wait>(*answer));
  EXPECT_EQ(std::get<Wait>(*answer).why, WaitWhy::just_visited);
}

class PostgresLostAnswer : public PostgresTest {
 protected:
  void SetUp() override {
    PostgresTest::SetUp();
    if (IsSkipped()) return;
    server_ = std::make_unique<PostgresServer>(PostgresServer::Options{.listens = true});
    proxy_ = std::make_unique<CuttingProxy>(server_->port());
    direct = opened(server_->uri("first_ever=1"));
  }
  std::shared_ptr<Store> through_proxy(std::chrono::seconds lease = 30s) {
    return opened(proxy_->uri(), {.owner_lease = lease});
  }
  std::unique_ptr<PostgresServer> server_;
  std::unique_ptr<CuttingProxy> proxy_;
  std::shared_ptr<Store> direct;
};

TEST_F(PostgresLostAnswer, AGrantWhoseAnswerWasLostDoesNotHoldTheSite) {
  const auto store = through_proxy();
  for (const auto when : {CuttingProxy::When::before_answer, CuttingProxy::When::before_request}) {
    const bool is_made = when == CuttingProxy::When::before_answer;
    const std::string key = is_made ? "made" : "not made";
    proxy_->cut(when, "COMMIT");
    EXPECT_EQ(code_of(store->reserve({.keys = {key}, .interval = 1h})), "store-unreachable");
    ASSERT_TRUE(eventually([&] { return direct->gate(key).value().in_flight == (is_made ? 1u : 0u); }));
    EXPECT_TRUE(is_granted(store->reserve({.keys = {key}, .interval = 1h}))) << "its own hold is withdrawn first";
    EXPECT_EQ(direct->gate(key).value().visits, 1u);
  }
  EXPECT_EQ(proxy_->cuts(), 2);
}

TEST_F(PostgresLostAnswer, AGrantWhoseAnswerWasLostIsWithdrawnWithoutAnotherCall) {
  const auto store = through_proxy(1s);
  proxy_->cut(CuttingProxy::When::before_answer, "granted_key");
  // Not COMMIT, which the reports of the owner send too: the second batch of a grant has the key as well as the first.
  EXPECT_TRUE(is_granted(store->reserve({.keys = {"granted_key"}, .interval = 0s, .in_flight = 9})))
      << "what was cut before COMMIT is done again";
  int cuts = proxy_->cuts();
  EXPECT_EQ(cuts, 1);
  ASSERT_TRUE(eventually([&] {
    proxy_->cut(CuttingProxy::When::before_answer, "COMMIT");
    return code_of(store->reserve({.keys = {"k"}, .interval = 0s, .in_flight = 99})) == "store-unreachable";
  }));
  const std::uint64_t granted = direct->gate("k").value().in_flight;
  EXPECT_TRUE(eventually([&] { return direct->gate("k").value().in_flight < granted; }));
}

TEST_F(PostgresLostAnswer, ALeaseWhoseAnswerWasLostCanBeTakenAgain) {
  const auto store = through_proxy();
  const Origin origin = *Origin::of("https://a.example");
  proxy_->cut(CuttingProxy::When::before_answer, "COMMIT");
  EXPECT_EQ(store->lease_robots_fetch(origin, 1h).error().code, "store-unreachable");
  EXPECT_TRUE(std::holds_alternative<Wait>(*direct->lease_robots_fetch(origin, 1h)));
  EXPECT_TRUE(std::holds_alternative<RobotsLease>(*store->lease_robots_fetch(origin, 1h)));
}

TEST_F(PostgresLostAnswer, ACompletionWhoseAnswerWasLostMayBeReportedAgain) {
  const auto store = through_proxy();
  const auto granted = store->reserve({.keys = {"k"}, .interval = 0s});
  ASSERT_TRUE(is_granted(granted));
  proxy_->cut(CuttingProxy::When::before_answer, "COMMIT");
  const Token token = std::get<Granted>(*granted).token;
  EXPECT_EQ(store->complete(token, {.status = 503}).error().code, "store-unreachable");
  EXPECT_EQ(store->complete(token, {.status = 503}).error().code, "unknown-token");
  EXPECT_EQ(direct->gate("k").value().incidents, 1u);
}

// A process that was stopped in the middle of a transaction.
TEST_F(PostgresFaults, ALockOfAnotherProcessEndsInAnErrorAndNotInAWait) {
  PostgresServer server;
  const auto store = opened(server.uri("first_ever=1"), {.timeout = 2s});
  ASSERT_TRUE(is_granted(store->reserve({.keys = {"k"}, .interval = 0s, .in_flight = 9})));
  const std::unique_ptr<PGconn, void (*)(PGconn*)> stopped(
      PQconnectdb(
          ("host=" + server.folder() + " port=" + std::to_string(server.port()) + " user=postgres dbname=postgres")
              .c_str()),
      PQfinish);
  PQclear(PQexec(stopped.get(), "BEGIN; SELECT * FROM robotrules.gate FOR UPDATE"));
  const auto begun = std::chrono::steady_clock::now();
  const auto answer = store->reserve({.keys = {"k"}, .interval = 0s, .in_flight = 9});
  EXPECT_EQ(code_of(answer), "store-unreachable");
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 20s);
  PQclear(PQexec(stopped.get(), "ROLLBACK"));
  EXPECT_TRUE(is_granted(store->reserve({.keys = {"k"}, .interval = 0s, .in_flight = 9})));
}

TEST_F(PostgresFaults, AStoreIsClosedInABoundedTimeWhenItsServerIsGone) {
  PostgresServer server;
  auto store = opened(server.uri("first_ever=1"), {.timeout = 1s, .owner_lease = 3s});
  ASSERT_TRUE(is_granted(store->reserve({.keys = {"k"}})));
  server.stop(PostgresServer::Stop::immediate);
  EXPECT_EQ(code_of(store->reserve({.keys = {"k"}})), "store-unreachable");
  const auto begun = std::chrono::steady_clock::now();
  store.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 20s);
}

// A robot's session waits while the server is away, and goes on.
TEST_F(PostgresFaults, ASessionWaitsForTheServerAndGoesOn) {
  PostgresServer server;
  const auto store = opened(server.uri("first_ever=1"), {.timeout = 2s});
  std::mutex mutex;
  std::vector<std::function<void()>> tasks;
  const auto session = store->open_session([&](std::function<void()> task) {
    const std::lock_guard lock(mutex);
    tasks.push_back(std::move(task));
  });
  const auto ask = [&] {
    auto calls = std::make_shared<GateCalls>();
    calls->requests.push_back(
        std::make_shared<const ReserveRequest>(ReserveRequest{.keys = {"k"}, .interval = 1ms, .in_flight = 9}));
    std::optional<Result<GateAnswers>> answers;
    session->call_gate(calls, [&](Result<GateAnswers> given) { answers = std::move(given); });
    EXPECT_TRUE(eventually([&] {
      std::vector<std::function<void()>> due;
      {
        const std::lock_guard lock(mutex);
        due.swap(tasks);
      }
      for (const auto& task : due) task();
      return answers.has_value();
    }));
    return answers->value().requests.front();
  };
  EXPECT_TRUE(is_granted(ask()));
  server.stop(PostgresServer::Stop::immediate);
  const auto during = ask();
  ASSERT_TRUE(during.ok());
  ASSERT_TRUE(std::holds_alternative<Wait>(*during));
  EXPECT_EQ(std::get<Wait>(*during).why, WaitWhy::unreachable);
  server.start();
  EXPECT_TRUE(eventually([&] { return is_granted(ask()); }));
}

TEST(PostgresProblems, EveryStateOfTheServerHasItsError) {
  using store::postgres::statement_error;
  const auto code = [](std::string_view state) { return statement_error(state, "text", "store").code; };
  EXPECT_EQ(code("40001"), store::postgres::again_code);
  EXPECT_EQ(code("40P01"), store::postgres::again_code);
  EXPECT_EQ(code("57P01"), "store-unreachable");
  EXPECT_EQ(code("57P03"), "store-unreachable");
  EXPECT_EQ(code("53300"), "store-unreachable");
  EXPECT_EQ(code("55P03"), store::postgres::locked_code);
  EXPECT_EQ(code("57014"), store::postgres::locked_code);
  EXPECT_EQ(code("40003"), "store-unreachable");
  EXPECT_EQ(code("25P03"), "store-unreachable");
  EXPECT_EQ(code("25006"), "store-read-only");
  EXPECT_EQ(code("28P01"), "store-refused");
  EXPECT_EQ(code("28000"), "store-refused");
  EXPECT_EQ(code("3D000"), "store-refused");
  EXPECT_EQ(code("42501"), "store-refused");
  EXPECT_EQ(code("53100"), "store-full");
  EXPECT_EQ(code("53200"), "store-full");
  EXPECT_EQ(code("53400"), "store-full");
  EXPECT_EQ(code("58030"), "store-io");
  EXPECT_EQ(code("42P01"), "store-damaged");
  EXPECT_EQ(code("XX001"), "store-damaged");
  EXPECT_EQ(code("23505"), "store-io");
  EXPECT_EQ(code("XX000"), "store-io");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
