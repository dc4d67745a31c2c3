// The writer of pages, on its own: a list as the output, and a queue in memory.
#include "crawl/page_writer.hpp"

#include <gtest/gtest.h>

#include "crawl/scripted_crawl.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using crawl::Page;
using crawl::PageWriter;
using crawl::UnsettledPages;

class FullOutput final : public PageOutput {
 public:
  Result<void> write(const FetchedPage&) override {
    if (room == 0) return Error{"disk-full", "no room"};
    --room;
    ++written;
    return {};
  }
  Result<void> flush() override { return {}; }
  std::uint64_t position() const noexcept override { return written; }
  PageNeeds needs() const noexcept override { return {}; }
  int room = 0;
  std::uint64_t written = 0;
};

class PageWriterTest : public ::testing::Test {
 protected:
  // Two pages of a queue that is claimed.
  PageWriterTest() : queue_(queue_of({"http://a.test/1", "http://a.test/2"})), claim_(queue_->claim().value()) {
    const auto sites = queue_->claim_sites(claim_, 1).value();
    for (QueueItem& item : queue_->take(claim_, sites.at(0).id, {}, 2).value()) {
      Page page;
      page.response.source = ResponseSource::server;
      page.response.code = 200;
      page.response.url = item.request.url;
      page.item = std::move(item);
      pages_.push_back(std::move(page));
    }
  }
  std::uint64_t done() const { return queue_->counts().value().done; }

  std::unique_ptr<UrlQueue> queue_;
  QueueClaim claim_;
  std::deque<Page> pages_;
  CrawlOptions options_;
  const Timestamp now_{std::chrono::seconds(1)};
};

TEST_F(PageWriterTest, APageIsWrittenFirstAndMarkedAfterwards) {
  PageList output;
  PageWriter writer(output, nullptr, *queue_, options_, "TestBot", nullptr);
  const auto written = writer.write(pages_, now_);
  EXPECT_EQ(written.more.done, 2U);
  EXPECT_EQ(written.unsettled, 2U);
  EXPECT_EQ(output.lines().size(), 2U);
  EXPECT_EQ(done(), 0U);
  ASSERT_TRUE(writer.has_unsettled());
  ASSERT_TRUE(writer.settle(claim_).ok());
  EXPECT_EQ(done(), 2U);
  EXPECT_EQ(writer.take_settled().size(), 2U);
  EXPECT_FALSE(writer.has_unsettled());
}

TEST_F(PageWriterTest, PagesThatDoNotFitAreGivenBack) {
  FullOutput output;
  output.room = 1;
  PageWriter writer(output, nullptr, *queue_, options_, "TestBot", nullptr);
  auto written = writer.write(pages_, now_);
  ASSERT_TRUE(written.error);
  EXPECT_EQ(written.error->code, "disk-full");
  ASSERT_EQ(written.left.size(), 1U);
  EXPECT_EQ(written.left.front().item.request.url, "http://a.test/2");
  EXPECT_EQ(written.unsettled, 1U);
  output.room = 1;
  written = writer.write(std::move(written.left), now_);
  EXPECT_FALSE(written.error);
  EXPECT_EQ(written.unsettled, 1U);
}

TEST_F(PageWriterTest, AfterAnExceptionOfOnPageNoPageIsWritten) {
  PageList output;
  options_.on_page = [](const FetchedPage&) { throw std::runtime_error("broken"); };
  PageWriter writer(output, nullptr, *queue_, options_, "TestBot", nullptr);
  const auto written = writer.write(pages_, now_);
  ASSERT_TRUE(written.error);
  EXPECT_EQ(written.error->code, "callback-failed");
  EXPECT_TRUE(written.left.empty());
  EXPECT_EQ(output.lines().size(), 1U);
  EXPECT_FALSE(writer.has_unsettled());
}

TEST_F(PageWriterTest, APageThatWaitsForTheProgramIsNotSettledBefore) {
  PageList output;
  UnsettledPages waiting;
  std::vector<std::uint64_t> ids;
  options_.on_page = [&ids](const FetchedPage& page) { ids.push_back(page.id); };
  PageWriter writer(output, nullptr, *queue_, options_, "TestBot", &waiting);
  writer.write(pages_, now_);
  EXPECT_FALSE(writer.has_unsettled());
  ASSERT_EQ(ids.size(), 2U);
  ASSERT_TRUE(waiting.settle(ids[1], {}).ok());
  for (auto& page : waiting.take()) EXPECT_TRUE(writer.finish(std::move(page)));
  ASSERT_TRUE(writer.settle(claim_).ok());
  EXPECT_EQ(done(), 1U);
  EXPECT_EQ(writer.give_up_unfinished(), 1U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
