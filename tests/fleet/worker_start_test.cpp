// What a worker of `robotrules get` meets at its start: a server that is away or refuses it, workers with other flags,
// and tables that a newer version has upgraded.
#include <gtest/gtest.h>

#include <signal.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "cli/command.hpp"
#include "cli/shell.hpp"
#include "support/folder.hpp"
#include "support/postgres/postgres_server.hpp"
#include "support/server/server.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using Words = std::vector<std::string>;

class WorkerStart : public testing::Test {
 protected:
  void SetUp() override {
    if (!PostgresServer::is_installed()) GTEST_SKIP() << "PostgreSQL is not installed";
    server.on("", "/robots.txt", reply("User-agent: *\nDisallow:\n"));
    server.on("", "/*", reply("<p>a page</p>"));
    database.emplace();
    db = database->uri("first_ever=1&lease=4");
  }
  std::string url(const std::string& path, const std::string& host = "a") const {
    return "http://" + host + ".localhost:" + std::to_string(port) + path;
  }
  // The words of a worker with that number, and thus with an output of its own.
  Words words(int number, const Words& more) const {
    Words all{"get",
              "--db",
              db,
              "--job",
              "fleet",
              "--from",
              "a@b.c",
              "--output",
              folder + "/w" + std::to_string(number) + ".warc",
              "--allow-address",
              "127.0.0.0/8",
              "--allow-address",
              "::1/128"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  void add_urls(int count) {
    std::vector<QueuedUrl> urls;
    for (int i = 0; i < count; ++i) urls.push_back({url("/" + std::to_string(i))});
    ASSERT_TRUE(open_url_queue(db, "fleet").value()->add(urls).ok());
  }
  QueueCounts counts() const { return open_url_queue(db, "fleet").value()->counts().value(); }

  ScriptedServer server;
  std::uint16_t port = server.listen();
  const std::string folder = new_folder();
  std::optional<PostgresServer> database;
  std::string db;
};

TEST_F(WorkerStart, WaitsForAServerThatIsAway) {
  add_urls(2);
  database->stop();
  Running worker(words(0, {"--delay", "0"}));
  const std::string said = worker.read_err_until("the crawl waits until it answers");
  EXPECT_NE(said.find("cannot be reached"), std::string::npos) << said;
  database->start();
  const Ran ran = worker.finish();
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.err.find("the database of the queue answers again"), std::string::npos) << ran.err;
  EXPECT_EQ(counts(), (QueueCounts{.done = 2}));
}

TEST_F(WorkerStart, EndsWhileItWaitsAtSigterm) {
  database->stop();
  for (const auto& [signal, status] : {std::pair{SIGTERM, 143}, std::pair{SIGINT, 130}}) {
    Running worker(words(0, {url("/")}));
    worker.read_err_until("the crawl waits until it answers");
    worker.signal(signal);
    EXPECT_EQ(worker.finish().status, status);
  }
  EXPECT_FALSE(std::filesystem::exists(folder + "/w0.warc"));
}

TEST_F(WorkerStart, EndsAtOnceIfTheServerRefusesIt) {
  const std::string own = db;
  db = database->uri("first_ever=1", "nobody-here");
  Ran ran = run(words(0, {url("/")}));
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("refuses this user"), std::string::npos) << ran.err;
  db = own;
  db.replace(db.find("/postgres?"), std::string("/postgres?").size(), "/missing?");
  ran = run(words(0, {url("/")}));
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("no such database"), std::string::npos) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(folder + "/w0.warc"));
}

TEST_F(WorkerStart, TheCommandThatTriesAgainKeepsTheUserAndNotThePassword) {
  server.on("", "/gone", in_turn({status(500), reply("back")}));
  db.replace(db.find("postgres@"), std::string("postgres@").size(), "postgres:Zq1Yw2@");
  const Ran first = run(words(0, {"--tries", "1", url("/gone")}));
  EXPECT_EQ(first.status, 3) << first.err;
  EXPECT_EQ(first.err.find("Zq1"), std::string::npos) << first.err;
  const std::string before = "To fetch failed, cut and left-out URLs: robotrules ";
  const std::size_t begin = first.err.find(before);
  ASSERT_NE(begin, std::string::npos) << first.err;
  const std::string rest = first.err.substr(begin + before.size());
  const std::string command = rest.substr(0, rest.find('\n'));
  EXPECT_TRUE(command.ends_with(" --retry (the password comes from ~/.pgpass or PGPASSWORD)")) << command;
  EXPECT_NE(command.find("postgres@"), std::string::npos) << command;
  EXPECT_EQ(command.find("first_ever"), std::string::npos) << command;
  const Ran again = shell(command_path() + " " + command.substr(0, command.find(" (")));
  EXPECT_EQ(again.status, 0) << again.out;
  EXPECT_EQ(counts(), (QueueCounts{.done = 1}));
}

