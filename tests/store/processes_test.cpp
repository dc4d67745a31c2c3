// Many processes on one file: nobody too early, no visit lost, and nothing lost where a process is killed. What
// happened is witnessed by a log outside the store. ROBOTRULES_SOAK=1 runs them long.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>

#include <robotrules/sqlite_store.hpp>

#include "support/folder.hpp"
#include "store/machine_clock.hpp"
#include "store/sql.hpp"
#include "store/store_contract.hpp"

namespace robotrules {
namespace {

using namespace std::chrono_literals;

bool soak() { return std::getenv("ROBOTRULES_SOAK") != nullptr; }

SqliteStoreOptions first_ever() {
  SqliteStoreOptions options;
  options.first_ever = true;
  return options;
}
std::string key_of(int site) { return "https://site" + std::to_string(site) + ".example"; }

// One dispatch, as somebody who can't be fooled by the store saw it.
struct Seen {
  std::int64_t before;  // microseconds since boot, when reserve() had answered
  std::int64_t after;   // and when complete() was called
  std::int32_t site;
  std::int32_t process;
};

void add_to(int log, const Seen& seen) {
  if (write(log, &seen, sizeof seen) != static_cast<ssize_t>(sizeof seen)) _exit(3);  // one write: one entry
}

std::vector<Seen> read_log(const std::string& path) {
  std::vector<Seen> all;
  const int log = open(path.c_str(), O_RDONLY);
  Seen seen{};
  while (read(log, &seen, sizeof seen) == static_cast<ssize_t>(sizeof seen)) all.push_back(seen);
  close(log);
  return all;
}

// Each runs `work(number)`, and ends with another status than 0 by _exit() where something fails.
template <class Work>
void run_processes(int count, Work work) {
  std::vector<pid_t> children;
  for (int process = 0; process < count; ++process) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      work(process);
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
}

// A file that is moved aside under somebody's hands takes with it what he writes from then on.
TEST(StoreProcesses, NobodyRepairsWhatAnotherHasOpen) {
  const std::string path = test::new_folder() + "/store.db";
  ASSERT_TRUE(open_sqlite_store(path, first_ever()).ok());
  test::run_sql(path, "INSERT INTO robots(origin, outcome) VALUES('no origin', 0)");
  int opened[2];
  int over[2];
  ASSERT_EQ(pipe(opened), 0);
  ASSERT_EQ(pipe(over), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    close(over[1]);
    const auto store = open_sqlite_store(path);
    char octet = store.ok() ? 'y' : 'n';
    const bool told = write(opened[1], &octet, 1) == 1;
    const bool ended = read(over[0], &octet, 1) == 0;
    _exit(told && ended ? 0 : 1);
  }
  close(over[0]);
  char octet = 0;
  ASSERT_EQ(read(opened[0], &octet, 1), 1);
  EXPECT_EQ(octet, 'y');
  const auto refused = check_sqlite_store(path, true);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "store-busy");
  EXPECT_NE(refused.error().message.find("stop what uses it"), std::string::npos);
  EXPECT_FALSE(check_sqlite_store(path).value().problems.empty());  // looking is free
  close(over[1]);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  close(opened[0]);
  close(opened[1]);

