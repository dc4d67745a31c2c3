// A crawl settles what its output has for good.
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

}  // namespace
}  // namespace robotrules::test
