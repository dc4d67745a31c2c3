// A schema in which another role can put code: it would run with the rights of the robot's role, so the store is
// refused before anything of it runs.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "support/postgres/pooler.hpp"
#include "support/postgres/postgres_test.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

// A schema, the robot's role and another one, which is as able to make schemas as the robot is.
struct Place {
  explicit Place(PostgresServer& on = PostgresServer::shared()) : server(on) {
    run("CREATE ROLE $robot LOGIN; CREATE ROLE $mallory LOGIN;"
        " GRANT CREATE ON DATABASE postgres TO $robot, $mallory;"
        " CREATE SCHEMA $own AUTHORIZATION $mallory; SET ROLE $mallory; CREATE SEQUENCE $own.runs;"
        // A number that was taken stays taken after a transaction was undone.
        " CREATE FUNCTION $own.run() RETURNS bigint LANGUAGE sql AS $$SELECT CASE current_user WHEN '$robot'"
        " THEN nextval('$own.runs') ELSE 0 END$$;"
        " CREATE FUNCTION $own.run_row() RETURNS trigger LANGUAGE plpgsql AS"
        " $$BEGIN PERFORM $own.run(); RETURN NEW; END$$;"
        " CREATE FUNCTION $own.run_fixed(bytea) RETURNS bigint IMMUTABLE LANGUAGE sql AS 'SELECT 1::bigint';"
        " CREATE DOMAIN $own.number AS bigint;"
        " GRANT USAGE ON SCHEMA $own TO PUBLIC; GRANT USAGE ON SEQUENCE $own.runs TO PUBLIC");
  }

  // Runs statements as the superuser, with the names in place of $schema, $robot, $mallory and $own.
  std::string run(std::string sql) const {
    const std::pair<std::string, std::string> names[] = {
        {"$schema", schema}, {"$robot", robot}, {"$mallory", mallory}, {"$own", own}};
    for (const auto& [name, value] : names) {
      for (auto at = sql.find(name); at != std::string::npos; at = sql.find(name, at + value.size()))
        sql.replace(at, name.size(), value);
    }
    return server.query(sql);
  }
  void run_as_mallory(const std::string& sql) const { run("SET SESSION AUTHORIZATION $mallory; " + sql); }
  bool has_run() const { return run("SELECT is_called FROM $own.runs") == "t"; }
  std::string settings() const { return "first_ever=1&schema=" + schema; }
  std::string name(const std::string& more = {}) const { return server.uri(settings() + more, robot); }

  PostgresServer& server;
  const std::string schema = PostgresServer::new_schema();
  const std::string robot = "robot_" + schema;
  const std::string mallory = "mallory_" + schema;
  const std::string own = "own_" + schema;
};

struct Part {
  const char* sql;
  const char* mention;  // in the error
};

class PostgresTrust : public PostgresTest {
 protected:
  static void expect_foreign(const Error& error, const std::string& mention) {
    EXPECT_EQ(error.code, "store-foreign") << error.message;
    EXPECT_NE(error.message.find(mention), std::string::npos) << error.message;
  }
};

// The other role was there first.
TEST_F(PostgresTrust, NothingOfASchemaThatAnotherRoleMadeRuns) {
  const char* const attacks[] = {
      "CREATE FUNCTION $schema.hashtextextended(text, integer) RETURNS bigint LANGUAGE sql AS 'SELECT $own.run()'",
      "CREATE FUNCTION $schema.times(numeric, integer) RETURNS numeric LANGUAGE sql AS"
      " 'SELECT ($1 OPERATOR(pg_catalog.*) $2) + $own.run()';"
      "CREATE OPERATOR $schema.* (LEFTARG = numeric, RIGHTARG = integer, FUNCTION = $schema.times)",
      "CREATE FUNCTION $schema.quote_ident(name) RETURNS text LANGUAGE sql AS 'SELECT $own.run()::text';"
      "CREATE TABLE $schema.meta(name text PRIMARY KEY, value bytea NOT NULL)",
      "CREATE VIEW $schema.meta AS SELECT 'version'::text AS name, ($own.run() || '')::bytea AS value;"
      "GRANT ALL ON $schema.meta TO PUBLIC",
  };
  for (const std::string attack : attacks) {
    const Place place;
    place.run_as_mallory("CREATE SCHEMA $schema; GRANT ALL ON SCHEMA $schema TO PUBLIC; " + attack);
    expect_foreign(refusal(place.name()), place.mallory);
    EXPECT_FALSE(open_url_queue(place.name()).ok());
    EXPECT_FALSE(place.has_run()) << attack;
  }
}

