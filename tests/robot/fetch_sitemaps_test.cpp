// Sitemaps on the network: where they are found, what is followed, what holds while they are fetched.
#include <robotrules/sitemap.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

#include "support/agent/loopback.hpp"
#include "support/server/bodies.hpp"

namespace robotrules::test {
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
  site({url("/a.xml"), url("/b.xml"), url("/a.xml"), "/relative.xml", "ftp://a.test/c.xml"});
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
  site({url("/gone.xml"), url("/page.xml"), url("/cut.xml"), url("/good.xml")});
  sitemap("/page.xml", "<html><body>no sitemap</body></html>");
  server.on("a.test", "/cut.xml", Script().send("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n<urlset><url><loc>"));
  sitemap("/good.xml", urlset({"http://a.test/1"}));
  const FetchedSitemaps done = fetch(url("/"));
  ASSERT_EQ(done.sitemaps.size(), 4U);
  EXPECT_EQ(done.sitemaps[0].status, 404);
  EXPECT_EQ(done.sitemaps[0].error, "sitemap-not-fetched");
  EXPECT_EQ(done.sitemaps[1].error, "sitemap-unknown-format");
  EXPECT_EQ(done.sitemaps[2].error, "sitemap-not-fetched");
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
}  // namespace robotrules::test
