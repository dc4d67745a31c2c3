// Each bit of the first page's head is flipped: a repair saves the records and keeps the pause, or counts every key as
// just visited and says that penalties may be lost, or refuses and leaves the file as it is.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "store/sql.hpp"
#include "store/store_contract.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::size_t page = 4'096;
constexpr std::size_t head = 108;  // the header and the root of the schema
constexpr std::size_t records = 40;
constexpr const char* paused = "https://site3.example";

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
}

// A store with records, a Retry-After of an hour and a queue; with_log: the last changes are in its log.
class RepairOfHead : public testing::Test {
 protected:
  void make(bool with_log) {
    const std::string from = folder + "/made.db";
    const auto store = open_sqlite_store(from, {.first_ever = true}).value();
    ASSERT_TRUE(store->set_agent("FooBot").ok());
    for (std::size_t i = 0; i < records; ++i) {
      const std::string site = "https://site" + std::to_string(i) + ".example";
      const Timestamp now = store->now();
      ASSERT_TRUE(store->put_robots(*Origin::of(site), test::record_of("Disallow: /" + site, now, now + 24h)).ok());
      const auto answer = store->reserve({.keys = {site}, .interval = 1s});
      ASSERT_TRUE(answer.ok() && std::holds_alternative<Granted>(answer.value()));
      Outcome outcome;
      outcome.status = site == paused ? 429 : 200;
      if (site == paused) outcome.retry_after = 3'600s;
      ASSERT_TRUE(store->complete(std::get<Granted>(answer.value()).token, outcome).ok());
    }
    QueuedUrl url;
    url.url = "https://site1.example/1";
    ASSERT_EQ(open_url_queue(from).value()->add({&url, 1}).value().added, 1U);
    if (!with_log) test::run_sql(from, "PRAGMA wal_checkpoint(TRUNCATE)");
    sound = bytes_of(from);
    log = bytes_of(from + "-wal");
    ASSERT_EQ(log.empty(), !with_log);
  }

  // A damaged file in a folder of its own.
  std::string place(const std::string& bytes) {
    const std::string path = test::new_folder() + "/store.db";
    write(path, bytes);
    if (!log.empty()) write(path + "-wal", log);
    return path;
  }

  // What holds for every file, however it was damaged.
  void expect_nothing_forgotten(const std::string& bytes) {
    const std::string path = place(bytes);
    const auto repaired = check_sqlite_store(path, true);
    if (!repaired.ok()) {
      ++refused;
      ADD_FAILURE() << repaired.error().message;
      EXPECT_EQ(bytes_of(path), bytes) << repaired.error().message;
      EXPECT_FALSE(fs::exists(path + ".repaired") || fs::exists(path + ".mended"));
      fs::remove_all(fs::path(path).parent_path());
      return;
    }
    const StoreCheck& report = repaired.value();
    EXPECT_EQ(check_sqlite_store(path).value().problems.size(), 0U);
    const auto store = open_sqlite_store(path, {.first_ever = true});
    ASSERT_TRUE(store.ok()) << store.error().message;
    std::size_t found = 0;
    ASSERT_TRUE(store.value()->for_each_origin([&](const Origin&, const RobotsRecord&) { return ++found > 0; }).ok());
    EXPECT_EQ(found, records);
    if (!report.moved_to.empty()) {
      ++mended;
      EXPECT_EQ(report.origins_kept, records);
      EXPECT_EQ(report.urls_kept, 1U);
      EXPECT_TRUE(store.value()->just_visited().value().has_value());
      EXPECT_EQ(bytes_of(report.moved_to), bytes);
    } else {
      ++sound_files;
    }
    const auto pause = store.value()->gate(paused).value().penalty_until - store.value()->now();
    EXPECT_TRUE(report.penalties_lost || pause > 3'000s);
    if (pause > 3'000s) ++pauses;
    const auto answer = store.value()->reserve({.keys = {paused}, .interval = 1min});
    EXPECT_FALSE(std::holds_alternative<Granted>(answer.value()));
    fs::remove_all(fs::path(path).parent_path());
  }

  void flip_all() {
    for (std::size_t at = 0; at < head; ++at) {
      for (const unsigned flip : {1U, 2U, 4U, 8U, 16U, 32U, 64U, 128U, 255U}) {
        if (!all && flip != 1U << at % 8 && flip != 255U) continue;
        SCOPED_TRACE(std::to_string(at) + " by " + std::to_string(flip));
        std::string damaged = sound;
        damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ flip);
        expect_nothing_forgotten(damaged);
        if (HasFatalFailure()) return;
      }
    }
    RecordProperty("mended", mended);
    RecordProperty("sound", sound_files);
    RecordProperty("refused", refused);
    RecordProperty("pauses", pauses);
    EXPECT_EQ(mended + sound_files + refused, static_cast<int>(head) * (all ? 9 : 2));
    EXPECT_GT(mended, static_cast<int>(head));
    EXPECT_EQ(refused, 0);
  }

  std::string folder = test::new_folder();
  std::string sound;
  std::string log;
  const bool all = std::getenv("ROBOTRULES_SOAK") != nullptr;
  int mended = 0;
  int sound_files = 0;
  int refused = 0;
  int pauses = 0;
};

TEST_F(RepairOfHead, EachBitFlippedForgetsNoPause) {
  make(false);
  flip_all();
}

TEST_F(RepairOfHead, EachBitFlippedBesideALogForgetsNoPause) {
  make(true);
  flip_all();
}

TEST_F(RepairOfHead, AFirstPageOfNonsenseSavesWhatTheOthersHave) {
  make(false);
  std::string damaged = sound;
  for (std::size_t at = 0; at < page; ++at) damaged[at] = static_cast<char>(at * 31 + 7);
  const std::string path = place(damaged);
  const auto repaired = check_sqlite_store(path, true);
  ASSERT_TRUE(repaired.ok()) << repaired.error().message;
  EXPECT_EQ(repaired.value().origins_kept, records);
  EXPECT_EQ(repaired.value().gates_kept, records);
  EXPECT_EQ(repaired.value().urls_kept, 1U);
  EXPECT_TRUE(repaired.value().penalties_lost);
}

TEST_F(RepairOfHead, AFileWithoutTablesIsRefused) {
  for (const std::size_t size : {std::size_t{1}, page - 1, page, 20 * page}) {
    SCOPED_TRACE(size);
    const std::string nonsense(size, 'x');
    const std::string path = place(nonsense);
    const auto repaired = check_sqlite_store(path, true);
    ASSERT_FALSE(repaired.ok());
    EXPECT_EQ(repaired.error().code, "store-damaged");
    EXPECT_NE(repaired.error().message.find(path), std::string::npos);
    EXPECT_EQ(bytes_of(path), nonsense);
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(fs::path(path).parent_path())) {
      static_cast<void>(entry);
      ++files;
    }
    EXPECT_EQ(files, 1U);
  }
}

