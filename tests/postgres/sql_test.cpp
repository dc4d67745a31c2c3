// The SQL of the stores in PostgreSQL: the server understands each statement, and the code uses each one.
#include <gtest/gtest.h>
#include <libpq-fe.h>

#include <map>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "servers/postgres/postgres_schema.hpp"
#include "servers/postgres/sql.hpp"
#include "support/postgres/postgres_server.hpp"
#include "support/test_data.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using store::postgres::all_sql;
using store::postgres::NamedSql;

std::vector<Oid> types_of(const std::string& names) {
  static const std::map<std::string, Oid> known{
      {"bytea", 17}, {"bigint", 20}, {"text", 25}, {"bytea[]", 1001}, {"bigint[]", 1016}};
  static const std::regex one("[a-z]+(\\[\\])?");
  std::vector<Oid> types;
  for (std::sregex_iterator at(names.begin(), names.end(), one), end; at != end; ++at)
    types.push_back(known.at(at->str()));
  return types;
}

TEST(PostgresSql, TheServerPreparesEachStatement) {
  if (!PostgresServer::is_installed()) GTEST_SKIP() << "PostgreSQL is not installed";
  const std::string schema = PostgresServer::new_schema();
  ASSERT_TRUE(store::postgres::open_database(PostgresServer::shared().uri("schema=" + schema), {}).ok());
  const std::unique_ptr<PGconn, decltype(&PQfinish)> link(PQconnectdb(PostgresServer::shared().uri().c_str()),
                                                          PQfinish);
  ASSERT_EQ(PQstatus(link.get()), CONNECTION_OK) << PQerrorMessage(link.get());
  PQclear(PQexec(link.get(), ("SET search_path TO " + schema + ", pg_temp").c_str()));
  EXPECT_GT(all_sql().size(), 100u);
  for (const NamedSql& one : all_sql()) {
    const std::vector<Oid> types = types_of(one.types);
    const std::unique_ptr<PGresult, decltype(&PQclear)> prepared(
        PQprepare(link.get(), "", one.text.c_str(), static_cast<int>(types.size()), types.data()), PQclear);
    EXPECT_EQ(PQresultStatus(prepared.get()), PGRES_COMMAND_OK) << one.name << ": " << PQerrorMessage(link.get());
  }
}

TEST(PostgresSql, EachStatementHasANameOfItsOwnAndIsUsed) {
  std::set<std::string> names;
  for (const NamedSql& one : all_sql()) EXPECT_TRUE(names.insert(one.name).second) << one.name;
  static const std::regex used("\"([a-z_]+)\"");
  static const std::regex asked("\\bsql\\(\"([a-z_]+)\"\\)");
  std::set<std::string> literals;
  for (const auto& file : files_under(source_folder() / "src/servers/postgres")) {
    if (file.extension() != ".cpp") continue;
    const std::string text = bytes_of(file);
    for (std::sregex_iterator at(text.begin(), text.end(), used), end; at != end; ++at) literals.insert((*at)[1]);
    for (std::sregex_iterator at(text.begin(), text.end(), asked), end; at != end; ++at)
      EXPECT_TRUE(names.contains((*at)[1])) << (*at)[1] << " in " << file;
  }
  for (const std::string& name : names)
    EXPECT_TRUE(name.starts_with("version_") || literals.contains(name)) << name << " is not used";
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
