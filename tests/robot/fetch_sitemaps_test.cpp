// Sitemaps on the network: where they are found, what is followed, what holds while they are fetched.
#include <robotrules/sitemap.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

#include "support/agent/loopback.hpp"
#include "support/server/bodies.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using Urls = std::vector<std::string>;

class FetchSitemaps : public LocalAgent {
 protected:
  // robots.txt with those Sitemap lines.
  void site(const Urls& sitemaps, const std::string& rules = "") {
    std::string body = "User-agent: *\n" + rules;
    for (const std::string& sitemap : sitemaps) body += "Sitemap: " + sitemap + "\n";
    server.on("a.test", "/robots.txt", reply(body));
  }
  static std::string xml(const std::string& kind, const std::string& item, const Urls& urls) {
    std::string text = "<?xml version=\"1.0\"?><" + kind + " xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";
    for (const std::string& each : urls)
      text.append("<").append(item).append("><loc>").append(each).append("</loc></" + item + ">");
    return text + "</" + kind + ">";
  }
  static std::string urlset(const Urls& urls) { return xml("urlset", "url", urls); }
  static std::string index(const Urls& urls) { return xml("sitemapindex", "sitemap", urls); }
  void sitemap(const std::string& path, const std::string& body) {
    server.on("a.test", path, reply(body, "application/xml"));
  }

  FetchedSitemaps fetch(const std::string& where) {
    RobotUA ua = new_robot();
    auto done = fetch_sitemaps(ua, where, fetching, [this](const SitemapEntry& entry) {
      urls.emplace_back(entry.loc);
      return urls.size() < most;
    });
    error = done ? "" : std::string(done.error().code);
    return done ? std::move(done).value() : FetchedSitemaps();
  }

  SitemapFetchOptions fetching;
  std::size_t most = 1'000'000;
  Urls urls;
  std::string error;
};

TEST_F(FetchSitemaps, AreFoundInRobotsTxt) {
  site({url("/a.xml"), url("/b.xml"), url("/a.xml")});
  sitemap("/a.xml", urlset({"http://a.test/1", "http://a.test/2"}));
  sitemap("/b.xml", urlset({"http://a.test/3"}));
  const FetchedSitemaps done = fetch(url(""));
  EXPECT_EQ(urls, (Urls{"http://a.test/1", "http://a.test/2", "http://a.test/3"}));
  ASSERT_EQ(done.sitemaps.size(), 2U);
  EXPECT_EQ(done.sitemaps[0].kind, SitemapKind::urlset);
  EXPECT_EQ(done.sitemaps[0].counts.given, 2U);
  EXPECT_EQ(done.sitemaps[0].error, "");
  EXPECT_FALSE(done.cut);
  EXPECT_EQ(count(), 3U);
}

// RFC 3986 section 5.1.3: against the URL of robots.txt, after redirects.
TEST_F(FetchSitemaps, NoSitemapLineVanishes) {
  const std::string host = "//a.test:" + std::to_string(port);
  std::string dots;
  for (int i = 0; i < 5000; ++i) dots += "./";
  site({"/a.xml", host + "/b.xml", "c.xml", url("/d e.xml"), url("/" + dots + "f.xml"), url("/g.xml"),
        "ftp://a.test/h.xml", url("/" + std::string(9000, 'x')), "mailto:me@a.test"});
  for (const char* path : {"/a.xml", "/b.xml", "/c.xml", "/d%20e.xml", "/f.xml", "/g.xml"}) {
    sitemap(path, urlset({url(path)}));
  }
  const FetchedSitemaps done = fetch(url(""));
  EXPECT_EQ(urls, (Urls{url("/a.xml"), url("/b.xml"), url("/c.xml"), url("/d%20e.xml"), url("/f.xml"), url("/g.xml")}));
  EXPECT_EQ(done.named.entries, 9U);
  EXPECT_EQ(done.named.given, 6U);
  EXPECT_EQ(done.named.of(SitemapRepair::relative), 3U);
  EXPECT_EQ(done.named.of(SitemapRepair::spaces), 1U);
  EXPECT_EQ(done.named.of(SitemapRepair::long_form), 1U);
  EXPECT_EQ(done.named.no_url, 2U);
  EXPECT_EQ(done.named.too_long, 1U);
}