TEST_F(PostgresTrust, NothingOfAStoreThatAnotherRoleMadeRuns) {
  const char* const attacks[] = {
      "CREATE TRIGGER run BEFORE INSERT ON $schema.owner FOR EACH ROW EXECUTE FUNCTION $own.run_row()",
      "CREATE RULE run AS ON INSERT TO $schema.owner DO ALSO SELECT $own.run()",
      "ALTER TABLE $schema.owner ADD COLUMN note bigint DEFAULT $own.run()",
      "ALTER TABLE $schema.owner ADD CHECK ($own.run() >= 0)",
      "ALTER TABLE $schema.meta ENABLE ROW LEVEL SECURITY; CREATE POLICY run ON $schema.meta USING ($own.run() >= 0)",
  };
  for (const std::string attack : attacks) {
    const Place place;
    opened(place.server.uri(place.settings(), place.mallory)).reset();
    place.run_as_mallory(
        attack + "; GRANT ALL ON SCHEMA $schema TO PUBLIC; GRANT ALL ON ALL TABLES IN SCHEMA $schema TO PUBLIC");
    expect_foreign(refusal(place.name()), "the schema " + place.schema + " belongs to the role " + place.mallory);
    EXPECT_FALSE(place.has_run()) << attack;
  }
}

// The robot has made the store, and one thing in it belongs to another role.
TEST_F(PostgresTrust, EachPartThatBelongsToAnotherRoleIsForeign) {
  const Part parts[] = {
      {"ALTER SCHEMA $schema OWNER TO $mallory", "schema"},
      {"ALTER TABLE $schema.gate OWNER TO $mallory", "gate"},
      {"CREATE SEQUENCE $schema.numbers; ALTER SEQUENCE $schema.numbers OWNER TO $mallory", "numbers"},
      {"CREATE FUNCTION $schema.f() RETURNS int LANGUAGE sql AS 'SELECT 1';"
       "ALTER FUNCTION $schema.f() OWNER TO $mallory",
       ".f()"},
      {"CREATE OPERATOR $schema.### (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = pg_catalog.int8xor);"
       "ALTER OPERATOR $schema.### (bigint, bigint) OWNER TO $mallory",
       "operator"},
      {"CREATE DOMAIN $schema.d AS bigint; ALTER DOMAIN $schema.d OWNER TO $mallory", "type"},
      {"CREATE TRIGGER run BEFORE INSERT ON $schema.owner FOR EACH ROW EXECUTE FUNCTION $own.run_row()", "run_row"},
      {"CREATE RULE run AS ON INSERT TO $schema.owner DO ALSO SELECT $own.run()", "run()"},
      {"CREATE POLICY run ON $schema.meta USING ($own.run() >= 0)", "run()"},
      {"ALTER TABLE $schema.owner ADD COLUMN note bigint DEFAULT $own.run()", "run()"},
      {"ALTER TABLE $schema.owner ADD CHECK ($own.run() >= 0)", "run()"},
      {"CREATE INDEX i ON $schema.gate ($own.run_fixed(key))", "run_fixed"},
      {"CREATE INDEX i ON $schema.gate (key) WHERE $own.run_fixed(key) > 0", "run_fixed"},
      {"ALTER TABLE $schema.gate ADD COLUMN g bigint GENERATED ALWAYS AS ($own.run_fixed(key)) STORED", "run_fixed"},
      {"ALTER TABLE $schema.gate ADD COLUMN d $own.number", "number"},
      {"ALTER TABLE $schema.body RENAME TO bodies; CREATE VIEW $schema.body AS SELECT * FROM $schema.bodies;"
       "ALTER VIEW $schema.body OWNER TO $mallory",
       "body"},
      {"CREATE TABLE $own.child(key bytea REFERENCES $schema.gate ON DELETE CASCADE);"
       "ALTER TABLE $own.child OWNER TO $mallory",
       "child"},
      {"CREATE TABLE $own.child() INHERITS ($schema.gate); ALTER TABLE $own.child OWNER TO $mallory", "child"},
      {"CREATE TABLE $own.child() INHERITS ($schema.gate); CREATE INDEX ON $own.child ($own.run_fixed(key))",
       "run_fixed"},
      {"GRANT CREATE ON SCHEMA $schema TO $mallory", "REVOKE CREATE ON SCHEMA"},
      {"GRANT TRIGGER ON $schema.gate TO $mallory", "REVOKE TRIGGER ON"},
      {"GRANT REFERENCES ON $schema.gate TO $mallory", "REVOKE REFERENCES ON"},
      {"GRANT REFERENCES (key) ON $schema.gate TO $mallory", "REVOKE REFERENCES (key) ON"},
  };
  for (const Part& part : parts) {
    const Place place;
    opened(place.name()).reset();
    place.run(part.sql);
    // Membership means nothing: a role may have made the robot its member.
    place.run("GRANT $mallory TO $robot");
    const Error error = refusal(place.name());
    SCOPED_TRACE(part.sql);
    expect_foreign(error, part.mention);
    expect_foreign(error, place.mallory);
    EXPECT_FALSE(place.has_run());
    expect_foreign(refusal(place.name("&owner=robot&owner=nobody")), part.mention);
    place.run("GRANT ALL ON SCHEMA $schema TO $robot; GRANT ALL ON ALL TABLES IN SCHEMA $schema TO $robot");
    EXPECT_TRUE(opened(place.name("&owner=nobody&owner=" + place.mallory))->agent().ok());
  }
}

