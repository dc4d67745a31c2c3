// A forecast says what the crawl then does: the same robot, queue and sites on a scripted clock, once each way.
#include <algorithm>
#include <map>
#include <random>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include <robotrules/crawl.hpp>
#include <robotrules/crawl_urls.hpp>
#include <robotrules/open_store.hpp>

#include "cli/crawl_rig.hpp"
#include "cli/get/summary.hpp"
#include "support/agent/robot_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

struct PlannedSite {
  std::string origin;  // "http://a.test"
  WireReply robots;    // of /robots.txt
  int open = 1;        // URLs that the rules below do not name
  int closed = 0;      // URLs below /no
};

struct Plan {
  std::vector<PlannedSite> sites;
  Pace pace{};
  std::chrono::seconds max_wait = 1h;
  microseconds later{0};  // the clock begins at 12:00
};

WireReply rules(const std::string& lines) { return {.body = "User-agent: *\nDisallow: /no\n" + lines}; }

// What came of it, either way.
struct Came {
  std::uint64_t fetched = 0, denied = 0, failed = 0, left_out = 0;
  int status = 0;
  std::map<std::string, microseconds> last;  // of each site with pages: when its last one was asked for
  std::string left_out_sentence;             // of the first site that is left out
  std::optional<Timestamp> left_out_until;

  std::string text() const {
    return std::to_string(fetched) + " fetched, " + std::to_string(denied) + " denied, " + std::to_string(failed) +
           " failed, " + std::to_string(left_out) + " left out, status " + std::to_string(status);
  }
};

std::unique_ptr<RobotRig> rig_for(const Plan& plan) {
  RobotUAOptions options;
  options.pace = plan.pace;
  options.max_wait = plan.max_wait;
  auto rig = std::make_unique<RobotRig>(options);
  rig->loop->advance(plan.later);
  for (const PlannedSite& site : plan.sites) rig->transport->on(site.origin + "/robots.txt", site.robots);
  return rig;
}

std::unique_ptr<UrlQueue> queue_of(const Plan& plan) {
  auto queue = open_url_queue("").value();
  std::vector<QueuedUrl> urls;
  for (const PlannedSite& site : plan.sites) {
    for (int i = 0; i < site.open; ++i) urls.push_back({.url = site.origin + "/" + std::to_string(i)});
    for (int i = 0; i < site.closed; ++i) urls.push_back({.url = site.origin + "/no/" + std::to_string(i)});
  }
  EXPECT_TRUE(queue->add(urls));
  return queue;
}

Came foretold(const Plan& plan) {
  const auto rig = rig_for(plan);
  const auto queue = queue_of(plan);
  Came came;
  ForecastOptions options;
  options.pace = plan.pace;
  options.max_wait = plan.max_wait;
  const microseconds begin = rig->since_start();
  options.on_site = [&](const SiteForecast& site) {
    if (site.allowed > 0) came.last[site.origin] = begin + site.time;
    if (site.left_out == 0 || !came.left_out_sentence.empty()) return;
    came.left_out_sentence = site.why_not;
    came.left_out_until = site.left_out_until;
  };
  std::atomic<bool> done = false;
  std::thread asking([&] {
    const auto made = forecast(rig->agent(), *queue, options);
    EXPECT_TRUE(made) << made.error().message;
    if (made) {
      const SiteForecast& sum = made.value().total;
      came.fetched = sum.allowed, came.denied = sum.denied, came.failed = sum.failed, came.left_out = sum.left_out;
    }
    done = true;
    rig->loop->post([] {});
  });
  rig->loop->serve([&] { return done.load(); });
  asking.join();
  QueueCounts urls;
  urls.done = came.fetched, urls.denied = came.denied, urls.failed = came.failed, urls.parked = came.left_out;
  came.status = cli::status_of(urls, false);
  return came;
}

Came crawled(const Plan& plan) {
  const auto rig = rig_for(plan);
  const auto queue = queue_of(plan);
  CountedOutput output;
  Came came;
  CrawlOptions options;
  options.max_tries = 1;  // a robots.txt that cannot be fetched stays so
  options.max_wait = plan.max_wait;
  options.on_site_failure = [&](const SiteFailure& failure) {
    if (failure.why != "parked" || !came.left_out_sentence.empty()) return;
    came.left_out_sentence = failure.sentence;
    came.left_out_until = failure.left_out_until;
  };
  {
    Crawl crawl(rig->agent(), *queue, output, options);
    crawl.urls_added(false);
    while (crawl.counts().waiting < plan.sites.size()) std::this_thread::yield();  // all URLs of all sites are read
    while (!crawl.wait_for(0ms)) rig->loop->advance_to_next();
    EXPECT_TRUE(crawl.result()) << crawl.result().error().message;
  }
  const QueueCounts urls = queue->counts().value();
  came.fetched = urls.done, came.denied = urls.denied, came.failed = urls.failed, came.left_out = urls.parked;
  came.status = cli::status_of(urls, false);
  for (const PlannedSite& site : plan.sites) {
    const auto pages = rig->pages(site.origin);
    if (!pages.empty()) came.last[site.origin] = pages.back().since;
  }
  return came;
}