TEST_F(FetchSitemaps, RelativeSitemapLinesAreOfTheRobotsTxtThatWasRead) {
  server.on("a.test", "/robots.txt", redirect(301, url("/robots.txt", "b.test")));
  server.on("b.test", "/robots.txt", reply("Sitemap: /map.xml\n"));
  server.on("b.test", "/map.xml", reply(urlset({url("/1"), url("/2", "b.test")}), "application/xml"));
  fetch(url("/"));
  EXPECT_EQ(urls, (Urls{url("/1"), url("/2", "b.test")}));
  EXPECT_EQ(times("/map.xml", "b.test"), 1U);
}

TEST_F(FetchSitemaps, RelativeEntriesAreOfTheSitemapThatWasRead) {
  site({url("/old/map.xml")});
  server.on("a.test", "/old/map.xml", redirect(301, url("/new/map.xml")));
  sitemap("/new/map.xml", urlset({"1.html", "/2", "//b.test/3", url("/4 5")}));
  const FetchedSitemaps done = fetch(url("/"));
  EXPECT_EQ(urls, (Urls{url("/new/1.html"), url("/2"), url("/4%205")}));
  ASSERT_EQ(done.sitemaps.size(), 1U);
  EXPECT_EQ(done.sitemaps[0].counts.given, 3U);
  EXPECT_EQ(done.sitemaps[0].counts.of(SitemapRepair::relative), 2U) << "that of the other host is not repaired";
  EXPECT_EQ(done.sitemaps[0].counts.of(SitemapRepair::spaces), 1U);
  EXPECT_EQ(done.sitemaps[0].other_hosts, 1U);
  EXPECT_EQ(done.sitemaps[0].left_out(), 1U);

  urls.clear();
  fetching.any_host = true;
  fetch(url("/"));
  EXPECT_EQ(urls, (Urls{url("/new/1.html"), url("/2"), "http://b.test/3", url("/4%205")}));
}

// A redirect does not make the other host the sitemap's own.
TEST_F(FetchSitemaps, ARedirectedSitemapListsTheHostThatWasAskedFor) {
  site({url("/map.xml")});
  server.on("a.test", "/map.xml", redirect(301, url("/map.xml", "victim.test")));
  server.on("victim.test", "/map.xml", reply(urlset({url("/1"), url("/2", "victim.test"), "/3"}), "application/xml"));
  const FetchedSitemaps done = fetch(url("/"));
  EXPECT_EQ(urls, Urls{url("/1")});
  EXPECT_EQ(done.sitemaps.at(0).other_hosts, 2U);
}

TEST_F(FetchSitemaps, TextOfSitemapIsFollowedAndAUrlInAnIndexIsAPage) {
  site({url("/index.xml")});
  sitemap("/index.xml", "<sitemapindex><sitemap>" + url("/a.xml") + "</sitemap><url><loc>" + url("/1") +
                            "</loc></url></sitemapindex>");
  sitemap("/a.xml", "<urlset><sitemap><loc>/deeper.xml</loc></sitemap><url><loc>/2</loc></url></urlset>");
  const FetchedSitemaps done = fetch(url("/"));
  EXPECT_EQ(urls, (Urls{url("/1"), url("/2")}));
  ASSERT_EQ(done.sitemaps.size(), 2U);
  EXPECT_EQ(done.sitemaps[0].counts.of(SitemapRepair::misplaced), 2U);
  EXPECT_EQ(done.sitemaps[1].error, "");
  EXPECT_EQ(done.sitemaps[1].nested, 1U);
  EXPECT_EQ(done.sitemaps[1].left_out(), 1U);
  EXPECT_EQ(times("/deeper.xml"), 0U);
}

