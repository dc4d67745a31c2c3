// The connection to a PostgreSQL server, and the tables of a store.
#include <gtest/gtest.h>

#include "store/postgres/schema.hpp"
#include "support/postgres/postgres_server.hpp"

namespace robotrules::test {
namespace {

using store::postgres::open_database;
using store::postgres::Parameters;

class PostgresDatabase : public testing::Test {
 protected:
  void SetUp() override {
    if (!PostgresServer::is_installed()) GTEST_SKIP() << "PostgreSQL is not installed";
  }
  const std::string schema = PostgresServer::new_schema();
  std::string name() const { return PostgresServer::shared().uri("schema=" + schema); }
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
  const std::vector<store::postgres::Bytes> many{bytes, std::nullopt, ""};
  const std::vector<store::postgres::Number> numbers{-1, std::nullopt, std::int64_t{1} << 62};
  auto answers = pool.value()->read(
      {{"SELECT $1::bigint, $2::bytea, $3::bytea, true", Parameters().number(-5).bytes(bytes).bytes(std::nullopt)},
       {"SELECT a, b FROM unnest($1::bytea[], $2::bigint[]) AS t(a, b)",
        Parameters().byte_strings(many).numbers(numbers)}});
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

TEST_F(PostgresDatabase, TheNameMustBeAConnectionUri) {
  const auto pool = open_database("postgresql://u:secret@h:notaport/x?first_ever=2", {});
  ASSERT_FALSE(pool.ok());
  EXPECT_EQ(pool.error().code, "store-name");
  EXPECT_EQ(pool.error().message.find("secret"), std::string::npos) << pool.error().message;
  EXPECT_EQ(open_database("postgresql://u@h/x?no_such_option=1", {}).error().code, "store-name");
}

}  // namespace
}  // namespace robotrules::test
