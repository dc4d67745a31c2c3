// The file of the SQLite store: what is opened, what is refused and with which words, and what a damaged one gives.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include <robotrules/open_store.hpp>
#include <robotrules/robot_rules.hpp>

#include "store/sql.hpp"
#include "store/store_contract.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::run_sql;

std::string bytes_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}
void write(const std::string& path, std::string_view bytes) {
  std::ofstream stream(path, std::ios::binary);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}
std::string_view code_of(const Result<std::shared_ptr<Store>>& opened) {
  return opened.ok() ? std::string_view("opened") : opened.error().code;
}

class SqliteFile : public testing::Test {
 protected:
  std::string folder = test::new_folder();
  std::string path = folder + "/store.db";
};

TEST_F(SqliteFile, IsMadeForItsOwnerAlone) {
  const mode_t before = umask(0);
  const auto opened = open_sqlite_store(path);
  umask(before);
  ASSERT_TRUE(opened.ok());
  ASSERT_TRUE(opened.value()->set_agent("FooBot").ok());
  for (const char* part : {"", "-wal", "-shm"}) {
    struct stat about{};
    ASSERT_EQ(stat((path + part).c_str(), &about), 0) << part;
    EXPECT_EQ(about.st_mode & 0777, 0600u) << part;
  }
}

TEST_F(SqliteFile, KeepsWhatItWasToldForTheNextProcess) {
  {
    RobotRules rules = RobotRules::open(open_store("sqlite:" + path).value(), "FooBot/1.0").value();
    ASSERT_TRUE(rules.parse("https://a.example/robots.txt", "User-agent: *\nDisallow: /x\n").ok());
    ASSERT_TRUE(rules.visit("https://a.example/").ok());
  }
  const RobotRules rules = RobotRules::open(open_store(path).value()).value();
  EXPECT_EQ(rules.agent(), "FooBot");
  EXPECT_EQ(rules.allowed("https://a.example/x"), Access::disallowed);
  EXPECT_EQ(rules.allowed("https://a.example/y"), Access::allowed);
  EXPECT_EQ(rules.visits("https://a.example/").value().count, 1u);
}

TEST_F(SqliteFile, LinksAreNotFollowed) {
  const std::string sentinel = folder + "/sentinel";
  write(sentinel, "not to be touched");
  fs::create_symlink(sentinel, path);
  EXPECT_EQ(code_of(open_sqlite_store(path)), "store-path");
  EXPECT_EQ(bytes_of(sentinel), "not to be touched");
  fs::remove(path);
  fs::create_symlink(folder + "/nowhere", path);
  EXPECT_EQ(code_of(open_sqlite_store(path)), "store-path");
  EXPECT_FALSE(fs::exists(folder + "/nowhere"));
}

TEST_F(SqliteFile, LinksOfTheDirectoryAreResolved) {
  fs::create_directory(folder + "/real");
  fs::permissions(folder + "/real", fs::perms::owner_all);
  fs::create_symlink(folder + "/real", folder + "/link");
  EXPECT_EQ(code_of(open_sqlite_store(folder + "/link/store.db")), "opened");
  EXPECT_TRUE(fs::exists(folder + "/real/store.db"));
}

TEST_F(SqliteFile, ADirectoryOthersMayWriteInIsRefused) {
  for (const fs::perms others : {fs::perms::others_write, fs::perms::group_write}) {
    fs::permissions(folder, fs::perms::owner_all | others);
    const auto opened = open_sqlite_store(path);
    ASSERT_EQ(code_of(opened), "store-path");
    EXPECT_NE(opened.error().message.find("chmod go-w"), std::string::npos);
    EXPECT_FALSE(fs::exists(path));
  }
  fs::permissions(folder, fs::perms::all | fs::perms::sticky_bit);
  EXPECT_EQ(code_of(open_sqlite_store(path)), "opened");
}

