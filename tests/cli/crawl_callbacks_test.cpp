// The callbacks of a crawl: what they get, what they may call, and what happens if they throw.
#include <algorithm>
#include <atomic>
#include <stdexcept>

#include <robotrules/open_store.hpp>
#include <robotrules/page.hpp>

#include "cli/crawl_rig.hpp"

namespace robotrules::test::THIS_FILE {
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
  EXPECT_EQ(queue->counts()->done, 0U) << "nobody has seen the page";
}

TEST_F(CrawlCallbacks, GetAPageAgainIfTheyThrewAndItsLinksAreAddedOnce) {
  bool fails = true;
  std::vector<std::string> seen;
  options.on_page = [&](const FetchedPage& fetched) {
    EXPECT_TRUE(fetched.add({{url("/3")}}));
    if (fails && fetched.url == url("/2")) throw std::runtime_error("no more paper");
    seen.emplace_back(fetched.url);
  };
  EXPECT_EQ(crawl().error().code, "callback-failed");
  EXPECT_EQ(queue->find("GET", url("/2")).value()->state, UrlState::pending);
  fails = false;
  EXPECT_TRUE(crawl().ok());
  EXPECT_EQ(queue->counts().value(), (QueueCounts{.done = 3}));
  std::ranges::sort(seen);
  EXPECT_EQ(seen, (std::vector{url("/1"), url("/2"), url("/3")}));
}

TEST_F(CrawlCallbacks, AddLinksThatTheCrawlFetchesThoughNoMoreUrlsWillCome) {
  options.on_page = [&](const FetchedPage& fetched) {
    std::vector<QueuedUrl> links;
    if (fetched.url == url("/1")) links = {{url("/3")}, {url("/3")}, {url("/1")}};
    if (fetched.url == url("/3")) links = {{url("/4"), "HEAD"}};
    EXPECT_TRUE(fetched.add(links));
  };
  EXPECT_TRUE(crawl().ok());
  EXPECT_EQ(queue->counts().value(), (QueueCounts{.done = 4}));
}

TEST_F(CrawlCallbacks, AreToldAtOnceOfALinkThatTheQueueRefuses) {
  options.on_page = [&](const FetchedPage& fetched) {
    EXPECT_EQ(fetched.add({{url("/3")}, {"mailto:me@example.org"}}).error().code, "invalid-url");
    EXPECT_EQ(fetched.add({{url("/3"), "G T"}}).error().code, "invalid-request");
  };
  EXPECT_TRUE(crawl().ok());
  EXPECT_EQ(queue->counts().value(), (QueueCounts{.done = 2})) << "nothing of these calls was added";
  const Response response;
  EXPECT_EQ(FetchedPage({response, "http://a.example/", "GET"}).add({{url("/3")}}).error().code, "no-crawl");
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
}  // namespace robotrules::test::THIS_FILE
