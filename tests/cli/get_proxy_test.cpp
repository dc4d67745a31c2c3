// Crawls through a proxy: if it fails, the crawl waits and loses nothing; if it refuses one site, the others go on.
#include <atomic>
#include <csignal>
#include <mutex>

#include <robotrules/crawl.hpp>
#include <robotrules/open_store.hpp>
#include <robotrules/robot_ua.hpp>

#include "cli/get_rig.hpp"
#include "support/archive/fetched.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

class Pages final : public PageOutput {
 public:
  Result<void> write(const FetchedPage& page) override {
    (page.response.source == ResponseSource::server ? urls : failed).emplace_back(page.url);
    if (page.response.is_synthetic()) reasons.emplace(page.reason());
    return {};
  }
  Result<void> flush() override { return {}; }
  std::uint64_t position() const noexcept override { return urls.size(); }
  PageNeeds needs() const noexcept override { return {.recording = false, .body = true}; }

  std::vector<std::string> urls;
  std::vector<std::string> failed;
  std::set<std::string> reasons;
};

class GetProxy : public GetRig {
 protected:
  GetProxy() {
    RobotUAOptions http;
    http.pace.delay = 0s;
    EXPECT_TRUE(http.http.connection.guard.allow("127.0.0.0/8").ok());
    http.http.connection.proxy.http = "http://bob:s3cr3t@127.0.0.1:" + std::to_string(proxy);
    auto rules = std::make_shared<RobotRules>(RobotRules::open(make_memory_store(), "TestBot").value());
    robot.emplace(RobotUA::make("TestBot/1.0", "me@example.org", std::move(rules), std::move(http)).value());
    options.disk_full_wait = 1ms;
    options.max_tries = 2;
    options.on_proxy_failed = [this](std::string_view sentence) {
      {
        const std::lock_guard lock(mutex);
        told.emplace_back(sentence);
      }
      if (on_told) on_told();
    };
  }
  // Adds `count` pages of each of these sites.
  void add(const std::vector<std::string>& sites, int count) {
    std::vector<QueuedUrl> urls;
    for (const std::string& site : sites) {
      for (int i = 1; i <= count; ++i) urls.push_back({"http://" + site + "/" + std::to_string(i)});
    }
    ASSERT_TRUE(queue->add(urls).ok());
  }
  CrawlCounts crawl(Pages& pages) {
    Crawl crawl(*robot, *queue, pages, nullptr, options);
    crawl.urls_added(false);
    while (!crawl.wait_for(1s)) {
    }
    EXPECT_TRUE(crawl.result().ok()) << crawl.result().error().message;
    return crawl.counts();
  }
  std::shared_ptr<const RobotsRecord> record(const std::string& site) const {
    return robot->rules()->store()->robots(*Origin::of("http://" + site)).value();
  }

  const std::uint16_t proxy = server.open({.manner = Manner::proxy});
  std::optional<RobotUA> robot;
  std::unique_ptr<UrlQueue> queue = open_url_queue("").value();
  CrawlOptions options;
  std::mutex mutex;
  std::vector<std::string> told;
  std::function<void()> on_told;
};

// More failures than a URL has tries. Every URL had failed for good.
TEST_F(GetProxy, AProxyThatFailsIsWaitedForAndNothingIsLost) {
  std::atomic<int> wants_password{0};
  const auto by_proxy = [&](const Reply& page) {
    return [&, page](const SeenRequest&) -> Answer {
      return wants_password.fetch_sub(1) > 0 ? status(407, {{"Proxy-Authenticate", "Basic realm=\"p\""}}) : page;
    };
  };
  page("/*", by_proxy(reply("page")));
  page("/robots.txt", by_proxy(reply("User-agent: *\nDisallow: /2\n")));
  wants_password = 10;  // of robots.txt
  std::set<std::string> answered;
  std::set<WaitReason> waited_for;
  options.on_page = [&](const FetchedPage& page) {  // when all sites have answered, it fails again
    waited_for.insert(page.response.waited_for);
    if (page.response.is_synthetic() || answered.size() == 3) return;
    answered.insert(Origin::of(page.url)->to_string());
    if (answered.size() == 3) wants_password = 10;
  };
  add({"a.test", "b.test", "c.test"}, 3);
  Pages pages;
  const CrawlCounts counts = crawl(pages);
  EXPECT_EQ(pages.urls.size(), 6U);
  EXPECT_EQ(pages.reasons, std::set<std::string>{"robots-denied"});
  EXPECT_EQ(counts.failed, 0U);
  EXPECT_EQ(counts.retried, 0U) << "no attempt is counted";
  EXPECT_TRUE(waited_for.contains(WaitReason::proxy)) << "the log says what was waited for";
  const std::lock_guard lock(mutex);
  ASSERT_GE(told.size(), 2U);
  EXPECT_EQ(told.size() % 2, 0U) << ::testing::PrintToString(told);
  EXPECT_NE(told[0].find("the proxy http://127.0.0.1:" + std::to_string(proxy) + " answers 407"), std::string::npos);
  EXPECT_TRUE(told[0].ends_with("; the crawl waits until it can use the proxy")) << told[0];
  EXPECT_EQ(told[0].find("s3cr3t"), std::string::npos) << told[0];
  EXPECT_EQ(told.back(), "");
}

