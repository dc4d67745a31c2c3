// A hold or a lease ends with the process that has it: when that is noticed, and never while nobody knows.
// ROBOTRULES_SOAK=1 kills many.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include <robotrules/open_store.hpp>

#include "store/machine_clock.hpp"
#include "store/process.hpp"
#include "store/sqlite/owners.hpp"
#include "store/store_contract.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using store::Owners;

constexpr const char* site = "https://a.example";
constexpr std::int64_t no_process = 2'147'483'647;  // greater than Linux gives

// A process that does `work`, tells whether it could, and goes on until it is killed.
class Child {
 public:
  template <class Work>
  explicit Child(Work work) {
    int pipes[2];
    EXPECT_EQ(pipe(pipes), 0);
    id_ = fork();
    EXPECT_GE(id_, 0);
    if (id_ == 0) {
      close(pipes[0]);
      const char told = work() ? 'y' : 'n';
      if (write(pipes[1], &told, 1) != 1) _exit(1);
      while (true) pause();
    }
    close(pipes[1]);
    char told = 0;
    EXPECT_EQ(read(pipes[0], &told, 1), 1);
    EXPECT_EQ(told, 'y');
    close(pipes[0]);
  }
  ~Child() {
    if (id_ > 0) bury();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t id() const { return id_; }
  // Over, but still in the table of processes.
  void die() const {
    kill(id_, SIGKILL);
    siginfo_t about{};
    EXPECT_EQ(waitid(P_PID, static_cast<id_t>(id_), &about, WEXITED | WNOWAIT), 0);
  }
  void bury() {
    kill(id_, SIGKILL);
    EXPECT_EQ(waitpid(id_, nullptr, 0), id_);
    id_ = -1;
  }

 private:
  pid_t id_ = -1;
};

class HoldsOfTheDead : public testing::Test {
 protected:
  SqliteStoreOptions options() const {
    SqliteStoreOptions made;
    made.first_ever = true;
    made.time.wall = [this] { return clock.now(); };
    made.time.since_boot = [this] { return clock.now().time_since_epoch(); };
    made.time.boot_id = [] { return std::string("one"); };
    return made;
  }
  // As another process would: `self` is whom it says it is.
  SqliteStoreOptions as(const Process& self) const {
    SqliteStoreOptions made = options();
    made.processes.self = [self] { return self; };
    return made;
  }
  std::shared_ptr<Store> open() const { return open_sqlite_store(path, options()).value(); }
  static bool takes(const SqliteStoreOptions& options, const std::string& path, const ReserveRequest& request) {
    const auto store = open_sqlite_store(path, options);
    if (!store.ok()) return false;
    const auto answer = store.value()->reserve(request);
    return answer.ok() && std::holds_alternative<Granted>(answer.value());
  }
  bool leases(const SqliteStoreOptions& options) const {
    const auto store = open_sqlite_store(path, options);
    if (!store.ok()) return false;
    const auto answer = store.value()->lease_robots_fetch(origin, 1h);
    return answer.ok() && std::holds_alternative<RobotsLease>(answer.value());
  }
  static Wait wait(const ReserveAnswer& answer) {
    const Wait* wait = std::get_if<Wait>(&answer);
    EXPECT_NE(wait, nullptr);
    return wait == nullptr ? Wait{} : *wait;
  }
  static ReserveAnswer ask(Store& store) { return store.reserve({.keys = {site}, .interval = 10s}).value(); }
  void forget() { clock.advance(Owners::remembered); }  // what was found out of who lives

