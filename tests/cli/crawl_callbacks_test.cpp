// The callbacks of a crawl: what they get, what they may call, and what happens if they throw.
#include <atomic>
#include <stdexcept>

#include <robotrules/page.hpp>

#include "cli/crawl_rig.hpp"

namespace robotrules::test {
namespace {

class CrawlCallbacks : public CrawlRig {
 protected:
  CrawlCallbacks() { EXPECT_TRUE(queue->add({{url("/1")}, {url("/2")}}).ok()); }

  Result<void> crawl() {
    Crawl crawl(robot, *queue, output, options);
    crawl.urls_added(false);
    wait(crawl);
    return crawl.result();
  }

  RobotUA robot = make_robot();
  std::unique_ptr<UrlQueue> queue = open_url_queue("").value();
  CountedOutput output;  // needs no bodies
  CrawlOptions options;
};

TEST_F(CrawlCallbacks, GetBodiesIfTheOptionsSaySo) {
  page("/*", test::reply("<head><meta name=robots content=noindex></head>", "text/html"));
  for (const bool keep : {false, true}) {
    EXPECT_TRUE(queue->revisit({}).ok());
    options.keep_body = keep;
    options.on_page = [&](const FetchedPage& fetched) {
      const PageRules rules = page_rules_of(fetched.response, "TestBot");
      EXPECT_EQ(rules.noindex, keep);
      EXPECT_EQ(rules.body_unread, !keep);
      EXPECT_EQ(fetched.response.body.empty(), !keep);
      EXPECT_EQ(fetched.response.body_size, 47U);
    };
    EXPECT_TRUE(crawl().ok());
  }
}

TEST_F(CrawlCallbacks, MayAddUrls) {
  std::atomic<Crawl*> running = nullptr;
  options.on_page = [&](const FetchedPage& fetched) {
    running.wait(nullptr);
    if (fetched.url != url("/1")) return;
    EXPECT_EQ(queue->add({{url("/3")}})->added, 1U);
    running.load()->urls_added(false);
  };
  Crawl crawl(robot, *queue, output, options);
  running = &crawl;
  running.notify_all();
  crawl.urls_added(false);
  wait(crawl);
  EXPECT_TRUE(crawl.result().ok());
  EXPECT_EQ(queue->counts()->done, 3U);
}

TEST_F(CrawlCallbacks, EndTheCrawlIfTheyThrow) {
  options.on_page = [](const FetchedPage&) { throw std::runtime_error("no more paper"); };
  const Result<void> ended = crawl();
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code, "callback-failed");
  EXPECT_NE(ended.error().message.find("on_page threw an exception (no more paper)"), std::string::npos)
      << ended.error().message;
  EXPECT_GE(queue->counts()->done, 1U);  // the page of the call was written
}

TEST_F(CrawlCallbacks, EndTheCrawlIfTheOneForFailedSitesThrows) {
  EXPECT_TRUE(queue->add({{"http://127.0.0.1:1/"}}).ok());
  options.max_tries = 1;
  options.on_site_failure = [](const SiteFailure&) { throw 1; };
  const Result<void> ended = crawl();
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code, "callback-failed");
}

}  // namespace
}  // namespace robotrules::test
