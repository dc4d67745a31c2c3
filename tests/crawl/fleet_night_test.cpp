// A night with 300 sites, of which many die, restart, hang or ask for pauses: no page of a site that comes back is
// lost, and a site that is away is asked a few times only.
#include <algorithm>
#include <atomic>
#include <iostream>
#include <map>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include <robotrules/crawl_urls.hpp>

#include "crawl/scripted_crawl.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

constexpr int pages_each = 20;

enum class Kind { healthy, dies, restarts, hangs, one_hangs, busy_url, refuses_at_times, visit_time, crawl_delay };

struct NightSite {
  std::string origin;
  Kind kind;
  microseconds from{0};  // of the trouble
  microseconds to{0};
};

std::vector<NightSite> sites_of_the_night() {
  std::mt19937 random(46);
  const auto minutes = [&](int least, int most) {
    return std::chrono::seconds(std::uniform_int_distribution<int>(least * 60, most * 60)(random));
  };
  std::vector<NightSite> sites;
  const auto add = [&](int count, Kind kind, auto from, auto length) {
    for (int i = 0; i < count; ++i) {
      NightSite site{"http://s" + std::to_string(sites.size()) + ".test", kind};
      site.from = from();
      site.to = site.from + length();
      sites.push_back(site);
    }
  };
  const auto never = [] { return microseconds(0); };
  const auto ever = [] { return microseconds(24h * 30); };
  const auto soon = [&] { return minutes(0, 3); };
  add(136, Kind::healthy, never, never);
  add(30, Kind::dies, soon, ever);
  add(60, Kind::restarts, soon, [&] { return minutes(0, 8); });
  add(20, Kind::hangs, soon, [&] { return minutes(1, 8); });
  add(4, Kind::one_hangs, never, never);
  add(15, Kind::busy_url, never, [] { return microseconds(150s); });
  add(15, Kind::refuses_at_times, never, never);
  add(10, Kind::visit_time, never, never);
  add(10, Kind::crawl_delay, never, never);
  return sites;
}

std::string rules_of(Kind kind) {
  // The clock begins at 12:00.
  if (kind == Kind::visit_time) return "User-agent: *\nVisit-time: 1230-1900\n";
  if (kind == Kind::crawl_delay) return "User-agent: *\nCrawl-delay: 3600\n";
  return "User-agent: *\nDisallow: /no\n";
}

bool is_away(const NightSite& site, microseconds at) {
  const bool goes = site.kind == Kind::dies || site.kind == Kind::restarts || site.kind == Kind::hangs;
  return goes && at >= site.from && at < site.to;
}

// What a site answers for a page.
WireReply answer_of(const NightSite& site, const WireRequest& request) {
  if (is_away(site, request.since)) {
    return site.kind == Kind::hangs ? failure(TransferError::timeout, 30s) : failure(TransferError::connect);
  }
  const bool is_first_page = request.url.ends_with("/0");
  if (site.kind == Kind::one_hangs && is_first_page) return failure(TransferError::timeout, 30s);
  if (site.kind == Kind::busy_url && is_first_page && request.since < site.to) return {.status = 503};
  const auto minute = request.since / 1min;
  if (site.kind == Kind::refuses_at_times && minute % 5 == 1)
    return {.status = 429, .headers = {{"Retry-After", "90"}}};
  return {.body = "page", .latency = 50ms + (std::hash<std::string>()(site.origin) % 850) * 1ms};
}