TEST_F(PostgresTrust, ARightOfEveryRoleIsForeignWhateverTheNameSays) {
  for (const std::string right : {"CREATE ON SCHEMA $schema", "TRIGGER ON $schema.gate"}) {
    const Place place;
    opened(place.name()).reset();
    place.run("GRANT " + right + " TO PUBLIC");
    expect_foreign(refusal(place.name("&owner=PUBLIC&owner=public")), "FROM PUBLIC");
    place.run("REVOKE " + right + " FROM PUBLIC");
    EXPECT_TRUE(opened(place.name())->agent().ok());
  }
}

// Members of a predefined role may act in its name.
TEST_F(PostgresTrust, APredefinedRoleIsAnotherRole) {
  const Place place;
  opened(place.name()).reset();
  place.run(
      "CREATE FUNCTION $schema.f() RETURNS int LANGUAGE sql AS 'SELECT 1';"
      "ALTER FUNCTION $schema.f() OWNER TO pg_monitor");
  expect_foreign(refusal(place.name()), "pg_monitor");
}

TEST_F(PostgresTrust, SuperusersAndTheOwnerOfTheDatabaseAreTrusted) {
  PostgresServer server;
  const Place place(server);
  opened(place.name()).reset();
  place.run(
      "ALTER SCHEMA $schema OWNER TO postgres; ALTER TABLE $schema.gate OWNER TO postgres;"
      "GRANT USAGE ON SCHEMA $schema TO $robot; GRANT ALL ON $schema.gate TO $robot");
  EXPECT_TRUE(opened(place.name())->agent().ok());
  place.run("ALTER SCHEMA $schema OWNER TO $mallory; ALTER TABLE $schema.gate OWNER TO $mallory");
  expect_foreign(refusal(place.name()), place.mallory);
  place.run("ALTER DATABASE postgres OWNER TO $mallory");
  EXPECT_TRUE(opened(place.name())->agent().ok());
}

