// Rows that SQLite finds sound and no store ever wrote: an error, never a wrong answer; and check sees what reading
// sees.
#include <gtest/gtest.h>

#include <robotrules/open_store.hpp>

#include "store/sql.hpp"
#include "store/store_contract.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using test::run_sql;

class DamagedRows : public testing::Test {
 protected:
  static constexpr const char* site = "https://a.example";
  static const Origin& origin() {
    static const Origin one = *Origin::of(site);
    return one;
  }

  // A file with a record, a lease and a gate with a hold, damaged by `sql`.
  std::string damaged(const std::string& sql) const {
    const std::string path = test::new_folder() + "/store.db";
    SqliteStoreOptions options;
    options.first_ever = true;
    {
      const auto store = open_sqlite_store(path, options).value();
      EXPECT_TRUE(store->put_robots(origin(), test::record_of("User-agent: *\n", store->now(), store->now())).ok());
      EXPECT_TRUE(store->lease_robots_fetch(origin(), 1h).ok());
      EXPECT_TRUE(store->reserve({.keys = {site}, .interval = 1s}).ok());
    }
    run_sql(path, sql);
    return path;
  }

  static std::string_view code_of(const Result<void>& done) {
    return done.ok() ? std::string_view() : done.error().code;
  }
  template <class Value>
  static std::string_view code_of(const Result<Value>& done) {
    return done.ok() ? std::string_view() : done.error().code;
  }
  static void expect_seen_and_mended(const std::string& path, const std::string& what) {
    EXPECT_FALSE(check_sqlite_store(path).value().problems.empty()) << what;
    const auto mended = check_sqlite_store(path, true);
    ASSERT_TRUE(mended.ok()) << what << mended.error().message;
    EXPECT_FALSE(mended.value().moved_to.empty()) << what;
    EXPECT_TRUE(check_sqlite_store(path).value().problems.empty()) << what;
    const auto store = open_sqlite_store(path);
    ASSERT_TRUE(store.ok()) << what;
    EXPECT_TRUE(store.value()->gate(site).ok()) << what;
    EXPECT_FALSE(std::holds_alternative<Granted>(store.value()->reserve({.keys = {site}, .interval = 1h}).value()));
  }
};

// Owners that no process is: bytes of three words each.
std::vector<std::string> bad_owners() {
  const std::string zero(16, '0');
  const std::string one = "0100000000000000";
  const std::string minus = "ffffffffffffffff";
  const std::string great = "0000008000000000";  // a process's id has 31 bits
  return {minus + one + one, great + one + one, zero + one + zero, zero + zero + one, one + minus + one};
}

const std::vector<std::string> bad_numbers{"9223372036854775807", "-9223372036854775808", "'many'", "x'00'", "1.5"};

TEST_F(DamagedRows, AGateThatWasNeverWrittenIsNoGate) {
  std::vector<std::string> damages{"holds = x'00'",
                                   "holds = 'held'",
                                   "holds = zeroblob(48) || x'00'",
                                   "source = 4",
                                   "source = -1",
                                   "incidents = -1",
                                   "incidents = 4294967296",
                                   "visits = -1",
                                   "recovery = 5",
                                   "failures = -1",
                                   "failures = 1000001",
                                   "fence = -1",
                                   "fence = 4611686018427387905",
                                   "interval = -1",
                                   "holds = x'ffffffffffffff7fffffffffffffff7fffffffffffffff7fffffffffffffff7f"
                                   "ffffffffffffff7fffffffffffffff7f'"};
  const std::string hold(96, '0');
  damages.push_back("holds = x'01'");
  damages.push_back("holds = x'02" + hold + std::string(48, '0') + "'");
  damages.push_back("holds = x'01" + hold + "'");
  for (const std::string& owner : bad_owners()) damages.push_back("holds = x'01" + hold + owner + "'");
  for (const char* column : {"interval", "source", "armed_at", "latency", "penalty_until", "incident_at", "incidents",
                             "visits", "last_visit", "fence", "recovery", "failures", "failing_since", "failed_at"}) {
    for (const std::string& value : bad_numbers) damages.push_back(std::string(column) + " = " + value);
  }
  Token token;
  token.fence = 1;
  token.keys = {site};
  for (const std::string& damage : damages) {
    const std::string path = damaged("UPDATE gate SET " + damage);
    {
      const auto store = open_sqlite_store(path).value();
      EXPECT_EQ(code_of(store->gate(site)), "store-damaged") << damage;
      EXPECT_EQ(code_of(store->reserve({.keys = {"https://b.example", site}})), "store-damaged") << damage;
      EXPECT_EQ(code_of(store->complete(token, {})), "store-damaged") << damage;
      EXPECT_EQ(code_of(store->add_visit(origin(), store->now())), "store-damaged") << damage;
      EXPECT_EQ(store->gate("https://b.example").value().visits, 0u) << damage;  // all keys or none
    }
    expect_seen_and_mended(path, damage);
  }
}

