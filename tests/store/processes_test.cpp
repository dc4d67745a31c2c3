// Many processes on one file: nobody too early, no visit lost, and nothing lost where a process is killed. What
// happened is witnessed by a log outside the store. ROBOTRULES_SOAK=1 runs them long.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <limits>
#include <map>
#include <random>
#include <utility>

#include <robotrules/open_store.hpp>
#include <robotrules/robot_rules.hpp>
#include <robotrules/url_queue.hpp>

#include "store/machine_clock.hpp"
#include "store/sql.hpp"
#include "store/store_contract.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
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
  std::int64_t claim;   // microseconds that reserve() took
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
    char byte = store.ok() ? 'y' : 'n';
    const bool told = write(opened[1], &byte, 1) == 1;
    const bool ended = read(over[0], &byte, 1) == 0;
    _exit(told && ended ? 0 : 1);
  }
  close(over[0]);
  char byte = 0;
  ASSERT_EQ(read(opened[0], &byte, 1), 1);
  EXPECT_EQ(byte, 'y');
  const auto refused = check_sqlite_store(path, true);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "store-busy");
  EXPECT_NE(refused.error().message.find("stop the program that uses it"), std::string::npos);
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
  const int visits_each = soak() ? 800 : 8;
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
      const std::int64_t asked = store::time_since_boot().count();
      const auto answer = store.value()->reserve({.keys = {key_of(site)}, .interval = interval});
      if (!answer.ok()) _exit(1);
      const Granted* granted = std::get_if<Granted>(&answer.value());
      if (granted == nullptr) continue;
      const std::int64_t before = store::time_since_boot().count();
      add_to(log, {before, store::time_since_boot().count(), before - asked, site, process});
      if (!store.value()->complete(granted->token, {.status = 200, .retry_after = {}}).ok()) _exit(2);
    }
  });

  const auto store = open_sqlite_store(path, first_ever()).value();
  std::map<int, std::vector<Seen>> by_site;
  std::vector<std::int64_t> claims;
  for (const Seen& seen : read_log(log_path)) {
    by_site[seen.site].push_back(seen);
    claims.push_back(seen.claim);
  }
  int early = 0;
  std::int64_t least_gap = std::numeric_limits<std::int64_t>::max();
  for (auto& [site, seen] : by_site) {
    std::ranges::sort(seen, {}, &Seen::before);
    EXPECT_EQ(store->gate(key_of(site)).value().visits, seen.size()) << site;
    for (std::size_t i = 1; i < seen.size(); ++i) {
      const std::int64_t gap = seen[i].before - seen[i - 1].after;
      least_gap = std::min(least_gap, gap);
      if (gap < std::chrono::microseconds(interval).count()) ++early;
    }
  }
  std::ranges::sort(claims);
  ASSERT_FALSE(claims.empty());
  RecordProperty("visits", static_cast<int>(claims.size()));
  RecordProperty("early_grants", early);
  RecordProperty("least_gap_us", static_cast<int>(least_gap));
  RecordProperty("claim_p99_us", static_cast<int>(claims[claims.size() * 99 / 100]));  // a speed: nothing is asserted
  EXPECT_EQ(early, 0);
  EXPECT_EQ(by_site.size(), static_cast<std::size_t>(sites));
}

// SQLite does not wait for a lock while it sets the journal mode of a new file.
TEST(StoreProcesses, AFileIsMadeByManyAtTheSameMoment) {
  constexpr int processes = 4;
  auto* const ready = static_cast<std::atomic<int>*>(
      mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(static_cast<void*>(ready), MAP_FAILED);
  for (int round = 0; round < 25; ++round) {
    const std::string path = test::new_folder() + "/store.db";
    ready->store(0);
    run_processes(processes, [&](int process) {
      ++*ready;
      while (*ready < processes) sched_yield();
      const auto store = open_sqlite_store(path, {});
      if (!store) std::cerr << store.error().message << "\n";
      const auto queue = open_url_queue(path, "job" + std::to_string(process));
      if (!queue) std::cerr << queue.error().message << "\n";
      if (!store || !queue || !queue.value()->claim()) _exit(1);
    });
    if (HasFailure()) break;
    EXPECT_EQ(list_jobs(path).value().size(), static_cast<std::size_t>(processes));
  }
  munmap(ready, sizeof(std::atomic<int>));
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
        add_to(log, {0, 0, 0, site, process});
        if (!store.value()
                 ->put_robots(origin, test::record_of("x", store.value()->now(), store.value()->now() + 1h), lease)
                 .ok())
          _exit(2);
      }
    }
  });
  const std::size_t fetches = read_log(log_path).size();
  RecordProperty("duplicate_fetches", static_cast<int>(fetches) - sites);
  EXPECT_EQ(fetches, static_cast<std::size_t>(sites));
}

