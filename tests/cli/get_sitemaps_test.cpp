// robotrules get with sitemaps: what is repaired, what is left out, what is tried, and what is said about it.
#include <atomic>
#include <csignal>
#include <map>

#include <robotrules/open_store.hpp>
#include <robotrules/robot_ua.hpp>

#include "cli/get/sitemap_input.hpp"
#include "cli/get_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

class GetSitemaps : public GetRig {
 protected:
  static std::string urlset(const std::vector<std::string>& urls) {
    std::string text = "<urlset>";
    for (const std::string& each : urls) text += "<url><loc>" + each + "</loc></url>";
    return text + "</urlset>";
  }
  void map(const std::string& path, const std::string& body) { page(path, reply(body, "application/xml")); }
  static bool says(const Ran& ran, std::string_view text) { return ran.err.find(text) != std::string::npos; }
};

TEST_F(GetSitemaps, EntriesAreRepairedOrLeftOutAndBothAreTold) {
  page("/*", reply("."));
  map("/map.xml", urlset({"/1", url("/2 3"), url("/4"), "//" + url("/5").substr(7), "ftp://a/6", "", url("/7", "b"),
                          url("/" + std::string(9000, 'x'))}));
  const Ran ran = get({"--sitemap", url("/map.xml")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(asked(), (Words{"/map.xml", "/1", "/2%203", "/4", "/5"}));
  const std::string name = "the sitemap " + url("/map.xml");
  EXPECT_TRUE(says(ran, name + ": 3 entries are repaired (2 relative, 1 with spaces)\n")) << ran.err;
  EXPECT_TRUE(says(ran, name + ": 3 entries are left out (2 without an http URL, 1 too long)\n")) << ran.err;
  EXPECT_TRUE(says(ran, name + " lists 1 URL of other hosts, which are left out; --sitemap-any-host")) << ran.err;
  EXPECT_TRUE(says(ran, "\nsitemaps              8   entries   3 repaired   4 left out\n")) << ran.err;
  EXPECT_FALSE(says(get({"--quiet", "--sitemap", url("/map.xml")}), "entries"));
}

TEST_F(GetSitemaps, LinesOfRobotsTxtAreRepairedOrLeftOutAndBothAreTold) {
  page("/*", reply("."));
  page("/robots.txt", reply("Sitemap: /map.xml\nSitemap: ftp://a/map.xml\n"));
  map("/map.xml", urlset({url("/1")}));
  const Ran ran = get({"--sitemaps", url("/0")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(times("/1"), 1U);
  EXPECT_TRUE(says(ran, url("/robots.txt") + ": 1 Sitemap line is repaired (1 relative)\n")) << ran.err;
  EXPECT_TRUE(says(ran, "\nsitemaps              1   entries   1 repaired   1 left out\n")) << ran.err;
  EXPECT_TRUE(says(ran, url("/robots.txt") + ": 1 Sitemap line is left out (1 without an http URL)\n")) << ran.err;
}

TEST_F(GetSitemaps, OnlyTheFirstSitemapsAreReported) {
  page("/*", reply("."));
  std::string index = "<sitemapindex>";
  for (int i = 0; i < 12; ++i) {
    const std::string path = "/map" + std::to_string(i) + ".xml";
    index += "<sitemap><loc>" + url(path) + "</loc></sitemap>";
    map(path, urlset({"/page" + std::to_string(i), "mailto:me"}));
  }
  map("/index.xml", index + "</sitemapindex>");
  const Ran ran = get({"--sitemap", url("/index.xml"), "--delay", "0"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(says(ran, "/map9.xml: 1 entry is left out")) << ran.err;
  EXPECT_FALSE(says(ran, "/map10.xml: ")) << ran.err;
  EXPECT_TRUE(says(ran, "entries of further sitemaps that are repaired or left out are counted but not reported\n"));
  EXPECT_TRUE(says(ran,
                   "the sitemaps: 12 entries are repaired (12 relative), 12 entries are left out (12 without an http "
                   "URL) in all\n"))
      << ran.err;
}

TEST_F(GetSitemaps, ASiteIsReadOnceForAllItsOperands) {
  page("/*", reply("."));
  page("/robots.txt", reply("Sitemap: /map.xml\n"));
  map("/map.xml", urlset({}));
  EXPECT_EQ(get({"--sitemaps", url("/1"), url("/2")}).status, 0);
  EXPECT_EQ(times("/map.xml"), 1U);
}

TEST_F(GetSitemaps, SitemapXmlIsTriedOnceAJobIfNoneIsNamed) {
  page("/*", reply("."));
  page("/sitemap.xml", reply(urlset({url("/2"), url("/3")}), "text/xml"));
  server.on("b.localhost", "/sitemap.xml", status(404));
  const Words words = {"--sitemaps", url("/1"), url("/1", "b"), "--db", in_folder("c.db"), "-o", in_folder("o.ndjson")};
  const Ran first = get(words);
  EXPECT_EQ(first.status, 0) << first.err << "\nit was not promised";
  EXPECT_TRUE(says(
      first, url("/robots.txt") + " names no sitemap, so " + url("/sitemap.xml") + " was tried: it lists 2 URLs\n"))
      << first.err;
  EXPECT_TRUE(says(first, url("/sitemap.xml", "b") + " was tried: " + url("/sitemap.xml", "b") + " answers 404"))
      << first.err;
  EXPECT_EQ(times("/3"), 1U);
  EXPECT_EQ(times("/sitemap.xml"), 2U);
  const Ran second = get(words);
  EXPECT_EQ(second.status, 0) << second.err;
  EXPECT_EQ(times("/sitemap.xml"), 2U);
  EXPECT_TRUE(says(second, url("/robots.txt", "b") +
                               " names no sitemap, and this job has tried /sitemap.xml before; --sitemap reads it "
                               "again\n"))
      << second.err;
  get(words);
  EXPECT_EQ(times("/sitemap.xml"), 2U) << "the second run has not lost it";
}

TEST_F(GetSitemaps, SitemapXmlObeysRobotsTxtAndATemporaryFailureIsTriedAgainByTheNextRun) {
  page("/*", reply("."));
  page("/robots.txt", reply("User-agent: *\nDisallow: /sitemap\n"));
  server.on("b.localhost", "/robots.txt", reply(""));
  server.on("b.localhost", "/sitemap.xml", status(503));
  const Words words = {"--sitemaps", url("/1"), url("/1", "b"), "--db", in_folder("c.db"), "--tries", "1"};
  const Ran ran = get(words);
  EXPECT_EQ(ran.status, 2) << ran.err;
  EXPECT_TRUE(says(ran, "Disallow: /sitemap")) << ran.err;
  EXPECT_EQ(times("/sitemap.xml"), 1U);
  server.on("b.localhost", "/sitemap.xml", reply(urlset({}), "text/xml"));
  EXPECT_EQ(run({"db", in_folder("c.db"), "forget", url("/", "b")}).status, 0);  // the penalty of the 503
  EXPECT_EQ(get(words).status, 0);
  EXPECT_EQ(times("/sitemap.xml"), 2U);
}

TEST_F(GetSitemaps, ADryRunTriesSitemapXmlAndKeepsNothing) {
  map("/sitemap.xml", urlset({url("/2")}));
  const Words words = {"--sitemaps", url("/1"), "--db", in_folder("c.db")};
  Words dry = words;
  dry.push_back("--dry-run");
  const Ran ran = get(dry);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("total\t2\t"), std::string::npos) << ran.out;
  page("/*", reply("."));
  map("/sitemap.xml", urlset({url("/2")}));
  EXPECT_EQ(get(words).status, 0);
  EXPECT_EQ(times("/sitemap.xml"), 2U);
}

// --- a proxy that fails ---------------------------------------------------------------------------------------------

class ProxiedSitemaps : public GetSitemaps {
 protected:
  ProxiedSitemaps() {
    RobotUAOptions http;
    http.pace.delay = 0s;
    EXPECT_TRUE(http.http.connection.guard.allow("127.0.0.0/8").ok());
    http.http.connection.proxy.http = "http://127.0.0.1:" + std::to_string(proxy);
    auto rules = std::make_shared<RobotRules>(RobotRules::open(make_memory_store(), "TestBot").value());
    robot.emplace(RobotUA::make("TestBot/1.0", "me@example.org", std::move(rules), std::move(http)).value());
  }
  bool read() {
    cli::SitemapInput input(
        *robot, *queue, options, {.max_tries = 2, .proxy_wait = 1ms}, stop,
        [this](std::string_view url) {
          urls.emplace_back(url);
          return true;
        },
        [this](std::chrono::milliseconds time) {
          waits.push_back(time);
          return on_wait();
        });
    const bool read = input.read();
    complete = input.complete();
    return read;
  }

  const std::uint16_t proxy = server.open({.manner = Manner::proxy});
  std::optional<RobotUA> robot;
  std::unique_ptr<UrlQueue> queue = open_url_queue("").value();
  cli::InputOptions options;
  std::atomic<bool> stop{false};
  std::vector<std::string> urls;
  std::vector<std::chrono::milliseconds> waits;
  std::function<bool()> on_wait = [] { return true; };
  bool complete = false;
};

TEST_F(ProxiedSitemaps, AProxyThatFailsIsWaitedForAndNoSitemapIsLost) {
  page("/robots.txt", in_turn({status(407), status(407), status(407), reply("Sitemap: /map.xml\n")}));
  page("/map.xml", in_turn({status(407), status(407), reply(urlset({"/1"}), "text/xml")}));
  options.operands = {"http://a.test/"};
  options.sitemaps = true;
  EXPECT_TRUE(read());
  EXPECT_EQ(urls, Words{"http://a.test/1"});
  EXPECT_EQ(waits, (std::vector{1ms, 2ms, 4ms, 8ms, 16ms}));
  EXPECT_TRUE(complete);
}

TEST_F(ProxiedSitemaps, ASiteForWhichItFailsAloneIsPutOffAndThenGivenUp) {
  page("/robots.txt", reply(""));
  page("/map.xml", reply(urlset({"/1"}), "text/xml"));
  server.on("evil.test", "/*", status(407));
  options.sitemap_urls = {"http://evil.test/map.xml", "http://a.test/map.xml", "http://b.test/map.xml"};
  EXPECT_TRUE(read());
  EXPECT_EQ(urls, (Words{"http://a.test/1", "http://b.test/1"}));
  EXPECT_FALSE(complete);
}

TEST_F(ProxiedSitemaps, TheEndOfTheRunEndsTheWait) {
  page("/robots.txt", status(407));
  options.sitemap_urls = {"http://a.test/map.xml", "http://b.test/map.xml"};
  on_wait = [this] {
    stop = waits.size() == 3;
    return !stop;
  };
  EXPECT_FALSE(read());
  EXPECT_EQ(waits, (std::vector{1ms, 2ms, 4ms}));
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