  test::ScriptedClock clock;
  std::string path = test::new_folder() + "/store.db";
  const Origin origin = *Origin::of(site);
  const ReserveRequest request{.keys = {site}, .interval = 10s, .hold = 1h};
};

TEST_F(HoldsOfTheDead, EndWhenTheProcessIsKilledAndArmTheIntervalFromThen) {
  ASSERT_TRUE(open_sqlite_store(path, options()).ok());
  for (const bool is_zombie : {false, true}) {
    Child child([&] { return takes(options(), path, request); });
    const auto store = open();
    const std::uint64_t visits = store->gate(site).value().visits;
    clock.advance(20min);
    EXPECT_EQ(wait(ask(*store)).why, WaitWhy::in_flight);
    EXPECT_EQ(wait(ask(*store)).until, clock.now() + 40min);
    is_zombie ? child.die() : child.bury();
    forget();
    EXPECT_EQ(wait(ask(*store)).why, WaitWhy::interval);
    EXPECT_EQ(wait(ask(*store)).until, clock.now() + 10s);
    EXPECT_EQ(open()->gate(site).value().in_flight, 0u) << "what a refused request finds out is kept";
    clock.advance(10s - 1us);
    EXPECT_EQ(wait(ask(*store)).why, WaitWhy::interval);
    clock.advance(1us);
    const ReserveAnswer granted = ask(*store);
    ASSERT_TRUE(std::holds_alternative<Granted>(granted));
    EXPECT_EQ(store->gate(site).value().visits, visits + 1);  // the dead one's dispatch counts
    ASSERT_TRUE(store->complete(std::get<Granted>(granted).token, {.status = 200, .retry_after = {}}).ok());
    clock.advance(10s);
  }
}

TEST_F(HoldsOfTheDead, StandWhileTheProcessLives) {
  ASSERT_TRUE(open_sqlite_store(path, options()).ok());
  const Child child([&] { return takes(options(), path, request) && leases(options()); });
  const auto store = open();
  const Timestamp until = clock.now() + 1h;
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(wait(ask(*store)).until, until);
    EXPECT_EQ(std::get<Wait>(store->lease_robots_fetch(origin, 1h).value()).until, until);
    clock.advance(9min);
  }
  clock.advance(6min);
  EXPECT_EQ(wait(ask(*store)).until, until + 10s);
}

TEST_F(HoldsOfTheDead, LeasesAreFreeAtOnce) {
  ASSERT_TRUE(open_sqlite_store(path, options()).ok());
  const Child child([&] { return leases(options()); });
  const auto store = open();
  EXPECT_TRUE(std::holds_alternative<Wait>(store->lease_robots_fetch(origin, 1h).value()));
  child.die();
  forget();
  const auto first = std::get<RobotsLease>(store->lease_robots_fetch(origin, 1h).value());
  EXPECT_TRUE(std::holds_alternative<Wait>(store->lease_robots_fetch(origin, 1h).value()));  // now it is ours
  ASSERT_TRUE(store->release(first).ok());
  EXPECT_GT(std::get<RobotsLease>(store->lease_robots_fetch(origin, 1h).value()).fence, first.fence);
}

// The longer of two waits is told; behind it the hold of the dead must not begin to count only then.
TEST_F(HoldsOfTheDead, EndAlsoWhereTheIntervalHoldsUpForLonger) {
  ASSERT_TRUE(open_sqlite_store(path, options()).ok());
  Child child([&] { return takes(options(), path, {.keys = {site}, .interval = 2h, .hold = 1h}); });
  const auto store = open();
  child.bury();
  clock.advance(1min);
  EXPECT_EQ(wait(store->reserve({.keys = {site}, .interval = 2h}).value()).until, clock.now() + 2h);
}

TEST_F(HoldsOfTheDead, OfOneKeyHoldUpNoneOfTheOthers) {
  ASSERT_TRUE(open_sqlite_store(path, options()).ok());
  Child child([&] { return takes(options(), path, request); });
  const auto store = open();
  const ReserveRequest both{.keys = {site, "host:a.example"}, .interval = 5s, .hold = 1h, .in_flight = 2};
  clock.advance(10s);
  const Token own = std::get<Granted>(store->reserve(both).value()).token;  // beside that of the child
  child.bury();
  clock.advance(5s);
  EXPECT_EQ(wait(store->reserve(request).value()).until, clock.now() + 1h - 5s) << "its own hold stands";
  EXPECT_EQ(store->gate(site).value().in_flight, 1u);
  EXPECT_EQ(store->gate("host:a.example").value().in_flight, 1u);
  // A cancelled dispatch takes back its own interval, and not the dead one's.
  ASSERT_TRUE(store->cancel(own).ok());
  EXPECT_EQ(store->gate(site).value().interval_start, clock.now());
}

