// Files that cannot be written: a read-only file, and a read-only folder.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "store/sql.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

// Root can write everywhere, so the tests then work as another user.
class ReadOnly : public testing::Test {
 protected:
  ReadOnly() {
    if (geteuid() != 0) return;
    EXPECT_EQ(chown(folder.c_str(), other_user, other_user), 0);
    EXPECT_EQ(setegid(other_user) | seteuid(other_user), 0);
    is_root_ = true;
  }
  ~ReadOnly() override {
    set_modes(0600, 0700);
    if (is_root_) {
      EXPECT_EQ(seteuid(0) | setegid(0), 0);
    }
  }
  void make() const {
    const auto queue = open_url_queue(path).value();
    ASSERT_TRUE(queue->add(std::vector<QueuedUrl>{{"http://a.example/1"}}).ok());
    const auto store = open_sqlite_store(path).value();
    RobotsRecord record;
    record.outcome = RobotsOutcome::unavailable;
    ASSERT_TRUE(store->put_robots(*Origin::of("http://a.example/"), record, nullptr).ok());
  }
  void set_modes(mode_t of_file, mode_t of_folder) const {
    chmod(folder.c_str(), of_folder);
    chmod(path.c_str(), of_file);
    if ((of_folder & 0200U) == 0) chmod(folder.c_str(), of_folder);
  }
  static SqliteStoreOptions to_read() {
    SqliteStoreOptions options;
    options.accept_read_only = true;
    return options;
  }

  static constexpr uid_t other_user = 1;  // Debian: daemon
  std::string folder = new_folder();
  std::string path = folder + "/store #1?%.db";

 private:
  bool is_root_ = false;
};

TEST_F(ReadOnly, AFileIsReadAndNotWritten) {
  make();
  struct Case {
    mode_t of_file;
    mode_t of_folder;
  };
  for (const Case& one : {Case{0400, 0700}, Case{0600, 0500}, Case{0400, 0500}}) {
    set_modes(one.of_file, one.of_folder);
    if (one.of_folder == 0500) {
      EXPECT_FALSE(open_sqlite_store(path).ok());
    }
    const auto store = open_sqlite_store(path, to_read());
    ASSERT_TRUE(store.ok()) << store.error().message;
    EXPECT_NE(store.value()->robots(*Origin::of("http://a.example/")).value(), nullptr);
    const auto written = store.value()->set_policy(RobotsPolicy::strict());
    ASSERT_FALSE(written.ok());
    EXPECT_EQ(written.error().code, "store-io");
    EXPECT_NE(written.error().message.find("read-only"), std::string::npos) << written.error().message;

    const auto jobs = list_jobs(path);
    ASSERT_TRUE(jobs.ok()) << jobs.error().message;
    EXPECT_EQ(jobs.value().at(0).counts.pending, 1U);
    const auto queue = open_url_queue(path, jobs.value().at(0).name, {.sqlite = to_read()});
    ASSERT_TRUE(queue.ok()) << queue.error().message;
    EXPECT_TRUE(queue.value()->find("GET", "http://a.example/1").value());
    set_modes(0600, 0700);
    EXPECT_TRUE(open_sqlite_store(path).ok());
  }
}

TEST_F(ReadOnly, ALogThatCannotBeReadIsNamed) {
  make();
  const std::string copy = folder + "/copy.db";
  {
    const auto store = open_sqlite_store(path).value();
    ASSERT_TRUE(store->set_policy(RobotsPolicy::strict()).ok());
    std::filesystem::copy_file(path, copy);
    std::filesystem::copy_file(path + "-wal", copy + "-wal");
  }
  chmod(folder.c_str(), 0500);
  const auto opened = open_sqlite_store(copy, to_read());
  ASSERT_FALSE(opened.ok());
  EXPECT_NE(opened.error().message.find("copy both files"), std::string::npos) << opened.error().message;
}

TEST_F(ReadOnly, AnOlderFileIsNotUpgraded) {
  make();
  run_sql(path, back_to_version_5);
  set_modes(0400, 0500);
  EXPECT_EQ(open_sqlite_store(path, to_read()).error().code, "store-older");
  EXPECT_EQ(list_jobs(path).error().code, "store-older");
  set_modes(0600, 0700);
  EXPECT_TRUE(open_sqlite_store(path, to_read()).ok());
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
