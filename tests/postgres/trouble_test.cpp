// What a PostgreSQL server and its users do to a store: odd settings, clocks that jump, crashes, locks, forks.
#include <gtest/gtest.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "servers/postgres/postgres_schema.hpp"
#include "store/store_contract.hpp"
#include "support/postgres/postgres_test.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using store::postgres::ClockWatch;
using store::postgres::open_database;
using store::postgres::Transaction;

class PostgresTrouble : public PostgresTest {
 protected:
  using Link = std::unique_ptr<PGconn, void (*)(PGconn*)>;
  // A session of the server that belongs to no store.
  static Link session(const PostgresServer& server) {
    return {PQconnectdb(("host=" + server.folder() + " port=" + std::to_string(server.port()) +
                         " user=postgres dbname=postgres")
                            .c_str()),
            PQfinish};
  }
  static void run(const Link& link, const char* sql) {
    PGresult* result = PQexec(link.get(), sql);
    EXPECT_TRUE(PQresultStatus(result) == PGRES_COMMAND_OK || PQresultStatus(result) == PGRES_TUPLES_OK)
        << PQerrorMessage(link.get());
    PQclear(result);
  }
  // Lets the server's clock be set: its function is replaced.
  static void replace_clock(const PostgresServer& server) {
    server.query("CREATE TABLE public.clock_step(seconds int); INSERT INTO public.clock_step VALUES(0)");
    server.query("ALTER FUNCTION pg_catalog.clock_timestamp() RENAME TO true_clock_timestamp");
    server.query(
        "CREATE FUNCTION pg_catalog.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT"
        " pg_catalog.true_clock_timestamp() + (SELECT seconds FROM public.clock_step) * interval ''1 second'''");
  }
  static void step_clock(const PostgresServer& server, int seconds) {
    server.query("UPDATE public.clock_step SET seconds = " + std::to_string(seconds));
  }
  static std::shared_ptr<const ReserveRequest> request(const std::string& key) {
    return std::make_shared<const ReserveRequest>(ReserveRequest{.keys = {key}, .interval = 0s, .in_flight = 9});
  }
  // Returns the value of a setting in a transaction of the store.
  std::string setting(const std::string& settings, const char* sql) const {
    const auto pool = open_database(name() + settings, {.timeout = 5s});
    EXPECT_TRUE(pool.ok());
    if (!pool) return "";
    const auto value = pool.value()->transact(10min, [&](Transaction& transaction) -> Result<std::string> {
      auto answers = transaction.run({{sql}});
      return answers ? Result<std::string>(std::string(answers.value().front().bytes(0, 0))) : answers.error();
    });
    return value.ok() ? value.value() : value.error().message;
  }
};

// The server goes on with the same start time, so nothing would tell that the grant was lost.
TEST_F(PostgresTrouble, ACrashOfOneServerProcessLosesNoGrantWhateverItsSettings) {
  PostgresServer server({.settings = {"synchronous_commit=off", "wal_writer_delay=10s"}});
  const auto store = opened(server.uri("first_ever=1"));
  ASSERT_TRUE(is_granted(store->reserve({.keys = {"k"}, .interval = 1h})));
  const auto victim = session(server);
  run(victim, "SELECT 1");
  ASSERT_EQ(::kill(PQbackendPID(victim.get()), SIGKILL), 0);
  ASSERT_TRUE(eventually([&] {
    PQclear(PQexec(victim.get(), ""));
    return PQstatus(victim.get()) == CONNECTION_BAD;
  }));
  server.wait_until_it_answers();
  ASSERT_TRUE(eventually([&] { return store->gate("k").ok(); }));
  EXPECT_EQ(store->gate("k").value().visits, 1u);
}

TEST_F(PostgresTrouble, TransactionsHaveTheirOwnSettings) {
  EXPECT_EQ(setting("&options=-c%20default_transaction_isolation%3Dserializable", "SHOW transaction_isolation"),
            "read committed");
  EXPECT_EQ(setting("&options=-c%20synchronous_commit%3Doff", "SHOW synchronous_commit"), "local");
  EXPECT_EQ(setting("&options=-c%20synchronous_commit%3Dremote_write", "SHOW synchronous_commit"), "remote_write");
  EXPECT_EQ(setting("", "SHOW idle_in_transaction_session_timeout"), "2s");
  EXPECT_EQ(setting("", "SHOW statement_timeout"), "6min");
  EXPECT_EQ(setting("", "SHOW lock_timeout"), "200s");
}