// One host, however it is spelt: its A-labels and its Unicode name (RFC 5890).
TEST_F(FetchSitemaps, AHostInUnicodeIsTheSameHost) {
  const std::string host = "xn--bcher-kva.test";
  server.on(host, "/robots.txt", reply("Sitemap: /a.xml\n"));
  server.on(host, "/a.xml", reply(urlset({url("/1", "b\u00FCcher.test"), url("/2", host)}), "application/xml"));
  const FetchedSitemaps done = fetch(url("", host));
  EXPECT_EQ(urls, (Urls{url("/1", "b\u00FCcher.test"), url("/2", host)}));
  EXPECT_EQ(done.sitemaps.at(0).other_hosts, 0U);
}

TEST_F(FetchSitemaps, TheContentTypeTellsTheCharset) {
  site({url("/a.xml")});
  server.on("a.test", "/a.xml",
            reply("<urlset><url><loc>" + url("/\xEF") + "</loc></url></urlset>", "text/xml; charset=windows-1251"));
  fetch(url("/"));
  EXPECT_EQ(urls, Urls{url("/\u043f")});
}

TEST_F(FetchSitemaps, SitemapXmlIsTriedIfNoneIsNamedAndTheProgramAsksForIt) {
  site({});
  sitemap("/sitemap.xml", urlset({url("/1")}));
  EXPECT_TRUE(fetch(url("/")).sitemaps.empty());
  EXPECT_EQ(times("/sitemap.xml"), 0U);
  fetching.guess = true;
  FetchedSitemaps done = fetch(url("/"));
  EXPECT_TRUE(done.guessed);
  EXPECT_EQ(urls, Urls{url("/1")});
  server.on("a.test", "/robots.txt", status(404));
  EXPECT_TRUE(fetch(url("/")).guessed) << "without a robots.txt too";

  site({"/a.xml"});
  sitemap("/a.xml", urlset({}));
  EXPECT_FALSE(fetch(url("/")).guessed);
  site({"ftp://a.test/a.xml"});
  EXPECT_FALSE(fetch(url("/")).guessed) << "one is named";
  EXPECT_FALSE(fetch(url("/a.xml")).guessed);
  EXPECT_EQ(times("/sitemap.xml"), 2U);
  site({}, "Disallow: /sitemap\n");
  done = fetch(url("/"));
  EXPECT_TRUE(done.guessed);
  EXPECT_EQ(done.sitemaps.at(0).error, "sitemap-not-fetched");
  EXPECT_FALSE(done.sitemaps.at(0).may_pass);
  EXPECT_EQ(times("/sitemap.xml"), 2U) << "robots.txt denies it";
}

TEST_F(FetchSitemaps, SitemapsBeyondTheLimitAreCounted) {
  site({url("/index.xml")});
  sitemap("/index.xml", index({url("/a.xml"), url("/b.xml"), url("/c.xml")}));
  fetching.sitemaps = 2;
  EXPECT_EQ(fetch(url("/")).beyond_limits, 2U);
}

TEST_F(FetchSitemaps, ASitemapCanBeGivenByItself) {
  site({});
  sitemap("/deep/map.xml", urlset({"http://a.test/1"}));
  EXPECT_EQ(fetch(url("/deep/map.xml")).sitemaps.size(), 1U);
  EXPECT_EQ(urls, Urls{"http://a.test/1"});
}

TEST_F(FetchSitemaps, TheSitesNameMayBeInUnicode) {
  server.on("xn--bcher-kva.test", "/robots.txt", reply("Sitemap: " + url("/a.xml", "b\u00FCcher.test") + "\n"));
  server.on("xn--bcher-kva.test", "/a.xml", reply(urlset({"http://xn--bcher-kva.test/1"}), "application/xml"));
  EXPECT_EQ(fetch(url("", "b\u00FCcher.test")).sitemaps.size(), 1U) << error;
  EXPECT_EQ(fetch(url("/a.xml", "B\u00DCCHER.test")).sitemaps.size(), 1U);
  EXPECT_EQ(urls, (Urls{"http://xn--bcher-kva.test/1", "http://xn--bcher-kva.test/1"}));
}

