// The commands that docs/operations.md gives for the rights of roles.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "support/postgres/postgres_test.hpp"
#include "support/test_data.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

class PostgresRights : public PostgresTest {
 protected:
  void SetUp() override {
    PostgresTest::SetUp();
    if (IsSkipped()) return;
    const std::string page = bytes_of(source_folder() / "docs/operations.md");
    const auto begin = page.find("**Rights.**");
    ASSERT_NE(begin, std::string::npos);
    section = page.substr(begin, page.find("**pgbouncer**") - begin);
    server = std::make_unique<PostgresServer>();
  }
  // The lines of code of the section that begin with this word.
  std::vector<std::string> commands(const std::string& word) const {
    const std::regex line("    (" + word + " [^\n]*)\n");
    std::vector<std::string> found;
    for (std::sregex_iterator at(section.begin(), section.end(), line), end; at != end; ++at) found.push_back((*at)[1]);
    return found;
  }
  // The name of the store in a command of the section, at the server of this test.
  std::string store_in(const std::string& command) const {
    std::smatch parts;
    EXPECT_TRUE(std::regex_search(command, parts, std::regex("'postgresql://(\\w+)@db.example/crawl\\?([^']*)'")));
    return server->uri(parts[2], parts[1]);
  }
  static void use(Store& store) {
    const auto reserved = store.reserve({.keys = {"k"}, .interval = 0s});
    ASSERT_TRUE(is_granted(reserved));
    EXPECT_TRUE(store.complete(std::get<Granted>(*reserved).token, {.status = 200}).ok());
    EXPECT_TRUE(store.put_robots(*Origin::of("https://a.example"), {}).ok());
    EXPECT_TRUE(store.set_agent("FooBot/1.0").ok());
    EXPECT_TRUE(store.stats().ok());
  }

  std::string section;
  std::unique_ptr<PostgresServer> server;
};

TEST_F(PostgresRights, TheCommandsInTheDocumentationAreEnough) {
  std::vector<std::string> statements;
  for (const char* word : {"CREATE ROLE", "CREATE SCHEMA", "GRANT", "ALTER"})
    std::ranges::copy(commands(word), std::back_inserter(statements));
  ASSERT_EQ(statements.size(), 5U);
  for (const std::string& statement : statements) server->query(statement);
  const auto runs = commands("robotrules");
  ASSERT_EQ(runs.size(), 2U);
  const std::string as_keeper = store_in(runs[0]);
  const std::string as_robot = store_in(runs[1]);

  EXPECT_EQ(refusal(as_robot).code, "store-refused") << "it may make no tables";
  use(*opened(as_keeper));
  use(*opened(as_robot));
  const auto queue = open_url_queue(as_robot, "job");
  ASSERT_TRUE(queue.ok()) << queue.error().message;
  EXPECT_TRUE(queue.value()->claim().ok());
  EXPECT_TRUE(queue.value()->add({{"http://a.example/"}}).ok());
  EXPECT_THROW(server->query("SET ROLE robot; CREATE TABLE robotrules.t(a int)"), std::runtime_error);

  const Error error = refusal(server->uri("", "robot"));
  EXPECT_EQ(error.code, "store-foreign") << error.message;
  EXPECT_NE(error.message.find("owner=keeper"), std::string::npos) << error.message;
}

TEST_F(PostgresRights, TheOwnerUpgradesTheTablesAndWorkersUseThem) {
  for (const char* word : {"CREATE ROLE", "CREATE SCHEMA", "GRANT", "ALTER"}) {
    for (const std::string& statement : commands(word)) server->query(statement);
  }
  const auto runs = commands("robotrules");
  ASSERT_EQ(runs.size(), 2U);
  opened(store_in(runs[0])).reset();
  server->query(
      "ALTER TABLE robotrules.gate DROP COLUMN recovery, DROP COLUMN failures, DROP COLUMN failing_since,"
      " DROP COLUMN failed_at; UPDATE robotrules.meta SET value = '4' WHERE name = 'version'");
  EXPECT_EQ(refusal(store_in(runs[1])).code, "store-refused");
  opened(store_in(runs[0])).reset();
  use(*opened(store_in(runs[1])));
}

// The server would make the tables as temporary ones, which no other connection sees.
TEST_F(PostgresRights, AUserWithoutAnyRightOnTheSchemaMakesNoTables) {
  server->query("CREATE ROLE robot LOGIN; CREATE SCHEMA robotrules");
  EXPECT_EQ(refusal(server->uri("", "robot")).code, "store-refused");
}

TEST_F(PostgresRights, TablesThatWereThereBeforeNeedOneStatement) {
  for (const char* word : {"CREATE ROLE", "CREATE SCHEMA"}) {
    for (const std::string& statement : commands(word)) server->query(statement);
  }
  const auto runs = commands("robotrules");
  ASSERT_EQ(runs.size(), 2U);
  opened(store_in(runs[0])).reset();
  server->query(commands("GRANT").at(0));
  EXPECT_EQ(refusal(store_in(runs[1])).code, "store-refused");
  std::smatch statement;
  ASSERT_TRUE(std::regex_search(section, statement, std::regex("`(GRANT [^`]* ON ALL TABLES [^`]*)`")));
  server->query(statement[1]);
  use(*opened(store_in(runs[1])));
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
