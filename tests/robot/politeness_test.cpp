// The witness of politeness: hundreds of sites on real sockets, and the server's own log says when it was asked.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include <robotrules/robot_ua.hpp>

#include "support/agent/loopback.hpp"
#include "support/agent/robot_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

// Of the sites: two of three ask for a Crawl-delay, each for another one up to twice `crawl_delay`; every seventh
// refuses its third page, every fifth redirects pages within itself, every eleventh to its neighbour.
struct Plan {
  int sites;
  microseconds delay;
  microseconds crawl_delay;
  microseconds pause;  // of a 429; whole seconds
  microseconds time;   // how long it goes on
};

struct Site {
  std::string host;
  std::string origin;
  microseconds interval;
};

std::string seconds_text(microseconds time) { return std::to_string(std::chrono::duration<double>(time).count()); }

class Witnessed : Loopback {
 public:
  explicit Witnessed(const Plan& plan) : plan_(plan) {
    for (int i = 0; i < plan.sites; ++i) {
      const std::string address = "127.0." + std::to_string(1 + i / 250) + "." + std::to_string(1 + i % 250);
      server.open({.address = address, .port = port});
      const std::string host = address + ":" + std::to_string(port);
      const microseconds asked = crawl_delay_of(i);
      sites_.push_back({host, "http://" + host, std::max(plan.delay, asked)});
    }
    for (int i = 0; i < plan.sites; ++i) script(i);
  }

  void run() {
    robot_options.pace.delay = std::chrono::duration_cast<std::chrono::milliseconds>(plan_.delay);
    const auto end = std::chrono::steady_clock::now() + plan_.time;
    RobotUA ua = new_robot();
    std::atomic<int> going{0};
    std::mutex mutex;
    std::condition_variable ended;
    std::map<std::string, int> asked;
    std::function<void(const Site&)> next = [&](const Site& site) {
      const int number = asked[site.host]++;  // on the agent's thread, but the first round
      ua.start(request_to(site.origin + "/" + std::to_string(number)), [&, number](Response response) {
        if (response.is_synthetic()) ++synthetic_;
        ++pages_;
        if (std::chrono::steady_clock::now() < end || number < 3) return next(site);
        const std::lock_guard lock(mutex);
        if (--going == 0) ended.notify_one();
      });
    };
    going = plan_.sites;
    for (const Site& site : sites_) asked[site.host] = 0;
    for (const Site& site : sites_) next(site);
    std::unique_lock lock(mutex);
    ASSERT_TRUE(ended.wait_for(lock, plan_.time + 120s, [&] { return going == 0; }));
  }

  // By the log: pages that came before they should, and how late the others were. The jitter of a loopback is allowed:
  // what was answered first may be logged last.
  void judge() {
    constexpr microseconds jitter = 5ms;
    std::map<std::string, std::vector<SeenRequest>> by_host;
    std::map<std::string, int> robots;
    for (SeenRequest& request : server.witness().requests()) {
      if (request.path() == "/robots.txt") {
        ++robots[request.host()];
      } else {
        by_host[request.host()].push_back(std::move(request));
      }
    }
    for (const Site& site : sites_) {
      EXPECT_EQ(robots[site.host], 1) << site.host;
      const auto& seen = by_host[site.host];
      for (std::size_t i = 1; i < seen.size(); ++i) {
        const bool refused = seen[i - 1].path() == "/2" && number_of(site) % 7 == 0;
        const microseconds wanted = refused ? std::max(site.interval, plan_.pause) : site.interval;
        const auto gap = std::chrono::duration_cast<microseconds>(seen[i].arrived.steady - seen[i - 1].arrived.steady);
        EXPECT_GE(gap, wanted - jitter) << site.host << seen[i].target << " at " << i;
        early_ += gap < wanted - jitter ? 1 : 0;
        ++gaps_;
        const bool elsewhere = number_of(site) % 11 == 0 || (number_of(site) + 1) % 11 == 0;  // waits for another too
        if (!elsewhere) late_.push_back(gap - wanted);
      }
    }
    std::sort(late_.begin(), late_.end());
  }

  std::size_t gaps() const { return gaps_; }
  std::size_t early() const { return early_; }
  std::size_t pages() const { return pages_; }
  std::size_t synthetic() const { return synthetic_; }
  microseconds late(double share) const {
    return late_.empty() ? microseconds(0)
                         : late_[static_cast<std::size_t>(share * static_cast<double>(late_.size() - 1))];
  }

 private:
  int number_of(const Site& site) const { return static_cast<int>(&site - sites_.data()); }

  microseconds crawl_delay_of(int i) const {
    if (i % 3 == 0) return microseconds(0);
    return std::chrono::floor<std::chrono::milliseconds>(plan_.crawl_delay + plan_.crawl_delay * (i * 37 % 101) / 101);
  }

  void script(int i) {
    const std::string& host = sites_[static_cast<std::size_t>(i)].host;
    std::string robots = "User-agent: *\nDisallow: /no\n";
    if (i % 3 != 0) robots += "Crawl-delay: " + seconds_text(crawl_delay_of(i)) + "\n";
    server.on(host, "/robots.txt", reply(robots));
    server.on(host, "/*", reply("page"));
    if (i % 5 == 0) server.on(host, "/1", redirect(302, "/target"));
    if (i % 11 == 0) {
      server.on(host, "/4",
                redirect(302, sites_[static_cast<std::size_t>((i + plan_.sites - 1) % plan_.sites)].origin + "/guest"));
    }
    if (i % 7 == 0) {
      const auto pause = std::chrono::duration_cast<std::chrono::seconds>(plan_.pause).count();
      server.on(host, "/2", status(429, {{"Retry-After", std::to_string(pause)}}));
    }
  }

  Plan plan_;
  std::vector<Site> sites_;
  std::vector<microseconds> late_;
  std::size_t gaps_ = 0;
  std::size_t early_ = 0;
  std::atomic<std::size_t> pages_{0};
  std::atomic<std::size_t> synthetic_{0};
};

TEST(Politeness, NotOneRequestComesEarlyByTheServersLog) {
  Witnessed witnessed({.sites = 40, .delay = 60ms, .crawl_delay = 80ms, .pause = 1s, .time = 600ms});
  witnessed.run();
  witnessed.judge();
  EXPECT_EQ(witnessed.early(), 0U);
  EXPECT_EQ(witnessed.synthetic(), 0U);
  EXPECT_GT(witnessed.gaps(), 40U);
}

TEST(Politeness, FiveHundredSitesForAMinute) {
  if (std::getenv("ROBOTRULES_SOAK") == nullptr) GTEST_SKIP() << "takes a minute: set ROBOTRULES_SOAK=1";
  Witnessed witnessed({.sites = 500, .delay = 1s, .crawl_delay = 1200ms, .pause = 4s, .time = 60s});
  witnessed.run();
  witnessed.judge();
  EXPECT_EQ(witnessed.early(), 0U);
  EXPECT_EQ(witnessed.synthetic(), 0U);
  EXPECT_GT(witnessed.gaps(), 10'000U);
  const auto micros = [&](double share) { return std::to_string(witnessed.late(share).count()); };
  RecordProperty("requests", std::to_string(witnessed.gaps()));
  RecordProperty("late_p50_us", micros(0.5));
  RecordProperty("late_p99_us", micros(0.99));
  std::printf("%zu gaps, %zu early; late: p50 %s us, p99 %s us, most %s us\n", witnessed.gaps(), witnessed.early(),
              micros(0.5).c_str(), micros(0.99).c_str(), micros(1).c_str());
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