  {
    const auto own = open_sqlite_store(path);
    ASSERT_TRUE(own.ok());
    EXPECT_EQ(check_sqlite_store(path, true).error().code, "store-busy");
    EXPECT_TRUE(own.value()->reserve({.keys = {"https://a.example"}}).ok());
  }
  const auto repaired = check_sqlite_store(path, true);
  ASSERT_TRUE(repaired.ok()) << repaired.error().message;
  EXPECT_EQ(repaired.value().moved_to, std::filesystem::canonical(path).string() + ".damaged");
}

TEST(StoreProcesses, NeverTooEarlyTogetherAndNoVisitLost) {
  const int processes = soak() ? 16 : 8;
  const int sites = soak() ? 200 : 20;
  const int visits_each = soak() ? 50 : 8;
  const auto interval = 4ms;
  const std::string folder = test::new_folder();
  const std::string path = folder + "/store.db";
  const std::string log_path = folder + "/log";
  ASSERT_TRUE(open_sqlite_store(path, first_ever()).ok());
  close(open(log_path.c_str(), O_CREAT | O_WRONLY, 0600));

  run_processes(processes, [&](int process) {
    const int log = open(log_path.c_str(), O_WRONLY | O_APPEND);
    const auto store = open_sqlite_store(path, first_ever());
    if (!store.ok()) _exit(1);
    std::mt19937 random(static_cast<unsigned>(process));
    std::vector<bool> done(static_cast<std::size_t>(sites));
    for (int left = sites; left > 0;) {
      const int site = static_cast<int>(random() % static_cast<unsigned>(sites));
      if (done[static_cast<std::size_t>(site)]) continue;
      const auto state = store.value()->gate(key_of(site));
      if (!state.ok()) _exit(1);
      if (state.value().visits >= static_cast<std::uint64_t>(visits_each)) {
        done[static_cast<std::size_t>(site)] = true;
        --left;
        continue;
      }
      const auto answer = store.value()->reserve({.keys = {key_of(site)}, .interval = interval});
      if (!answer.ok()) _exit(1);
      const Granted* granted = std::get_if<Granted>(&answer.value());
      if (granted == nullptr) continue;
      const std::int64_t before = store::time_since_boot().count();
      add_to(log, {before, store::time_since_boot().count(), site, process});
      if (!store.value()->complete(granted->token, {.status = 200, .retry_after = {}}).ok()) _exit(2);
    }
  });

  const auto store = open_sqlite_store(path, first_ever()).value();
  std::map<int, std::vector<Seen>> by_site;
  for (const Seen& seen : read_log(log_path)) by_site[seen.site].push_back(seen);
  int early = 0;
  for (auto& [site, seen] : by_site) {
    std::ranges::sort(seen, {}, &Seen::before);
    EXPECT_EQ(store->gate(key_of(site)).value().visits, seen.size()) << site;
    for (std::size_t i = 1; i < seen.size(); ++i) {
      if (seen[i].before - seen[i - 1].after < std::chrono::microseconds(interval).count()) ++early;
    }
  }
  EXPECT_EQ(early, 0);
  EXPECT_EQ(by_site.size(), static_cast<std::size_t>(sites));
}

TEST(StoreProcesses, OneRobotsFetchForAll) {
  const std::string folder = test::new_folder();
  const std::string path = folder + "/store.db";
  const std::string log_path = folder + "/log";
  ASSERT_TRUE(open_sqlite_store(path, first_ever()).ok());
  close(open(log_path.c_str(), O_CREAT | O_WRONLY, 0600));
  constexpr int sites = 25;
  run_processes(16, [&](int process) {
    const int log = open(log_path.c_str(), O_WRONLY | O_APPEND);
    const auto store = open_sqlite_store(path, first_ever());
    if (!store.ok()) _exit(1);
    for (int site = 0; site < sites; ++site) {
      const Origin origin = *Origin::of(key_of(site));
      while (true) {  // until somebody has it
        const auto known = store.value()->robots(origin);
        if (!known.ok()) _exit(1);
        if (known.value() != nullptr) break;
        const auto answer = store.value()->lease_robots_fetch(origin, 60s);
        if (!answer.ok()) _exit(1);
        const RobotsLease* lease = std::get_if<RobotsLease>(&answer.value());
        if (lease == nullptr) continue;
        // Who was granted the lease just after it had been used looks again before he fetches.
        if (store.value()->robots(origin).value() != nullptr) {
          static_cast<void>(store.value()->release(*lease));
          break;
        }
        add_to(log, {0, 0, site, process});
        if (!store.value()
                 ->put_robots(origin, test::record_of("x", store.value()->now(), store.value()->now() + 1h), lease)
                 .ok())
          _exit(2);
      }
    }
  });
  EXPECT_EQ(read_log(log_path).size(), static_cast<std::size_t>(sites));
}

// Writers are killed in the middle of whatever they do. What they had acknowledged over a pipe must be there.
TEST(StoreProcesses, KilledWritersLoseNothingAcknowledged) {
  const int kills = soak() ? 100'000 : 150;
  const std::string path = test::new_folder() + "/store.db";
  ASSERT_TRUE(open_sqlite_store(path, first_ever()).ok());
  std::mt19937 random(11);
  std::uint64_t visits_acknowledged = 0;
  int body_acknowledged = -1;  // the number in the last acknowledged record
  int body_begun = -1;
  auto ahead = 0us;  // time passes faster for the checks: holds of the dead run out
  for (int kill_number = 0; kill_number < kills; ++kill_number) {
    int pipes[2];
    ASSERT_EQ(pipe(pipes), 0);
    SqliteStoreOptions options = first_ever();
    options.time.since_boot = [ahead] { return store::time_since_boot() + ahead; };
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      close(pipes[0]);
      const auto store = open_sqlite_store(path, options);
      if (!store.ok()) _exit(1);
      const Origin origin = *Origin::of(key_of(0));
      for (int number = body_begun + 1;; ++number) {
        const auto answer = store.value()->reserve({.keys = {key_of(0)}, .hold = 1h});
        if (!answer.ok() || !std::holds_alternative<Granted>(answer.value())) _exit(1);
        if (write(pipes[1], "v", 1) != 1) _exit(0);
        const auto body = "User-agent: *\nDisallow: /" + std::to_string(number) + "$\n";
        const Timestamp now = store.value()->now();
        if (!store.value()->put_robots(origin, test::record_of(body, now, now + 1h)).ok()) _exit(1);
        if (write(pipes[1], "r", 1) != 1) _exit(0);
        if (!store.value()->complete(std::get<Granted>(answer.value()).token, {.status = 200, .retry_after = {}}).ok())
          _exit(1);
        if (write(pipes[1], "c", 1) != 1) _exit(0);
      }
    }
    close(pipes[1]);
    // As many acknowledgements as chance will have it; then whatever it is doing.
    const int wanted = 1 + static_cast<int>(random() % 30);
    char ack = 0;
    std::string acks;
    while (static_cast<int>(acks.size()) < wanted && read(pipes[0], &ack, 1) == 1) acks += ack;
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself with " << status << " after " << acks;
    while (read(pipes[0], &ack, 1) == 1) acks += ack;
    close(pipes[0]);
    const auto count_of = [&acks](char c) { return static_cast<int>(std::ranges::count(acks, c)); };
    visits_acknowledged += static_cast<std::uint64_t>(count_of('v'));
    const int first = body_begun + 1;
    if (count_of('r') > 0) body_acknowledged = first + count_of('r') - 1;

    ahead += 2h;
    options.time.since_boot = [ahead] { return store::time_since_boot() + ahead; };
    const auto store = open_sqlite_store(path, options);
    ASSERT_TRUE(store.ok()) << store.error().message;
    if (kill_number % 50 == 0) {
      const auto report = check_sqlite_store(path);
      ASSERT_TRUE(report.ok());
      ASSERT_TRUE(report.value().problems.empty()) << report.value().problems.front();
    }
    const GateState state = store.value()->gate(key_of(0)).value();
    ASSERT_GE(state.visits, visits_acknowledged);
    ASSERT_LE(state.visits, visits_acknowledged + 1);  // one may have been done and not yet told
    visits_acknowledged = state.visits;
    ASSERT_EQ(state.in_flight, 0u) << "a hold outlived its expiry";
    const auto record = store.value()->robots(*Origin::of(key_of(0))).value();
    if (body_acknowledged >= 0) {
      ASSERT_NE(record, nullptr);
      int number = -1;
      ASSERT_EQ(std::sscanf(record->body->c_str(), "User-agent: *\nDisallow: /%d$", &number), 1);
      ASSERT_GE(number, body_acknowledged);
      ASSERT_LE(number, body_acknowledged + 1);
      body_acknowledged = body_begun = number;
    }
  }
}

}  // namespace
}  // namespace robotrules
