// The gate in PostgreSQL: the same answers as in memory, also with many processes, and the ends of owners.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <thread>
#include <vector>

#include "store/gate_row.hpp"
#include "support/postgres/postgres_test.hpp"
#include "support/soak.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

class PostgresGates : public PostgresTest {
 protected:
  static bool is_waiting(const Result<ReserveAnswer>& answer) {
    return answer.ok() && std::holds_alternative<Wait>(answer.value());
  }
};

std::string shown(const Result<ReserveAnswer>& answer, Timestamp now) {
  if (!answer) return std::string(answer.error().code);
  const auto after = [now](Timestamp time) { return std::to_string((time - now).count()); };
  if (const auto* wait = std::get_if<Wait>(&*answer))
    return "wait " + std::string(to_string(wait->why)) + " " + wait->key + " " + after(wait->until);
  if (const auto* blocked = std::get_if<Blocked>(&*answer)) return "blocked " + blocked->key + after(blocked->until);
  return "granted " + after(std::get<Granted>(*answer).token.expires_at);
}

std::string shown(const GateState& state) {
  const auto count = [](Timestamp time) { return std::to_string(time.time_since_epoch().count()) + " "; };
  return std::to_string(state.interval.count()) + " " + std::string(to_string(state.source)) + " " +
         count(state.interval_start) + std::to_string(state.latency.count()) + " " + count(state.penalty_until) +
         std::to_string(state.incidents) + " " + std::to_string(state.failures) + " " +
         count(state.failing_since.value_or(Timestamp())) + count(state.away_until) + std::to_string(state.in_flight) +
         " " + std::to_string(state.visits) + " " + count(state.last_visit.value_or(Timestamp()));
}