TEST_F(DamagedRows, ARecordThatWasNeverWrittenIsNoRecord) {
  std::vector<std::string> damages{"outcome = 3", "outcome = -1",  "status = 2147483648", "failures = -1",
                                   "url = x'00'", "hops = x'00'",  "etag = 'text'",       "fetched_at = NULL",
                                   "body = 99",   "truncated = 2", "truncated = -1",      "truncated = 'yes'"};
  for (const char* column : {"outcome", "status", "fetched_at", "fresh_until", "failing_since", "failures"}) {
    for (const std::string& value : bad_numbers) damages.push_back(std::string(column) + " = " + value);
  }
  for (const std::string& damage : damages) {
    const std::string path = damaged("UPDATE robots SET " + damage);
    {
      const auto store = open_sqlite_store(path).value();
      EXPECT_EQ(code_of(store->robots(origin())), "store-damaged") << damage;
      EXPECT_EQ(code_of(store->for_each_origin([](const Origin&, const RobotsRecord&) { return true; })),
                "store-damaged")
          << damage;
    }
    expect_seen_and_mended(path, damage);
  }
}

TEST_F(DamagedRows, ALeaseThatWasNeverWrittenIsNoLease) {
  std::vector<std::string> damages;
  for (const char* column : {"lease_fence", "lease_until"}) {
    for (const std::string& value : bad_numbers) damages.push_back(std::string(column) + " = " + value);
  }
  for (const char* value : {"'text'", "0", "x'00'", "zeroblob(23)", "zeroblob(25)"}) {
    damages.push_back(std::string("lease_owner = ") + value);
  }
  for (const std::string& owner : bad_owners()) damages.push_back("lease_owner = x'" + owner + "'");
  for (const std::string& damage : damages) {
    const std::string path = damaged("UPDATE robots SET " + damage);
    {
      const auto store = open_sqlite_store(path).value();
      EXPECT_EQ(code_of(store->lease_robots_fetch(origin(), 1h)), "store-damaged") << damage;
      EXPECT_EQ(code_of(store->release({std::uint64_t{1} << 63, origin(), store->now()})), "unknown-token") << damage;
    }
    expect_seen_and_mended(path, damage);
  }
}

// Bytes stand behind every text: to ask for what is behind them as if they were text would never end.
TEST_F(DamagedRows, AnOriginThatIsNoTextEndsTheWalk) {
  for (const char* name : {"CAST('https://z.example' AS BLOB)", "'no origin'", "17"}) {
    const std::string path = damaged("UPDATE robots SET origin = " + std::string(name));
    {
      const auto store = open_sqlite_store(path).value();
      int seen = 0;
      const auto walked =
          store->for_each_origin([&seen](const Origin&, const RobotsRecord&) { return ++seen < 1'000; });
      EXPECT_EQ(code_of(walked), "store-damaged") << name;
      EXPECT_EQ(seen, 0) << name;
    }
    expect_seen_and_mended(path, name);
  }
}

TEST_F(DamagedRows, WhatTheFileSaysOfItselfIsLookedAt) {
  std::vector<std::string> damages{"PRAGMA user_version = 0", "PRAGMA user_version = -7", "DROP TABLE gate",
                                   "ALTER TABLE robots RENAME COLUMN outcome TO income"};
  for (const char* name : {"clock_offset", "just_visited"}) {
    for (const char* value : {"9223372036854775807", "-9223372036854775808", "soon", "99999999999999999999"}) {
      damages.push_back(std::string("INSERT OR REPLACE INTO meta VALUES('") + name + "', '" + value + "')");
    }
  }
  damages.push_back("INSERT OR REPLACE INTO meta VALUES('just_visited', '253402300799000000')");  // the year 9999
  for (const std::string& damage : damages) {
    const std::string path = damaged(damage);
    {
      const auto opened = open_sqlite_store(path);
      const auto code = opened.ok() ? code_of(opened.value()->stats()) : opened.error().code;
      const auto other = opened.ok() ? code_of(opened.value()->robots(origin())) : opened.error().code;
      EXPECT_TRUE(code == "store-damaged" || other == "store-damaged") << damage << ": " << code;
    }
    if (!damage.ends_with("'253402300799000000')")) expect_seen_and_mended(path, damage);
  }
}

// A file that somebody else has made: what is written in it runs nothing here.
TEST_F(DamagedRows, TriggersAndViewsOfAFileDoNothing) {
  const std::string path = damaged("CREATE TRIGGER spy AFTER UPDATE ON gate BEGIN DELETE FROM robots; END");
  {
    const auto store = open_sqlite_store(path).value();
    ASSERT_TRUE(store->add_visit(origin(), store->now()).ok());
    EXPECT_NE(store->robots(origin()).value(), nullptr);
  }
  const std::string viewed =
      damaged("ALTER TABLE robots RENAME TO other; CREATE VIEW robots AS SELECT * FROM other WHERE origin = 'x'");
  const auto store = open_sqlite_store(viewed);
  EXPECT_EQ(store.ok() ? code_of(store.value()->robots(origin())) : store.error().code, "store-damaged");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