TEST_F(RepairOfHead, AnEmptyFileWithALogIsMendedFromTheLog) {
  const std::string from = folder + "/kept.db";
  const auto store = open_sqlite_store(from, {.first_ever = true}).value();
  const Timestamp now = store->now();
  ASSERT_TRUE(store->put_robots(*Origin::of(paused), test::record_of("x", now, now + 24h)).ok());
  log = bytes_of(from + "-wal");
  for (const char* bytes : {"", "x"}) {  // one byte is empty too for SQLite, which deletes the log of an empty file
    SCOPED_TRACE(bytes);
    const std::string path = place(bytes);
    EXPECT_EQ(open_sqlite_store(path).error().code, "store-damaged");
    EXPECT_EQ(bytes_of(path + "-wal"), log);
    const auto checked = check_sqlite_store(path);
    ASSERT_TRUE(checked.ok());
    EXPECT_FALSE(checked.value().is_empty);
    EXPECT_FALSE(checked.value().problems.empty());
    EXPECT_EQ(bytes_of(path + "-wal"), log);
    const auto repaired = check_sqlite_store(path, true);
    const std::string kept = repaired.ok() ? repaired.value().moved_to : path;
    EXPECT_EQ(bytes_of(kept), bytes);
    EXPECT_EQ(bytes_of(kept + "-wal"), log);
    if (repaired.ok()) {
      EXPECT_TRUE(repaired.value().penalties_lost);
    } else {
      EXPECT_EQ(repaired.error().code, "store-damaged");
    }
  }
}

// A process that is killed while it makes a store leaves such files.
TEST_F(RepairOfHead, AStoreThatWasNeverMadeIsEmptyAndNotDamaged) {
  make(false);
  const std::string header_only = folder + "/header.db";
  write(header_only, "");
  test::run_sql(header_only, "PRAGMA journal_mode = WAL");
  for (const std::string& bytes : {std::string(), bytes_of(header_only)}) {
    for (const bool repair : {false, true}) {
      const std::string path = place(bytes);
      const auto report = check_sqlite_store(path, repair);
      ASSERT_TRUE(report.ok()) << report.error().message;
      EXPECT_TRUE(report.value().is_empty);
      EXPECT_TRUE(report.value().problems.empty());
      EXPECT_EQ(bytes_of(path), bytes);
    }
    const auto visited = [&](bool first_ever, const char* beside) {
      const std::string path = place(bytes);
      if (*beside != '\0') write(path + beside, "x");
      return open_sqlite_store(path, {.first_ever = first_ever}).value()->just_visited().value().has_value();
    };
    EXPECT_TRUE(visited(false, ""));
    EXPECT_FALSE(visited(true, ""));
    for (const char* beside : {".damaged", ".repaired"}) {
      EXPECT_TRUE(visited(true, beside));
      const std::string path = place(bytes);
      write(path + beside, "x");
      const auto report = check_sqlite_store(path);
      ASSERT_TRUE(report.ok());
      EXPECT_FALSE(report.value().is_empty);
      EXPECT_EQ(report.value().problems.size(), 1U);
    }
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
