// sitemaps.org's protocol 0.9, RSS 2.0, Atom (RFC 4287), and sitemaps that mean harm.
#include <robotrules/sitemap.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <vector>

#include "support/server/bodies.hpp"

namespace robotrules::test {
namespace {

using namespace std::chrono;
using namespace std::string_literals;

struct Read {
  std::vector<std::string> urls;
  std::string error;
  SitemapKind kind = SitemapKind::unknown;
  SitemapCounts counts;
};

Read read(std::string_view text, const SitemapOptions& options = {}, std::size_t piece = 1 << 20) {
  Read result;
  SitemapReader reader("https://example.org/sitemap.xml", options, [&](const SitemapEntry& entry) {
    result.urls.push_back((entry.is_sitemap ? "+" : "") + std::string(entry.loc));
  });
  Result<void> fed;
  while (fed && !text.empty()) {
    fed = reader.feed(text.substr(0, piece));
    text.remove_prefix(std::min(piece, text.size()));
  }
  if (fed) fed = reader.finish();
  if (!fed) result.error = fed.error().code;
  result.kind = reader.kind();
  result.counts = reader.counts();
  return result;
}

std::string gzip(std::string_view text) { return test::packed(test::Coding::gzip, text); }

std::string urlset(const std::string& inner) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">" +
         inner + "</urlset>";
}
using Urls = std::vector<std::string>;

const std::string two = urlset(
    "<url><loc>\n https://example.org/a?x=1&amp;y=2 </loc><lastmod>2005-01-01</lastmod></url>"
    "<url><image:image xmlns:image='x'><image:loc>https://example.org/i</image:loc></image:image>"
    "<loc><![CDATA[https://example.org/b]]></loc></url>");

TEST(SitemapProtocol, UrlsetGivesItsUrlsUnescapedHoweverTheyAreCut) {
  for (const std::string& text : {two, gzip(two), "\xEF\xBB\xBF" + two, "\r\n " + two}) {
    for (const std::size_t piece : {1u, 2u, 3u, 7u, 100u, 100'000u}) {
      const Read found = read(text, {}, piece);
      EXPECT_EQ(found.error, "");
      EXPECT_EQ(found.urls, (Urls{"https://example.org/a?x=1&y=2", "https://example.org/b"}));
      EXPECT_EQ(found.kind, SitemapKind::urlset);
    }
  }
}

TEST(SitemapProtocol, AnEntryHasTypedValues) {
  std::vector<SitemapEntry> all;
  SitemapReader reader("https://example.org/s", {}, [&](const SitemapEntry& entry) { all.push_back(entry); });
  ASSERT_TRUE(reader.feed(urlset(
      "<url><loc>http://h/1</loc><lastmod>2004-12-23T18:00:15+00:00</lastmod><changefreq>Monthly</changefreq>"
      "<priority>0.8</priority></url>"
      "<url><loc>http://h/2</loc><lastmod>yesterday</lastmod><changefreq>often</changefreq><priority>1.1</priority></"
      "url>"
      "<url><priority>1.0</priority><loc>http://h/3</loc></url><url><loc>http://h/4</loc><priority>.5</priority></url>"
      "<url><loc>http://h/5</loc><priority>-0.5</priority></url>")));
  ASSERT_TRUE(reader.finish());
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[0].lastmod, sys_days(2004y / 12 / 23) + 18h + 15s);
  EXPECT_EQ(all[0].changefreq, ChangeFrequency::monthly);
  EXPECT_DOUBLE_EQ(all[0].priority.value(), 0.8);
  EXPECT_FALSE(all[1].lastmod || all[1].priority);
  EXPECT_EQ(all[1].changefreq, ChangeFrequency::unknown);
  EXPECT_EQ(all[2].priority, 1.0);
  EXPECT_EQ(all[3].priority, 0.5);
  EXPECT_FALSE(all[4].priority);
}

TEST(SitemapProtocol, AnIndexGivesSitemaps) {
  const Read found =
      read("<sm:sitemapindex xmlns:sm='x'><sm:sitemap><sm:loc>http://h/1.gz</sm:loc></sm:sitemap></sm:sitemapindex>");
  EXPECT_EQ(found.urls, Urls{"+http://h/1.gz"});
  EXPECT_EQ(found.kind, SitemapKind::index);
}

TEST(SitemapProtocol, PlainTextIsAUrlALine) {
  const Read found = read("\xEF\xBB\xBFhttp://h/1\r\n\n  http://h/2  \rnonsense\nftp://h/3\nhttp://h/4");
  EXPECT_EQ(found.urls, (Urls{"http://h/1", "http://h/2", "http://h/4"}));
  EXPECT_EQ(found.kind, SitemapKind::text);
  EXPECT_EQ(found.counts.no_url, 2u);
  EXPECT_EQ(read(gzip("http://h/1\nhttp://h/2\n") + gzip("http://h/3\n") + "\0\0"s, {}, 5).urls.size(), 3u);
}

TEST(SitemapProtocol, FeedsGiveTheirItems) {
  const Read rss = read(
      "<rss version='2.0' xmlns:atom='a'><channel><link>http://h/</link><item><title>x</title>"
      "<link>http://h/1</link><atom:link href='http://h/self'/><pubDate>Sat, 07 Sep 2002 00:00:01 GMT</pubDate></item>"
      "<item><link>http://h/2</link></item></channel></rss>");
  EXPECT_EQ(rss.urls, (Urls{"http://h/1", "http://h/2"}));
  EXPECT_EQ(rss.kind, SitemapKind::rss);
  const Read atom = read(
      "<feed xmlns='http://www.w3.org/2005/Atom'><link href='http://h/'/><entry><link rel='self' href='http://h/s'/>"
      "<link href='http://h/1'/><link href='http://h/x'/><updated>2003-12-13T18:30:02Z</updated></entry></feed>");
  EXPECT_EQ(atom.urls, Urls{"http://h/1"});
  EXPECT_EQ(atom.kind, SitemapKind::atom);
}

TEST(SitemapLimits, OnlyAbsoluteHttpUrlsOfUpTo8192OctetsAreGiven) {
  const std::string fits = "http://h/" + std::string(8192 - 9, 'x');
  const Read found =
      read(urlset("<url><loc>/a</loc></url><url><loc>ftp://h/</loc></url><url><loc></loc></url><url/>"
                  "<url><loc>javascript:x</loc></url><url><loc>http://h/a b</loc></url><url><loc>" +
                  fits + "  </loc></url><url><loc>" + fits + "x</loc></url>"));
  EXPECT_EQ(found.urls, Urls{fits});
  EXPECT_EQ(found.counts.entries, 8u);
  EXPECT_EQ(found.counts.no_url, 6u);
  EXPECT_EQ(found.counts.too_long, 1u);
  EXPECT_EQ(read(fits + "\n" + fits + "x\nhttp://h/").counts.too_long, 1u);
}

TEST(SitemapLimits, OtherHostsAreLeftOutWhereAsked) {
  const Read found = read("https://example.org/1\nhttp://EXAMPLE.org:81/2\nhttps://example.com/3", {.own_host = true});
  EXPECT_EQ(found.urls.size(), 2u);
  EXPECT_EQ(found.counts.other_host, 1u);
}

TEST(SitemapLimits, MoreEntriesAreAnErrorBehindThoseThatFit) {
  const Read xml = read(two, {.max_entries = 1});
  EXPECT_EQ(xml.urls.size(), 1u);
  EXPECT_EQ(xml.error, "sitemap-too-many-entries");
  EXPECT_EQ(read("http://h/1\nhttp://h/2", {.max_entries = 1}).error, "sitemap-too-many-entries");
  EXPECT_EQ(read("http://h/1\nhttp://h/2\n\n", {.max_entries = 2}).error, "");
}

TEST(SitemapLimits, MoreOctetsAreAnErrorAndABombIsNotUnpacked) {
  EXPECT_EQ(read(two, {.max_bytes = two.size()}).error, "");
  EXPECT_EQ(read(two, {.max_bytes = two.size() - 1}).error, "sitemap-too-large");
  const std::string bomb = gzip("http://h/\n" + std::string(10'000'000, ' '));
  EXPECT_LT(bomb.size(), 20'000u);
  const Read found = read(bomb, {.max_bytes = 1'000'000});
  EXPECT_EQ(found.error, "sitemap-too-large");
  EXPECT_EQ(found.counts.bytes, 1'000'000u);
}

TEST(SitemapHostile, EntitiesAreRefused) {
  const std::string laughs =
      "<!DOCTYPE x [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;'>]><urlset><url><loc>http://h/&b;</loc></url></urlset>";
  EXPECT_EQ(read(laughs).error, "sitemap-entities");
  EXPECT_EQ(read("<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><urlset/>").error, "sitemap-entities");
  EXPECT_EQ(read("<!DOCTYPE x [<!ENTITY % a SYSTEM 'http://h/'> %a;]><urlset/>").error, "sitemap-entities");
  EXPECT_EQ(read("<!DOCTYPE urlset SYSTEM 'http://h/x.dtd'><urlset/>").error, "");
}

TEST(SitemapHostile, WhatIsCutIsAnErrorBehindWhatWasWhole) {
  for (std::size_t size = 0; size < two.size(); ++size) {
    const Read found = read(two.substr(0, size));
    EXPECT_EQ(found.error, size == 0 ? "" : "sitemap-truncated") << size;
    EXPECT_EQ(found.urls.size(), static_cast<std::size_t>(size >= two.find("</url>") + 6) +
                                     static_cast<std::size_t>(size >= two.rfind("</url>") + 6))
        << size;
  }
  const std::string packed = gzip(two);
  for (std::size_t size = 2; size < packed.size(); ++size) {
    EXPECT_EQ(read(packed.substr(0, size)).error, "sitemap-truncated") << size;
  }
}

TEST(SitemapHostile, WhatIsNoSitemapSaysSo) {
  EXPECT_EQ(read("<html><body>Not found</body></html>").error, "sitemap-unknown-format");
  EXPECT_EQ(read("Not found\n").error, "sitemap-unknown-format");
  EXPECT_EQ(read("<!DOCTYPE html><p>Not found<br>").error, "sitemap-unknown-format");
  EXPECT_EQ(read("<urlset><url></urlset>").error, "sitemap-malformed");
  EXPECT_EQ(read("<urlset></urlset><urlset/>").error, "sitemap-malformed");
  EXPECT_EQ(read("\x1F\x8B not gzip").error, "sitemap-malformed");
  std::string damaged = gzip(two);
  damaged[damaged.size() / 2] ^= 0x55;
  EXPECT_NE(read(damaged).error, "");
  EXPECT_EQ(read("").error, "");
  EXPECT_EQ(read("h").error, "sitemap-unknown-format");
}

TEST(SitemapHostile, NestingLongTagsAndNamesWithoutEndAreRefused) {
  std::string deep = "<urlset>";
  for (int i = 0; i < 100; ++i) deep += "<a>";
  EXPECT_EQ(read(deep).error, "sitemap-too-complex");
  EXPECT_EQ(read("<urlset><a b='" + std::string(10'000'000, 'x')).error, "sitemap-too-complex");
  EXPECT_EQ(read("<urlset><!--" + std::string(10'000'000, 'x'), {}, 100).error, "sitemap-too-complex");
  std::string names = "<urlset>";
  for (int i = 0; i < 200'000; ++i) names += "<n" + std::to_string(i) + "/>";
  EXPECT_EQ(read(names).error, "sitemap-too-complex");
}

TEST(SitemapReader, AnErrorStays) {
  SitemapReader reader("http://h/", {}, {});
  EXPECT_EQ(reader.feed("<html>" + std::string(10'000, ' ')).error().code, "sitemap-unknown-format");
  EXPECT_EQ(reader.feed(two).error().code, "sitemap-unknown-format");
  EXPECT_EQ(reader.finish().error().code, "sitemap-unknown-format");
}

TEST(SitemapReader, ACallbackMayThrow) {
  SitemapReader reader("http://h/", {}, [](const SitemapEntry&) { throw std::runtime_error("enough"); });
  ASSERT_TRUE(reader.feed(two));
  EXPECT_THROW(static_cast<void>(reader.finish()), std::runtime_error);
}

}  // namespace
}  // namespace robotrules::test
