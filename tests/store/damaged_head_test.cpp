// Single damaged bytes in the head of a store's file: check sees them, and a repair saves all that the file has.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "store/sql.hpp"
#include "store/store_contract.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

// By what a byte is changed: each bit of it, and all.
const std::vector<unsigned> flips{1, 2, 4, 8, 16, 32, 64, 128, 255};

class DamagedHead : public testing::Test {
 protected:
  DamagedHead() {
    {
      SqliteStoreOptions options;
      options.first_ever = true;
      const auto store = open_sqlite_store(path, options).value();
      EXPECT_TRUE(store->set_agent("FooBot").ok());
      EXPECT_TRUE(
          store->put_robots(*Origin::of("https://a.example"), test::record_of("x", store->now(), store->now())).ok());
      EXPECT_TRUE(store->restore_gate("https://a.example", store->now(), {.count = 7, .last = {}}).ok());
      QueuedUrl url;
      url.url = "https://a.example/1";
      EXPECT_EQ(open_url_queue(path).value()->add({&url, 1}).value().added, 1U);
    }
    test::run_sql(path, "PRAGMA wal_checkpoint(TRUNCATE)");
    std::ifstream file(path, std::ios::binary);
    sound.assign(std::istreambuf_iterator<char>(file), {});
  }

  std::string damaged(std::size_t at, unsigned flip) {
    const std::string name = test::new_folder() + "/store.db";
    std::string bytes = sound;
    bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ flip);
    std::ofstream(name, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return name;
  }
  static void expect_whole(const std::string& name) {
    const auto store = open_sqlite_store(name);
    ASSERT_TRUE(store.ok()) << store.error().message;
    EXPECT_EQ(store.value()->agent().value(), "FooBot");
    EXPECT_NE(store.value()->robots(*Origin::of("https://a.example")).value(), nullptr);
    EXPECT_EQ(store.value()->visits(*Origin::of("https://a.example")).value().count, 7U);
    EXPECT_EQ(open_url_queue(name).value()->counts().value().pending, 1U);
  }

  std::string path = test::new_folder() + "/store.db";
  std::string sound;
};

TEST_F(DamagedHead, OfTheVersionOfItsTablesOrOfWhoseFileItIsIsMended) {
  for (const std::size_t at : {60, 61, 62, 63, 68, 69, 70, 71}) {
    for (const unsigned flip : flips) {
      SCOPED_TRACE(std::to_string(at) + " by " + std::to_string(flip));
      const std::string name = damaged(at, flip);
      EXPECT_FALSE(check_sqlite_store(name).value().problems.empty());
      const auto mended = check_sqlite_store(name, true);
      ASSERT_TRUE(mended.ok()) << mended.error().message;
      EXPECT_EQ(mended.value().origins_kept, 1U);
      EXPECT_EQ(mended.value().urls_kept, 1U);
      EXPECT_TRUE(check_sqlite_store(name).value().problems.empty());
      expect_whole(name);
    }
  }
}

// 0 to 3 are older formats, in which these tables read the same; SQLite looks at the last of the four bytes only.
TEST_F(DamagedHead, OfTheFormatOfItsTablesIsMendedOrReadsAsItIs) {
  for (const std::size_t at : {44, 45, 46, 47}) {
    for (const unsigned flip : flips) {
      SCOPED_TRACE(std::to_string(at) + " by " + std::to_string(flip));
      const std::string name = damaged(at, flip);
      const auto mended = check_sqlite_store(name, true);
      ASSERT_TRUE(mended.ok()) << mended.error().message;
      EXPECT_EQ(mended.value().moved_to.empty(), at != 47 || flip == 4);
      expect_whole(name);
      EXPECT_FALSE(std::filesystem::exists(mended.value().moved_to + ".mended"));
    }
  }
}

TEST_F(DamagedHead, ATrulyNewerFileAndAForeignOneAreNoDamage) {
  test::run_sql(path, "CREATE TABLE colour(name TEXT); PRAGMA user_version = 99");
  EXPECT_EQ(check_sqlite_store(path, true).error().code, "store-newer");
  test::run_sql(path, "PRAGMA application_id = 5");
  EXPECT_EQ(check_sqlite_store(path, true).error().code, "store-foreign");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