TEST_F(FetchSitemaps, ASiteWithoutAnyHasNone) {
  site({});
  EXPECT_TRUE(fetch(url("/")).sitemaps.empty());
  EXPECT_EQ(error, "");
  server.on("a.test", "/robots.txt", status(404));
  EXPECT_TRUE(fetch(url("/")).sitemaps.empty());
  EXPECT_EQ(error, "");
}

TEST_F(FetchSitemaps, AnIndexIsFollowedOneLevelAsTheProtocolSays) {
  site({url("/index.xml")});
  sitemap("/index.xml", index({url("/a.xml"), url("/nested.xml")}));
  sitemap("/a.xml", urlset({"http://a.test/1"}));
  sitemap("/nested.xml", index({url("/never.xml")}));
  const FetchedSitemaps done = fetch(url("/"));
  ASSERT_EQ(done.sitemaps.size(), 3U);
  EXPECT_EQ(done.sitemaps[0].index, std::nullopt);
  EXPECT_EQ(done.sitemaps[1].index, 0U);
  EXPECT_EQ(done.sitemaps[2].index, 0U);
  EXPECT_EQ(done.sitemaps[2].error, "sitemap-nested-index");
  EXPECT_EQ(urls, Urls{"http://a.test/1"});
  EXPECT_TRUE(server.witness().requests("/never.xml").empty());
}

TEST_F(FetchSitemaps, GzipIsReadInsideAndOutside) {
  const std::string map = urlset({"http://a.test/1"});
  site({url("/a.xml.gz"), url("/b.xml")});
  server.on("a.test", "/a.xml.gz", reply(packed(Coding::gzip, map), "application/gzip"));
  Reply coded = reply(packed(Coding::gzip, map), "application/xml");
  coded.headers.push_back({"Content-Encoding", "gzip"});
  server.on("a.test", "/b.xml", coded);
  fetch(url("/"));
  EXPECT_EQ(urls, (Urls{"http://a.test/1", "http://a.test/1"}));
}

TEST_F(FetchSitemaps, RobotsTxtIsObeyed) {
  site({url("/private/a.xml"), url("/b.xml")}, "Disallow: /private\n");
  sitemap("/private/a.xml", urlset({"http://a.test/1"}));
  sitemap("/b.xml", urlset({"http://a.test/2"}));
  const FetchedSitemaps done = fetch(url("/"));
  EXPECT_EQ(done.sitemaps.at(0).error, "sitemap-not-fetched");
  EXPECT_NE(done.sitemaps[0].message.find("Disallow: /private"), std::string::npos) << done.sitemaps[0].message;
  EXPECT_EQ(urls, Urls{"http://a.test/2"});
  EXPECT_TRUE(server.witness().requests("/private/a.xml").empty());
}

// A Sitemap line, an entry of an index and a redirect that lead into a private network.
TEST_F(FetchSitemaps, TheAddressGuardHoldsWhereverTheyLead) {
  options.connection.resolve = [](std::string_view host, std::uint16_t) {
    return std::vector<std::string>{host == "inside.test" ? "127.0.0.2" : "127.0.0.1"};
  };
  options.connection.guard = AddressGuard();
  ASSERT_TRUE(options.connection.guard.allow("127.0.0.1"));
  const ListenOptions where{.address = "127.0.0.2", .manner = Manner::silent};
  const std::uint16_t canary = server.open(where);
  const std::string inside = url_of(canary, "/x.xml", "inside.test");
  fetching.any_host = true;
  site({inside, url_of(canary, "/", "169.254.169.254"), url("/index.xml"), url("/moved.xml")});
  sitemap("/index.xml", index({inside + "?2", url_of(canary, "/y.xml", "[::ffff:127.0.0.2]")}));
  server.on("a.test", "/moved.xml", redirect(302, inside + "?3"));
  const FetchedSitemaps done = fetch(url("/"));
  EXPECT_EQ(done.sitemaps.size(), 6U);
  for (const FetchedSitemap& sitemap : done.sitemaps) {
    EXPECT_EQ(sitemap.error, sitemap.url == url("/index.xml") ? "" : "sitemap-not-fetched") << sitemap.url;
  }
  EXPECT_EQ(server.witness().connections_to(canary), 0U);
  EXPECT_TRUE(urls.empty());
}

