#include "store/sql.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

namespace robotrules::test {

void run_sql(const std::string& path, const std::string& sql) {
  sqlite3* connection = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &connection), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sql << ": " << sqlite3_errmsg(connection);
  sqlite3_close(connection);
}
}  // namespace robotrules::test
