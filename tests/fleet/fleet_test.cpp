// A crawl by several processes of `robotrules get` that share a PostgreSQL database: some are killed, some are stopped.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "archive/recover.hpp"
#include "cli/command.hpp"
#include "support/folder.hpp"
#include "support/postgres/postgres_server.hpp"
#include "support/server/server.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto jitter = 5ms;       // of a measurement at the server
constexpr int most_unsettled = 3;  // URLs of a site that a worker has not settled, on a slow machine

struct Plan {
  int sites = 40;
  int urls_per_site = 8;
  int workers = 3;
  std::chrono::milliseconds delay = 500ms;
  std::chrono::seconds limit = 100s;  // for all of it
  bool quiet = true;
};

// One process of `robotrules get`, with an output of its own.
class Worker {
 public:
  Worker(const std::string& db, const Plan& plan, std::string output) : output_(std::move(output)) {
    const int said = ::open((output_ + ".err").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    std::vector<std::string> words{"get",
                                   "--db",
                                   db,
                                   "--job",
                                   "fleet",
                                   "--from",
                                   "a@b.example",
                                   "--allow-address",
                                   "127.0.0.0/8",
                                   "--allow-address",
                                   "::1/128",
                                   "--delay",
                                   std::to_string(static_cast<double>(plan.delay.count()) / 1'000),
                                   "--output",
                                   output_};
    if (plan.quiet) words.emplace_back("--quiet");
    running_ = std::make_unique<Running>(words, Streams{said, said});
    ::close(said);
  }
  const std::string& output() const { return output_; }
  void signal(int number) const { running_->signal(number); }
  void kill() {
    running_->signal(SIGKILL);
    Ran ran;
    running_->wait(ran);
  }
  int finish() {
    Ran ran;
    running_->wait(ran);
    return ran.status;
  }
  std::string said() const {
    std::string text;
    if (FILE* file = std::fopen((output_ + ".err").c_str(), "r")) {
      char piece[4'096];
      for (std::size_t got = 0; (got = std::fread(piece, 1, sizeof piece, file)) > 0;) text.append(piece, got);
      std::fclose(file);
    }
    return text;
  }

 private:
  std::string output_;
  std::unique_ptr<Running> running_;
};

class Fleet : public testing::Test {
 protected:
  void SetUp() override {
    if (!PostgresServer::is_installed()) GTEST_SKIP() << "PostgreSQL is not installed";
    server.on("", "/robots.txt", reply("User-agent: *\nDisallow:\n"));
    server.on("", "/*", reply("<p>a page</p>"));
    database.emplace();
    db = database->uri("first_ever=1&lease=4");
  }

  void begin(const Plan& made) {
    plan = made;
    std::vector<QueuedUrl> urls;
    for (int site = 0; site < plan.sites; ++site) {
      for (int i = 0; i < plan.urls_per_site; ++i) {
        urls.push_back(
            {"http://s" + std::to_string(site) + ".localhost:" + std::to_string(port) + "/" + std::to_string(i)});
      }
    }
    queue = open_url_queue(db, "fleet").value();
    ASSERT_EQ(queue->add(urls).value().added, urls.size());
    all = urls.size();
    end = Clock::now() + plan.limit;
    for (int i = 0; i < plan.workers; ++i) start(i);
  }
  std::string output_of(int worker) const { return folder + "/w" + std::to_string(worker) + ".warc.gz"; }
  void start(int worker) { workers[worker] = std::make_unique<Worker>(db, plan, output_of(worker)); }
  void kill(int worker) {
    workers.at(worker)->kill();
    workers.erase(worker);
    ++kills;
  }
  std::uint64_t ended() const {
    const auto counts = queue->counts();
    return counts ? counts.value().all() - counts.value().pending : 0;
  }
  bool wait_until(const std::function<bool()>& is_true) const {
    while (!is_true()) {
      if (Clock::now() > end) return false;
      std::this_thread::sleep_for(20ms);
    }
    return true;
  }
  bool wait_for_ended(double share) const {
    return wait_until([&] { return static_cast<double>(ended()) >= share * static_cast<double>(all); });
  }

  // Waits for the workers and judges their crawl. `lost`: how often a worker lost its sites.
  void judge(int lost) {
    EXPECT_TRUE(wait_for_ended(1)) << ended() << " of " << all;
    for (const auto& [number, worker] : workers) EXPECT_EQ(worker->finish(), 0) << number << ": " << worker->said();
    EXPECT_EQ(queue->counts().value(), (QueueCounts{.done = all}));

    std::map<std::string, int> pages;  // by URL: in how many places of the outputs
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (!entry.path().string().ends_with(".warc.gz")) continue;
      const auto read = archive::recover(entry.path().string(), {OutputKind::warc, Packing::gzip}, 0,
                                         [&](const archive::RecoveredPage& page) { ++pages[page.url]; });
      EXPECT_TRUE(read.ok()) << read.error().message;
    }
    EXPECT_EQ(pages.size(), all) << "each URL is in an output";
    std::map<std::string, int> repeated;  // by site
    for (const auto& [url, times] : pages) repeated[url.substr(0, url.rfind('/'))] += times - 1;
    int most = 0;
    int sum = 0;
    for (const auto& [site, times] : repeated) {
      most = std::max(most, times);
      sum += times;
    }
    // A worker that ends repeats what it had not settled: one URL of a site, or a few if the machine was slow.
    EXPECT_LE(most, most_unsettled * lost);

    std::map<std::string, Clock::time_point> last;
    std::size_t requests = 0;
    int early = 0;
    for (const SeenRequest& request : server.witness().requests()) {
      if (request.path() == "/robots.txt") continue;
      ++requests;
      const auto before = last.find(request.host());
      if (before != last.end() && request.arrived.steady - before->second < plan.delay - jitter) ++early;
      last[request.host()] = request.arrived.steady;
    }
    EXPECT_EQ(early, 0) << "requests that a site saw too early";
    RecordProperty("requests", static_cast<int>(requests));
    RecordProperty("repeated", sum);
    std::printf("%zu URLs, %zu requests, %d pages twice, %d kills\n", static_cast<std::size_t>(all), requests, sum,
                kills);
  }

  ScriptedServer server;
  std::uint16_t port = server.listen();
  const std::string folder = new_folder();
  std::optional<PostgresServer> database;
  std::string db;
  Plan plan;
  std::unique_ptr<UrlQueue> queue;
  std::map<int, std::unique_ptr<Worker>> workers;
  std::uint64_t all = 0;
  Clock::time_point end;
  int kills = 0;
};

TEST_F(Fleet, WorkersThatAreKilledLoseNothing) {
  begin({});
  ASSERT_TRUE(wait_for_ended(0.2));
  kill(0);  // it is started again with its output
  start(0);
  ASSERT_TRUE(wait_for_ended(0.5));
  kill(1);  // the others take over
  judge(2);
}

TEST_F(Fleet, AWorkerThatWasStoppedForTooLongBeginsAnew) {
  begin({.sites = 12, .urls_per_site = 12, .workers = 2});
  const auto number_of_workers = [&] { return database->query("SELECT count(*) FROM robotrules.queue_worker"); };
  ASSERT_TRUE(wait_until([&] { return number_of_workers() == "2"; }));
  ASSERT_TRUE(wait_for_ended(0.2));
  workers.at(0)->signal(SIGSTOP);
  const bool is_buried = wait_until([&] { return number_of_workers() == "1"; });
  workers.at(0)->signal(SIGCONT);
  ASSERT_TRUE(is_buried);
  judge(1);
}

// Status 3 is that of all URLs of the job. So a worker that has failed none itself says how many have failed.
TEST_F(Fleet, EachWorkerExplainsItsStatus) {
  const Gate gate;
  server.on("", "/*", Script().wait(gate).send(reply("<p>a page</p>")).keep());
  server.on("s0.localhost", "/*", Script().wait(gate).send(status(404)).keep());
  server.on("", "/robots.txt", reply(""));
  begin({.sites = 6, .urls_per_site = 2, .workers = 2, .delay = 10ms, .quiet = false});
  const auto number_of_workers = [&] { return database->query("SELECT count(*) FROM robotrules.queue_worker"); };
  ASSERT_TRUE(wait_until([&] { return number_of_workers() == "2"; }));
  gate.open();
  for (const auto& [number, worker] : workers) {
    EXPECT_EQ(worker->finish(), 3) << worker->said();
    const std::string said = worker->said();
    const bool is_own = said.find("failed                2   2 404\n") != std::string::npos;
    EXPECT_TRUE(is_own || said.find("job fleet: 12 URLs: 10 fetched, 2 failed\n") != std::string::npos) << said;
  }
}

// The lease of the worker stays valid.
TEST_F(Fleet, AWorkerThatLosesOneSiteGoesOnWithTheOthers) {
  begin({.sites = 6, .urls_per_site = 10, .workers = 1});
  ASSERT_TRUE(wait_for_ended(0.2));
  EXPECT_EQ(database->query("WITH lost AS (UPDATE robotrules.queue_site SET fence = 0 WHERE id ="
                            " (SELECT id FROM robotrules.queue_site WHERE fence <> 0 AND pending > 3 LIMIT 1)"
                            " RETURNING id) SELECT count(*) FROM lost"),
            "1");
  judge(1);
}

TEST_F(Fleet, AServerThatIsRestartedLosesNoSettlement) {
  db = database->uri("first_ever=1&lease=30");  // the recovery of the server may take longer than a short lease
  begin({.sites = 20, .urls_per_site = 8, .workers = 2});
  for (const double share : {0.2, 0.5}) {
    ASSERT_TRUE(wait_for_ended(share));
    database->stop(PostgresServer::Stop::immediate);
    database->start();
  }
  judge(0);
}

TEST_F(Fleet, SoakOfEightWorkersWithTwentyKills) {
  if (std::getenv("ROBOTRULES_SOAK") == nullptr) GTEST_SKIP() << "set ROBOTRULES_SOAK=1 for this test of minutes";
  begin({.sites = 2'000, .urls_per_site = 10, .workers = 8, .delay = 1'000ms, .limit = 1'800s});
  std::mt19937 random(11);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(wait_for_ended(0.04 * (i + 1)));
    const int victim = static_cast<int>(random() % 8);
    kill(victim);
    if (random() % 2 == 0) {
      start(victim);
    } else {
      // Another one takes its place, with an output of its own.
      workers[victim] = std::make_unique<Worker>(db, plan, output_of(100 + i));
    }
  }
  judge(20);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