// The delay of each site, for how far the times may be apart.
microseconds longest_delay(const Plan& plan) {
  microseconds longest = plan.pace.delay;
  for (const PlannedSite& site : plan.sites) {
    const Rules read = Rules::compile(site.robots.body, "my-robot");
    for (const auto hour : {0h, 12h}) longest = std::max(longest, page_interval(plan.pace, read, Timestamp{} + hour));
  }
  return longest;
}

void expect_same(const Plan& plan, const std::string& name) {
  SCOPED_TRACE(name);
  const Came before = foretold(plan);
  const Came after = crawled(plan);
  EXPECT_EQ(before.text(), after.text());
  if (plan.pace.by_domain) {  // sites of one delay take turns in an order that nobody knows before
    const auto end = [](const Came& came) {
      microseconds last{0};
      for (const auto& [site, time] : came.last) last = std::max(last, time);
      return last;
    };
    // The robot looks every few milliseconds whether a request of another site is answered.
    EXPECT_LE(std::chrono::abs(end(before) - end(after)), longest_delay(plan) * plan.sites.size() + 1s);
    return;
  }
  ASSERT_EQ(before.last.size(), after.last.size());
  for (const auto& [site, last] : after.last) {
    const auto found = before.last.find(site);
    ASSERT_NE(found, before.last.end()) << site;
    EXPECT_LE(std::chrono::abs(found->second - last), longest_delay(plan))
        << site << ": foretold " << found->second.count() << ", was " << last.count();
  }
}

Plan plan_of(std::vector<PlannedSite> sites, std::chrono::milliseconds delay = 1s, std::chrono::seconds max_wait = 1h) {
  Plan plan{.sites = std::move(sites), .max_wait = max_wait};
  plan.pace.delay = delay;
  return plan;
}

TEST(CrawlForecast, IsWhatTheCrawlDoes) {
  const std::string a = "http://a.test", b = "http://b.test";
  expect_same(plan_of({{a, rules(""), 5, 2}, {b, rules("Crawl-delay: 7\n"), 3}}), "two sites");
  expect_same(plan_of({{a, rules("Crawl-delay: 3600\n"), 5}}), "a delay of an hour");
  expect_same(plan_of({{a, rules("Crawl-delay: 3601\n"), 5, 1}}), "a longer delay than the crawl waits");
  expect_same(plan_of({{a, rules("Request-rate: 1/2h\n"), 3}}), "a rate");
  expect_same(plan_of({{a, rules("Request-rate: 1/2h 1300-1400\n"), 3}}, 30min), "a rate that begins");
  expect_same(plan_of({{a, rules("Visit-time: 1200-1200\n"), 9}}, 20s), "a window that ends");
  expect_same(plan_of({{a, rules("Visit-time: 1200-1200\n"), 9}}, 20s, 24h), "a window that comes back");
  expect_same(plan_of({{a, rules("Visit-time: 1300-1300\n"), 9}}, 20s, 1h), "a window in an hour");
  expect_same(plan_of({{a, rules("Visit-time: 1301-1400\n"), 2, 1}}), "a window that is too far");
  expect_same(plan_of({{a, {.status = 404}, 2}, {b, {.status = 500}, 2}}), "no file, and none that can be had");
  expect_same(plan_of({{a, {.status = 429, .headers = {{"Retry-After", "7200"}}}, 2}}), "a pause that is too long");
  expect_same(plan_of({{a, {.status = 503, .headers = {{"Retry-After", "7200"}}}, 2}}), "the same with 503");
  expect_same(plan_of({{a, {.status = 429, .headers = {{"Retry-After", "60"}}}, 2}}), "a short pause");
}

TEST(CrawlForecast, SitesOfOneDelayAreOneAfterTheOther) {
  Plan plan = plan_of({{"http://a.one.test", rules(""), 3},
                       {"http://b.one.test", rules("Crawl-delay: 9\n"), 2},
                       {"http://c.two.test", rules(""), 3}});
  expect_same(plan, "each its own");
  plan.pace.by_domain = true;
  expect_same(plan, "by domain");
  plan.pace.delay = 2h;
  expect_same(plan, "by domain, with a delay longer than the crawl waits");
}

