// A crawl settles what its output has for good, and the URLs of a site whose robots.txt cannot be fetched.
#include <robotrules/open_store.hpp>

#include "cli/crawl_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

// A robots.txt that cannot be fetched is due again at once.
RobotUAOptions impatient() {
  RobotUAOptions options;
  options.policy = RobotsPolicy::rfc9309();
  options.policy->retry_first = std::chrono::seconds(0);
  return options;
}

class Settling : public CrawlRig {
 protected:
  Settling() {
    const QueuedUrl urls[] = {{url("/1"), "GET", {}, 0}, {url("/2"), "GET", {}, 0}};
    EXPECT_TRUE(queue->add(urls).ok());
  }
  Result<void> crawl(CountedOutput& disk) {
    CrawlOptions options;
    options.output_path = "disk";
    Crawl crawl(robot, *queue, disk, nullptr, options);
    crawl.urls_added(false);
    wait(crawl);
    return crawl.result();
  }

  RobotUA robot = make_robot(impatient());
  std::unique_ptr<UrlQueue> queue = open_url_queue("").value();
};

TEST_F(Settling, BringsPagesToTheDiskBeforeTheQueueSaysThatTheyAreDone) {
  CountedOutput disk(false);
  ASSERT_TRUE(crawl(disk).ok());
  EXPECT_EQ(queue->counts().value().done, 2U);
  EXPECT_EQ(queue->output_position("disk").value(), 2U);
  EXPECT_EQ(disk.flushed(), 2U);
}

TEST_F(Settling, APageThatDoesNotComeToTheDiskStaysPending) {
  CountedOutput disk(true);
  const auto result = crawl(disk);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "the disk has gone");
  EXPECT_EQ(queue->counts().value().pending, 2U);
  EXPECT_EQ(queue->output_position("disk").value(), 0U);
}

// The limit holds for the robots.txt and not for each URL: otherwise each of 1,000 URLs would wait for three fetches,
// and the wait is doubled after each of them.
TEST_F(Settling, TheUrlsOfASiteFailTogetherIfItsRobotsTxtCannotBeFetched) {
  server.on("", "/robots.txt", test::status(500));
  std::vector<QueuedUrl> urls;
  for (int i = 3; i <= 10; ++i) urls.push_back({url("/" + std::to_string(i)), "GET", {}, 0});
  ASSERT_TRUE(queue->add(urls).ok());
  CountedOutput disk(false);
  ASSERT_TRUE(crawl(disk).ok());
  EXPECT_EQ(queue->counts().value().failed, 10U);
  // The robots.txt is due again at once here: three times for the first URL, and at most once for each of the others.
  const std::size_t fetches = server.witness().requests().size();
  EXPECT_TRUE(asked().empty());
  EXPECT_GE(fetches, 3U);
  EXPECT_LE(fetches, 3U + 9U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