TEST_F(HoldsOfTheDead, AreLookedForInABatchToo) {
  ASSERT_TRUE(open_sqlite_store(path, options()).ok());
  Child child([&] { return takes(options(), path, request); });
  const auto store = open();
  child.bury();
  GateCalls calls;
  calls.requests.assign(2, std::make_shared<const ReserveRequest>(request));
  const GateAnswers answers = store->call_gate(calls);
  for (const auto& answer : answers.requests) EXPECT_EQ(wait(answer.value()).until, clock.now() + 10s);
  EXPECT_EQ(answers.requests.size(), 2u);
}

TEST_F(HoldsOfTheDead, AnIdThatIsUsedAgainIsAnotherProcess) {
  const Process self = store::this_process("one");
  ASSERT_NE(self.realm, 0) << "/proc can't be read here";
  Process other = self;
  other.started -= 1;
  ASSERT_TRUE(takes(as(other), path, request) && leases(as(other)));
  EXPECT_EQ(wait(ask(*open())).why, WaitWhy::interval);
  EXPECT_TRUE(leases(options()));
}

TEST_F(HoldsOfTheDead, StandWhereNobodyKnows) {
  const Process self = store::this_process("one");
  ASSERT_NE(self.realm, 0) << "/proc can't be read here";
  ASSERT_NE(self.realm, store::this_process("two").realm);
  EXPECT_EQ(store::this_process(""), Process{});
  const Process elsewhere{no_process, 1, store::this_process("two").realm};
  for (const Process& owner : {elsewhere, Process{}}) {
    path = test::new_folder() + "/store.db";
    ASSERT_TRUE(takes(as(owner), path, request) && leases(as(owner)));
    EXPECT_EQ(wait(ask(*open())).why, WaitWhy::in_flight);
    EXPECT_FALSE(leases(options()));
    // And who does not know himself knows nobody.
    EXPECT_EQ(wait(ask(*open_sqlite_store(path, as({})).value())).why, WaitWhy::in_flight);
  }
  path = test::new_folder() + "/store.db";
  ASSERT_TRUE(takes(as({no_process, 1, self.realm}), path, request));
  EXPECT_EQ(wait(ask(*open_sqlite_store(path, as({})).value())).why, WaitWhy::in_flight);
  EXPECT_EQ(wait(ask(*open())).why, WaitWhy::interval);
}

// The state of a process is that of its first thread.
TEST_F(HoldsOfTheDead, StandWhereOnlyTheFirstThreadHasEnded) {
  int over[2];
  ASSERT_EQ(pipe(over), 0);
  const Process self = store::this_process("one");
  ASSERT_NE(self.realm, 0) << "/proc can't be read here";
  Process child;
  int told[2];
  ASSERT_EQ(pipe(told), 0);
  const pid_t id = fork();
  ASSERT_GE(id, 0);
  if (id == 0) {
    close(over[1]);
    const Process own = store::this_process("one");
    std::thread([own, in = over[0], out = told[1]] {
      const std::string first = "/proc/self/task/" + std::to_string(getpid()) + "/stat";
      char state = 'R';
      while (state != 'Z') {
        FILE* file = std::fopen(first.c_str(), "r");
        if (file == nullptr || std::fscanf(file, "%*d (%*[^)]) %c", &state) != 1) _exit(1);
        std::fclose(file);
      }
      char byte = 0;
      _exit(write(out, &own, sizeof own) == sizeof own && read(in, &byte, 1) == 0 ? 0 : 1);
    }).detach();
    syscall(SYS_exit, 0);
  }
  close(over[0]);
  close(told[1]);
  EXPECT_EQ(read(told[0], &child, sizeof child), static_cast<ssize_t>(sizeof child));
  EXPECT_FALSE(store::has_ended(child, self));
  close(over[1]);
  int status = 0;
  EXPECT_EQ(waitpid(id, &status, 0), id);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(store::has_ended(child, self));
  close(told[0]);
}