TEST_F(SqliteFile, PathsThatWillNotDo) {
  for (const std::string& bad :
       {std::string(), folder, folder + "/", folder + "/no/such/store.db", std::string("a\0b", 3)}) {
    EXPECT_EQ(code_of(open_sqlite_store(bad)), "store-path") << bad;
  }
  SqliteStoreOptions options;
  options.create = false;
  EXPECT_EQ(code_of(open_sqlite_store(path, options)), "store-missing");
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(SqliteFile, AnEmptyFileBecomesAStore) {
  write(path, "");
  EXPECT_EQ(code_of(open_sqlite_store(path)), "opened");
}

TEST_F(SqliteFile, AForeignFileIsLeftAlone) {
  write(path, "User-agent: *\nDisallow: /\n" + std::string(4096, '#'));
  const std::string text = bytes_of(path);
  EXPECT_EQ(code_of(open_sqlite_store(path)), "store-foreign");
  EXPECT_EQ(bytes_of(path), text);
  const std::string other = folder + "/other.db";
  run_sql(other, "CREATE TABLE cookies(name TEXT); INSERT INTO cookies VALUES('a');");
  fs::permissions(other, fs::perms::owner_read | fs::perms::owner_write);
  const std::string cookies = bytes_of(other);
  EXPECT_EQ(code_of(open_sqlite_store(other)), "store-foreign");
  EXPECT_EQ(bytes_of(other), cookies) << "it was changed before it was refused";
  EXPECT_EQ(check_sqlite_store(other, true).error().code, "store-foreign");
  EXPECT_EQ(bytes_of(other), cookies);
}

// A process of version 9 that still has the file open writes a row after an answer as this does: it knows nothing of
// the rows of failures. Neither program grants a request too early.
TEST_F(SqliteFile, AnOlderProcessBesideLeavesTheRowsOfFailures) {
  const auto store = open_sqlite_store(path).value();
  const std::string site = "https://a.example";
  const auto send = [&](const Outcome& outcome) {
    const auto answer = store->reserve({.keys = {site}}).value();
    ASSERT_TRUE(std::holds_alternative<Granted>(answer));
    ASSERT_TRUE(store->complete(std::get<Granted>(answer).token, outcome).ok());
  };
  const std::string answered_by_the_older =
      "INSERT INTO gate(key, interval, source, armed_at, penalty_until, incident_at, incidents, visits, last_visit,"
      " fence, holds, latency) VALUES('https://a.example', 0, 0, 1, 0, 0, 0, 2, 1, 9, NULL, 1) ON CONFLICT(key)"
      " DO UPDATE SET armed_at = 1, penalty_until = 0, incident_at = 0, incidents = 0, visits = 2, fence = fence + 1";
  send({.cause = OutcomeCause::connect});
  run_sql(path, answered_by_the_older);
  EXPECT_EQ(store->gate(site).value().failures, 1u);
  EXPECT_TRUE(std::holds_alternative<Wait>(store->reserve({.keys = {site}}).value()));
  ASSERT_TRUE(store->forget(*Origin::of(site)).value());
  send({.status = 503});
  run_sql(path, answered_by_the_older);
  send({.status = 503});
  EXPECT_EQ(store->gate(site).value().incidents, 1u);
  EXPECT_GT(store->gate(site).value().penalty_until, store->now() + std::chrono::seconds(4));
  EXPECT_LT(store->gate(site).value().penalty_until, store->now() + std::chrono::seconds(6));
}

// What version 2 brought.
constexpr const char* back_to_version_1 = "ALTER TABLE robots DROP COLUMN truncated; PRAGMA user_version = 1;";

TEST_F(SqliteFile, AFileOfVersion1IsBroughtUpWithAllThatIsInIt) {
  const Origin site = *Origin::of("https://a.example");
  RobotsRecord record;
  record.body = std::make_shared<const std::string>("User-agent: *\n");
  record.etag = "\"1\"";
  record.truncated = true;
  {
    const auto store = open_sqlite_store(path).value();
    ASSERT_TRUE(store->put_robots(site, record).ok());
    ASSERT_TRUE(store->add_visit(site, store->now()).ok());
  }
  run_sql(path, test::back_to_version_5);
  run_sql(path, test::back_to_version_4);
  run_sql(path, test::back_to_version_3);
  run_sql(path, test::back_to_version_2);
  run_sql(path, back_to_version_1);
  {
    const auto store = open_sqlite_store(path).value();
    const auto kept = store->robots(site).value();
    ASSERT_NE(kept, nullptr);
    EXPECT_EQ(*kept->body, *record.body);
    EXPECT_EQ(kept->etag, record.etag);
    EXPECT_FALSE(kept->truncated);  // nobody knew
    EXPECT_EQ(store->visits(site).value().count, 1U);
    ASSERT_TRUE(store->put_robots(site, record).ok());
  }
  EXPECT_TRUE(open_sqlite_store(path).value()->robots(site).value()->truncated);
  EXPECT_TRUE(check_sqlite_store(path, false).value().problems.empty());
}

TEST_F(SqliteFile, FilesOfOlderVersionsAreLookedThroughAndMendedAsTheyAre) {
  const Origin site = *Origin::of("https://a.example");
  for (const int version : {5, 4, 3, 2, 1}) {
    path = folder + "/version" + std::to_string(version) + ".db";
    {
      const auto store = open_sqlite_store(path).value();
      RobotsRecord record;
      record.body = std::make_shared<const std::string>("User-agent: *\n");
      record.truncated = true;
      ASSERT_TRUE(store->put_robots(site, record).ok());
      ASSERT_TRUE(store->add_visit(site, store->now()).ok());
    }
    run_sql(path, test::back_to_version_5);
    if (version < 5) run_sql(path, test::back_to_version_4);
    if (version < 4) run_sql(path, test::back_to_version_3);
    if (version < 3) run_sql(path, test::back_to_version_2);
    if (version < 2) run_sql(path, back_to_version_1);
    const auto healthy = check_sqlite_store(path, false);
    ASSERT_TRUE(healthy.ok());
    EXPECT_TRUE(healthy.value().problems.empty()) << healthy.value().problems.front();
    run_sql(path, "UPDATE gate SET interval = -1;");
    const auto mended = check_sqlite_store(path, true);
    ASSERT_TRUE(mended.ok());
    EXPECT_EQ(mended.value().problems.size(), 1U);
    EXPECT_EQ(mended.value().origins_kept, 1U);
    const auto kept = open_sqlite_store(path).value()->robots(site).value();
    ASSERT_NE(kept, nullptr);
    EXPECT_EQ(*kept->body, "User-agent: *\n");
    EXPECT_EQ(kept->truncated, version > 1);
  }
}

TEST_F(SqliteFile, IntervalsInAFileOfVersion4RunOnFromTheLastVisit) {
  SqliteStoreOptions options;
  options.first_ever = true;
  options.time.since_boot = [] { return 1h; };
  {
    const auto store = open_sqlite_store(path, options).value();
    const auto answer = store->reserve({.keys = {"https://a.example"}, .interval = 10s}).value();
    ASSERT_TRUE(store->complete(std::get<Granted>(answer).token, {.status = 200, .retry_after = {}}).ok());
  }
  run_sql(path, test::back_to_version_5);
  run_sql(path, test::back_to_version_4);
  EXPECT_TRUE(check_sqlite_store(path).value().problems.empty());
  const auto store = open_sqlite_store(path, options).value();
  for (const auto interval : {10s, 60s, 1s}) {
    const auto refused = store->reserve({.keys = {"https://a.example"}, .interval = interval}).value();
    ASSERT_TRUE(std::holds_alternative<Wait>(refused));
    EXPECT_EQ(std::get<Wait>(refused).until, store->now() + interval);
  }
}

// Holds and leases of before have no owner: their time must pass, whoever has died.
TEST_F(SqliteFile, AFileOfVersion3IsCheckedAsItIsAndItsHoldsStand) {
  SqliteStoreOptions options;
  options.first_ever = true;
  auto ahead = 0us;
  options.time.since_boot = [&ahead] { return 1h + ahead; };
  options.processes.self = [] { return Process{1, 1, 1}; };
  const Origin origin = *Origin::of("https://a.example");
  RobotsRecord record;
  record.body = std::make_shared<const std::string>("User-agent: *\n");
  {
    const auto store = open_sqlite_store(path, options).value();
    ASSERT_TRUE(store->put_robots(origin, record).ok());
    ASSERT_TRUE(store->reserve({.keys = {"https://a.example"}, .interval = 10s, .hold = 1h}).ok());
    ASSERT_TRUE(store->lease_robots_fetch(origin, 1h).ok());
  }
  run_sql(path, test::back_to_version_5);
  run_sql(path, test::back_to_version_4);
  run_sql(path, test::back_to_version_3);
  EXPECT_TRUE(check_sqlite_store(path).value().problems.empty());
  {
    options.processes.self = [] { return Process{2, 1, 1}; };
    options.processes.has_ended = [](const Process&) { return true; };
    const auto store = open_sqlite_store(path, options).value();
    ASSERT_NE(store->robots(origin).value(), nullptr);
    EXPECT_EQ(*store->robots(origin).value()->body, *record.body);
    const auto refused = store->reserve({.keys = {"https://a.example"}}).value();
    ASSERT_TRUE(std::holds_alternative<Wait>(refused));
    EXPECT_EQ(std::get<Wait>(refused).until, store->now() + 1h);
    EXPECT_TRUE(std::holds_alternative<Wait>(store->lease_robots_fetch(origin, 1h).value()));
    // Beside the old one, and read back with it.
    ahead = 10s;
    const ReserveRequest second{.keys = {"https://a.example"}, .hold = 2h, .in_flight = 2};
    EXPECT_TRUE(std::holds_alternative<Granted>(store->reserve(second).value()));
    EXPECT_EQ(store->gate("https://a.example").value().in_flight, 2u);
    ahead = 1h;
    EXPECT_EQ(store->gate("https://a.example").value().in_flight, 1u);
    EXPECT_TRUE(std::holds_alternative<RobotsLease>(store->lease_robots_fetch(origin, 1h).value()));
  }
  EXPECT_TRUE(check_sqlite_store(path).value().problems.empty());
}

TEST_F(SqliteFile, ANewerFileIsRefusedWithWhatToDo) {
  ASSERT_TRUE(open_sqlite_store(path).ok());
  run_sql(path, "PRAGMA user_version = 99;");
  const auto opened = open_sqlite_store(path);
  ASSERT_EQ(code_of(opened), "store-newer");
  EXPECT_NE(opened.error().message.find("newer version"), std::string::npos);
}

// --- time ------------------------------------------------------------------------------------------------------------

struct Machine {
  Timestamp wall{std::chrono::days{20'000}};
  std::chrono::microseconds since_boot = 1h;
  std::string boot = "first";

  void pass(std::chrono::microseconds time) {
    wall += time;
    since_boot += time;
  }
  void restart(std::chrono::microseconds off) {
    wall += off;
    since_boot = 10s;
    boot += "+";
  }
  SqliteStoreOptions options(bool first_ever = true) {
    SqliteStoreOptions options;
    options.first_ever = first_ever;
    options.time = {[this] { return wall; }, [this] { return since_boot; }, [this] { return boot; }};
    return options;
  }
};

constexpr const char* site = "https://a.example";

ReserveAnswer ask(Store& store, std::chrono::microseconds interval = 10s) {
  return store.reserve({.keys = {site}, .interval = interval}).value();
}

TEST_F(SqliteFile, ANewFileCountsEveryKeyAsJustVisited) {
  Machine machine;
  const auto store = open_sqlite_store(path, machine.options(false)).value();
  const ReserveAnswer answer = ask(*store);
  const Wait* wait = std::get_if<Wait>(&answer);
  ASSERT_NE(wait, nullptr);
  EXPECT_EQ(wait->why, WaitWhy::just_visited);
  EXPECT_EQ(wait->until, store->now() + 10s);
  machine.pass(10s);
  EXPECT_TRUE(std::holds_alternative<Granted>(ask(*store)));
}

TEST_F(SqliteFile, AnotherBootCountsEveryKeyAsJustVisited) {
  Machine machine;
  {
    const auto store = open_sqlite_store(path, machine.options()).value();
    EXPECT_TRUE(std::holds_alternative<Granted>(ask(*store)));
  }
  machine.pass(10min);
  EXPECT_EQ(open_sqlite_store(path, machine.options()).value()->just_visited().value(), std::nullopt);
  machine.restart(1h);
  const auto store = open_sqlite_store(path, machine.options()).value();
  const ReserveAnswer answer = ask(*store, 30s);
  const Wait* wait = std::get_if<Wait>(&answer);
  ASSERT_NE(wait, nullptr);
  EXPECT_EQ(wait->why, WaitWhy::just_visited);
  EXPECT_EQ(wait->until, store->now() + 30s);
}

// Where nobody knows whether the machine was started anew, every opening may follow a start.
TEST_F(SqliteFile, AMachineWithoutABootIdMakesEveryOpeningAStart) {
  Machine machine;
  machine.boot.clear();
  {
    const auto store = open_sqlite_store(path, machine.options()).value();
    EXPECT_TRUE(std::holds_alternative<Granted>(ask(*store)));
    const Origin origin = *Origin::of(site);
    EXPECT_TRUE(std::holds_alternative<RobotsLease>(store->lease_robots_fetch(origin, 1h).value()));
  }
  machine.pass(10min);
  machine.wall += 1h;  // which is believed, for want of better
  const auto store = open_sqlite_store(path, machine.options()).value();
  EXPECT_EQ(store->now(), machine.wall);
  EXPECT_EQ(store->just_visited().value(), machine.wall);
  const ReserveAnswer answer = ask(*store);
  const Wait* wait = std::get_if<Wait>(&answer);
  ASSERT_NE(wait, nullptr);
  EXPECT_EQ(wait->why, WaitWhy::just_visited);
  EXPECT_TRUE(std::holds_alternative<RobotsLease>(store->lease_robots_fetch(*Origin::of(site), 1h).value()));
}

TEST_F(SqliteFile, NobodyCanSetItsClock) {
  Machine machine;
  const auto store = open_sqlite_store(path, machine.options()).value();
  const Timestamp before = store->now();
  machine.wall -= std::chrono::hours(24 * 3'650);
  machine.pass(5s);
  EXPECT_EQ(store->now(), before + 5s);
  const auto other = open_sqlite_store(path, machine.options()).value();
  EXPECT_EQ(other->now(), before + 5s);
  machine.wall += std::chrono::hours(24 * 7'300);
  EXPECT_EQ(open_sqlite_store(path, machine.options()).value()->now(), before + 5s);
}

// The wall clock was set back while the machine was off: no gap gets shorter, no wait longer than its interval.
TEST_F(SqliteFile, AClockSetBackBetweenBootsKeepsGapsAndBoundsWaits) {
  Machine machine;
  {
    const auto store = open_sqlite_store(path, machine.options()).value();
    const ReserveAnswer answer = ask(*store);
    ASSERT_TRUE(store->complete(std::get<Granted>(answer).token, {.status = 200, .retry_after = {}}).ok());
  }
  machine.restart(-std::chrono::hours(24 * 365));
  const auto store = open_sqlite_store(path, machine.options()).value();
  const ReserveAnswer answer = ask(*store);
  const Wait* wait = std::get_if<Wait>(&answer);
  ASSERT_NE(wait, nullptr);
  EXPECT_EQ(wait->until, store->now() + 10s);
  machine.pass(10s);
  EXPECT_TRUE(std::holds_alternative<Granted>(ask(*store)));
}

TEST(GateClock, JumpsNeverShortenAGapNorLengthenAWaitWithoutBound) {
  for (const std::chrono::microseconds jump :
       {std::chrono::microseconds(-1h), std::chrono::microseconds(-24h * 3'650)}) {
    test::ScriptedClock clock;
    MemoryStoreOptions options;
    options.clock = [&clock] { return clock.now(); };
    const auto store = make_memory_store(options);
    const auto token = std::get<Granted>(ask(*store)).token;
    ASSERT_TRUE(store->complete(token, {.status = 429, .retry_after = 60s}).ok());
    clock.advance(jump);
    const ReserveAnswer answer = ask(*store);
    const Wait* wait = std::get_if<Wait>(&answer);
    ASSERT_NE(wait, nullptr);
    EXPECT_EQ(wait->until, clock.now() + 60s);
  }
}

// --- damage ----------------------------------------------------------------------------------------------------------

void fill(const std::string& path, int origins) {
  SqliteStoreOptions options;
  options.first_ever = true;
  RobotRules rules = RobotRules::open(open_sqlite_store(path, options).value(), "FooBot").value();
  for (int i = 0; i < origins; ++i) {
    const std::string origin = "https://site" + std::to_string(i) + ".example";
    std::string body = "User-agent: *\n";
    for (int line = 0; line < 60; ++line) body += "Disallow: /" + std::to_string(i * 7919 + line * 104'729) + "\n";
    ASSERT_TRUE(rules.parse(origin + "/robots.txt", body).ok());
    ASSERT_TRUE(rules.visit(origin + "/").ok());
  }
}

TEST_F(SqliteFile, ASoundFileHasNoProblems) {
  fill(path, 50);
  const auto report = check_sqlite_store(path, true);
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report.value().problems.empty()) << report.value().problems.front();
  EXPECT_EQ(report.value().moved_to, "");
}

// A page at a time: nothing crashes, what is answered is right or an error, check sees it, repair saves the rest.
TEST_F(SqliteFile, APageOfNonsenseIsSeenAndTheRestIsSaved) {
  fill(path, 150);
  const std::string sound = bytes_of(path);
  constexpr std::size_t page = 4096;
  ASSERT_GT(sound.size(), 12 * page);
  std::mt19937 random(3);
  std::size_t seen = 0;
  std::size_t saved_some = 0;
  const std::size_t pages = sound.size() / page;
  for (std::size_t at = 0; at < pages; ++at) {
    const std::string damaged_path = folder + "/damaged" + std::to_string(at) + ".db";
    std::string damaged = sound;
    for (std::size_t i = 0; i < page; ++i) damaged[at * page + i] = static_cast<char>(random());
    write(damaged_path, damaged);
    fs::permissions(damaged_path, fs::perms::owner_read | fs::perms::owner_write);
    {
      const auto opened = open_sqlite_store(damaged_path);
      for (int i = 0; opened.ok() && i < 150; i += 10) {
        const auto record = opened.value()->robots(*Origin::of("https://site" + std::to_string(i) + ".example/"));
        if (!record.ok()) {
          EXPECT_TRUE(record.error().code == "store-damaged" || record.error().code == "store-foreign")
              << record.error().message;
        }
      }
    }
    const auto report = check_sqlite_store(damaged_path, true);
    ASSERT_TRUE(report.ok() || report.error().code == "store-foreign") << report.error().message;
    if (!report.ok()) continue;
    if (report.value().problems.empty()) continue;  // a free page
    ++seen;
    ASSERT_NE(report.value().moved_to, "");
    EXPECT_TRUE(fs::exists(report.value().moved_to));
    if (report.value().origins_kept > 100) ++saved_some;
    const auto again = open_sqlite_store(damaged_path);
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_NE(again.value()->just_visited().value(), std::nullopt);
    EXPECT_TRUE(check_sqlite_store(damaged_path).value().problems.empty());
  }
  EXPECT_GE(seen, pages * 9 / 10);
  EXPECT_GE(saved_some, pages / 2);
}

TEST_F(SqliteFile, CutFilesAndFlippedBitsNeverCrash) {
  fill(path, 60);
  const std::string sound = bytes_of(path);
  std::mt19937 random(5);
  for (int round = 0; round < 150; ++round) {
    std::string damaged = sound;
    if (round % 3 == 0) {
      damaged.resize(random() % damaged.size());
    } else {
      for (int flips = 0; flips < 4; ++flips)
        damaged[random() % damaged.size()] ^= static_cast<char>(1 << (random() % 8));
    }
    const std::string other = folder + "/flipped.db";
    write(other, damaged);
    {
      const auto opened = open_sqlite_store(other);
      if (opened.ok()) {
        std::size_t found = 0;
        static_cast<void>(
            opened.value()->for_each_origin([&](const Origin&, const RobotsRecord&) { return ++found < 1'000; }));
        static_cast<void>(opened.value()->reserve({.keys = {"https://site1.example"}, .interval = 1s}));
        static_cast<void>(opened.value()->stats());
      }
    }
    static_cast<void>(check_sqlite_store(other));
    for (const char* part : {"", "-wal", "-shm"}) fs::remove(other + part);
  }
}

TEST_F(SqliteFile, AChildIsToldNotToUseItsParentsStore) {
  SqliteStoreOptions options;
  options.first_ever = true;
  auto store = open_sqlite_store(path, options).value();
  const Origin origin = *Origin::of("https://a.example/");
  ASSERT_TRUE(store->add_visit(origin, store->now()).ok());
  const pid_t child = fork();
  if (child == 0) {
    const auto visited = store->add_visit(origin, store->now());
    const bool told = !visited.ok() && visited.error().code == "store-forked";
    store.reset();
    _exit(told ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  ASSERT_TRUE(store->add_visit(origin, store->now()).ok());
  EXPECT_EQ(store->visits(origin).value().count, 2u);
}

// What a caller says of the future must not look like a clock that was set back.
TEST(GateClock, AVisitInTheFutureShortensNothing) {
  test::ScriptedClock clock;
  MemoryStoreOptions options;
  options.clock = [&clock] { return clock.now(); };
  const auto store = make_memory_store(options);
  const auto token = std::get<Granted>(ask(*store)).token;
  ASSERT_TRUE(store->complete(token, {.status = 429, .retry_after = 1h}).ok());
  ASSERT_TRUE(store->add_visit(*Origin::of(site), clock.now() + 2h).ok());
  const ReserveAnswer answer = ask(*store);
  const Wait* wait = std::get_if<Wait>(&answer);
  ASSERT_NE(wait, nullptr);
  EXPECT_EQ(wait->until, clock.now() + 1h);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