// sitemaps.org, "Sitemaps & Cross Submits": a robots.txt proves that a sitemap elsewhere is its own site's.
TEST_F(FetchSitemaps, UrlsOfOtherHostsAreLeftOut) {
  site({url("/map.xml"), url("/map.xml", "cdn.test"), url("/index.xml")});
  const std::string victim = url("/v", "victim.test");
  const auto serve = [&](const std::string& host, const std::string& path, const std::string& body) {
    server.on(host, path, reply(body, "application/xml"));
  };
  serve("a.test", "/map.xml", urlset({url("/1"), victim, "https://a.test/2"}));
  serve("cdn.test", "/map.xml", urlset({url("/3"), url("/4", "cdn.test"), victim, victim}));
  serve("a.test", "/index.xml", index({url("/part.xml"), url("/part.xml", "victim.test")}));
  serve("a.test", "/part.xml", urlset({url("/5"), url("/6", "cdn.test")}));
  const FetchedSitemaps done = fetch(url(""));
  EXPECT_EQ(urls, (Urls{url("/1"), "https://a.test/2", url("/3"), url("/4", "cdn.test"), url("/5")}));
  std::vector<std::uint64_t> left_out;
  std::vector<std::size_t> given;
  for (const FetchedSitemap& sitemap : done.sitemaps) {
    left_out.push_back(sitemap.other_hosts);
    given.push_back(sitemap.counts.given);
  }
  EXPECT_EQ(given, (std::vector<std::size_t>{2, 2, 1, 1}));
  EXPECT_EQ(left_out, (std::vector<std::uint64_t>{1, 2, 1, 1}));
  EXPECT_TRUE(server.witness().requests("/part.xml").size() == 1) << "that of the other host is not asked for";

  urls.clear();
  fetch(url("/map.xml", "cdn.test"));
  EXPECT_EQ(urls, Urls{url("/4", "cdn.test")}) << "nothing proves that it is another host's";
  urls.clear();
  fetching.any_host = true;
  fetch(url("/map.xml"));
  EXPECT_EQ(urls, (Urls{url("/1"), victim, "https://a.test/2"}));
}