// Random calls in batches, by a clock that a test sets.
TEST_F(PostgresGates, RandomCallsHaveTheSameAnswersAsInMemory) {
  Timestamp now{std::chrono::days{20'000}};
  const auto clock = [&now] { return now; };
  const auto server = opened(name(), {.clock = clock});
  const auto memory = make_memory_store({.clock = clock});
  const std::size_t wanted = time_to_soak() > 10s ? 1'000'000 : 100'000;
  std::mt19937 random(20);
  const auto below = [&random](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  std::vector<std::pair<Token, Token>> out;  // of the server, of the memory
  std::size_t made = 0;
  std::size_t granted = 0;
  while (made < wanted) {
    now += std::chrono::microseconds(below(20'000'000));
    GateCalls calls, twins;
    while (!out.empty() && below(8) != 0 && calls.ends.size() < 60) {
      std::swap(out[below(static_cast<unsigned>(out.size()))], out.back());
      const auto [one, other] = out.back();
      if (below(20) != 0) out.pop_back();  // otherwise it is ended again later
      std::optional<Outcome> outcome;
      if (below(5) != 0) {
        const int statuses[] = {200, 200, 200, 200, 200, 404, 403, 301, 0, 429, 503};
        outcome = Outcome{statuses[below(below(10) == 0 ? 11 : 9)], {}, std::chrono::milliseconds(below(900))};
        outcome->cause = static_cast<OutcomeCause>(below(4) == 0 ? below(6) : 0);
        if (below(20) == 0) outcome->retry_after = std::chrono::seconds(below(below(20) == 0 ? 200'000 : 30));
      }
      calls.ends.push_back({one, outcome});
      twins.ends.push_back({other, outcome});
    }
    for (unsigned i = below(100); i > 0; --i) {
      auto request = std::make_shared<ReserveRequest>();
      request->keys = {"https://" + std::to_string(below(40)) + ".example"};
      if (below(3) == 0) request->keys.push_back("host:" + std::to_string(below(20)));
      if (below(3) == 0) request->keys.push_back(std::string("ip\0\xFF", 4) + std::to_string(below(20)));
      request->interval = std::chrono::milliseconds(below(10'000));
      request->hold = std::chrono::milliseconds(1 + below(60'000));
      request->in_flight = 1 + below(3);
      request->from_start = below(4) == 0;
      request->robots_fetch = below(6) == 0;
      request->max_penalty = std::chrono::minutes(1 + below(below(10) == 0 ? 6'000 : 3));
      if (below(4) == 0) request->adaptive = {2.0, 20s};
      calls.requests.push_back(request);
      twins.requests.push_back(request);
    }
    made += calls.ends.size() + calls.requests.size();
    const GateAnswers answers = server->call_gate(calls);
    const GateAnswers expected = memory->call_gate(twins);
    for (std::size_t i = 0; i < expected.ends.size(); ++i)
      ASSERT_EQ(answers.ends[i].ok(), expected.ends[i].ok()) << "after " << made;
    for (std::size_t i = 0; i < expected.requests.size(); ++i) {
      ASSERT_EQ(shown(answers.requests[i], now), shown(expected.requests[i], now)) << "after " << made;
      if (!is_granted(answers.requests[i])) continue;
      ++granted;
      out.emplace_back(std::get<Granted>(*answers.requests[i]).token, std::get<Granted>(*expected.requests[i]).token);
    }
  }
  EXPECT_GT(granted, wanted / 50);
  for (int site = 0; site < 40; ++site) {
    const std::string key = "https://" + std::to_string(site) + ".example";
    EXPECT_EQ(shown(server->gate(key).value()), shown(memory->gate(key).value())) << key;
  }
}

// Each store is a process of its own to the server. Batches touch the same keys in different orders.
TEST_F(PostgresGates, ManyProcessesGetNoEarlyGrantAndNoError) {
  constexpr int processes = 6;
  constexpr auto interval = 20ms;
  std::vector<std::shared_ptr<Store>> stores;
  // No lock is waited for in vain, even if the machine has much else to do.
  for (int i = 0; i < processes; ++i) stores.push_back(opened(name(), {.timeout = 20s}));
  std::mutex mutex;
  std::map<std::string, std::vector<std::pair<Timestamp, Timestamp>>> sent;  // granted at, completed not before
  std::atomic<int> errors{0};
  std::vector<std::thread> threads;
  for (int process = 0; process < processes; ++process) {
    threads.emplace_back([&, process] {
      Store& store = *stores[static_cast<std::size_t>(process)];
      std::mt19937 random(static_cast<unsigned>(process));
      for (int turn = 0; turn < 60; ++turn) {
        GateCalls calls;
        for (int i = 0; i < 8; ++i) {
          auto request = std::make_shared<ReserveRequest>();
          request->keys = {"key" + std::to_string(random() % 30)};
          if (std::string other = "key" + std::to_string(random() % 30); other != request->keys.front())
            request->keys.push_back(other);
          if (random() % 10 == 0) request->keys.front() = "once" + std::to_string(random());  // a new row
          request->interval = interval;
          calls.requests.push_back(request);
        }
        const GateAnswers answers = store.call_gate(calls);
        GateCalls ends;
        for (const auto& answer : answers.requests) {
          if (!answer) ++errors;
          if (is_granted(answer)) ends.ends.push_back({std::get<Granted>(*answer).token, Outcome{200, {}}});
        }
        const Timestamp before = store.now();
        for (const auto& ended : store.call_gate(ends).ends) {
          if (!ended) ++errors;
        }
        const std::lock_guard lock(mutex);
        for (const auto& end : ends.ends) {
          for (const std::string& key : end.token.keys) sent[key].emplace_back(end.token.granted_at, before);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(errors, 0);
  std::size_t pairs = 0;
  for (auto& [key, visits] : sent) {
    std::ranges::sort(visits);
    for (std::size_t i = 1; i < visits.size(); ++i, ++pairs)
      EXPECT_GE(visits[i].first - visits[i - 1].second, interval) << key << " visit " << i;
    EXPECT_EQ(stores.front()->gate(key).value().visits, visits.size()) << key;
  }
  EXPECT_GT(pairs, 20u);
}

TEST_F(PostgresGates, AHoldEndsWhenItsOwnerReportsNoMore) {
  const auto other = opened(name());
  {
    const auto dying = opened(name(), {.owner_lease = 1s});
    ASSERT_TRUE(is_granted(dying->reserve({.keys = {"k"}, .interval = 10ms})));
    ASSERT_TRUE(is_waiting(other->reserve({.keys = {"k"}, .interval = 10ms})));
  }
  EXPECT_TRUE(eventually([&] { return is_granted(other->reserve({.keys = {"k"}, .interval = 10ms})); }));
}

TEST_F(PostgresGates, AHoldLastsWhileItsOwnerReports) {
  const auto other = opened(name());
  const auto living = opened(name(), {.owner_lease = 4s});
  const auto first = living->reserve({.keys = {"k"}, .interval = 1ms});
  ASSERT_TRUE(is_granted(first));
  const auto end = std::chrono::steady_clock::now() + 5s;  // longer than the lease
  while (std::chrono::steady_clock::now() < end)
    ASSERT_TRUE(is_waiting(other->reserve({.keys = {"k"}, .interval = 1ms})));
  EXPECT_TRUE(living->complete(std::get<Granted>(*first).token, {.status = 200}).ok());
}

TEST_F(PostgresGates, ALeaseEndsWhenItsOwnerReportsNoMore) {
  const Origin origin = *Origin::of("https://a.example");
  const auto other = opened(name());
  const auto is_leased = [&](Store& store) {
    const auto answer = store.lease_robots_fetch(origin, 1h);
    return answer.ok() && std::holds_alternative<RobotsLease>(*answer);
  };
  {
    const auto dying = opened(name(), {.owner_lease = 1s});
    ASSERT_TRUE(is_leased(*dying));
    ASSERT_FALSE(is_leased(*other));
  }
  EXPECT_TRUE(eventually([&] { return is_leased(*other); }));
}

// An owner that was stopped for longer than its lease must not go on with a row that others have seen end.
TEST_F(PostgresGates, AnOwnerThatWasSeenDeadTakesANewRow) {
  const auto store = opened(name());
  ASSERT_TRUE(is_granted(store->reserve({.keys = {"k"}, .interval = 0s})));
  const auto count = [&](const std::string& rows) {
    return PostgresServer::shared().query("SELECT count(*) FROM " + schema + "." + rows);
  };
  PostgresServer::shared().query("UPDATE " + schema + ".owner SET ends_at = 5");
  ASSERT_TRUE(is_granted(store->reserve({.keys = {"k2"}, .interval = 0s})));
  EXPECT_EQ(count("owner WHERE ends_at > 5"), "1");
  EXPECT_TRUE(is_granted(store->reserve({.keys = {"k"}, .interval = 0s}))) << "its first hold has ended";
}

TEST_F(PostgresGates, ANewStoreCountsEverySiteAsVisited) {
  const auto store = opened(PostgresServer::shared().uri("schema=" + schema));
  const auto answer = store->reserve({.keys = {"k"}, .interval = 1h});
  ASSERT_TRUE(answer.ok());
  ASSERT_TRUE(std::holds_alternative<Wait>(*answer));
  EXPECT_EQ(std::get<Wait>(*answer).why, WaitWhy::just_visited);
  const auto mark = store->just_visited().value();
  ASSERT_TRUE(mark.has_value());
  const auto expected = *mark + max_grant_age + 1h;
  EXPECT_LT(std::chrono::abs(std::get<Wait>(*answer).until - expected), 500ms);
  EXPECT_EQ(opened(name())->just_visited().value(), store->just_visited().value()) << "it is not new any more";
}

TEST_F(PostgresGates, ADamagedRowStopsOnlyItsOwnKey) {
  const auto store = opened(name());
  ASSERT_TRUE(is_granted(store->reserve({.keys = {"bad"}})));
  PostgresServer::shared().query("UPDATE " + schema + ".gate SET visits = -1");
  GateCalls calls;
  for (const char* key : {"good", "bad"}) {
    calls.requests.push_back(std::make_shared<const ReserveRequest>(ReserveRequest{.keys = {key}}));
  }
  const GateAnswers answers = store->call_gate(calls);
  EXPECT_TRUE(is_granted(answers.requests[0]));
  EXPECT_EQ(code_of(answers.requests[1]), "store-damaged");
}

// The server keeps the plans of a session, and nothing tells it that the table has grown.
TEST_F(PostgresGates, TheTableIsNeverReadWholeAlsoIfItWasSmallAtFirst) {
  const PostgresServer& server = PostgresServer::shared();
  const std::string table = schema + ".gate";
  {
    const auto store = opened(name());
    server.query("ALTER TABLE " + table + " SET (autovacuum_enabled = false)");
    int key = 0;
    const auto visit = [&] {
      for (int batch = 0; batch < 10; ++batch) {
        GateCalls calls;
        for (int i = 0; i < 8; ++i) {
          calls.requests.push_back(std::make_shared<ReserveRequest>(ReserveRequest{.keys = {std::to_string(key++)}}));
        }
        for (const auto& answer : store->call_gate(calls).requests) EXPECT_TRUE(is_granted(answer));
      }
    };
    visit();
    server.query("INSERT INTO " + table + "(key) SELECT convert_to('k' || g, 'UTF8') FROM generate_series(1, 20000) g");
    visit();
  }
  const auto scans = [&](const std::string& kind) {
    return std::stoi(
        server.query("SELECT " + kind + " FROM pg_stat_user_tables WHERE relid = '" + table + "'::regclass"));
  };
  EXPECT_TRUE(eventually([&] { return scans("idx_scan") >= 40; })) << scans("idx_scan");
  EXPECT_LT(scans("seq_scan"), 5) << "a few when the table was made";
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
