#include "store/store_contract.hpp"

#include <atomic>
#include <thread>
#include <vector>

namespace robotrules::test {
namespace {

using std::chrono::hours;

TEST_P(StoreContract, TimeIsTheClockThatWasGiven) {
  const Timestamp before = store->now();
  clock.advance(hours(3));
  EXPECT_EQ(store->now() - before, hours(3));
}

TEST_P(StoreContract, KnowsNothingAtFirst) {
  EXPECT_EQ(store->agent().value(), "");
  EXPECT_EQ(robots("https://a.example/"), nullptr);
  EXPECT_EQ(visits("https://a.example/").count, 0u);
  EXPECT_EQ(visits("https://a.example/").last, std::nullopt);
}

TEST_P(StoreContract, KeepsARecordWhole) {
  const std::string body("User-agent: *\nDisallow: /\0\xFF\n", 28);
  RobotsRecord put = record_of(body, clock.now(), clock.now() + hours(24));
  put.hops = {"https://a.example/robots.txt", "https://b.example/r"};
  put.etag = "\"abc\"";
  put.last_modified = "Sat, 21 Nov 2026 10:00:00 GMT";
  put.outcome = RobotsOutcome::unreachable;
  put.status = 503;
  put.failing_since = clock.now() - hours(2);
  put.failures = 3;
  ASSERT_TRUE(store->put_robots(origin("https://a.example/"), put).ok());
  const auto kept = robots("https://a.example/");
  ASSERT_NE(kept, nullptr);
  ASSERT_NE(kept->body, nullptr);
  EXPECT_EQ(*kept->body, body);
  EXPECT_EQ(kept->url, put.url);
  EXPECT_EQ(kept->hops, put.hops);
  EXPECT_EQ(kept->etag, put.etag);
  EXPECT_EQ(kept->last_modified, put.last_modified);
  EXPECT_EQ(kept->fetched_at, put.fetched_at);
  EXPECT_EQ(kept->outcome, put.outcome);
  EXPECT_EQ(kept->status, 503);
  EXPECT_EQ(kept->fresh_until, put.fresh_until);
  EXPECT_EQ(kept->failing_since, put.failing_since);
  EXPECT_EQ(kept->failures, 3u);
}

TEST_P(StoreContract, SchemeHostAndPortAreTheKey) {
  ASSERT_TRUE(store->put_robots(origin("https://a.example/"), record("x")).ok());
  EXPECT_EQ(robots("http://a.example/"), nullptr);
  EXPECT_EQ(robots("https://a.example:8443/"), nullptr);
  EXPECT_EQ(robots("https://b.example/"), nullptr);
  EXPECT_NE(robots("https://A.example:443/page"), nullptr);
}

TEST_P(StoreContract, ARecordInUseOutlivesItsReplacement) {
  ASSERT_TRUE(store->put_robots(origin("https://a.example/"), record("old")).ok());
  const auto old = robots("https://a.example/");
  ASSERT_TRUE(store->put_robots(origin("https://a.example/"), record("new")).ok());
  EXPECT_EQ(*old->body, "old");
  EXPECT_EQ(*robots("https://a.example/")->body, "new");
}

TEST_P(StoreContract, ExpiryIsSetWhereThereIsARecord) {
  ASSERT_TRUE(store->set_fresh_until(origin("https://a.example/"), clock.now()).ok());
  EXPECT_EQ(robots("https://a.example/"), nullptr);
  ASSERT_TRUE(store->put_robots(origin("https://a.example/"), record("x")).ok());
  ASSERT_TRUE(store->set_fresh_until(origin("https://a.example/"), clock.now() + hours(5)).ok());
  EXPECT_EQ(robots("https://a.example/")->fresh_until, clock.now() + hours(5));
  EXPECT_EQ(*robots("https://a.example/")->body, "x");
}

TEST_P(StoreContract, VisitsAreCountedByOrigin) {
  ASSERT_TRUE(store->add_visit(origin("https://a.example/"), clock.now()).ok());
  clock.advance(hours(1));
  ASSERT_TRUE(store->add_visit(origin("https://a.example/"), clock.now()).ok());
  EXPECT_EQ(visits("https://a.example/").count, 2u);
  EXPECT_EQ(visits("https://a.example/").last, clock.now());
  EXPECT_EQ(visits("http://a.example/").count, 0u);
}

TEST_P(StoreContract, ErasingTheRecordLeavesTheVisits) {
  ASSERT_TRUE(store->put_robots(origin("https://a.example/"), record("x")).ok());
  ASSERT_TRUE(store->add_visit(origin("https://a.example/"), clock.now()).ok());
  ASSERT_TRUE(store->erase_robots(origin("https://a.example/")).ok());
  EXPECT_EQ(robots("https://a.example/"), nullptr);
  EXPECT_EQ(visits("https://a.example/").count, 1u);
  ASSERT_TRUE(store->erase_robots(origin("https://never-seen.example/")).ok());
}

TEST_P(StoreContract, AnotherAgentClearsTheSameDoesNot) {
  EXPECT_EQ(store->set_agent("FooBot").value(), "");
  ASSERT_TRUE(store->put_robots(origin("https://a.example/"), record("x")).ok());
  ASSERT_TRUE(store->add_visit(origin("https://a.example/"), clock.now()).ok());
  EXPECT_EQ(store->set_agent("FooBot").value(), "FooBot");
  EXPECT_NE(robots("https://a.example/"), nullptr);
  EXPECT_EQ(store->set_agent("BarBot").value(), "FooBot");
  EXPECT_EQ(store->agent().value(), "BarBot");
  EXPECT_EQ(robots("https://a.example/"), nullptr);
  EXPECT_EQ(visits("https://a.example/").count, 0u);
}

TEST_P(StoreContract, NoVisitIsLostBetweenThreads) {
  constexpr int threads = 4;
  constexpr int each = 500;
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t) {
    running.emplace_back([this, t] {
      for (int i = 0; i < each; ++i) {
        const Origin site = origin("https://site" + std::to_string(i % 7) + ".example/");
        static_cast<void>(store->add_visit(site, clock.now()));
        static_cast<void>(store->put_robots(site, record(std::to_string(t))));
        static_cast<void>(store->robots(site));
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  std::uint64_t sum = 0;
  for (int i = 0; i < 7; ++i) sum += visits("https://site" + std::to_string(i) + ".example/").count;
  EXPECT_EQ(sum, static_cast<std::uint64_t>(threads * each));
}

INSTANTIATE_TEST_SUITE_P(Backends, StoreContract, testing::ValuesIn(backends()),
                         [](const auto& backend) { return backend.param.name; });

}  // namespace
}  // namespace robotrules::test
