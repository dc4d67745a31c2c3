// The copy of a damaged file that a repair makes beside it.
#include "repair/mended_copy.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include <robotrules/open_store.hpp>

#include "store/sqlite/repair_place.hpp"
#include "support/folder.hpp"
#include "support/test_data.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

TEST(MendedCopies, AreNotWrittenThroughALink) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/store.db";
  SqliteStoreOptions options;
  options.first_ever = true;
  ASSERT_TRUE(open_sqlite_store(path, options).ok());
  const std::string victim = folder.file("victim", "precious");
  std::filesystem::create_symlink(victim, store::mended_path(path));
  const auto database = store::Database::open_exclusive(path);
  ASSERT_TRUE(database.ok());
  const auto copy = store::MendedCopy::of(*database.value());
  ASSERT_FALSE(copy.ok());
  EXPECT_EQ(copy.error().code, "store-io");
  EXPECT_TRUE(bytes_of(victim) == "precious");  // not printed: a store is long
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