// The crawl leaves a site out with its time, as the forecast says.
TEST(CrawlForecast, BothSayUntilWhenASiteIsLeftOut) {
  const struct {
    WireReply robots;
    const char* sentence;
    std::chrono::seconds until;
  } cases[] = {
      {rules("Visit-time: 1701-1800\n"), "its Visit-time, 17:01 to 18:00 UTC, does not begin until", 5h + 1min},
      {rules("Crawl-delay: 7200\n"), "its Crawl-delay of 7200 s after the last request is not over until", 2h},
      {rules("Request-rate: 1/3h\n"), "its Request-rate permits no page until", 3h},
      {{.status = 429, .headers = {{"Retry-After", "7200"}}},
       "robots.txt cannot be fetched: the server answers 429",
       2h}};
  for (const auto& one : cases) {
    const Plan plan = plan_of({{"http://a.test", one.robots, 2}});
    for (const Came& came : {foretold(plan), crawled(plan)}) {
      EXPECT_NE(came.left_out_sentence.find(one.sentence), std::string::npos) << came.left_out_sentence;
      EXPECT_EQ(came.left_out_until, ManualClock().now() + one.until) << came.left_out_sentence;
      EXPECT_EQ(came.status, 4) << came.text();
    }
  }
}

TEST(CrawlForecast, IsWhatTheCrawlDoesForAnySites) {
  std::mt19937 random(46);
  const auto one_of = [&random](const auto& list) { return list[random() % std::size(list)]; };
  constexpr const char* delays[] = {
      "",
      "",
      "Crawl-delay: 5\n",
      "Crawl-delay: 3540\n",  // sites that share a delay may wait some seconds longer, for each other
      "Crawl-delay: 3600\n",
      "Crawl-delay: 3601\n",
      "Crawl-delay: 86400\n"};
  constexpr const char* rates[] = {"",
                                   "",
                                   "",
                                   "Request-rate: 1/10\n",
                                   "Request-rate: 1/2h\n",
                                   "Request-rate: 1/10m 1210-1300\n",
                                   "Request-rate: 1/2h 2300-1205\n"};
  constexpr const char* visits[] = {"",
                                    "",
                                    "",
                                    "Visit-time: 1200-1200\n",
                                    "Visit-time: 1230-1240\n",
                                    "Visit-time: 1500-1159\n",
                                    "Visit-time: 2330-0030\n"};
  const WireReply failures[] = {{.status = 500},
                                {.status = 404},
                                {.status = 403},
                                {.status = 429, .headers = {{"Retry-After", "100"}}},
                                {.status = 503, .headers = {{"Retry-After", "10000"}}}};
  for (int round = 0; round < 400; ++round) {
    Plan plan;
    std::ostringstream name;
    name << "round " << round;
    plan.pace.delay = one_of(std::vector<std::chrono::milliseconds>{0s, 500ms, 1s, 10s, 10min, 2h});
    plan.max_wait = one_of(std::vector<std::chrono::seconds>{0s, 1h, 24h});
    plan.pace.by_domain = random() % 4 == 0;
    plan.later = std::chrono::minutes(random() % 1'440);
    name << ": delay " << plan.pace.delay.count() << " ms, at most " << plan.max_wait.count() << " s, by domain "
         << plan.pace.by_domain << ", at " << plan.later.count() / 60'000'000;
    const std::size_t sites = 1 + random() % 4;
    for (std::size_t i = 0; i < sites; ++i) {
      PlannedSite site;
      // Sites of one domain take turns in an order that a forecast does not know, so they have the same rules.
      site.origin = "http://s" + std::to_string(i) + (plan.pace.by_domain ? ".one.test" : ".test");
      site.open = static_cast<int>(random() % 12);
      site.closed = static_cast<int>(random() % 3) + (site.open == 0 ? 1 : 0);
      if (plan.pace.by_domain && i > 0) {
        site.robots = plan.sites.front().robots;
      } else if (random() % 5 == 0) {
        site.robots = one_of(failures);
      } else {
        site.robots = rules(std::string(one_of(delays)) + one_of(rates) + one_of(visits));
      }
      name << "\n"
           << site.origin << ' ' << site.open << '+' << site.closed << ' ' << site.robots.status << ' '
           << site.robots.body;
      plan.sites.push_back(std::move(site));
    }
    expect_same(plan, name.str());
    if (::testing::Test::HasFailure()) break;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
