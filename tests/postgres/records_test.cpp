// Records in PostgreSQL: between processes, with their bodies, and in large numbers.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include <robotrules/open_store.hpp>

#include "store/store_contract.hpp"
#include "support/postgres/postgres_test.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

class PostgresRecords : public PostgresTest {
 protected:
  static Origin site(int number) { return *Origin::of("https://site" + std::to_string(number) + ".example"); }
  std::string count(const std::string& rows) const {
    return PostgresServer::shared().query("SELECT count(*) FROM " + schema + "." + rows);
  }
};

TEST_F(PostgresRecords, AChangeOfAnotherProcessIsSeenInTime) {
  const auto reader = opened(name(), {.max_staleness = 1s});
  const auto writer = opened(name());
  const Timestamp now = writer->now();
  ASSERT_TRUE(writer->put_robots(site(1), record_of("one", now, now)).ok());
  ASSERT_EQ(*reader->robots(site(1)).value()->body, "one");
  ASSERT_EQ(reader->robots(site(2)).value(), nullptr);
  const std::uint64_t changes = reader->changes().value();
  ASSERT_TRUE(writer->put_robots(site(1), record_of("two", now, now)).ok());
  ASSERT_TRUE(writer->put_robots(site(2), record_of("new", now, now)).ok());
  EXPECT_TRUE(eventually([&] { return *reader->robots(site(1)).value()->body == "two"; }));
  EXPECT_TRUE(eventually([&] { return reader->robots(site(2)).value() != nullptr; }));
  EXPECT_NE(reader->changes().value(), changes);
  ASSERT_TRUE(writer->erase_robots(site(1)).ok());
  EXPECT_TRUE(eventually([&] { return reader->robots(site(1)).value() == nullptr; }));
}

// A process without a lease asks for the file before it fetches it: that of another process must be there.
TEST_F(PostgresRecords, TheFirstRecordOfAnotherProcessIsSeenAtOnce) {
  const auto reader = opened(name());
  const auto writer = opened(name());
  ASSERT_EQ(reader->robots(site(1)).value(), nullptr);
  const std::uint64_t changes = reader->changes().value();
  ASSERT_TRUE(writer->put_robots(site(1), record_of("first", writer->now(), writer->now())).ok());
  ASSERT_NE(reader->robots(site(1)).value(), nullptr);
  EXPECT_NE(reader->changes().value(), changes);
}

// Otherwise each process of a fleet would fetch the file of a site that another one has just fetched.
TEST_F(PostgresRecords, WithALeaseTheRecordOfAnotherProcessIsSeenAtOnce) {
  const auto reader = opened(name());
  const auto writer = opened(name());
  const Timestamp now = writer->now();
  for (const char* body : {"first", "second"}) {
    const auto before = reader->robots(site(1)).value();
    const std::uint64_t changes = reader->changes().value();
    ASSERT_TRUE(writer->put_robots(site(1), record_of(body, now, now)).ok());
    if (before != nullptr) {
      EXPECT_EQ(reader->robots(site(1)).value(), before) << "its period is not over";
    }
    const auto lease = reader->lease_robots_fetch(site(1), 1min);
    ASSERT_TRUE(lease.ok());
    EXPECT_NE(reader->changes().value(), changes);
    ASSERT_EQ(*reader->robots(site(1)).value()->body, body);
    ASSERT_TRUE(reader->release(std::get<RobotsLease>(*lease)).ok());
  }
  const std::uint64_t changes = reader->changes().value();
  ASSERT_TRUE(reader->lease_robots_fetch(site(1), 1min).ok());
  EXPECT_EQ(reader->changes().value(), changes) << "nothing has changed";
}

