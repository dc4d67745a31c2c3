#include "store/store_contract.hpp"

#include <atomic>
#include <thread>
#include <vector>

namespace robotrules::test::THIS_FILE {
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
  put.truncated = true;
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
  EXPECT_TRUE(kept->truncated);
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

TEST_P(StoreContract, ThatABodyWasCutGoesWithIt) {
  RobotsRecord put = record_of("cut", clock.now(), clock.now() + hours(24));
  put.truncated = true;
  ASSERT_TRUE(store->put_robots(origin("https://a.example/"), put).ok());
  put.truncated = false;  // the same bytes, this time all of them
  ASSERT_TRUE(store->put_robots(origin("https://a.example/"), put).ok());
  EXPECT_FALSE(robots("https://a.example/")->truncated);
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

TEST_P(StoreContract, KeepsThePolicyAndRisesByIt) {
  EXPECT_EQ(store->policy().value(), std::nullopt);
  const std::uint64_t before = store->changes().value();
  ASSERT_TRUE(store->set_policy(RobotsPolicy::strict()).ok());
  EXPECT_EQ(store->policy().value(), RobotsPolicy::strict());
  EXPECT_NE(store->changes().value(), before);
  static_cast<void>(store->set_agent("BarBot"));
  EXPECT_EQ(store->policy().value(), RobotsPolicy::strict());
}

// A year of Retry-After: the robot must not wait for it when its owner says so, but for the interval all the same.
TEST_P(StoreContract, ForgettingASiteLiftsItsPenaltyAndItsRecordButNotTheInterval) {
  const Origin site = origin("https://a.example/");
  EXPECT_FALSE(store->forget(site).value());
  ASSERT_TRUE(store->put_robots(site, record("x")).ok());
  const ReserveRequest request{.keys = {gate_key(site)}, .interval = std::chrono::seconds(10)};
  const auto token = std::get<Granted>(store->reserve(request).value()).token;
  ASSERT_TRUE(store->complete(token, {.status = 503, .retry_after = hours(23)}).ok());
  ASSERT_TRUE(store->put_robots(origin("https://b.example/"), record("y")).ok());

  EXPECT_TRUE(store->forget(site).value());
  EXPECT_EQ(robots("https://a.example/"), nullptr);
  EXPECT_NE(robots("https://b.example/"), nullptr);
  EXPECT_EQ(visits("https://a.example/").count, 1U);
  const auto wait = std::get<Wait>(store->reserve(request).value());
  EXPECT_EQ(wait.why, WaitWhy::interval);
  EXPECT_EQ(wait.until, clock.now() + std::chrono::seconds(10));
  EXPECT_FALSE(store->forget(site).value());
  clock.advance(std::chrono::seconds(10));
  EXPECT_TRUE(std::holds_alternative<Granted>(store->reserve(request).value()));
}

TEST_P(StoreContract, ForgettingASiteLeavesARequestInFlight) {
  const Origin site = origin("https://a.example/");
  const ReserveRequest request{.keys = {gate_key(site)}};
  const auto token = std::get<Granted>(store->reserve(request).value()).token;
  static_cast<void>(store->forget(site));
  EXPECT_EQ(std::get<Wait>(store->reserve(request).value()).why, WaitWhy::in_flight);
  EXPECT_TRUE(store->complete(token, {.status = 200, .retry_after = {}}).ok());
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

TEST_P(StoreContract, AnotherAgentIsRefusedWhereAsked) {
  EXPECT_TRUE(store->set_agent("FooBot", OtherAgent::refused).ok());  // of nobody's store it is the first name
  ASSERT_TRUE(store->put_robots(origin("https://a.example/"), record("x")).ok());
  EXPECT_TRUE(store->set_agent("FooBot", OtherAgent::refused).ok());
  const auto other = store->set_agent("BarBot", OtherAgent::refused);
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, "other-agent");
  EXPECT_NE(other.error().message.find("FooBot"), std::string::npos);
  EXPECT_EQ(store->agent().value(), "FooBot");
  EXPECT_NE(robots("https://a.example/"), nullptr);
}

// Who reads while nothing has changed sees all of a put_all() or nothing of it.
TEST_P(StoreContract, ManyRecordsAreOneChange) {
  std::vector<Origin> sites;
  for (int i = 0; i < 40; ++i) sites.push_back(origin("https://" + host("site" + std::to_string(i)) + "/"));
  const auto put = [&](int round) {
    std::vector<std::pair<Origin, RobotsRecord>> all;
    for (const Origin& site : sites) all.emplace_back(site, record(std::to_string(round)));
    return store->put_all(std::move(all)).ok();
  };
  ASSERT_TRUE(put(0));
  std::atomic<bool> done = false;
  std::atomic<bool> torn = false;
  std::thread reader([&] {
    for (bool last = false; !last;) {
      last = done;
      const std::uint64_t before = store->changes().value();
      const auto first = store->robots(sites.front()).value();
      const auto other = store->robots(sites.back()).value();
      if (*first->body != *other->body && store->changes().value() == before) torn = true;
    }
  });
  for (int round = 1; round <= 300; ++round) EXPECT_TRUE(put(round));
  done = true;
  reader.join();
  EXPECT_FALSE(torn);
  EXPECT_EQ(*robots("https://" + host("site7") + "/")->body, "300");
  const std::uint64_t before = store->changes().value();
  ASSERT_TRUE(put(301));
  EXPECT_NE(store->changes().value(), before);
}

TEST_P(StoreContract, TheNewerOfTwoRecordsStays) {
  const Origin a = origin("https://a.example/");
  const Origin b = origin("https://b.example/");
  const auto at = [&](std::string_view body, hours age) { return record_of(body, clock.now() - age, clock.now()); };
  ASSERT_TRUE(store->put_robots(a, at("kept", hours(2))).ok());
  EXPECT_EQ(store->put_newer({{a, at("older", hours(3))}, {b, at("first", hours(9))}}).value(), 1u);
  EXPECT_EQ(*robots("https://a.example/")->body, "kept");
  EXPECT_EQ(*robots("https://b.example/")->body, "first");
  EXPECT_EQ(store->put_newer({{a, at("same age", hours(2))}}).value(), 1u);
  EXPECT_EQ(*robots("https://a.example/")->body, "same age");
  EXPECT_EQ(store->put_newer({{a, at("newest", hours(0))}, {a, at("between", hours(1))}}).value(), 1u);
  EXPECT_EQ(*robots("https://a.example/")->body, "newest");
  ASSERT_TRUE(store->put_all({{a, at("given", hours(8))}}).ok());
  EXPECT_EQ(*robots("https://a.example/")->body, "given");
  ASSERT_TRUE(store->erase_robots(a).ok());
  EXPECT_EQ(store->put_newer({{a, at("old", hours(99))}}).value(), 1u);  // what was erased is no newer one
}

TEST_P(StoreContract, ABodyGoesWithTheLastOriginThatHasIt) {
  const auto bodies = [this] { return store->stats().value().bodies; };
  ASSERT_TRUE(store->put_robots(origin("https://a.example/"), record("shared")).ok());
  ASSERT_TRUE(store->put_robots(origin("https://b.example/"), record("shared")).ok());
  EXPECT_EQ(bodies(), 1u);
  ASSERT_TRUE(store->put_robots(origin("https://a.example/"), record("other")).ok());
  EXPECT_EQ(bodies(), 2u);
  ASSERT_TRUE(store->put_robots(origin("https://b.example/"), record("other")).ok());
  EXPECT_EQ(bodies(), 1u);
  EXPECT_EQ(store->stats().value().body_bytes, 5u);
  ASSERT_TRUE(store->erase_robots(origin("https://a.example/")).ok());
  EXPECT_EQ(bodies(), 1u);
  ASSERT_TRUE(store->erase_robots(origin("https://b.example/")).ok());
  EXPECT_EQ(bodies(), 0u);
}

TEST_P(StoreContract, TimesOutOfAllBoundsHarmNothing) {
  const Origin a = origin("https://a.example/");
  for (const Timestamp time : {Timestamp::min(), Timestamp::max()}) {
    ASSERT_TRUE(store->put_robots(a, record_of("x", time, time)).ok());
    ASSERT_TRUE(store->set_fresh_until(a, time).ok());
    ASSERT_TRUE(store->add_visit(a, time).ok());
    ASSERT_TRUE(store->restore_gate(gate_key(a), time, {UINT64_MAX, time}).ok());
    EXPECT_EQ(robots("https://a.example/")->fresh_until < clock.now(), time == Timestamp::min());
    EXPECT_LE(visits("https://a.example/").last, clock.now());
    EXPECT_TRUE(store->reserve({.keys = {gate_key(a)}}).ok());
  }
}

// --- what prune() forgets --------------------------------------------------------------------------------------------

TEST_P(StoreContract, PruningForgetsRecordsThatWereLongNotFresh) {
  ASSERT_TRUE(store->put_robots(origin("https://old.example/"), record("x")).ok());
  clock.advance(hours(48));
  ASSERT_TRUE(store->put_robots(origin("https://new.example/"), record("y")).ok());
  const Pruned pruned = store->prune(clock.now() - hours(24)).value();
  EXPECT_EQ(pruned.robots, 1u);
  EXPECT_EQ(robots("https://old.example/"), nullptr);
  EXPECT_NE(robots("https://new.example/"), nullptr);
  EXPECT_EQ(store->stats().value().bodies, 1u);
}

TEST_P(StoreContract, PruningKeepsWhatIsLeasedAndNoLongerThanThat) {
  const Origin a = origin("https://a.example/");
  const Origin b = origin("https://b.example/");
  ASSERT_TRUE(store->put_robots(a, record("x")).ok());
  const auto lease = std::get<RobotsLease>(store->lease_robots_fetch(a, hours(1)).value());
  std::get<RobotsLease>(store->lease_robots_fetch(b, hours(1)).value());
  clock.advance(std::chrono::minutes(30));
  EXPECT_EQ(store->prune(clock.now()).value().robots, 0u);
  EXPECT_NE(robots("https://a.example/"), nullptr);
  EXPECT_TRUE(std::holds_alternative<Wait>(store->lease_robots_fetch(b, hours(1)).value()));
  clock.advance(hours(1));
  EXPECT_EQ(store->prune(clock.now()).value().robots, 1u);  // a lease without a record is none
  EXPECT_EQ(robots("https://a.example/"), nullptr);
  EXPECT_EQ(store->put_robots(a, record("late"), &lease).error().code, "unknown-token");
}

TEST_P(StoreContract, PruningForgetsGatesThatHoldNobodyUp) {
  const auto pruned = [this] { return store->prune(clock.now() - hours(24)).value().gates; };
  const auto granted = [this](const char* key) {
    return std::get<Granted>(
               store->reserve({.keys = {key}, .interval = hours(1), .hold = hours(30), .max_penalty = hours(100)})
                   .value())
        .token;
  };
  ASSERT_TRUE(store->complete(granted("plain"), {.status = 200, .retry_after = {}}).ok());
  ASSERT_TRUE(store->complete(granted("refused"), {.status = 503, .retry_after = {}}).ok());
  ASSERT_TRUE(store->complete(granted("penalty"), {.status = 503, .retry_after = hours(100)}).ok());
  granted("owner died");
  clock.advance(hours(23));
  EXPECT_EQ(pruned(), 0u) << "visited within a day";
  clock.advance(hours(2));
  EXPECT_EQ(pruned(), 2u) << "the plain one and the one whose trouble is a day old";
  clock.advance(hours(6) - std::chrono::microseconds(1));
  EXPECT_EQ(pruned(), 0u) << "the hold has expired, but its interval has not";
  clock.advance(std::chrono::microseconds(1));
  EXPECT_EQ(pruned(), 1u);
  EXPECT_EQ(store->gate("owner died").value().visits, 0u);
  EXPECT_EQ(store->gate("penalty").value().visits, 1u);
  clock.advance(hours(69));
  EXPECT_EQ(pruned(), 1u);
  EXPECT_EQ(store->stats().value().gates, 0u);
}

INSTANTIATE_TEST_SUITE_P(Backends, StoreContract, testing::ValuesIn(backends()),
                         [](const auto& backend) { return backend.param.name; });

}  // namespace
}  // namespace robotrules::test::THIS_FILE
