// crawl_urls(): one call from a list to a file.
#include <robotrules/crawl_urls.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "support/agent/loopback.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
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

// The child begins before the server has a thread, and dies when the second page is written and not yet settled.
TEST(CrawlUrlsKilled, AnotherCallRepeatsNoPage) {
  const TemporaryFolder folder;
  const std::string output = folder.path() + "/pages.ndjson";
  CrawlUrlsOptions options{.queue = folder.path() + "/crawl.db"};
  const auto new_robot = [] {
    RobotUAOptions made{.http = local_options()};
    made.pace.delay = std::chrono::milliseconds(0);
    return RobotUA::make("TestBot/1.0", "me@example.org", std::move(made)).value();
  };
  const auto urls_at = [](std::uint16_t port) {
    return std::vector<std::string>{url_of(port, "/1"), url_of(port, "/2"), url_of(port, "/3")};
  };
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::uint16_t port = 0;
    if (read(ends[0], &port, sizeof port) != sizeof port) _exit(2);
    RobotUA robot = new_robot();
    options.crawl.on_page = [](const FetchedPage& page) {
      if (page.url.ends_with("/2")) raise(SIGKILL);
    };
    static_cast<void>(crawl_urls(robot, urls_at(port), output, options));
    _exit(1);
  }
  const Gate gate;
  Loopback site;
  site.server.on("", "/1", reply("one"));
  site.server.on("", "/2", reply("two"));
  site.server.on("", "/3", Script().wait(gate).send(reply("three")).keep());  // not before the child is dead
  ASSERT_EQ(write(ends[1], &site.port, sizeof site.port), static_cast<ssize_t>(sizeof site.port));
  int how = 0;
  ASSERT_EQ(waitpid(child, &how, 0), child);
  close(ends[0]);
  close(ends[1]);
  gate.open();
  ASSERT_TRUE(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL) << how;

  RobotUA robot = new_robot();
  std::vector<std::string> seen;
  options.crawl.on_page = [&](const FetchedPage& page) { seen.emplace_back(page.url); };
  const auto urls = urls_at(site.port);
  const auto counts = crawl_urls(robot, urls, output, options);
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_EQ(counts.value().done, 1U);
  EXPECT_EQ(std::count(seen.begin(), seen.end(), urls[1]), 1) << "on_page also gets the page of the call that died";
  EXPECT_EQ(seen.back(), urls[2]);
  for (const char* path : {"/1", "/2"}) EXPECT_EQ(site.times(path), 1U) << path;
  EXPECT_GE(site.times("/3"), 1U);
  std::ifstream file(output);
  std::vector<std::string> pages;
  for (std::string line; std::getline(file, line);) pages.push_back(line);
  ASSERT_EQ(pages.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NE(pages[i].find('"' + urls[i] + '"'), std::string::npos) << pages[i];
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