TEST_F(FetchSitemaps, LimitsHold) {
  site({url("/many.xml"), url("/big.xml"), url("/bomb.xml.gz")});
  fetching.reading.max_entries = 2;
  fetching.reading.max_bytes = 100'000;
  sitemap("/many.xml", urlset({"http://a.test/1", "http://a.test/2", "http://a.test/3"}));
  sitemap("/big.xml", urlset({std::string(200'000, ' ')}));
  server.on(
      "a.test", "/bomb.xml.gz",
      reply(bomb(Coding::gzip, 10'000'000, urlset({}).substr(0, urlset({}).size() - 9), ' '), "application/gzip"));
  const FetchedSitemaps done = fetch(url("/"));
  ASSERT_EQ(done.sitemaps.size(), 3U);
  EXPECT_EQ(done.sitemaps[0].error, "sitemap-too-many-entries");
  EXPECT_EQ(urls, (Urls{"http://a.test/1", "http://a.test/2"}));
  EXPECT_EQ(done.sitemaps[1].error, "sitemap-too-large");
  EXPECT_EQ(done.sitemaps[2].error, "sitemap-too-large");
}

TEST_F(FetchSitemaps, NoMoreThanSoManyAreFetched) {
  site({url("/index.xml")});
  sitemap("/index.xml", index({url("/a.xml"), url("/b.xml"), url("/c.xml")}));
  fetching.sitemaps = 2;
  const FetchedSitemaps done = fetch(url("/"));
  EXPECT_EQ(done.sitemaps.size(), 2U);
  EXPECT_TRUE(done.cut);
}

TEST_F(FetchSitemaps, TheCallbackCanEndIt) {
  site({url("/a.xml"), url("/b.xml")});
  sitemap("/a.xml", urlset({"http://a.test/1", "http://a.test/2", "http://a.test/3"}));
  most = 2;
  EXPECT_TRUE(fetch(url("/")).cut);
  EXPECT_EQ(urls, (Urls{"http://a.test/1", "http://a.test/2"}));
  EXPECT_TRUE(server.witness().requests("/b.xml").empty());
}

TEST_F(FetchSitemaps, WhatCannotBeHadIsTold) {
  site({url("/gone.xml"), url("/page.xml"), url("/good.xml"), url("/cut.xml")});
  sitemap("/page.xml", "<html><body>no sitemap</body></html>");
  server.on("a.test", "/cut.xml", Script().send("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n<urlset><url><loc>"));
  sitemap("/good.xml", urlset({"http://a.test/1"}));
  const FetchedSitemaps done = fetch(url("/"));
  ASSERT_EQ(done.sitemaps.size(), 4U);
  EXPECT_EQ(done.sitemaps[0].status, 404);
  EXPECT_EQ(done.sitemaps[0].error, "sitemap-not-fetched");
  EXPECT_EQ(done.sitemaps[1].error, "sitemap-unknown-format");
  EXPECT_EQ(done.sitemaps[3].error, "sitemap-not-fetched");
  EXPECT_EQ(urls, Urls{"http://a.test/1"});
}

TEST_F(FetchSitemaps, WithoutRobotsTxtNothingIsKnown) {
  server.on("a.test", "/robots.txt", status(503));
  fetch(url("/"));
  EXPECT_EQ(error, "robots-unreachable");
  fetch("nowhere");
  EXPECT_EQ(error, "invalid-url");
}

// RFC 9110 section 15.3.7: a 206 answers a request for a range, and none is made.
TEST_F(FetchSitemaps, AnUnaskedPartIsNotTheSitemap) {
  Reply part = reply(urlset({"http://a.test/1"}), "application/xml");
  part.status = 206;
  part.headers.push_back({"Content-Range", "bytes 0-99/1000"});
  site({url("/a.xml")});
  server.on("a.test", "/a.xml", part);
  const FetchedSitemaps done = fetch(url(""));
  ASSERT_EQ(done.sitemaps.size(), 1U);
  EXPECT_EQ(done.sitemaps[0].status, 206);
  EXPECT_EQ(done.sitemaps[0].error, "sitemap-not-fetched");
  EXPECT_NE(done.sitemaps[0].message.find("/a.xml answers 206"), std::string::npos) << done.sitemaps[0].message;
  EXPECT_EQ(urls, Urls{});
}

// As a page: RFC 9110 section 10.2.3 for Retry-After.
TEST_F(FetchSitemaps, ABusyServerIsAskedAgainAfterItsRetryAfter) {
  site({});
  const Reply map = reply(urlset({"http://a.test/1"}), "application/xml");
  for (const int code : {429, 503}) {
    server.on("a.test", "/a.xml", in_turn({status(code, {{"Retry-After", "1"}}), map}));
    server.witness().clear();
    urls.clear();
    const auto begin = std::chrono::steady_clock::now();
    const FetchedSitemaps done = fetch(url("/a.xml"));
    EXPECT_EQ(urls, Urls{"http://a.test/1"}) << code;
    ASSERT_EQ(done.sitemaps.size(), 1U);
    EXPECT_EQ(done.sitemaps[0].error, "") << done.sitemaps[0].message;
    EXPECT_EQ(times("/a.xml"), 2U);
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
  }
}

TEST_F(FetchSitemaps, TheNumberOfRequestsAndTheWaitAreLimited) {
  site({});
  server.on("a.test", "/a.xml", status(503, {{"Retry-After", "1"}}));
  fetching.max_tries = 2;
  FetchedSitemaps done = fetch(url("/a.xml"));
  EXPECT_EQ(done.sitemaps.at(0).error, "sitemap-not-fetched");
  EXPECT_NE(done.sitemaps.at(0).message.find("answers 503"), std::string::npos) << done.sitemaps[0].message;
  EXPECT_EQ(times("/a.xml"), 2U);
  robot_options.max_wait = std::chrono::seconds(1);
  server.on("a.test", "/b.xml", status(503, {{"Retry-After", "3600"}}));
  done = fetch(url("/b.xml"));
  EXPECT_EQ(done.sitemaps.at(0).error, "sitemap-not-fetched");
  EXPECT_EQ(times("/b.xml"), 1U) << "the site asks for a longer wait";
}

// The program decides, as a crawl does for its pages: no try is counted.
TEST_F(FetchSitemaps, AProxyThatFailsIsAskedAgainAsLongAsTheProgramWants) {
  const std::uint16_t proxy = server.open({.manner = Manner::proxy});
  options.connection.proxy.http = "http://127.0.0.1:" + std::to_string(proxy);
  const Reply map = reply("<urlset><url><loc>http://a.test/1</loc></url></urlset>", "application/xml");
  const auto serve = [&] {
    server.on("a.test", "/robots.txt", in_turn({status(407), status(407), reply("Sitemap: /a.xml\n")}));
    server.on("a.test", "/a.xml", in_turn({status(407), status(407), status(407), status(407), map}));
  };
  fetching.max_tries = 1;
  std::vector<std::string> told;
  fetching.on_proxy_failed = [&](std::string_view failed, std::string_view sentence) {
    told.push_back(std::string(failed) + ": " + std::string(sentence));
    return told.size() < 20;
  };
  serve();
  FetchedSitemaps done = fetch("http://a.test");
  EXPECT_EQ(urls, Urls{"http://a.test/1"}) << error;
  ASSERT_EQ(told.size(), 6U);
  EXPECT_NE(told[0].find("answers 407"), std::string::npos) << told[0];
  EXPECT_TRUE(told[0].starts_with("http://a.test/robots.txt: ")) << told[0];
  EXPECT_TRUE(told[5].starts_with("http://a.test/a.xml: ")) << told[5];

  told.assign(19, "");
  serve();
  fetch("http://a.test");
  EXPECT_EQ(error, "robots-unreachable") << "the program gives up";
  server.on("a.test", "/robots.txt", reply("Sitemap: /a.xml\n"));
  server.on("a.test", "/a.xml", status(407));
  done = fetch("http://a.test");
  EXPECT_EQ(done.sitemaps.at(0).error, "sitemap-not-fetched");
  EXPECT_TRUE(done.sitemaps.at(0).may_pass);
}

TEST_F(FetchSitemaps, AWaitEndsWhenTheProgramStops) {
  site({});
  robot_options.max_wait = std::chrono::hours(2);
  std::atomic<bool> stopped{false};
  server.on("a.test", "/a.xml", [&stopped](const SeenRequest&) {
    stopped = true;
    return status(503, {{"Retry-After", "3600"}});
  });
  fetching.is_stopped = [&stopped] { return stopped.load(); };
  const FetchedSitemaps done = fetch(url("/a.xml"));
  EXPECT_TRUE(done.cut);
  EXPECT_EQ(times("/a.xml"), 1U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