TEST_F(HoldsOfTheDead, OwnersAreLookedUpOnceForManyKeysAndOnlyWhereSomebodyIsRefused) {
  constexpr int keys = 1'000;
  const Process other{no_process, 1, 1};
  const auto key_of = [](int number) { return "https://site" + std::to_string(number) + ".example"; };
  {
    const auto store = open_sqlite_store(path, as(other)).value();
    for (int i = 0; i < keys; ++i) {
      ASSERT_TRUE(store->reserve({.keys = {key_of(i)}, .interval = 10s, .hold = 1h}).ok());
    }
  }
  int looked = 0;
  bool over = false;
  SqliteStoreOptions watched = options();
  watched.processes.has_ended = [&](const Process& owner) {
    EXPECT_EQ(owner, other);
    ++looked;
    return over;
  };
  const auto store = open_sqlite_store(path, watched).value();
  const auto ask_all = [&](WaitWhy why) {
    for (int i = 0; i < keys; ++i) {
      EXPECT_EQ(wait(store->reserve({.keys = {key_of(i)}, .interval = 1s}).value()).why, why);
    }
  };
  clock.advance(10s);
  ASSERT_TRUE(store->reserve({.keys = {key_of(0)}, .in_flight = 2}).ok());
  EXPECT_EQ(looked, 0) << "nobody was refused";
  ask_all(WaitWhy::in_flight);
  EXPECT_EQ(looked, 1);
  over = true;
  forget();
  clock.advance(10s);
  for (int i = 1; i < keys; ++i) {
    EXPECT_EQ(wait(store->reserve({.keys = {key_of(i)}, .interval = 1s}).value()).why, WaitWhy::interval);
    if (i == keys / 2) forget();
  }
  EXPECT_EQ(looked, 2) << "who has ended stays so";
}

TEST_F(HoldsOfTheDead, AFileOfManyOwnersCostsNoMoreThanAFew) {
  std::size_t looked = 0;
  SqliteStoreOptions watched = options();
  watched.processes.has_ended = [&](const Process&) { return ++looked > 0; };
  Owners owners(watched);
  for (std::int64_t id = 1; id <= 10'000; ++id) {
    EXPECT_EQ(owners.has_ended({no_process, id, 1}, clock.now()), id <= std::int64_t{Owners::max_known});
  }
  EXPECT_EQ(looked, Owners::max_known);
  forget();
  EXPECT_TRUE(owners.has_ended({no_process, 10'000, 1}, clock.now()));
}

// Nobody waits for the dead but for the interval, however often and whenever they are killed: by the machine's own
// time.
TEST(StoreProcesses, KilledOwnersHoldNobodyUp) {
  const int kills = std::getenv("ROBOTRULES_SOAK") != nullptr ? 10'000 : 40;
  const std::string path = test::new_folder() + "/store.db";
  SqliteStoreOptions first_ever;
  first_ever.first_ever = true;
  ASSERT_TRUE(open_sqlite_store(path, first_ever).ok());
  const Origin origin = *Origin::of(site);
  std::int64_t slowest = 0;
  for (int killed = 0; killed < kills; ++killed) {
    const Child child([&] {
      const auto store = open_sqlite_store(path, first_ever);
      if (!store.ok()) return false;
      const auto lease = store.value()->lease_robots_fetch(origin, 1h);
      const auto answer = store.value()->reserve({.keys = {site}, .hold = 1h});
      return lease.ok() && std::holds_alternative<RobotsLease>(lease.value()) && answer.ok() &&
             std::holds_alternative<Granted>(answer.value());
    });
    child.die();
    const auto store = open_sqlite_store(path, first_ever).value();
    const auto begun = store::time_since_boot();
    const auto answer = store->reserve({.keys = {site}, .hold = 1h});
    slowest = std::max(slowest, (store::time_since_boot() - begun).count());
    ASSERT_TRUE(answer.ok() && std::holds_alternative<Granted>(answer.value())) << killed;
    const auto lease = store->lease_robots_fetch(origin, 1h);
    ASSERT_TRUE(lease.ok() && std::holds_alternative<RobotsLease>(lease.value())) << killed;
    ASSERT_TRUE(store->release(std::get<RobotsLease>(lease.value())).ok());
    ASSERT_TRUE(store->cancel(std::get<Granted>(answer.value()).token).ok());
  }
  RecordProperty("owners_killed", kills);
  RecordProperty("slowest_claim_us", static_cast<int>(slowest));  // a speed: nothing is asserted
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
