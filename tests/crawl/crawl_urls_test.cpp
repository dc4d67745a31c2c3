// crawl_urls(): a list of URLs in one call, which continues where a call with the same queue ended.
#include <robotrules/crawl_urls.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "support/agent/loopback.hpp"
#include "support/folder.hpp"

namespace robotrules::test {
namespace {

using namespace std::chrono_literals;

RobotUA robot_with(std::chrono::milliseconds delay) {
  RobotUAOptions options;
  options.http = local_options();
  options.pace.delay = delay;
  return RobotUA::make("TestBot/1.0", "me@example.org", options).value();
}

std::vector<std::string> urls_at(std::uint16_t port, int count) {
  std::vector<std::string> urls;
  for (int i = 1; i <= count; ++i) urls.push_back(url_of(port, "/" + std::to_string(i), "a.test"));
  return urls;
}

std::size_t pages_in(const std::string& output, const std::string& url) {
  std::ifstream file(output);
  std::size_t found = 0;
  for (std::string line; std::getline(file, line);) found += line.find('"' + url + '"') != std::string::npos ? 1 : 0;
  return found;
}

class CrawlUrls : public LocalAgent {
 protected:
  void SetUp() override {
    server.on("", "/*", reply("a page"));
    server.on("", "/robots.txt", reply("User-agent: *\nDisallow: /3\n"));
  }
  const std::string folder = new_folder();
  const std::string output = folder + "/pages.ndjson";
  const std::string queue = folder + "/crawl.db";
};

TEST_F(CrawlUrls, FetchesAllAndCallsBack) {
  const Gate gate;
  server.on("", "/1", Script().wait(gate).send(reply("one")).keep());
  std::vector<CrawlCounts> told;
  auto robot = robot_with(0ms);
  const auto on_progress = [&](const CrawlCounts& counts) {
    told.push_back(counts);
    gate.open();  // the crawl cannot end before the first call
    return true;
  };
  const auto urls = urls_at(port, 3);
  const auto counts = crawl_urls(robot, urls, output, {.on_progress = on_progress, .progress_interval = 1ms});
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_EQ(counts->done, 2U);
  EXPECT_EQ(counts->denied, 1U);
  EXPECT_EQ(counts->pending, 0U);
  ASSERT_GE(told.size(), 2U);
  EXPECT_GE(told.front().pending, 1U);
  EXPECT_EQ(told.back().done, 2U);
  EXPECT_EQ(pages_in(output, urls[0]), 1U);
  EXPECT_EQ(pages_in(output, urls[1]), 1U);
  EXPECT_EQ(times("/3"), 0U);
  // The queue was temporary.
  ASSERT_TRUE(crawl_urls(robot, urls, output));
  EXPECT_EQ(times("/1"), 2U);
  EXPECT_EQ(pages_in(output, urls[0]), 2U);
}

TEST_F(CrawlUrls, StopsAndContinues) {
  const auto urls = urls_at(port, 2);
  auto slow = robot_with(1h);
  const auto until_one = [](const CrawlCounts& counts) { return counts.done == 0; };
  const auto stopped =
      crawl_urls(slow, urls, output, {.queue = queue, .on_progress = until_one, .progress_interval = 1ms});
  ASSERT_TRUE(stopped) << stopped.error().message;
  EXPECT_EQ(stopped->done, 1U);
  EXPECT_EQ(stopped->pending, 1U);
  auto robot = robot_with(0ms);
  const auto rest = crawl_urls(robot, urls, output, {.queue = queue});
  ASSERT_TRUE(rest) << rest.error().message;
  EXPECT_EQ(rest->done, 1U);
  const auto again = crawl_urls(robot, urls, output, {.queue = queue});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->done, 0U);
  for (const char* path : {"/1", "/2"}) EXPECT_EQ(times(path), 1U) << path;
}

TEST_F(CrawlUrls, ErrorsComeBeforeARequest) {
  auto robot = robot_with(0ms);
  const auto code_of = [&](const std::vector<std::string>& urls, const std::string& file, CrawlUrlsOptions options) {
    const auto counts = crawl_urls(robot, urls, file, std::move(options));
    return counts ? std::string() : counts.error().code;
  };
  const auto bad = crawl_urls(robot, {url("/1"), "ftp://a.test/bad"}, output, {.queue = queue});
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().message.find("ftp://a.test/bad"), std::string::npos) << bad.error().message;
  EXPECT_FALSE(std::filesystem::exists(output));
  EXPECT_FALSE(std::filesystem::exists(queue));
  EXPECT_EQ(code_of({url("/1")}, folder + "/pages.unknown", {.queue = queue}), "unknown-output");
  EXPECT_EQ(code_of({url("/1")}, output, {.crawl = {.headers = {{"User-Agent", "x"}}}}), "invalid-headers");
  const auto taken = open_url_queue(queue).value();
  ASSERT_TRUE(taken->claim());
  EXPECT_EQ(code_of({url("/1")}, output, {.queue = queue}), "queue-claimed");
  EXPECT_EQ(count(), 0U);
}

// The child begins before the server has a thread. It is killed when the second page is written and not yet settled.
TEST(CrawlUrlsKilled, ContinuesWithoutRepeatingAPage) {
  const std::string folder = new_folder();
  const std::string output = folder + "/pages.ndjson";
  const std::string queue = folder + "/crawl.db";
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::uint16_t port = 0;
    if (read(ends[0], &port, sizeof port) != sizeof port) _exit(2);
    auto robot = robot_with(0ms);
    CrawlUrlsOptions options{.queue = queue};
    options.crawl.on_page = [](const FetchedPage& page) {
      if (page.url.ends_with("/2")) raise(SIGKILL);
    };
    static_cast<void>(crawl_urls(robot, urls_at(port, 3), output, options));
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
  ASSERT_TRUE(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL) << how;
  close(ends[0]);
  close(ends[1]);
  gate.open();

  const auto urls = urls_at(site.port, 3);
  auto robot = robot_with(0ms);
  std::vector<std::string> seen;
  CrawlUrlsOptions options{.queue = queue};
  options.crawl.on_page = [&](const FetchedPage& page) { seen.emplace_back(page.url); };
  const auto counts = crawl_urls(robot, urls, output, options);
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_EQ(counts->done, 1U);
  EXPECT_NE(std::find(seen.begin(), seen.end(), urls[1]), seen.end()) << "on_page gets the page of the killed call";
  EXPECT_EQ(seen.back(), urls[2]);
  EXPECT_EQ(site.times("/1"), 1U);
  EXPECT_EQ(site.times("/2"), 1U);
  for (const std::string& url : urls) EXPECT_EQ(pages_in(output, url), 1U) << url;
}

}  // namespace
}  // namespace robotrules::test