class FleetNight : public testing::Test {
 protected:
  FleetNight() : rig_(options()) {
    for (const NightSite& site : sites_) {
      rig_.transport->on(site.origin + "/robots.txt", [site](const WireRequest& request) {
        return is_away(site, request.since) ? answer_of(site, request) : WireReply{.body = rules_of(site.kind)};
      });
      const int count = site.kind == Kind::crawl_delay ? 3 : pages_each;
      for (const std::string& url : urls_of(site.origin, count)) {
        rig_.transport->on(url, [site](const WireRequest& request) { return answer_of(site, request); });
        urls_.push_back(url);
      }
    }
  }
  static RobotUAOptions options() {
    RobotUAOptions options = delayed(10s);
    options.max_wait = 1h;
    return options;
  }
  const NightSite& site_of(const std::string& url) const {
    const auto found =
        std::ranges::find_if(sites_, [&](const NightSite& site) { return url.starts_with(site.origin + "/"); });
    return *found;
  }
  // Requests to the site while it is away.
  std::size_t asked_while_away(const NightSite& site) const {
    return static_cast<std::size_t>(std::ranges::count_if(rig_.transport->log(), [&](const WireRequest& request) {
      return request.url.starts_with(site.origin + "/") && is_away(site, request.since);
    }));
  }
  Forecast foretold() {
    RobotRig before(options());
    for (const NightSite& site : sites_) before.site(site.origin, rules_of(site.kind));
    const auto queue = queue_of(urls_);
    Forecast made;
    ForecastOptions asked;
    asked.pace = options().pace;
    std::atomic<bool> done = false;
    std::thread asking([&] {
      const auto result = forecast(before.agent(), *queue, asked);
      EXPECT_TRUE(result);
      if (result) made = result.value();
      done = true;
      before.loop->post([] {});
    });
    before.loop->serve([&] { return done.load(); });
    asking.join();
    return made;
  }

  const std::vector<NightSite> sites_ = sites_of_the_night();
  RobotRig rig_;
  std::vector<std::string> urls_;
};

TEST_F(FleetNight, LosesNoPageOfASiteThatComesBack) {
  ASSERT_EQ(sites_.size(), 300U);
  const Forecast forecast = foretold();
  ScriptedCrawl crawl(rig_, urls_);
  ASSERT_TRUE(crawl.run());
  std::size_t lost = 0;
  std::size_t gone = 0;
  std::size_t hung = 0;
  for (const PageList::Line& line : crawl.pages().lines()) {
    if (line.reason.empty() && line.code == 200) continue;
    const NightSite& site = site_of(line.url);
    if (site.kind == Kind::dies) {
      ++gone;
    } else if (site.kind == Kind::one_hangs && line.url.ends_with("/0")) {
      ++hung;
    } else {
      ++lost;
      ADD_FAILURE() << line.url << " " << line.reason << " " << line.code << " " << line.warning;
    }
  }
  EXPECT_EQ(lost, 0U);
  EXPECT_EQ(hung, 4U);
  EXPECT_EQ(crawl.pages().lines().size(), urls_.size());
  std::size_t most = 0;
  for (const NightSite& site : sites_) most = std::max(most, asked_while_away(site));
  EXPECT_LE(most, 8U + 1U);  // one more that did not count: five sites died at once, as if the own network had failed
  std::map<Kind, microseconds> last;
  for (const WireRequest& request : rig_.transport->log()) {
    microseconds& time = last[site_of(request.url).kind];
    time = std::max(time, request.since);
  }
  microseconds others{0};
  for (const auto& [kind, time] : last) {
    if (kind != Kind::crawl_delay && kind != Kind::visit_time) others = std::max(others, time);
  }
  EXPECT_EQ(forecast.total.allowed, urls_.size());
  std::cout << "fetched " << crawl.counts().done << ", lost " << lost << ", of sites that stay away " << gone
            << ", URLs that alone hang " << hung << ", waits for the own network " << crawl.network().size() / 2
            << "; at most " << most << " requests to a site that is away; done after " << rig_.since_start() / 1min
            << " minutes (Crawl-delay 3600), Visit-time " << last[Kind::visit_time] / 1min << ", the others "
            << others / 1min << "; the dry run: " << forecast.total.allowed << " pages in "
            << forecast.total.time / 1min << " minutes\n";
}

TEST_F(FleetNight, AnOutageOfTheOwnNetworkLosesNothing) {
  constexpr microseconds from = 5min;
  constexpr microseconds to = 35min;
  for (const std::string& url : urls_) {
    const NightSite site = site_of(url);
    rig_.transport->on(url, [site, from, to](const WireRequest& request) {
      const bool is_cut = request.since >= from && request.since < to;
      return is_cut ? failure(TransferError::connect) : answer_of(site, request);
    });
  }
  ScriptedCrawl crawl(rig_, urls_);
  ASSERT_TRUE(crawl.run());
  for (const PageList::Line& line : crawl.pages().lines()) {
    const Kind kind = site_of(line.url).kind;
    const bool may_fail = kind == Kind::dies || (kind == Kind::one_hangs && line.url.ends_with("/0"));
    EXPECT_TRUE(may_fail || line.reason.empty()) << line.url << " " << line.reason << " " << line.warning;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