TEST_F(GetProxy, ASiteThatTheProxyRefusesStopsNoOther) {
  page("/*", reply("page"));
  page("/robots.txt", reply("User-agent: *\nDisallow: /2\n"));
  server.on("b.test", "/robots.txt", status(503, {{"X-Squid-Error", "ERR_CONNECT_FAIL 111"}, {"Retry-After", "9"}}));
  server.on("c.test", "/1", status(404, {{"Proxy-Status", "p; error=destination_not_found"}}));
  options.max_wait = 0s;  // else b.test is asked again after a minute
  add({"a.test", "b.test", "c.test"}, 3);
  Pages pages;
  const CrawlCounts counts = crawl(pages);
  EXPECT_EQ(server.witness().requests("/robots.txt").size(), 3U) << "b.test is asked once, and not for each URL";
  EXPECT_EQ(counts.done, 3U) << "1 and 3 of a, 3 of c";
  EXPECT_EQ(counts.denied, 2U);
  EXPECT_EQ(counts.failed, 4U) << "all of b, 1 of c";
  EXPECT_EQ(pages.reasons, (std::set<std::string>{"proxy-refused", "robots-denied"}));
  EXPECT_EQ(record("b.test"), nullptr);
  ASSERT_NE(record("c.test"), nullptr);
  EXPECT_EQ(record("c.test")->outcome, RobotsOutcome::rules);
  const std::lock_guard lock(mutex);
  EXPECT_EQ(told, std::vector<std::string>{});
}

// The proxy serves all others, so it does not fail: one site, which may be hostile, must not stop the crawl.
TEST_F(GetProxy, ASiteThatSays407StopsNoOther) {
  page("/*", reply("page"));
  page("/robots.txt", reply(""));
  server.on("evil.test", "/*", status(407));
  options.max_tries = 3;
  add({"a.test", "evil.test", "b.test"}, 4);
  Pages pages;
  const CrawlCounts counts = crawl(pages);
  EXPECT_EQ(counts.done, 8U);
  EXPECT_EQ(counts.failed, 4U);
  EXPECT_EQ(pages.reasons, std::set<std::string>{"proxy-failed"});
}

TEST_F(GetProxy, ASiteThatTheProxyCannotReachInTimeStopsNoOther) {
  const auto port_of_silent = server.open({.manner = Manner::silent});
  RobotUAOptions http;
  http.pace.delay = 0s;
  EXPECT_TRUE(http.http.connection.guard.allow("127.0.0.0/8").ok());
  http.http.connection.proxy.https = "http://127.0.0.1:" + std::to_string(port_of_silent);
  http.http.connection.connect_timeout = 300ms;
  auto rules = std::make_shared<RobotRules>(RobotRules::open(make_memory_store(), "TestBot").value());
  robot.emplace(RobotUA::make("TestBot/1.0", "me@example.org", std::move(rules), std::move(http)).value());
  options.max_wait = 0s;
  ASSERT_TRUE(queue->add({{"https://hang.test/1"}}).ok());
  Pages pages;
  EXPECT_EQ(crawl(pages).failed, 1U);
  EXPECT_EQ(pages.reasons, std::set<std::string>{"proxy-refused"});
}

TEST_F(GetProxy, StopEndsTheWait) {
  page("/*", status(407));
  page("/robots.txt", status(407));
  options.disk_full_wait = 1h;
  add({"a.test"}, 3);
  Pages pages;
  Crawl crawl(*robot, *queue, pages, nullptr, options);
  on_told = [&] {
    EXPECT_TRUE(crawl.counts().proxy_failed);
    EXPECT_FALSE(crawl.counts().disk_full);
    crawl.stop();
  };
  crawl.urls_added(false);
  while (!crawl.wait_for(1s)) {
  }
  EXPECT_EQ(queue->counts().value().pending, 3U);
  EXPECT_EQ(pages.failed, std::vector<std::string>{});
}

TEST_F(GetProxy, TheCommandSaysThatItWaits) {
  const std::string closed = "http://bob:s3cr3t@127.0.0.1:" + std::to_string(server.refuse());
  Running process(line({"--proxy", closed, "--tries", "1", "-o", in_folder("o.ndjson"), "http://site.example/x"}));
  const std::string told = process.read_err_until("; the crawl waits until it can use the proxy\n");
  EXPECT_NE(told.find("the proxy http://127.0.0.1:"), std::string::npos) << told;
  EXPECT_NE(told.find("it cannot be reached: "), std::string::npos) << told;
  EXPECT_EQ(told.find("s3cr3t"), std::string::npos) << told;
  process.signal(SIGINT);
  EXPECT_EQ(process.finish().status, 130);
  EXPECT_EQ(contents(in_folder("o.ndjson")), "") << "the URL is still pending";
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
