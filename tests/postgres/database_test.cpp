// The connection to a PostgreSQL server, and the tables of a store.
#include <gtest/gtest.h>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "servers/postgres/postgres_schema.hpp"
#include "support/postgres/postgres_server.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using store::postgres::again_code;
using store::postgres::Connection;
using store::postgres::long_limit;
using store::postgres::open_database;
using store::postgres::Parameters;
using store::postgres::read_settings;
using store::postgres::Statement;
using store::postgres::Transaction;

class PostgresDatabase : public testing::Test {
 protected:
  void SetUp() override {
    if (!PostgresServer::is_installed()) GTEST_SKIP() << "PostgreSQL is not installed";
  }
  const std::string schema = PostgresServer::new_schema();
  std::string name() const { return PostgresServer::shared().uri("schema=" + schema); }
  // Takes away what version 5 of the tables brought.
  std::string without_failures() const {
    return "ALTER TABLE " + schema +
           ".gate DROP COLUMN recovery, DROP COLUMN failures, DROP COLUMN failing_since, DROP COLUMN failed_at;";
  }
};

TEST_F(PostgresDatabase, ItsTablesAreMadeOnceAndFoundAgain) {
  for (int opened = 0; opened < 2; ++opened) {
    const auto pool = open_database(name(), {});
    ASSERT_TRUE(pool.ok()) << pool.error().message;
  }
  EXPECT_EQ(PostgresServer::shared().query("SELECT convert_from(value, 'UTF8') FROM " + schema +
                                           ".meta WHERE name = 'version'"),
            std::to_string(store::postgres::schema_version));
}

TEST_F(PostgresDatabase, ValuesComeBackAsTheyWereSent) {
  const auto pool = open_database(name(), {});
  ASSERT_TRUE(pool.ok()) << pool.error().message;
  const std::string bytes("\0\xFF'\"", 4);
  store::postgres::BytesArray many;
  for (const auto& value : {store::SqlValue::blob(bytes), store::SqlValue(), store::SqlValue::blob("")})
    many.add(value);
  const std::vector<store::postgres::Number> numbers{-1, std::nullopt, std::int64_t{1} << 62};
  auto answers = pool.value()->read(
      {{"SELECT $1::bigint, $2::bytea, $3::bytea, true", Parameters().number(-5).bytes(bytes).bytes(std::nullopt)},
       {"SELECT a, b FROM unnest($1::bytea[], $2::bigint[]) AS t(a, b)", Parameters().array(many).numbers(numbers)}});
  ASSERT_TRUE(answers.ok()) << answers.error().message;
  const auto& one = answers.value()[0];
  EXPECT_EQ(one.number(0, 0), -5);
  EXPECT_EQ(one.bytes(0, 1), bytes);
  EXPECT_TRUE(one.is_null(0, 2));
  EXPECT_EQ(one.number(0, 3), 1);
  const auto& rows = answers.value()[1];
  ASSERT_EQ(rows.size(), 3);
  EXPECT_EQ(rows.bytes(0, 0), bytes);
  EXPECT_TRUE(rows.is_null(1, 0));
  EXPECT_EQ(rows.optional_number(1, 1), std::nullopt);
  EXPECT_EQ(rows.number(2, 1), std::int64_t{1} << 62);
}

// A session that belongs to the connection keeps frequent statements and the settings of transactions.
TEST_F(PostgresDatabase, FrequentStatementsArePreparedOnce) {
  const auto settings = read_settings(PostgresServer::shared().uri());
  ASSERT_TRUE(settings.ok());
  const auto soon = [] { return std::chrono::steady_clock::now() + std::chrono::seconds(30); };
  std::size_t host = 0;
  const auto opened = Connection::open(settings->target, host, soon());
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  Connection& connection = *opened.value();
  EXPECT_TRUE(connection.has_own_session());
  const Statement frequent{"SELECT $1::bigint + 1", Parameters().number(1), true};
  const Statement others{"SELECT count(*) FROM pg_prepared_statements WHERE statement NOT LIKE '%pg_prepared%'", {}};
  for (int turn = 0; turn < 2; ++turn) {
    const auto answers = connection.run({frequent, others, {"SELECT 5::bigint"}, frequent}, soon());
    ASSERT_TRUE(answers.ok()) << answers.error().message;
    ASSERT_EQ(answers->size(), 4U);
    EXPECT_EQ(answers->front().number(0, 0), 2);
    EXPECT_EQ((*answers)[1].number(0, 0), 1) << "one statement is prepared";
    EXPECT_EQ((*answers)[2].number(0, 0), 5);
    EXPECT_EQ(answers->back().number(0, 0), 2);
  }
  // A statement that cannot be prepared fails as any other, and later ones are not known as prepared.
  EXPECT_EQ(connection.run({{"SELECT nonsense", {}, true}, {"SELECT 7", {}, true}}, soon()).error().code,
            "store-damaged");
  EXPECT_TRUE(connection.run({{"SELECT 7", {}, true}}, soon()).ok());

  // A session that has lost them belongs to a pooler: nothing is prepared any more.
  ASSERT_TRUE(connection.run({{"DEALLOCATE ALL"}}, soon()).ok());
  EXPECT_EQ(connection.run({frequent}, soon()).error().code, again_code);
  EXPECT_FALSE(connection.has_own_session());
  EXPECT_TRUE(connection.run({frequent}, soon()).ok());
  EXPECT_EQ(connection.run({others}, soon())->front().number(0, 0), 0);
}

