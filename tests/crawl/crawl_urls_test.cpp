// crawl_urls(): one call from a list to a file.
#include <robotrules/crawl_urls.hpp>

#include <filesystem>
#include <fstream>

#include "support/agent/loopback.hpp"
#include "support/folder.hpp"

namespace robotrules::test {
namespace {

class CrawlUrls : public testing::Test, public Loopback {
 protected:
  CrawlUrls() { robots_txt(reply(no_x)); }
  std::string path(const char* name) const { return folder_.path() + '/' + name; }
  std::vector<std::string> pages() const { return {url("/x"), url("/y"), url("/y?2"), url("/y?3")}; }
  std::size_t lines(const char* name) const {
    std::ifstream file(path(name));
    std::size_t count = 0;
    for (std::string line; std::getline(file, line);) ++count;
    return count;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(CrawlUrls, FetchesEachPageAndTellsOfIt) {
  RobotUA ua = new_robot();
  std::vector<CrawlCounts> told;
  CrawlUrlsOptions options;
  options.on_progress = [&](const CrawlCounts& counts) {
    told.push_back(counts);
    return true;
  };
  const auto counts = crawl_urls(ua, pages(), path("pages.ndjson"), options);
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_EQ(counts.value().done, 3U);
  EXPECT_EQ(counts.value().denied, 1U);
  EXPECT_EQ(counts.value().pending, 0U);
  EXPECT_EQ(times("/x"), 0U);
  EXPECT_EQ(times("/y"), 3U);
  EXPECT_EQ(lines("pages.ndjson"), 4U);
  ASSERT_GE(told.size(), 2U);
  EXPECT_EQ(told.back().done, 3U);
}

TEST_F(CrawlUrls, TheSameCallFetchesNothingAgain) {
  RobotUA ua = new_robot();
  const CrawlUrlsOptions options{.queue = path("crawl.db")};
  ASSERT_TRUE(crawl_urls(ua, pages(), path("pages.warc.gz"), options));
  const auto counts = crawl_urls(ua, pages(), path("pages.warc.gz"), options);
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_EQ(counts.value().done, 0U);
  EXPECT_EQ(times("/y"), 3U);
}

TEST_F(CrawlUrls, WhatProgressEndedTheNextCallFetches) {
  RobotUA ua = new_robot();
  CrawlUrlsOptions options{.queue = path("crawl.db")};
  options.on_progress = [](const CrawlCounts&) { return false; };
  ASSERT_TRUE(crawl_urls(ua, pages(), path("pages.ndjson"), options));
  options.on_progress = nullptr;
  const auto counts = crawl_urls(ua, pages(), path("pages.ndjson"), options);
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_EQ(counts.value().pending, 0U);
  EXPECT_EQ(times("/y"), 3U);
  EXPECT_EQ(lines("pages.ndjson"), 4U);
}

TEST_F(CrawlUrls, ABadUrlOpensNothing) {
  RobotUA ua = new_robot();
  const auto counts =
      crawl_urls(ua, {url("/y"), "mailto:me@example.org"}, path("pages.ndjson"), {.queue = path("crawl.db")});
  ASSERT_FALSE(counts);
  EXPECT_EQ(counts.error().code, "unsupported-scheme");
  EXPECT_FALSE(std::filesystem::exists(path("pages.ndjson")));
  EXPECT_FALSE(std::filesystem::exists(path("crawl.db")));
  EXPECT_EQ(count(), 0U);
}

TEST_F(CrawlUrls, AnOutputThatIsNoneIsAnError) {
  RobotUA ua = new_robot();
  const auto counts = crawl_urls(ua, pages(), path("pages.docx"), {.queue = path("crawl.db")});
  ASSERT_FALSE(counts);
  EXPECT_EQ(counts.error().code, "unknown-output");
  EXPECT_FALSE(std::filesystem::exists(path("crawl.db")));
}

}  // namespace
}  // namespace robotrules::test