// A writer that is stopped within a change holds the file: others are told so in time, may read, and go on when it does
// or is dead.
TEST(StoreProcesses, AStoppedWriterIsBusyAndNoHang) {
  for (const bool dies : {false, true}) {
    const std::string path = test::new_folder() + "/store.db";
    ASSERT_TRUE(open_sqlite_store(path, first_ever()).ok());
    int from_child[2];
    int to_child[2];
    ASSERT_EQ(pipe(from_child), 0);
    ASSERT_EQ(pipe(to_child), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      char go = 0;
      if (read(to_child[0], &go, 1) != 1) _exit(1);
      int stops_after = 0;
      SqliteStoreOptions options = first_ever();
      options.time.since_boot = [&] {
        if (stops_after > 0 && --stops_after == 0 && write(from_child[1], "s", 1) == 1) raise(SIGSTOP);
        return store::time_since_boot();
      };
      const auto store = open_sqlite_store(path, options);
      if (!store.ok()) _exit(2);
      stops_after = 2;  // it is asked for before the change (Token::asked_at), and within it
      _exit(store.value()->reserve({.keys = {key_of(0)}, .interval = 1h}).ok() ? 0 : 3);
    }
    close(from_child[1]);
    close(to_child[0]);
    SqliteStoreOptions options = first_ever();
    options.busy_timeout = 50ms;
    const auto store = open_sqlite_store(path, options);  // behind fork(): connections don't survive it
    ASSERT_TRUE(store.ok());
    ASSERT_EQ(write(to_child[1], "g", 1), 1);
    close(to_child[1]);
    char told = 0;
    ASSERT_EQ(read(from_child[0], &told, 1), 1);
    close(from_child[0]);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, WUNTRACED), child);
    ASSERT_TRUE(WIFSTOPPED(status));

    const auto begun = store::time_since_boot();
    const auto refused = store.value()->reserve({.keys = {key_of(1)}});
    RecordProperty("busy_after_us", static_cast<int>((store::time_since_boot() - begun).count()));
    EXPECT_EQ(refused.ok() ? "granted" : refused.error().code, "store-busy");
    EXPECT_EQ(store.value()->put_robots(*Origin::of(key_of(1)), {}).error().code, "store-busy");
    EXPECT_EQ(open_sqlite_store(path, options).error().code, "store-busy");
    EXPECT_EQ(store.value()->gate(key_of(0)).value().visits, 0u);  // who only looks is not held up

    kill(child, dies ? SIGKILL : SIGCONT);
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(dies ? WIFSIGNALED(status) : status == 0);
    const auto answer = store.value()->reserve({.keys = {key_of(0)}, .interval = 1h});
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_EQ(std::holds_alternative<Granted>(answer.value()), dies);
    EXPECT_EQ(store.value()->gate(key_of(0)).value().visits, 1u);
  }
}

// Writers are killed in the middle of whatever they do. What they had acknowledged over a pipe must be there.
struct Ack {
  std::uint8_t writer;
  char what;  // v: a visit was granted, l: a lease, r: rules were kept, c: the visit was completed
};

// What was acknowledged of one writer's site, over all its lives.
struct Told {
  std::uint64_t visits = 0;
  int rules = -1;  // the number in the last rules that were acknowledged
  int begun = -1;  // and in the last that were there after a kill
};

// Every version forbids everything, so whoever finds a site open has read half a robots.txt.
std::string rules_of(int number) {
  return "User-agent: *\nDisallow: /\n# " + std::to_string(number) + std::string(500, '#') + "\n";
}
int number_of(const std::string& body) {
  int number = -1;
  std::sscanf(body.c_str(), "User-agent: *\nDisallow: /\n# %d#", &number);
  return body == rules_of(number) ? number : -1;
}

// A life: visits, and fetches of the robots.txt in each, without an end.
[[noreturn]] void write_until_killed(const std::string& path, const SqliteStoreOptions& options, int writer, int next,
                                     int acks) {
  const auto tell = [&](char what) {
    const Ack ack{static_cast<std::uint8_t>(writer), what};
    if (write(acks, &ack, sizeof ack) != static_cast<ssize_t>(sizeof ack)) _exit(1);
  };
  const auto store = open_sqlite_store(path, options);
  if (!store.ok()) _exit(2);
  const Origin origin = *Origin::of(key_of(writer));
  for (;; ++next) {
    const auto answer = store.value()->reserve({.keys = {key_of(writer)}, .hold = 1h});
    if (!answer.ok() || !std::holds_alternative<Granted>(answer.value())) _exit(3);
    tell('v');
    const auto lease = store.value()->lease_robots_fetch(origin, 1h);
    if (!lease.ok() || !std::holds_alternative<RobotsLease>(lease.value())) _exit(4);
    tell('l');
    const Timestamp now = store.value()->now();
    const RobotsRecord record = test::record_of(rules_of(next), now, now + std::chrono::years(10));
    if (!store.value()->put_robots(origin, record, &std::get<RobotsLease>(lease.value())).ok()) _exit(5);
    tell('r');
    if (!store.value()->complete(std::get<Granted>(answer.value()).token, {.status = 200, .retry_after = {}}).ok())
      _exit(6);
    tell('c');
  }
}

