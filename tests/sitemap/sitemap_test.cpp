// sitemaps.org's protocol 0.9, RSS 2.0, Atom (RFC 4287), and sitemaps that mean harm.
#include <robotrules/sitemap.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <vector>

#include "support/server/bodies.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono;
using namespace std::string_literals;

struct Read {
  std::vector<std::string> urls;
  std::vector<SitemapRepair> repairs;
  std::string error;
  SitemapKind kind = SitemapKind::unknown;
  SitemapCounts counts;
};

Read read(std::string_view text, const SitemapOptions& options = {}, std::size_t piece = 1 << 20,
          std::string_view content_type = {}) {
  Read result;
  const auto take = [&](const SitemapEntry& entry) {
    result.urls.push_back((entry.is_sitemap ? "+" : "") + std::string(entry.loc));
    result.repairs.push_back(entry.repair);
  };
  SitemapReader reader("https://example.org/sitemap.xml", options, take, content_type);
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

TEST(SitemapLimits, OnlyHttpUrlsOfUpTo8192BytesAreGiven) {
  const std::string fits = "http://h/" + std::string(8192 - 9, 'x');
  const Read found =
      read(urlset("<url><loc>ftp://h/</loc></url><url><loc></loc></url><url/><url><loc>#part</loc></url>"
                  "<url><loc>javascript:x</loc></url><url><loc>http://h!st,/</loc></url><url><loc>" +
                  fits + "  </loc></url><url><loc>" + fits + "x</loc></url>"));
  EXPECT_EQ(found.urls, Urls{fits});
  EXPECT_EQ(found.counts.entries, 8u);
  EXPECT_EQ(found.counts.no_url, 6u);
  EXPECT_EQ(found.counts.too_long, 1u);
  EXPECT_EQ(found.counts.left_out(), 7u);
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

TEST(SitemapLimits, RelativeUrlsAreNotLongerTogetherThanASitemap) {
  const std::string base = "http://h/" + std::string(5'000, 'b') + "/";
  std::string sitemap = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xml:base='" + base + "'>";
  for (int i = 0; i < 100; ++i) sitemap += "<url><loc>a</loc></url>";
  sitemap += "</urlset>";
  const Read found = read(sitemap, {.max_bytes = 20'000});
  EXPECT_EQ(found.error, "sitemap-too-complex");
  EXPECT_EQ(found.urls.size(), 3u);
  EXPECT_EQ(read(sitemap, {.max_bytes = 600'000}).urls.size(), 100u);
  EXPECT_EQ(read(sitemap, {.max_bytes = 20'000, .max_url_bytes = 5'000}).error, "") << "the base is too long itself";
}

TEST(SitemapLimits, MoreBytesAreAnErrorAndABombIsNotUnpacked) {
  EXPECT_EQ(read(two, {.max_bytes = two.size()}).error, "");
  EXPECT_EQ(read(two, {.max_bytes = two.size() - 1}).error, "sitemap-too-large");
  const std::string bomb = gzip("http://h/\n" + std::string(10'000'000, ' '));
  EXPECT_LT(bomb.size(), 20'000u);
  const Read found = read(bomb, {.max_bytes = 1'000'000});
  EXPECT_EQ(found.error, "sitemap-too-large");
  EXPECT_EQ(found.counts.bytes, 1'000'000u);
}

// --- entries that are not written as their format wants -------------------------------------------------------------

struct Entry {
  const char* name;
  std::string sitemap;
  Urls urls;                 // that are given
  SitemapRepair repair;      // of the last of them
  std::size_t left_out = 0;  // entries that are not given
};

std::string loc(const std::string& text) { return urlset("<url><loc>" + text + "</loc></url>"); }
std::string index_of(const std::string& inner) { return "<sitemapindex>" + inner + "</sitemapindex>"; }
std::string rss(const std::string& item) { return "<rss version='2.0'><channel>" + item + "</channel></rss>"; }

const std::string x4 = "http://h/" + std::string(4000, 'x');
const std::string spaces = std::string(3000, ' ');
const std::string dots = [] {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "./";
  return text;
}();

const Entry odd_entries[] = {
    // RFC 3986 section 5.2, against the URL of the sitemap
    {"an absolute path", loc("/a?b=1"), {"https://example.org/a?b=1"}, SitemapRepair::relative},
    {"a relative path", loc("dir/../page.html"), {"https://example.org/page.html"}, SitemapRepair::relative},
    {"a query", loc("?a=1"), {"https://example.org/sitemap.xml?a=1"}, SitemapRepair::relative},
    {"a host without a scheme", loc("//cdn.example/a"), {"https://cdn.example/a"}, SitemapRepair::relative},
    {"the own host without a scheme", loc("example.org/a"), {"https://example.org/a"}, SitemapRepair::relative},
    {"its port", loc("Example.org:8443/a"), {"https://example.org:8443/a"}, SitemapRepair::relative},
    {"another scheme", loc("ftp://example.org/a"), {}, SitemapRepair::none, 1},
    {"no authority", loc("https:a"), {}, SitemapRepair::none, 1},
    {"nothing but a fragment", loc("#a"), {}, SitemapRepair::none, 1},
    {"in an index",
     index_of("<sitemap><loc>/a.xml</loc></sitemap>"),
     {"+https://example.org/a.xml"},
     SitemapRepair::relative},
    {"in RSS", rss("<item><link>/a</link></item>"), {"https://example.org/a"}, SitemapRepair::relative},
    {"in Atom", "<feed><entry><link href='/a'/></entry></feed>", {"https://example.org/a"}, SitemapRepair::relative},
    {"xml:base",  // XML Base section 4.1; RFC 4287 section 2
     "<feed xml:base='http://h/x/'><entry xml:base='y/'><link href='a'/></entry><entry><link href='b'/></entry></feed>",
     {"http://h/x/y/a", "http://h/x/b"},
     SitemapRepair::relative},
    {"in a text",
     "http://h/1\n/a\n//h/b\n",
     {"http://h/1", "https://example.org/a", "https://h/b"},
     SitemapRepair::relative},
    {"other lines of a text", "http://h/1\npage.html\n/not a path\n", {"http://h/1"}, SitemapRepair::none, 2},

    {"a space", loc("http://h/a b"), {"http://h/a%20b"}, SitemapRepair::spaces},
    {"a space in a text", "http://h/a b\n", {"http://h/a%20b"}, SitemapRepair::spaces},
    {"a line end", loc("http://h/a\nb\tc"), {"http://h/abc"}, SitemapRepair::spaces},  // URL Standard section 4.4
    {"a space in a host", loc("http://h a/b"), {}, SitemapRepair::none, 1},
    {"a control", "http://h/1\nhttp://h/a\x01\n", {"http://h/1"}, SitemapRepair::none, 1},
    {"bytes that were lost before", loc("http://h/a\xEF\xBF\xBD"), {}, SitemapRepair::none, 1},

    {"a long fragment", loc(x4 + "#" + x4 + x4), {x4}, SitemapRepair::long_form},
    {"many dot segments", loc("http://h/" + dots + "a"), {"http://h/a"}, SitemapRepair::long_form},
    {"a long fragment in a text", x4 + "#" + x4 + x4 + "\n", {x4}, SitemapRepair::long_form},
    {"longer when encoded", loc("http://h/a" + spaces + "b"), {}, SitemapRepair::none, 1},
    {"longer than is read", loc("http://h/a#" + std::string(70'000, 'x')), {}, SitemapRepair::none, 1},

    {"text of sitemap",
     index_of("<sitemap>\n http://h/a.xml <lastmod>2024-01-01</lastmod>\n</sitemap>"),
     {"+http://h/a.xml"},
     SitemapRepair::misplaced},
    {"text of url", urlset("<url>http://h/a</url>"), {"http://h/a"}, SitemapRepair::misplaced},
    {"text that is no URL", urlset("<url>see below</url>"), {}, SitemapRepair::none, 1},
    {"loc alone",
     urlset("<loc>http://h/a</loc><url><loc>http://h/b</loc></url><loc>http://h/c</loc>"),
     {"http://h/a", "http://h/b", "http://h/c"},
     SitemapRepair::misplaced},
    {"several loc",
     urlset("<url><loc>http://h/a</loc><loc>http://h/b</loc></url>"),
     {"http://h/a", "http://h/b"},
     SitemapRepair::misplaced},
    {"url in an index",
     index_of("<sitemap><loc>http://h/a</loc></sitemap><url><loc>http://h/b</loc></url>"),
     {"+http://h/a", "http://h/b"},
     SitemapRepair::misplaced},
    {"sitemap in a urlset",
     urlset("<sitemap><loc>http://h/a</loc></sitemap>"),
     {"+http://h/a"},
     SitemapRepair::misplaced},
    {"other letters of case", urlset("<URL><LOC>http://h/a</LOC></URL>"), {"http://h/a"}, SitemapRepair::misplaced},
    {"a permalink", rss("<item><guid>http://h/a</guid></item>"), {"http://h/a"}, SitemapRepair::misplaced},
    {"a guid beside a link",
     rss("<item><guid>http://h/a</guid><link>http://h/b</link></item>"),
     {"http://h/b"},
     SitemapRepair::none},
    {"no permalink", rss("<item><guid isPermaLink='false'>http://h/a</guid></item>"), {}, SitemapRepair::none, 1},
};

TEST(SitemapEntries, NoneVanishes) {
  for (const Entry& one : odd_entries) {
    for (const std::size_t piece : {1u, 1u << 20}) {
      const Read found = read(one.sitemap, {}, piece);
      EXPECT_EQ(found.urls, one.urls) << one.name;
      EXPECT_EQ(found.repairs.empty() ? SitemapRepair::none : found.repairs.back(), one.repair) << one.name;
      EXPECT_EQ(found.counts.left_out(), one.left_out) << one.name;
      EXPECT_EQ(found.counts.entries, found.counts.given + found.counts.left_out()) << one.name;
      EXPECT_GE(found.counts.repaired(), static_cast<std::size_t>(one.repair != SitemapRepair::none)) << one.name;
    }
  }
}

TEST(SitemapEntries, ARepairedUrlIsThereAsItWasFound) {
  std::vector<std::string> found;
  SitemapReader reader("https://example.org/%7Ejoe/sitemap.xml", {}, [&](const SitemapEntry& entry) {
    found.emplace_back(entry.loc);
    found.emplace_back(entry.as_found());
  });
  const std::string text = urlset("<url><loc>a b\xC3\xA9</loc></url><url><loc>https://h/%7E\xC3\xA9</loc></url>");
  ASSERT_TRUE(reader.feed(text).ok());
  ASSERT_TRUE(reader.finish().ok());
  EXPECT_EQ(found,
            (std::vector<std::string>{"https://example.org/~joe/a%20b%C3%A9", "https://example.org/%7Ejoe/a b\xC3\xA9",
                                      "https://h/%7E\xC3\xA9", "https://h/%7E\xC3\xA9"}));
}

TEST(SitemapEntries, RepairsAreCountedByKind) {
  const Read found = read(
      urlset("<url><loc>/a b</loc></url><url><loc>http://h/a b</loc></url><url>/c</url><url><loc>http://h/#" +
             std::string(9000, 'x') + "</loc></url><url><loc>http://h/d</loc></url><url><loc>ftp://h/</loc></url>"));
  EXPECT_EQ(found.counts.of(SitemapRepair::relative), 1u) << "the first kind that applies";
  EXPECT_EQ(found.counts.of(SitemapRepair::spaces), 1u);
  EXPECT_EQ(found.counts.of(SitemapRepair::misplaced), 1u);
  EXPECT_EQ(found.counts.of(SitemapRepair::long_form), 1u);
  EXPECT_EQ(found.counts.repaired(), 4u);
  EXPECT_EQ(found.counts.given, 5u);
  EXPECT_EQ(found.counts.left_out(), 1u);
  EXPECT_EQ(to_string(found.repairs.at(0)), "relative");
}

TEST(SitemapEntries, ARepairedUrlIsOfItsHost) {
  const Read found = read(urlset("<url><loc>//example.com/a</loc></url><url><loc>//example.org/b</loc></url>"
                                 "<url><loc>https://EXAMPLE.org/c d</loc></url>"),
                          {.own_host = true});
  EXPECT_EQ(found.urls, (Urls{"https://example.org/b", "https://example.org/c%20d"}));
  EXPECT_EQ(found.counts.other_host, 1u);
  EXPECT_EQ(found.counts.repaired(), 2u);
}

// --- charsets: RFC 7303 section 3.2 ---------------------------------------------------------------------------------

std::string in_utf16(std::string_view ascii, bool big) {
  std::string text;
  for (const char c : ascii) text += big ? std::string{'\0', c} : std::string{c, '\0'};
  return text;
}

std::string declared(const std::string& name, const std::string& url) {
  return "<?xml version='1.0' encoding='" + name + "'?><urlset><url><loc>" + url + "</loc></url></urlset>";
}

struct Charset {
  const char* name;
  std::string sitemap;
  std::string content_type;
  std::string url;  // empty: an error
};

const Charset charsets[] = {
    {"utf8", declared("utf8", "http://h/\u043f"), "", "http://h/\u043f"},
    {"UTF-8 by default", declared("x-nonsense", "http://h/\u043f"), "", "http://h/\u043f"},
    {"windows-1251", declared("windows-1251", "http://h/\xEF"), "", "http://h/\u043f"},
    {"cp1251", declared("CP1251", "http://h/\xEF"), "text/xml", "http://h/\u043f"},
    {"koi8-r", declared("koi8-r", "http://h/\xD0"), "", "http://h/\u043f"},
    {"latin1", declared("latin1", "http://h/\xE9"), "", "http://h/\u00e9"},
    {"shift_jis", declared("Shift_JIS", "http://h/\x83\x65"), "", "http://h/\u30c6"},
    {"gbk", declared("gbk", "http://h/\xD6\xD0"), "", "http://h/\u4e2d"},
    {"euc-kr", declared("euc-kr", "http://h/\xB0\xA1"), "", "http://h/\uac00"},
    {"iso-2022-jp", declared("iso-2022-jp", "http://h/\x1B$B%F\x1B(B"), "", "http://h/\u30c6"},
    {"Content-Type before the declaration", declared("utf-8", "http://h/\xEF"), "text/xml; charset=windows-1251",
     "http://h/\u043f"},
    {"an unknown Content-Type", declared("windows-1251", "http://h/\xEF"), "text/xml; charset=none", "http://h/\u043f"},
    {"a mark before the Content-Type", "\xEF\xBB\xBF" + declared("windows-1251", "http://h/\u043f"),
     "text/xml; charset=windows-1251", "http://h/\u043f"},
    {"UTF-16 with a mark", "\xFF\xFE" + in_utf16(declared("utf-16", "http://h/a"), false), "", "http://h/a"},
    {"UTF-16 without", in_utf16(declared("utf-16", "http://h/a"), true), "", "http://h/a"},
    {"UTF-16 that is none", declared("utf-16", "http://h/\u043f"), "text/xml; charset=utf-16", "http://h/\u043f"},
    {"a text in windows-1251", "http://h/\xEF\n", "text/plain; charset=windows-1251", "http://h/\u043f"},
    {"a text in UTF-16", "\xFE\xFF" + in_utf16("http://h/a\n", true), "text/plain", "http://h/a"},
    {"UTF-32", "\xFF\xFE\0\0h\0\0\0t\0\0\0t\0\0\0p\0\0\0:\0\0\0/\0\0\0/\0\0\0h\0\0\0"s, "", "http://h"},
    {"gzip of it", gzip(declared("windows-1251", "http://h/\xEF")), "", "http://h/\u043f"},
    {"bytes that are not UTF-8", declared("utf-8", "http://h/\xEF"), "", ""},
};

TEST(SitemapCharset, IsByMarkThenContentTypeThenDeclaration) {
  for (const Charset& one : charsets) {
    for (const std::size_t piece : {1u, 2u, 3u, 7u, 1u << 20}) {
      const Read found = read(one.sitemap, {}, piece, one.content_type);
      EXPECT_EQ(found.urls, one.url.empty() ? Urls() : Urls{one.url}) << one.name;
      EXPECT_EQ(found.error, one.url.empty() ? "sitemap-malformed" : "") << one.name;
    }
  }
}

// 0x98 is no character of windows-1251.
TEST(SitemapCharset, AUrlWithBytesThatAreNotOfTheCharsetIsLeftOut) {
  const Read found = read(
      "<?xml version='1.0' encoding='windows-1251'?><urlset><url><loc>http://h/a\x98</loc></url>"
      "<url><loc>http://h/b</loc></url></urlset>");
  EXPECT_EQ(found.urls, Urls{"http://h/b"});
  EXPECT_EQ(found.counts.no_url, 1u);
  EXPECT_EQ(found.error, "");
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
  EXPECT_EQ(
      read("<feed xml:base='a/'><entry xml:base='b/'><link xml:base='c/'/></entry></feed>", {.max_entries = 2}).error,
      "sitemap-too-complex");
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
}  // namespace robotrules::test::THIS_FILE