TEST_F(PostgresTrouble, AKeyThatIsTooLongFailsAlone) {
  const auto store = opened(name());
  const std::string key(2'001, 'x');
  const auto granted = store->reserve({.keys = {"good"}, .interval = 0s});
  ASSERT_TRUE(is_granted(granted));
  GateCalls calls;
  calls.ends.push_back({std::get<Granted>(*granted).token, Outcome{.status = 503}});
  Token strange;
  strange.keys = {key};
  calls.ends.push_back({strange, Outcome{.status = 503}});
  calls.requests = {request(key), request("other"), request("")};
  const GateAnswers answers = store->call_gate(calls);
  EXPECT_TRUE(answers.ends[0].ok());
  EXPECT_FALSE(answers.ends[1].ok());
  EXPECT_EQ(code_of(answers.requests[0]), "invalid-request");
  EXPECT_TRUE(is_granted(answers.requests[1]));
  EXPECT_EQ(code_of(answers.requests[2]), "invalid-request");
  EXPECT_EQ(store->gate("good").value().incidents, 1u);
  EXPECT_EQ(store->restore_gate(key, store->now(), {}).error().code, "invalid-request");
  EXPECT_EQ(PostgresServer::shared().query("SELECT count(*) FROM " + schema + ".gate"), "2");
}

TEST_F(PostgresTrouble, ARowThatAnotherProcessHoldsStopsOnlyItsOwnKey) {
  PostgresServer server;
  const auto store = opened(server.uri("first_ever=1"), {.timeout = 2s});
  const auto granted = store->reserve({.keys = {"held"}, .interval = 0s, .in_flight = 9});
  ASSERT_TRUE(is_granted(granted));
  ASSERT_TRUE(is_granted(store->reserve({.keys = {"free"}, .interval = 0s, .in_flight = 9})));
  const auto stopped = session(server);
  run(stopped, "BEGIN; SELECT * FROM robotrules.gate WHERE key = 'held' FOR UPDATE");
  GateCalls calls;
  calls.ends.push_back({std::get<Granted>(*granted).token, Outcome{.status = 200}});
  calls.requests = {request("held"), request("free")};
  const GateAnswers answers = store->call_gate(calls);
  EXPECT_EQ(answers.ends[0].error().code, "store-unreachable");
  EXPECT_EQ(code_of(answers.requests[0]), "store-unreachable");
  EXPECT_TRUE(is_granted(answers.requests[1]));
  EXPECT_TRUE(store->health().is_reachable) << "the server is well";
  EXPECT_EQ(server.query("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"), "0")
      << "nothing waits without a client";
  run(stopped, "ROLLBACK");
  EXPECT_TRUE(is_granted(store->reserve(*request("held"))));
}

// Two imports whose records have the same new bodies, put with a lease, and changes of the robot's name.
TEST_F(PostgresTrouble, ChangesOfManyRecordsDoNotWaitForEachOtherInACircle) {
  PostgresServer server;
  std::vector<std::shared_ptr<Store>> stores;
  for (int i = 0; i < 4; ++i) stores.push_back(opened(server.uri("first_ever=1")));
  const auto origin = [](int number) { return *Origin::of("https://site" + std::to_string(number) + ".example"); };
  const Timestamp now = stores[0]->now();
  std::atomic<int> errors{0};
  std::vector<std::thread> threads;
  for (int process = 0; process < 4; ++process) {
    threads.emplace_back([&, process] {
      Store& store = *stores[static_cast<std::size_t>(process)];
      for (int turn = 0; turn < 12; ++turn) {
        const auto body = [&](int number) { return std::to_string(turn) + " " + std::to_string(number % 450); };
        if (process < 2) {
          std::vector<std::pair<Origin, RobotsRecord>> records;
          for (int i = 0; i < 450; ++i)
            records.emplace_back(origin(i), record_of(body(process == 0 ? i : 450 - i), now, now));
          if (!store.put_all(std::move(records)).ok()) ++errors;
        } else if (process == 2) {
          const auto lease = store.lease_robots_fetch(origin(turn), 1h);
          // An import may hold the row for longer than a small call waits.
          if (!lease.ok() && lease.error().code != "store-unreachable") ++errors;
          if (!lease.ok() || !std::holds_alternative<RobotsLease>(*lease)) continue;
          const auto& held = std::get<RobotsLease>(*lease);
          const auto put = store.put_robots(origin(turn), record_of(body(turn), now, now), &held);
          if (!put.ok() && put.error().code != "store-unreachable") ++errors;
        } else {
          if (!store.set_agent("Bot/" + std::to_string(turn), OtherAgent::clears).ok()) ++errors;
          if (!store.prune(now - 1h).ok()) ++errors;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(errors, 0);
  EXPECT_EQ(server.log().find("deadlock detected"), std::string::npos) << server.log();
  EXPECT_EQ(server.query("SELECT count(*) FROM robotrules.robots AS r WHERE body IS NOT NULL AND NOT EXISTS("
                         "SELECT 1 FROM robotrules.body WHERE hash = r.body)"),
            "0");
}

TEST_F(PostgresTrouble, ManyLargeRecordsAreReadInPagesOfBoundedSize) {
  const auto store = opened(name());
  const Timestamp now = store->now();
  std::mt19937 random(5);
  std::vector<std::pair<Origin, RobotsRecord>> records;
  for (int i = 0; i < 40; ++i) {
    std::string body(400'000, ' ');
    for (char& c : body) c = static_cast<char>(random());
    records.emplace_back(*Origin::of("https://site" + std::to_string(i) + ".example"), record_of(body, now, now));
  }
  const auto expected = records;
  ASSERT_TRUE(store->put_all(std::move(records)).ok());
  std::size_t seen = 0;
  ASSERT_TRUE(store
                  ->for_each_origin([&](const Origin& origin, const RobotsRecord& record) {
                    for (const auto& [given, one] : expected) {
                      if (given == origin && *one.body == *record.body) ++seen;
                    }
                    return true;
                  })
                  .ok());
  EXPECT_EQ(seen, expected.size());
}

TEST_F(PostgresTrouble, AGrantWhoseCommitTookLongIsWithdrawn) {
  PostgresServer server;
  const auto store = opened(server.uri("first_ever=1"), {.timeout = 20s});
  ASSERT_TRUE(is_granted(store->reserve({.keys = {"other"}, .interval = 1h})));
  server.query(
      "CREATE FUNCTION public.slow() RETURNS trigger LANGUAGE plpgsql AS"
      " 'BEGIN PERFORM pg_sleep(3.2); RETURN NULL; END'");
  server.query(
      "CREATE CONSTRAINT TRIGGER slow AFTER UPDATE ON robotrules.gate DEFERRABLE INITIALLY DEFERRED FOR EACH ROW"
      " WHEN (NEW.key = 'k') EXECUTE FUNCTION public.slow()");
  EXPECT_EQ(code_of(store->reserve({.keys = {"k"}, .interval = 1h})), "store-unreachable");
  server.query("DROP TRIGGER slow ON robotrules.gate");
  EXPECT_TRUE(is_granted(store->reserve({.keys = {"k"}, .interval = 1h})));
  EXPECT_EQ(store->gate("k").value().visits, 1u);
}

TEST_F(PostgresTrouble, AClockThatJumpsForwardGrantsNothingEarly) {
  PostgresServer server;
  replace_clock(server);
  const auto store = opened(server.uri("first_ever=1"), {.timeout = 1s});
  ASSERT_TRUE(is_granted(store->reserve({.keys = {"k"}, .interval = 10min})));
  step_clock(server, 3'600);
  for (const char* key : {"k", "another"}) {
    const auto answer = store->reserve({.keys = {key}, .interval = 10min});
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    ASSERT_TRUE(std::holds_alternative<Wait>(*answer)) << key;
    EXPECT_EQ(std::get<Wait>(*answer).why, WaitWhy::just_visited);
    EXPECT_GT(std::get<Wait>(*answer).until, store->now() + 9min);
  }
}

// Otherwise a robot would ask again at once, all the time.
TEST_F(PostgresTrouble, AfterTheClockWasSetBackWaitsEndInTheFuture) {
  PostgresServer server;
  replace_clock(server);
  const auto store = opened(server.uri("first_ever=1"));
  const auto granted = store->reserve({.keys = {"k"}, .interval = 10min, .hold = 1min});
  ASSERT_TRUE(is_granted(granted));
  step_clock(server, -3'600);
  const auto answer = store->reserve({.keys = {"k"}, .interval = 10min});
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  ASSERT_TRUE(std::holds_alternative<Wait>(*answer));
  EXPECT_GT(std::get<Wait>(*answer).until, store->now());
  EXPECT_EQ(store->gate("k").value().in_flight, 1u);
}

TEST(PostgresClockWatch, OnlyJumpsForwardAreFound) {
  std::chrono::microseconds machine = 5min;
  ClockWatch watch(1s, [&machine] { return machine; });
  const Timestamp start{std::chrono::days{20'000}};
  EXPECT_EQ(watch.jump(start), 0s);
  machine += 1h;
  EXPECT_EQ(watch.jump(start + 1h + 2s), 0s) << "an answer may take long";
  EXPECT_EQ(watch.jump(start + 2h), 59min + 58s);
  EXPECT_EQ(watch.jump(start + 2h), 59min + 58s) << "it stays until it is accepted";
  watch.accept(start + 2h);
  EXPECT_EQ(watch.jump(start + 2h), 0s);
  EXPECT_EQ(watch.jump(start), 0s) << "set back";
  EXPECT_EQ(watch.jump(start + 2h), 2h) << "and forward again";
}

TEST_F(PostgresTrouble, AnExceptionLeaksNoConnection) {
  const auto pool = open_database(name(), {.timeout = 2s});
  ASSERT_TRUE(pool.ok());
  for (int i = 0; i < 20; ++i) {
    const auto fail = [](Transaction& transaction) -> Result<void> {
      static_cast<void>(transaction.run({{"SELECT 1"}}));
      throw std::bad_alloc();
    };
    EXPECT_THROW(static_cast<void>(pool.value()->transact(fail)), std::bad_alloc);
  }
  EXPECT_TRUE(pool.value()->read({{"SELECT 1"}}).ok());
}

TEST_F(PostgresTrouble, SlowCallsDoNotKeepAnOwnerFromReporting) {
  const auto pool = open_database(name(), {.timeout = 5s});
  ASSERT_TRUE(pool.ok());
  using store::postgres::Pool;
  std::atomic<int> begun{0};
  std::atomic<bool> must_end{false};
  std::vector<std::thread> slow;
  for (int i = 0; i < 8; ++i) {
    slow.emplace_back([&] {
      static_cast<void>(pool.value()->transact([&](Transaction& transaction) -> Result<void> {
        static_cast<void>(transaction.run({{"SELECT 1"}}));
        ++begun;
        static_cast<void>(eventually([&] { return must_end.load(); }));
        return {};
      }));
    });
  }
  ASSERT_TRUE(eventually([&] { return begun == 8; }));
  const auto reported = pool.value()->transact(
      1s, [](Transaction& transaction) { return transaction.run_alone({{"SELECT 1"}}); }, Pool::Use::by_reports);
  EXPECT_TRUE(reported.ok());
  must_end = true;
  for (std::thread& thread : slow) thread.join();
}

TEST_F(PostgresTrouble, AChildOfTheProcessCannotUseTheStore) {
  auto store = opened(name());
  ASSERT_TRUE(is_granted(store->reserve({.keys = {"k"}, .interval = 0s, .in_flight = 9})));
  const pid_t child = ::fork();
  if (child == 0) {
    const bool is_refused = code_of(store->reserve({.keys = {"k"}})) == "store-forked";
    store.reset();
    ::_exit(is_refused ? 0 : 1);
  }
  ASSERT_GT(child, 0);
  int status = -1;
  const bool has_ended = eventually([&] { return ::waitpid(child, &status, WNOHANG) == child; });
  if (!has_ended) ::kill(child, SIGKILL);
  ASSERT_TRUE(has_ended) << "it hangs";
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  const std::uint64_t failures = store->health().failures;
  EXPECT_TRUE(is_granted(store->reserve({.keys = {"k"}, .interval = 0s, .in_flight = 9})));
  EXPECT_EQ(store->health().failures, failures);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
