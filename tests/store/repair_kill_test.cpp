// A process is killed before each of its system calls in turn, while it repairs, makes or upgrades a store: nothing
// that could be read is lost, and no pause is forgotten. ROBOTRULES_SOAK=1: 2,000 kills.
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "store/sql.hpp"
#include "store/store_contract.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr int records = 30;
constexpr const char* paused = "https://site3.example";

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void copy_store(const std::string& from, const std::string& to) {
  for (const char* part : {"", "-wal"}) {
    if (fs::exists(from + part)) fs::copy_file(from + part, to + part, fs::copy_options::overwrite_existing);
  }
}

// Runs `work` in another process and kills it at the stop for which `kills_at` returns true; a system call has two
// stops, at its begin and at its end, counted from 1. Returns the number of stops, or -1 if processes cannot be traced
// here.
int run_until(const std::function<bool(int stop)>& kills_at, const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(9);
    raise(SIGSTOP);
    work();
    _exit(0);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return -1;
  int stops = 0;
  do {
    if (ptrace(PTRACE_SYSCALL, child, nullptr, nullptr) != 0) break;
    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return stops;
    ++stops;
  } while (!kills_at(stops));
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return stops;
}

class Kills : public testing::Test {
 protected:
  // Kills `work`, which may be done again on the files that `prepare` places, at moments spread over all its calls and
  // wherever `is_middle` holds, and calls `look` each time.
  void kill_everywhere(
      const std::function<void()>& prepare, const std::function<void()>& work, const std::function<void()>& look,
      int soak_kills, const std::function<bool()>& is_middle = [] { return false; }) {
    prepare();
    if (run_until([](int) { return false; }, work) < 0) GTEST_SKIP() << "no process can be traced here";
    look();  // this process now keeps what is made once, so each of the next ones makes the same calls
    prepare();
    int middles = 0;
    const auto count = [&](int) {
      middles += is_middle() ? 1 : 0;
      return false;
    };
    const int stops = run_until(count, work);
    int kills = 0;
    const auto kill_at = [&](const std::function<bool(int)>& kills_at, const std::string& moment) {
      SCOPED_TRACE(moment + " of " + std::to_string(stops) + " stops");
      prepare();
      run_until(kills_at, work);
      look();
      ++kills;
      return !HasFailure();
    };
    for (int middle = 1; middle <= middles; ++middle) {
      const auto reached = [&, seen = 0](int) mutable { return is_middle() && ++seen == middle; };
      if (!kill_at(reached, "stop " + std::to_string(middle) + " in the middle")) return;
    }
    // All of the last calls, which are the steps that move files, and some of those before.
    const int last = std::min(stops, 100);
    const int wanted = std::min(stops, std::getenv("ROBOTRULES_SOAK") != nullptr ? soak_kills : 120);
    for (int i = 0; i < wanted; ++i) {
      const int number = i < last ? stops - i : static_cast<int>(1 + std::int64_t{i - last} * stops / (wanted - last));
      if (!kill_at([number](int stop) { return stop == number; }, "stop " + std::to_string(number))) return;
    }
    RecordProperty("kills", kills);
    RecordProperty("stops", stops);
    RecordProperty("middle_states", middle_states);
    RecordProperty("empty", empty);
  }

  void clear() {
    for (const auto& entry : fs::directory_iterator(folder)) fs::remove(entry.path());
  }

  static void fill(const std::string& at) {
    const auto store = open_sqlite_store(at, {.first_ever = true}).value();
    ASSERT_TRUE(store->set_agent("FooBot").ok());
    for (int i = 0; i < records; ++i) {
      const std::string site = "https://site" + std::to_string(i) + ".example";
      const Timestamp now = store->now();
      ASSERT_TRUE(store->put_robots(*Origin::of(site), test::record_of("Disallow: /" + site, now, now + 24h)).ok());
    }
    ASSERT_TRUE(store->restore_gate(paused, store->now() + 1h, {.count = 3, .last = {}}).ok());
    QueuedUrl url;
    url.url = "https://site1.example/1";
    ASSERT_EQ(open_url_queue(at).value()->add({&url, 1}).value().added, 1U);
  }