// The gate goes on over a session that forgets, and over one whose time limits differ.
TEST_F(PostgresDatabase, CallsGoOnAfterASessionHasLostItsStatements) {
  const auto pool = open_database(name(), {});
  ASSERT_TRUE(pool.ok()) << pool.error().message;
  const auto visit = [&](std::chrono::milliseconds limit) {
    return pool.value()->transact(limit, [](Transaction& transaction) -> Result<std::int64_t> {
      auto answers = transaction.run({{"SELECT current_setting('lock_timeout') = '0', count(*) FROM gate", {}, true}});
      if (!answers) return answers.error();
      return answers->front().number(0, 0);
    });
  };
  const auto forget = [](Transaction& transaction) -> Result<bool> {
    if (auto done = transaction.commit({{"DEALLOCATE ALL"}}); !done) return done.error();
    return true;
  };
  for (const auto limit : {pool.value()->timeout(), std::chrono::milliseconds(long_limit)}) {
    EXPECT_EQ(visit(limit).value(), 0) << "each transaction has a time limit";
    ASSERT_TRUE(pool.value()->transact(forget).ok());
    const auto after = visit(limit);
    ASSERT_TRUE(after.ok()) << after.error().message;
    EXPECT_EQ(after.value(), 0);
  }
}

TEST_F(PostgresDatabase, ASchemaWithOtherTablesIsForeign) {
  PostgresServer::shared().query("CREATE SCHEMA " + schema + "; CREATE TABLE " + schema + ".things(a int)");
  const auto pool = open_database(name(), {});
  ASSERT_FALSE(pool.ok());
  EXPECT_EQ(pool.error().code, "store-foreign") << pool.error().message;
}

TEST_F(PostgresDatabase, AStoreOfANewerVersionIsLeftAlone) {
  ASSERT_TRUE(open_database(name(), {}).ok());
  PostgresServer::shared().query("UPDATE " + schema + ".meta SET value = '999' WHERE name = 'version'");
  const auto pool = open_database(name(), {});
  ASSERT_FALSE(pool.ok());
  EXPECT_EQ(pool.error().code, "store-newer") << pool.error().message;
}

TEST_F(PostgresDatabase, AQueueOfVersion2GetsTheColumnsOfSpellingsAndDigests) {
  {
    const auto queue = open_url_queue(name());
    ASSERT_TRUE(queue.ok()) << queue.error().message;
    ASSERT_TRUE(queue.value()->add({{"http://a.example/1"}}).ok());
  }
  PostgresServer::shared().query(
      "ALTER TABLE " + schema + ".queue_url DROP COLUMN found, DROP COLUMN digest, DROP COLUMN page_url;" +
      without_failures() + "UPDATE " + schema + ".meta SET value = '2' WHERE name = 'version'");
  const auto queue = open_url_queue(name());
  ASSERT_TRUE(queue.ok()) << queue.error().message;
  const auto old = queue.value()->find("GET", "http://a.example/1");
  ASSERT_TRUE(old.ok() && old.value());
  EXPECT_EQ(old.value()->request.found, "");
  UrlResult result{.status = 200};
  result.digest = "sha1:VBQ6FQLYM75BVDVQ3NBPDH22CMRTE57F";
  result.page_url = "http://b.example/";
  ASSERT_TRUE(queue.value()->settle(std::vector<FinishedUrl>{{old.value()->id, UrlState::done, result}}, {}).ok());
  EXPECT_EQ(queue.value()->find("GET", "http://a.example/1").value()->result, result);
}

TEST_F(PostgresDatabase, AGateOfVersion4KeepsItsPenaltyAndGetsTheRowsOfFailures) {
  const std::string site = "https://a.example";
  {
    const auto store = open_store(name());
    ASSERT_TRUE(store.ok()) << store.error().message;
    ASSERT_TRUE(store.value()->restore_gate(site, store.value()->now() + std::chrono::hours(1), {7, {}}).ok());
  }
  PostgresServer::shared().query(without_failures() + "UPDATE " + schema +
                                 ".meta SET value = '4' WHERE name = 'version'");
  const auto store = open_store(name());
  ASSERT_TRUE(store.ok()) << store.error().message;
  const auto gate = store.value()->gate(site);
  ASSERT_TRUE(gate.ok()) << gate.error().message;
  EXPECT_GT(gate->penalty_until, store.value()->now() + std::chrono::minutes(59));
  EXPECT_EQ(gate->visits, 7U);
  EXPECT_EQ(gate->failures, 0U);
}

TEST_F(PostgresDatabase, TheNameMustBeAConnectionUri) {
  const auto pool = open_database("postgresql://u:secret@h:notaport/x?first_ever=2", {});
  ASSERT_FALSE(pool.ok());
  EXPECT_EQ(pool.error().code, "store-name");
  EXPECT_EQ(pool.error().message.find("secret"), std::string::npos) << pool.error().message;
  EXPECT_EQ(open_database("postgresql://u@h/x?no_such_option=1", {}).error().code, "store-name");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