// A schema that exists needs no right to make one, and a new one has the rights that its owner gives by default.
TEST_F(PostgresTrust, TheSchemaIsLookedAtAgainWhenItWasMade) {
  const Place place;
  place.run("ALTER DEFAULT PRIVILEGES FOR ROLE $robot GRANT CREATE ON SCHEMAS TO $mallory");
  expect_foreign(refusal(place.name()), "REVOKE CREATE ON SCHEMA");
  EXPECT_EQ(place.run("SELECT count(*) FROM pg_namespace WHERE nspname = '$schema'"), "0") << "it is undone";
  place.run("ALTER DEFAULT PRIVILEGES FOR ROLE $robot REVOKE CREATE ON SCHEMAS FROM $mallory");
  EXPECT_TRUE(opened(place.name())->agent().ok());
}

TEST_F(PostgresTrust, EachNewConnectionLooksAtTheSchema) {
  const Place place;
  const auto store = opened(place.name());
  place.run(
      "CREATE FUNCTION $schema.f() RETURNS int LANGUAGE sql AS 'SELECT 1';"
      "ALTER FUNCTION $schema.f() OWNER TO $mallory");
  place.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '$robot'");
  EXPECT_TRUE(
      eventually([&] { return place.run("SELECT count(*) FROM pg_stat_activity WHERE usename = '$robot'") == "0"; }));
  const auto refused = store->reserve({.keys = {"k"}});
  ASSERT_FALSE(refused.ok());
  expect_foreign(refused.error(), place.mallory);
  EXPECT_EQ(code_of(store->reserve({.keys = {"k"}})), "store-foreign") << "the connection was not kept";
  place.run("DROP FUNCTION $schema.f()");
  EXPECT_TRUE(is_granted(store->reserve({.keys = {"k"}})));
}

TEST_F(PostgresTrust, ASchemaThatTakesThePlaceOfADroppedOneIsLookedAt) {
  const Place place;
  const auto store = opened(place.name());
  place.run("DROP SCHEMA $schema CASCADE");
  EXPECT_EQ(code_of(store->reserve({.keys = {"k"}})), "store-damaged");
  opened(place.server.uri(place.settings(), place.mallory)).reset();
  place.run_as_mallory(
      "CREATE TRIGGER run BEFORE INSERT ON $schema.gate FOR EACH ROW EXECUTE FUNCTION $own.run_row();"
      "GRANT ALL ON SCHEMA $schema TO PUBLIC; GRANT ALL ON ALL TABLES IN SCHEMA $schema TO PUBLIC");
  EXPECT_EQ(code_of(store->reserve({.keys = {"k"}})), "store-foreign");
  EXPECT_FALSE(place.has_run());
}

TEST_F(PostgresTrust, BehindAPoolerToo) {
  if (!Pooler::is_installed()) GTEST_SKIP() << "pgbouncer is not installed";
  PostgresServer server;
  const Place place(server);
  const Pooler pooler(server, place.robot);
  std::shared_ptr<Store> store;
  ASSERT_TRUE(eventually([&] {
    auto made = open_store(pooler.uri(place.settings()));
    if (made) store = made.value();
    return made.ok();
  }));
  EXPECT_TRUE(is_granted(store->reserve({.keys = {"k"}})));
  place.run("ALTER SCHEMA $schema OWNER TO $mallory");
  expect_foreign(refusal(pooler.uri(place.settings())), place.mallory);
}

TEST_F(PostgresTrust, NamesOfASchemaThatMeanAnotherOneAreRefused) {
  for (const std::string name : {"$user", "%24user", "pg_temp", "pg_catalog", "pg_toast"})
    EXPECT_EQ(refusal(PostgresServer::shared().uri("schema=" + name)).code, "store-name") << name;
  for (const std::string owner : {"", "%zz", "%00"})
    EXPECT_EQ(refusal(PostgresServer::shared().uri("owner=" + owner)).code, "store-name") << owner;
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