// What the dead left behind, an hour after the last hold and lease have run out.
void look_after_kill(const std::string& path, const SqliteStoreOptions& options, std::vector<Told>& told) {
  const auto report = check_sqlite_store(path);
  ASSERT_TRUE(report.ok()) << report.error().message;
  ASSERT_TRUE(report.value().problems.empty()) << report.value().problems.front();
  const auto store = open_sqlite_store(path, options);
  ASSERT_TRUE(store.ok()) << store.error().message;
  const RobotRules rules = RobotRules::open(store.value(), "FooBot").value();
  for (std::size_t writer = 0; writer < told.size(); ++writer) {
    const std::string key = key_of(static_cast<int>(writer));
    const GateState state = store.value()->gate(key).value();
    ASSERT_GE(state.visits, told[writer].visits);
    ASSERT_LE(state.visits, told[writer].visits + 1);  // one may have been done and not yet told
    told[writer].visits = state.visits;
    ASSERT_EQ(state.in_flight, 0u) << "a hold outlived its expiry";
    const auto record = store.value()->robots(*Origin::of(key)).value();
    const int number = record == nullptr ? -1 : number_of(*record->body);
    if (record != nullptr) {
      ASSERT_GE(number, 0) << "half a record: " << *record->body;
    }
    ASSERT_GE(number, told[writer].rules);
    ASSERT_LE(number, told[writer].rules + 1);
    told[writer].rules = told[writer].begun = number;
    ASSERT_EQ(rules.allowed(key + "/x"), record == nullptr ? Access::unknown : Access::disallowed);
  }
  ASSERT_TRUE(store.value()->prune(Timestamp{}).ok());  // bodies that were replaced: the file stays small
}

// The page cache outlives a process, so no disk is needed; the other test files cut the power.
TEST(StoreProcesses, KilledWritersLoseNothingAcknowledged) {
  const int kills = soak() ? 100'000 : 320;
  constexpr int writers = 16;
  const std::string path = test::new_folder() + "/store.db";
  {
    const auto store = open_sqlite_store(path, first_ever());
    ASSERT_TRUE(store.ok() && store.value()->set_agent("FooBot").ok());
  }
  std::mt19937 random(11);
  std::vector<Told> told(writers);
  auto ahead = 0us;  // time passes faster for the checks: holds of the dead run out
  std::map<char, int> last_acks;
  int killed = 0;
  while (killed < kills) {
    int pipes[2];
    ASSERT_EQ(pipe(pipes), 0);
    SqliteStoreOptions options = first_ever();
    options.time.since_boot = [ahead] { return store::time_since_boot() + ahead; };
    std::vector<pid_t> children;
    for (int writer = 0; writer < writers; ++writer) {
      const pid_t child = fork();
      ASSERT_GE(child, 0);
      if (child == 0) {
        close(pipes[0]);
        write_until_killed(path, options, writer, told[static_cast<std::size_t>(writer)].begun + 1, pipes[1]);
      }
      children.push_back(child);
    }
    close(pipes[1]);
    // As many acknowledgements as chance will have it; then whatever they are doing.
    std::vector<Ack> acks;
    Ack ack{};
    const auto next = [&] { return read(pipes[0], &ack, sizeof ack) == static_cast<ssize_t>(sizeof ack); };
    const std::size_t wanted = 1 + random() % (8 * writers);
    while (acks.size() < wanted && next()) acks.push_back(ack);
    std::ranges::shuffle(children, random);
    for (const pid_t child : children) kill(child, SIGKILL);
    for (const pid_t child : children) {
      int status = 0;
      ASSERT_EQ(waitpid(child, &status, 0), child);
      ASSERT_TRUE(WIFSIGNALED(status)) << "a writer ended by itself with " << WEXITSTATUS(status);
      ++killed;
    }
    while (next()) acks.push_back(ack);
    close(pipes[0]);
    std::vector<char> last(writers, '-');
    for (const Ack& one : acks) {
      last[one.writer] = one.what;
      if (one.what == 'v') ++told[one.writer].visits;
      if (one.what == 'r') ++told[one.writer].rules;
    }
    for (const char what : last) ++last_acks[what];
    ahead += 2h;
    options.time.since_boot = [ahead] { return store::time_since_boot() + ahead; };
    look_after_kill(path, options, told);
    if (HasFatalFailure()) return;
    if (soak() && killed % 1'600 == 0) std::cerr << killed << " killed\n";
  }
  RecordProperty("kills", killed);
  for (const char what : {'-', 'v', 'l', 'r', 'c'}) {
    EXPECT_GT(last_acks[what], 0) << "nobody was killed right after " << what;  // the kills come at every moment
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