TEST_F(WorkerStart, TellsWhichFlagsDifferAndTheLongestDelayHolds) {
  add_urls(3);
  Running first(words(0, {"--delay", "2", "--tries", "2"}));
  first.read_err_until("job fleet");
  const Ran second = run(words(1, {"--delay", "0.1", "--tries", "4"}));
  EXPECT_EQ(second.status, 0) << second.err;
  EXPECT_NE(second.err.find("the job fleet has a worker with other flags"), std::string::npos) << second.err;
  EXPECT_NE(second.err.find("--delay (here: 0.1, there: 2)"), std::string::npos) << second.err;
  EXPECT_NE(second.err.find("--tries (here: 4, there: 2)"), std::string::npos) << second.err;
  EXPECT_NE(second.err.find("has a delay of 2000 ms, which now holds here too"), std::string::npos) << second.err;
  EXPECT_EQ(first.finish().status, 0);
  const Ran alone = run(words(1, {"--delay", "0.1", url("/alone")}));
  EXPECT_EQ(alone.err.find("other flags"), std::string::npos) << alone.err;
}

// The limit on waits follows the delay.
TEST_F(WorkerStart, ADelayThatIsTakenOverLeavesNothingOut) {
  add_urls(3);
  Running first(words(0, {"--delay", "2h"}));
  first.read_err_until("job fleet");
  ASSERT_TRUE(open_url_queue(db, "fleet").value()->add({{url("/x", "b")}, {url("/y", "b")}}).ok());
  Running second(words(1, {"--delay", "0.1", url("/z", "b")}));
  const std::string said = second.read_err_until("which now holds here too");
  ASSERT_TRUE(server.witness().wait_for(4));  // two robots.txt and two pages
  for (Running* one : {&first, &second}) {
    one->signal(SIGTERM);
    const Ran ran = one->finish();
    EXPECT_EQ(ran.status, 143);
    EXPECT_EQ(ran.err.find("left out"), std::string::npos) << ran.err;
  }
  EXPECT_EQ(counts().parked, 0U);
}

// The worker that is there learns it from the job.
TEST_F(WorkerStart, ALongerDelayReachesTheWorkersThatRun) {
  add_urls(40);
  Running first(words(0, {"--delay", "0.5"}));
  first.read_err_until("job fleet");
  Running second(words(1, {"--delay", "1.5"}));
  first.read_err_until("has a delay of 1500 ms, which now holds here too");
  for (Running* one : {&first, &second}) {
    one->signal(SIGTERM);
    EXPECT_EQ(one->finish().status, 143);
  }
}

TEST_F(WorkerStart, StopsAfterAnUpgradeAndKeepsWhatWasUnderWay) {
  add_urls(30);
  Running worker(words(0, {"--delay", "0.2"}));
  ASSERT_TRUE(server.witness().wait_for(4));  // robots.txt and three pages
  const std::string version =
      database->query("SELECT convert_from(value, 'UTF8') FROM robotrules.meta WHERE name = 'version'");
  const auto set_version = [&](const std::string& to) {
    database->query("UPDATE robotrules.meta SET value = convert_to('" + to + "', 'UTF8') WHERE name = 'version'");
  };
  set_version("999");
  const Ran ran = worker.finish();
  EXPECT_EQ(ran.status, 2) << ran.err;
  EXPECT_NE(ran.err.find("this program knows versions up to"), std::string::npos) << ran.err;
  const Ran again = run(words(0, {}));
  EXPECT_EQ(again.status, 2);
  EXPECT_NE(again.err.find("use a newer robotrules"), std::string::npos) << again.err;
  set_version(version);
  const std::uint64_t pages = server.witness().requests().size() - 1;
  EXPECT_EQ(counts().done, pages) << "each page that was requested is settled";
  EXPECT_GT(counts().pending, 0U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
