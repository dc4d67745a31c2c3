// A crawl settles what its output has for good, and the URLs of a site whose robots.txt cannot be fetched.
#include <robotrules/robot_ua.hpp>

#include <robotrules/crawl.hpp>
#include "cli/get_rig.hpp"

namespace robotrules::test {
namespace {

class Disk final : public PageOutput {
 public:
  explicit Disk(bool fails) : fails_(fails) {}
  Result<void> write(const FetchedPage&) override {
    ++written_;
    return {};
  }
  Result<void> flush() override {
    if (fails_) return Error{"output-failed", "the disk has gone"};
    flushed_ = written_;
    return {};
  }
  std::uint64_t position() const noexcept override { return written_; }
  PageNeeds needs() const noexcept override { return {}; }
  std::uint64_t flushed() const noexcept { return flushed_; }

 private:
  bool fails_;
  std::uint64_t written_ = 0;
  std::uint64_t flushed_ = 0;
};

class Settling : public GetRig {
 protected:
  Settling() {
    page("/*", test::reply("a page"));
    RobotUAOptions options;
    options.pace.delay = std::chrono::seconds(0);
    options.policy = RobotsPolicy::rfc9309();
    options.policy->retry_first = std::chrono::seconds(0);
    EXPECT_TRUE(options.http.connection.guard.allow("127.0.0.0/8").ok());
    auto made = RobotUA::make("TestBot/1.0", "me@example.org", std::move(options));
    EXPECT_TRUE(made.ok());
    robot.emplace(std::move(made).value());
    queue = open_url_queue("").value();
    const QueuedUrl urls[] = {{url("/1"), "GET", {}, 0}, {url("/2"), "GET", {}, 0}};
    EXPECT_TRUE(queue->add(urls).ok());
  }
  Result<void> crawl(Disk& disk) {
    CrawlOptions options;
    options.output_path = "disk";
    Crawl crawl(*robot, *queue, disk, nullptr, options);
    crawl.urls_added(false);
    while (!crawl.wait_for(std::chrono::seconds(1))) {
    }
    return crawl.result();
  }

  std::optional<RobotUA> robot;
  std::unique_ptr<UrlQueue> queue;
};

TEST_F(Settling, BringsPagesToTheDiskBeforeTheQueueSaysThatTheyAreDone) {
  Disk disk(false);
  ASSERT_TRUE(crawl(disk).ok());
  EXPECT_EQ(queue->counts().value().done, 2U);
  EXPECT_EQ(queue->output_position("disk").value(), 2U);
  EXPECT_EQ(disk.flushed(), 2U);
}

TEST_F(Settling, APageThatDoesNotComeToTheDiskStaysPending) {
  Disk disk(true);
  const auto result = crawl(disk);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "the disk has gone");
  EXPECT_EQ(queue->counts().value().pending, 2U);
  EXPECT_EQ(queue->output_position("disk").value(), std::nullopt);
}

// The limit holds for the robots.txt and not for each URL: otherwise each of 1,000 URLs would wait for three fetches,
// and the wait is doubled after each of them.
TEST_F(Settling, TheUrlsOfASiteFailTogetherIfItsRobotsTxtCannotBeFetched) {
  server.on("", "/robots.txt", test::status(500));
  std::vector<QueuedUrl> urls;
  for (int i = 3; i <= 10; ++i) urls.push_back({url("/" + std::to_string(i)), "GET", {}, 0});
  ASSERT_TRUE(queue->add(urls).ok());
  Disk disk(false);
  ASSERT_TRUE(crawl(disk).ok());
  EXPECT_EQ(queue->counts().value().failed, 10U);
  // The robots.txt is due again at once here: three times for the first URL, and at most once for each of the others.
  const std::size_t fetches = server.witness().requests().size();
  EXPECT_TRUE(asked().empty());
  EXPECT_GE(fetches, 3U);
  EXPECT_LE(fetches, 3U + 9U);
}

}  // namespace
}  // namespace robotrules::test