  void expect_all() {
    const auto store = open_sqlite_store(path, {.first_ever = true});
    ASSERT_TRUE(store.ok()) << store.error().message;
    int found = 0;
    ASSERT_TRUE(store.value()->for_each_origin([&](const Origin&, const RobotsRecord&) { return ++found > 0; }).ok());
    EXPECT_EQ(found, records);
    EXPECT_GT(store.value()->gate(paused).value().penalty_until, store.value()->now() + 50min);
    EXPECT_EQ(store.value()->visits(*Origin::of(paused)).value().count, 3U);
    EXPECT_EQ(open_url_queue(path).value()->find("GET", "https://site1.example/1").value()->state, UrlState::pending);
  }

  std::string folder = test::new_folder();
  std::string path = folder + "/store.db";
  std::string made = test::new_folder() + "/made.db";
  int middle_states = 0;
  int empty = 0;
};

TEST_F(Kills, InARepairLoseNothing) {
  fill(made);
  test::run_sql(made, "UPDATE queue_count SET urls = 7 WHERE state = 0; PRAGMA wal_checkpoint(TRUNCATE)");
  const std::string damaged = bytes_of(made);
  const auto prepare = [&] {
    clear();
    copy_store(made, path);
  };
  const auto work = [&] { static_cast<void>(check_sqlite_store(path, true)); };
  const auto look = [&] {
    if (!fs::exists(path)) {
      ++middle_states;
      EXPECT_EQ(bytes_of(path + ".damaged"), damaged);
      const auto report = check_sqlite_store(path);
      ASSERT_TRUE(report.ok());  // it says so, and changes nothing
      EXPECT_EQ(report.value().problems.size(), 1U);
      EXPECT_FALSE(fs::exists(path));
      expect_all();  // an open finishes it
    }
    const auto again = check_sqlite_store(path, true);
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_TRUE(check_sqlite_store(path).value().problems.empty());
    EXPECT_EQ(bytes_of(path + ".damaged"), damaged);
    EXPECT_FALSE(fs::exists(path + ".damaged.2"));
    for (const char* suffix : {".repaired", ".mended"}) {
      for (const char* part : {"", "-wal", "-shm"}) EXPECT_FALSE(fs::exists(path + suffix + part)) << suffix << part;
    }
    expect_all();
    EXPECT_TRUE(open_sqlite_store(path).value()->just_visited().value().has_value());
  };
  kill_everywhere(prepare, work, look, 1'400, [&] { return !fs::exists(path); });
  EXPECT_TRUE(IsSkipped() || middle_states > 0);
}

TEST_F(Kills, WhileAStoreIsMadeAreNoDamage) {
  const auto prepare = [&] { clear(); };
  const auto work = [&] { static_cast<void>(open_sqlite_store(path, {.first_ever = true})); };
  const auto look = [&] {
    if (!fs::exists(path)) return;
    const auto report = check_sqlite_store(path);
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_TRUE(report.value().problems.empty()) << report.value().problems.front();
    if (report.value().is_empty) ++empty;
    const bool was_empty = report.value().is_empty;
    const auto store = open_sqlite_store(path);
    ASSERT_TRUE(store.ok()) << store.error().message;
    EXPECT_TRUE(!was_empty || store.value()->just_visited().value().has_value());
    EXPECT_TRUE(check_sqlite_store(path).value().problems.empty());
  };
  kill_everywhere(prepare, work, look, 500);
  EXPECT_TRUE(IsSkipped() || empty > 0);
}

TEST_F(Kills, WhileAStoreIsUpgradedLoseNothing) {
  fill(made);
  test::run_sql(made, std::string(test::back_to_version_5) + test::back_to_version_4 + test::back_to_version_3 +
                          "PRAGMA wal_checkpoint(TRUNCATE)");
  const auto prepare = [&] {
    clear();
    copy_store(made, path);
  };
  const auto work = [&] { static_cast<void>(open_sqlite_store(path)); };
  const auto look = [&] {
    const auto report = check_sqlite_store(path);
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_TRUE(report.value().problems.empty()) << report.value().problems.front();
    expect_all();
  };
  kill_everywhere(prepare, work, look, 500);
}

// A failing call of the system, in place of one of SQLite's.
struct Faults {
  static inline int calls = 0;
  static inline int fail_at = 0;
  static inline bool sticky = false;
  static bool fails() {
    ++calls;
    return fail_at > 0 && (sticky ? calls >= fail_at : calls == fail_at);
  }
  static ssize_t read(int file, void* into, std::size_t size, off_t at) {
    if (fails()) return errno = EIO, -1;
    return ::pread(file, into, size, at);
  }
  static int stat(int file, struct stat* about) {
    if (fails()) return errno = EIO, -1;
    return ::fstat(file, about);
  }

  explicit Faults(bool reads) : names_{reads ? "pread" : "fstat", reads ? "pread64" : "fstat"} {
    const auto call = reads ? reinterpret_cast<sqlite3_syscall_ptr>(&Faults::read)
                            : reinterpret_cast<sqlite3_syscall_ptr>(&Faults::stat);
    for (const char* name : names_) vfs_->xSetSystemCall(vfs_, name, call);
    calls = fail_at = 0;
  }
  ~Faults() {
    for (const char* name : names_) vfs_->xSetSystemCall(vfs_, name, nullptr);
  }

 private:
  sqlite3_vfs* vfs_ = sqlite3_vfs_find("unix");
  const char* names_[2];
};

class ReadFaults : public Kills, public testing::WithParamInterface<std::tuple<bool, bool, bool>> {};

TEST_P(ReadFaults, AreNoDamage) {
  const auto [reads, sticky, is_damaged] = GetParam();
  fill(made);
  if (is_damaged) test::run_sql(made, "UPDATE queue_count SET urls = 7 WHERE state = 0");
  test::run_sql(made, "PRAGMA wal_checkpoint(TRUNCATE)");
  const std::string before = bytes_of(made);
  const Faults faults(reads);
  Faults::sticky = sticky;
  int refused = 0;
  int failing = 1;
  const int step = std::getenv("ROBOTRULES_SOAK") != nullptr ? 1 : 7;
  for (bool reached = true; reached; failing += step) {
    SCOPED_TRACE(failing);
    clear();
    copy_store(made, path);
    Faults::calls = 0;
    Faults::fail_at = failing;
    const auto report = check_sqlite_store(path, true);
    reached = Faults::calls >= failing;
    Faults::fail_at = 0;
    if (!report.ok()) {
      ++refused;
      EXPECT_EQ(report.error().code, "store-io") << report.error().message;
      if (!fs::exists(path)) continue;  // the last steps: finished by the next open
      EXPECT_EQ(bytes_of(path), before);
      EXPECT_FALSE(fs::exists(path + ".repaired") || fs::exists(path + ".mended") || fs::exists(path + ".damaged"));
    } else if (!is_damaged) {
      EXPECT_TRUE(report.value().problems.empty()) << report.value().problems.front();
      EXPECT_EQ(bytes_of(path), before);
    }
    expect_all();
    if (HasFailure()) return;
  }
  RecordProperty("refused", refused);
  EXPECT_GT(refused, 0);
}

INSTANTIATE_TEST_SUITE_P(All, ReadFaults, testing::Combine(testing::Bool(), testing::Bool(), testing::Bool()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param) ? "Reads" : "Sizes") +
                                  (std::get<1>(info.param) ? "FromThenOn" : "Once") +
                                  (std::get<2>(info.param) ? "InADamagedFile" : "InASoundFile");
                         });

}  // namespace
}  // namespace robotrules::test::THIS_FILE