TEST_F(PostgresRecords, EqualBodiesAreKeptOnceAndOnlyAsLongAsTheyAreUsed) {
  const auto store = opened(name());
  const Timestamp now = store->now();
  const std::string body(5'000, 'x');
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(store->put_robots(site(i), record_of(body, now, now)).ok());
  EXPECT_EQ(count("body"), "1");
  EXPECT_EQ(store->stats().value().bodies, 1u);
  EXPECT_EQ(store->stats().value().body_bytes, body.size());
  EXPECT_EQ(store->robots(site(0)).value()->body, store->robots(site(1)).value()->body) << "one object in memory";
  ASSERT_TRUE(store->put_robots(site(0), record_of("another", now, now)).ok());
  EXPECT_EQ(count("body"), "2");
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(store->erase_robots(site(i)).ok());
  EXPECT_EQ(count("body"), "0");
}

TEST_F(PostgresRecords, EveryByteComesBack) {
  const auto store = opened(name());
  RobotsRecord record = record_of(std::string("\0\xFF\xC3 \r\n'\\", 8), store->now(), store->now());
  record.etag = std::string("\"\xFF\0\"", 4);
  record.last_modified = "\x80";
  record.url = "https://other.example/robots.txt";
  record.hops = {"https://a.example/1", "https://a.example/2"};
  record.failing_since = store->now();
  record.failures = 4'000'000'000;
  ASSERT_TRUE(store->put_robots(site(1), record).ok());
  const auto found = opened(name())->robots(site(1)).value();
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(*found->body, *record.body);
  EXPECT_EQ(found->etag, record.etag);
  EXPECT_EQ(found->last_modified, record.last_modified);
  EXPECT_EQ(found->url, record.url);
  EXPECT_EQ(found->hops, record.hops);
  EXPECT_EQ(found->failures, record.failures);
  EXPECT_EQ(found->failing_since, record.failing_since);
}

TEST_F(PostgresRecords, ThousandsArePutReadAndPruned) {
  constexpr int sites = 2'500;
  const auto store = opened(name());
  const Timestamp now = store->now();
  std::vector<std::pair<Origin, RobotsRecord>> records;
  for (int i = 0; i < sites; ++i) {
    records.emplace_back(site(i), record_of("body " + std::to_string(i % 1'500), now, i == 7 ? now + 1h : now));
  }
  records.emplace_back(site(3), record_of("the last one counts", now, now));
  EXPECT_EQ(store->put_newer(std::move(records)).value(), std::uint64_t{sites + 1});
  EXPECT_EQ(*store->robots(site(3)).value()->body, "the last one counts");
  std::string before;
  int seen = 0;
  ASSERT_TRUE(store
                  ->for_each_origin([&](const Origin& origin, const RobotsRecord&) {
                    EXPECT_LT(before, origin.to_string());
                    before = origin.to_string();
                    return ++seen < sites;
                  })
                  .ok());
  EXPECT_EQ(seen, sites);
  for (int first = 0; first < sites; first += 250) {
    GateCalls calls;
    for (int i = first; i < first + 250; ++i) {
      calls.requests.push_back(std::make_shared<const ReserveRequest>(
          ReserveRequest{.keys = {site(i).to_string()}, .interval = 0s, .hold = i == 9 ? 1h : 1us}));
    }
    for (const auto& answer : store->call_gate(calls).requests) ASSERT_TRUE(is_granted(answer));
  }
  const Pruned pruned = store->prune(store->now() + 1s).value();
  EXPECT_EQ(pruned.robots, std::uint64_t{sites - 1});
  EXPECT_EQ(pruned.gates, std::uint64_t{sites - 1});
  EXPECT_EQ(count("body"), "1");
  EXPECT_EQ(count("gate"), "1");
}

// A body that is just being deleted as unused is given to another record.
TEST_F(PostgresRecords, NoRecordLosesItsBodyBetweenProcesses) {
  std::vector<std::shared_ptr<Store>> stores;
  for (int i = 0; i < 4; ++i) stores.push_back(opened(name(), {.timeout = 60s}));
  std::atomic<int> errors{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      Store& store = *stores[static_cast<std::size_t>(i)];
      for (int turn = 0; turn < 60; ++turn) {
        const Timestamp now = store.now();
        const int number = (turn + i) % 5;
        if (i == 3 && turn % 10 == 0) errors += store.prune(now - 1h).ok() ? 0 : 1;
        errors += store.put_robots(site(number), record_of(std::to_string(turn % 3), now, now)).ok() ? 0 : 1;
        errors += store.robots(site(number)).ok() ? 0 : 1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(errors, 0);
  EXPECT_EQ(
      PostgresServer::shared().query("SELECT count(*) FROM " + schema + ".robots AS r WHERE NOT EXISTS(SELECT 1 FROM " +
                                     schema + ".body WHERE hash = r.body)"),
      "0");
}

TEST_F(PostgresRecords, ProcessesThatOpenANewStoreTogetherAllGetIt) {
  std::atomic<int> errors{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] {
      const auto store = open_store(name(), {.sqlite = {}, .server = {.timeout = 60s}});
      if (!store || !store.value()->reserve({.keys = {"k"}, .interval = 0s}).ok()) ++errors;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(errors, 0);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
