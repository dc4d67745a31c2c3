// A master dies with writes that its replica does not have. Several processes crawl meanwhile; the sites' log tells
// whether a request came too early. Long, with ROBOTRULES_SOAK: 8 processes, and a master dies again and again. Then
// the same with all faults: masters that die or stop while another one is flushed, cut connections, slots that move.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <robotrules/open_store.hpp>

#include "redis/redis_stores.hpp"
#include "servers/redis/site_tag.hpp"
#include "support/folder.hpp"
#include "support/soak.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;
using Clock = std::chrono::steady_clock;

constexpr int sites = 60;

std::string site(int number) { return "https://www.site" + std::to_string(number) + ".example"; }

// What a site writes for a request.
struct Logged {
  int site = 0;
  std::int64_t at = 0;  // microseconds of the machine's monotonic clock
};

// Sends requests to all sites until it is killed. As a robot does, it gives back what it was granted too long ago.
void crawl(const std::string& name, microseconds interval, bool guard, int log) {
  ServerStoreOptions options;
  options.timeout = 1s;
  const auto store = open_redis(name, options, {.guard = guard});
  GateCalls asked;
  for (int i = 0; i < sites; ++i) {
    asked.requests.push_back(std::make_shared<ReserveRequest>(ReserveRequest{{site(i)}, interval}));
  }
  for (;;) {
    const auto begun = Clock::now();
    const GateAnswers answers = store->call_gate(asked);
    GateCalls ends;
    for (int i = 0; i < sites; ++i) {
      const auto& answer = answers.requests[static_cast<std::size_t>(i)];
      if (!answer || !std::holds_alternative<Granted>(answer.value())) continue;
      GateCalls::Finish end{std::get<Granted>(answer.value()).token, std::nullopt};
      const auto now = Clock::now();
      if (now - begun <= 1s) {
        const Logged line{i, std::chrono::duration_cast<microseconds>(now.time_since_epoch()).count()};
        if (::write(log, &line, sizeof line) != sizeof line) ::_exit(1);
        end.outcome = Outcome{.status = 200, .retry_after = {}};
      }
      ends.ends.push_back(end);
    }
    static_cast<void>(store->call_gate(ends));
    std::this_thread::sleep_for(5ms);
  }
}

struct Plan {
  std::size_t replicas;
  std::size_t processes;
  microseconds interval;
  int deaths;
  std::chrono::seconds after_each;  // how long the crawl goes on after a death
};

class Failover : public testing::Test {
 protected:
  void SetUp() override { NEEDS_REDIS(); }

  void start(const Plan& plan, bool guard) {
    for (std::size_t i = 0; i < plan.processes; ++i) {
      const pid_t child = ::fork();
      ASSERT_GE(child, 0);
      if (child == 0) {
        const int log = ::open(log_path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
        crawl(cluster->url("?prefix=a"), plan.interval, guard, log);
        ::_exit(0);
      }
      children.push_back(child);
    }
  }
  void end() {
    for (const pid_t child : children) {
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
    children.clear();
  }
  std::vector<Logged> log() const {
    std::vector<Logged> lines;
    std::ifstream stream(log_path, std::ios::binary);
    for (Logged line; stream.read(reinterpret_cast<char*>(&line), sizeof line);) lines.push_back(line);
    return lines;
  }
  static void pass(Clock::duration time) {
    const auto begun = Clock::now();
    wait_until([&] { return Clock::now() - begun >= time; }, "time passes");
  }
  // The replica is cut off; a moment later its master dies.
  void cut_off(std::size_t replica, std::size_t master) {
    cluster->node(replica).pause();
    EXPECT_EQ(cluster->node(master).call({"CLIENT", "KILL", "TYPE", "replica"}).number, 1);
  }
  void replace(std::size_t master, std::size_t replica) {
    cluster->node(master).kill();
    cluster->node(replica).resume();
    wait_until([&] { return cluster->node(replica).info("role") == "master"; }, "the replica is promoted");
    wait_until([&] { return cluster->is_ok(); }, "the cluster is whole again");
  }

  // Returns the node that is a master at one of these two places now.
  std::size_t master_of_pair(std::size_t one) {
    const std::size_t other = (one + 3) % 6;
    if (cluster->size() < 6) return one;
    std::size_t master = one;
    wait_until(
        [&] {
          for (const std::size_t node : {one, other}) {
            const std::size_t replica = (node + 3) % 6;
            master = node;
            if (cluster->node(node).info("role") == "master" && cluster->node(replica).info("role") == "slave" &&
                cluster->node(replica).info("master_link_status") == "up" &&
                cluster->node(node).info("connected_slaves") == "1") {
              return true;
            }
          }
          return false;
        },
        "a master and its replica");
    return master;
  }
  enum class Fault { connections, functions, flush, move, stopped, killed };
  // Does one of them to the nodes at this place. The cluster is whole again afterwards.
  void disturb(Fault fault, std::size_t place) {
    const std::size_t master = master_of_pair(place);
    switch (fault) {
      case Fault::connections:
        for (std::size_t i = 0; i < cluster->size(); ++i) cluster->node(i).call({"CLIENT", "KILL", "TYPE", "normal"});
        break;
      case Fault::functions: cluster->node(master).call({"FUNCTION", "FLUSH"}); break;
      case Fault::flush: cluster->node(master).call({"FLUSHALL"}); break;
      case Fault::move: move_some(place); break;
      case Fault::stopped: {
        const std::size_t replica = (master + 3) % 6;
        cluster->node(master).pause();
        flush_all_of(place + 1);
        wait_until([&] { return cluster->node(replica).info("role") == "master"; }, "the replica is promoted");
        cluster->node(master).resume();
        wait_until([&] { return cluster->node(master).info("role") == "slave"; }, "the old master follows");
        break;
      }
      case Fault::killed:
        cut_off((master + 3) % 6, master);
        pass(300ms);
        flush_all_of(place + 1);
        replace(master, (master + 3) % 6);
        cluster->node(master).start();
        break;
    }
    wait_until([&] { return cluster->is_ok(); }, "the cluster is whole again");
  }
  // At the same time as another fault: a node loses its data, its functions and its connections.
  void flush_all_of(std::size_t place) {
    RedisServer& node = cluster->node(master_of_pair(place % 3));
    node.call({"FLUSHALL"});
    node.call({"FUNCTION", "FLUSH"});
    node.call({"CLIENT", "KILL", "TYPE", "normal"});
  }
  // Gives the slots of some sites to another master.
  void move_some(std::size_t place) {
    const std::size_t to = master_of_pair((place + 1) % 3);
    int moved = 0;
    for (int i = 0; i < sites && moved < 3; ++i) {
      const auto slot = store::redis::slot_of(store::redis::tag_of_gate(site(i)));
      const std::size_t from = cluster->master_of(slot);
      if (from == to) continue;
      cluster->begin_move(slot, from, to);
      cluster->move_keys(slot, from, to);
      cluster->end_move(slot, to);
      ++moved;
    }
    EXPECT_GT(moved, 0);
  }
  // Each fault in turn, and all client connections are cut in the middle of each. Returns how many requests came too
  // early.
  std::size_t early_with(const std::vector<Fault>& faults, const Plan& plan) {
    cluster = std::make_unique<RedisCluster>(3, plan.replicas);
    const auto first = open_redis(cluster->url("?prefix=a&first_ever=1"));
    start(plan, true);
    wait_until([&] { return log().size() > sites / 2; }, "requests are sent");
    for (int i = 0; i < plan.deaths && !HasFatalFailure(); ++i) {
      const std::size_t before = log().size();
      const auto round = static_cast<std::size_t>(i);
      disturb(faults[round % faults.size()], round / faults.size() % 3);
      if (round % 2 == 1) disturb(Fault::connections, 0);
      pass(plan.after_each);
      wait_until([&] { return log().size() > before + sites / 2; }, "requests are sent again");
    }
    end();
    return count_early(plan.interval);
  }

  // Returns how many requests came too early.
  std::size_t early(const Plan& plan, bool guard) {
    cluster = std::make_unique<RedisCluster>(3, plan.replicas);
    // Nothing counts as just visited when it begins, so that the first requests are those that are lost.
    const auto first = open_redis(cluster->url("?prefix=a&first_ever=1"));
    std::size_t master = 0;
    std::size_t replica = 3;
    for (int death = 0; death < plan.deaths && !HasFatalFailure(); ++death) {
      const std::size_t before = log().size();
      cut_off(replica, master);
      if (children.empty()) start(plan, guard);
      if (death == 0) wait_until([&] { return log().size() > before + sites / 2; }, "requests are sent");
      pass(500ms);
      replace(master, replica);
      if (death == 0) {
        EXPECT_LE(cluster->node(replica).call({"DBSIZE"}).number, 3) << "its rows were lost";
      }
      pass(plan.after_each);
      if (death + 1 == plan.deaths) break;
      cluster->node(master).start();
      wait_until([&] { return cluster->node(master).info("master_link_status") == "up"; }, "it is a replica now");
      wait_until([&] { return cluster->node(replica).info("connected_slaves") == "1"; }, "it is known");
      std::swap(master, replica);
    }
    end();
    return count_early(plan.interval);
  }

  std::size_t count_early(microseconds interval) const {
    std::map<int, std::int64_t> last;
    std::size_t count = 0;
    auto lines = log();
    std::ranges::sort(lines, {}, &Logged::at);
    for (const Logged& line : lines) {
      const auto known = last.find(line.site);
      if (known != last.end() && line.at - known->second < interval.count()) ++count;
      last[line.site] = line.at;
    }
    EXPECT_GE(last.size(), std::size_t{sites}) << "every site was visited";
    std::cout << lines.size() << " requests, " << count << " too early\n";
    return count;
  }

  std::unique_ptr<RedisCluster> cluster;
  const std::string log_path = new_folder() + "/log";
  std::vector<pid_t> children;
};

constexpr Plan brief{1, 2, 12s, 1, 1s};

TEST_F(Failover, LostWritesSendNoRequestEarly) { EXPECT_EQ(early(brief, true), 0U); }

// The interval is longer than a failover, which takes two or three seconds.
Plan long_plan() { return {3, 8, 6s, static_cast<int>(time_to_soak().count() / 12), 8s}; }

TEST_F(Failover, ManyLostMastersSendNoRequestEarly) {
  if (std::getenv("ROBOTRULES_SOAK") == nullptr) GTEST_SKIP() << "only with ROBOTRULES_SOAK";
  EXPECT_EQ(early(long_plan(), true), 0U);
}

TEST_F(Failover, WithoutTheGuardManyLostMastersSendRequestsEarly) {
  if (std::getenv("ROBOTRULES_SOAK") == nullptr) GTEST_SKIP() << "only with ROBOTRULES_SOAK";
  EXPECT_GT(early(long_plan(), false), 0U);
}

TEST_F(Failover, CutsAndFlushesAndMovesSendNoRequestEarly) {
  EXPECT_EQ(early_with({Fault::functions, Fault::flush, Fault::move, Fault::connections}, {0, 4, 1s, 4, 0s}), 0U);
}

TEST_F(Failover, AllFaultsTogetherSendNoRequestEarly) {
  if (std::getenv("ROBOTRULES_SOAK") == nullptr) GTEST_SKIP() << "only with ROBOTRULES_SOAK";
  const int rounds = static_cast<int>(time_to_soak().count() / 10);
  EXPECT_EQ(early_with({Fault::killed, Fault::flush, Fault::stopped, Fault::move, Fault::functions, Fault::connections},
                       {3, 8, 6s, rounds, 1s}),
            0U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
