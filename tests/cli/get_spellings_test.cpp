// get and db: one URL, one request, however it is spelled; and a page that one spelling closes stays closed.
#include <algorithm>
#include <set>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "cli/get_rig.hpp"
#include "support/archive/fetched.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using Texts = std::vector<std::string>;

class GetSpellings : public GetRig {
 protected:
  GetSpellings() { page("/*", reply("a page")); }
  void robots(const std::string& rules) { server.on("", "/robots.txt", reply("User-agent: *\n" + rules)); }
  std::string db() const { return in_folder("c.db"); }
  Ran go(Words words) const {
    words.insert(words.begin(), {"--db", db(), "--job", "j"});
    return get(std::move(words));
  }
  // Adds URLs to the job as another program, or an older version, would.
  void add(const std::vector<QueuedUrl>& urls) const { ASSERT_TRUE(open_url_queue(db(), "j").value()->add(urls).ok()); }
  QueueCounts counts() const { return open_url_queue(db(), "j").value()->counts().value(); }
  std::optional<QueueItem> find(const std::string& url) const {
    return open_url_queue(db(), "j").value()->find("GET", url).value();
  }
};

TEST_F(GetSpellings, FiveSpellingsAreTwoRequestsAndTwoCaptures) {
  const Texts found{"/caf\xC3\xA9", "/caf%C3%A9", "/caf%c3%a9", "/%7Ejoe", "/~joe"};
  Texts urls;
  for (const std::string& path : found) urls.push_back(url(path));
  const Ran ran = go({"-i", list(urls), "-o", in_folder("a.warc"), "--cdx"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.err.find("5 URLs of the input: 2 new, 3 repeated or already in the job"), std::string::npos) << ran.err;
  EXPECT_EQ(asked(), (Texts{"/caf%C3%A9", "/~joe"}));
  const WarcPages pages = pages_in(in_folder("a.warc"), Packing::none);
  const Texts sent{url("/caf%C3%A9"), url("/~joe")};
  EXPECT_EQ(pages.responses, sent);
  EXPECT_EQ(pages.pages, sent);
  std::set<std::string> keys;  // of the index
  std::size_t captures = 0;
  for (const std::string& line : lines_of(contents(in_folder("a.cdxj")))) {
    if (line.find("robots.txt") != std::string::npos || line.starts_with("!")) continue;
    keys.insert(line.substr(0, line.find(' ')));
    ++captures;
  }
  EXPECT_EQ(captures, 2U);
  EXPECT_EQ(keys.size(), 2U);
  EXPECT_EQ(find(sent[0])->request.found, url("/caf\xC3\xA9")) << "as it was first found";
  EXPECT_EQ(find(sent[1])->request.found, url("/%7Ejoe"));
  go({"-i", list({urls[4], urls[2]}), "-o", in_folder("a.warc")});
  EXPECT_EQ(asked().size(), 2U);
}

TEST_F(GetSpellings, BytesThatNoUrlMayContainAreEscapedOnTheWireAndInTheArchive) {
  go({"-i", list({url("/\"<>\\^`{|}?q=\"<>\\^`{|}"), url("/[1]?b[]=%5b")}), "-o", in_folder("a.warc")});
  const Texts sent{"/%22%3C%3E%5C%5E%60%7B%7C%7D?q=%22%3C%3E%5C%5E%60%7B%7C%7D", "/[1]?b[]=%5B"};
  EXPECT_EQ(asked(), sent);
  EXPECT_EQ(pages_in(in_folder("a.warc"), Packing::none).responses, (Texts{url(sent[0]), url(sent[1])}));
}

TEST_F(GetSpellings, EitherSpellingMayBeDisallowed) {
  robots("Disallow: /*a|b\nDisallow: /%7Ejoe\nDisallow: /~ann\n");
  const std::string input = list({url("/x/a|b"), url("/%7Ejoe"), url("/%7Eann"), url("/%7Eeve")});
  const Ran dry = get({"-n", "-q", "--dialect", "google", "--explain", "-i", input});
  EXPECT_EQ(lines_of(dry.out).at(1).substr(0, url("").size() + 7), url("") + "\t1\t3\t0\t") << dry.out;
  EXPECT_NE(dry.err.find(url("/x/a%7Cb") + ": disallowed by \"Disallow: /*a|b\""), std::string::npos) << dry.err;
  EXPECT_EQ(asked(), Texts());
  go({"--dialect", "google", "-i", input, "-o", in_folder("a.ndjson")});
  EXPECT_EQ(asked(), (Texts{"/~eve"}));
  EXPECT_EQ(counts(), (QueueCounts{.done = 1, .denied = 3}));
}

TEST_F(GetSpellings, TheSpellingOfEachSourceCounts) {
  robots("Disallow: /%7Ejoe$\nDisallow: /%7Emap/private\nDisallow: /%7Ejson\nSitemap: " + url("/%7Emap/a.xml") + "\n");
  page("/~map/a.xml", reply("<urlset><url><loc>private</loc></url><url><loc>open</loc></url></urlset>", "text/xml"));
  const std::string input =
      list({url("/%7Ejoe?"), R"({"url": ")" + url("/%7Ejson") + R"(", "found": ")" + url("/~json") + R"("})"});
  go({"--dialect", "google", "-i", input, "--sitemap", url(""), "-o", in_folder("a.ndjson")});
  EXPECT_EQ(asked(), (Texts{"/~map/a.xml", "/~map/open"}));
  EXPECT_EQ(counts(), (QueueCounts{.done = 1, .denied = 3}));
}

TEST_F(GetSpellings, TheFirstSpellingIsAskedAgainInALaterRun) {
  const std::string input = list({url("/%7Ejoe"), url("/~joe"), url("/1")});
  go({"--dialect", "google", "-i", input, "-o", in_folder("a.ndjson")});
  EXPECT_EQ(asked(), (Texts{"/~joe", "/1"}));
  robots("Disallow: /%7Ejoe\n");
  ASSERT_EQ(run({"db", db(), "forget", url("/")}).status, 0);
  go({"--dialect", "google", "--revisit", "-o", in_folder("a.ndjson")});
  EXPECT_EQ(times("/~joe"), 1U);
  EXPECT_EQ(times("/1"), 2U);
  EXPECT_EQ(counts(), (QueueCounts{.done = 1, .denied = 1}));
}

TEST_F(GetSpellings, ASpellingOfAnotherUrlIsNotFetched) {
  add({{.url = url("/1"), .found = url("/2")}, {.url = url("/3"), .found = "nonsense"}});
  go({"-o", in_folder("a.ndjson")});
  EXPECT_EQ(asked(), (Texts{"/1", "/3"}));
}

// Versions without a normal form had other keys.
TEST_F(GetSpellings, AQueueWithOldSpellingsGoesOn) {
  robots("Disallow: /%7Eann\n");
  const Texts old{url("/caf%c3%a9"), url("/%7Ejoe"), url("/a|b"), url("/%7Eann")};
  add({{old[0]}, {old[1]}, {old[2]}, {old[3]}});
  const std::string input = list({url("/caf\xC3\xA9"), url("/%7Ejoe"), url("/a|b"), url("/%7Eann"), url("/new|")});
  for (int turn = 0; turn < 2; ++turn) {
    go({"--dialect", "google", "-i", input, "-o", in_folder("a.warc")});
    Texts targets = asked();
    std::ranges::sort(targets);
    EXPECT_EQ(targets, (Texts{"/a%7Cb", "/caf%C3%A9", "/new%7C", "/~joe"}));
    EXPECT_EQ(counts(), (QueueCounts{.done = 4, .denied = 1}));
  }
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(find(old[i])->state, UrlState::done) << old[i];
  EXPECT_EQ(find(old[3])->state, UrlState::denied);
  // The page is found again under its key, and archived under the URL that was requested.
  const WarcPages pages = pages_in(in_folder("a.warc"), Packing::none);
  EXPECT_NE(std::ranges::find(pages.pages, old[0]), pages.pages.end());
  EXPECT_NE(std::ranges::find(pages.responses, url("/caf%C3%A9")), pages.responses.end());

  go({"--dialect", "google", "--revisit", "-o", in_folder("a.warc")});
  EXPECT_EQ(times("/caf%C3%A9"), 2U);
  EXPECT_EQ(counts(), (QueueCounts{.done = 4, .denied = 1}));
  ASSERT_EQ(run({"db", db(), "queue", "rm", "--job", "j", url("/caf\xC3\xA9"), url("/%7Ejoe")}).status, 0);
  EXPECT_EQ(counts(), (QueueCounts{.done = 2, .denied = 1}));
}

TEST_F(GetSpellings, ARedirectIsAskedInBothAndWrittenInTheNormalForm) {
  robots("Disallow: /*c|d\n");
  page("/1", redirect(301, "/%7Ejoe/a|b"));
  page("/2", redirect(301, "/c|d"));
  go({"--dialect", "google", "-i", list({url("/1"), url("/2")}), "-o", in_folder("a.warc")});
  EXPECT_EQ(asked(), (Texts{"/1", "/~joe/a%7Cb", "/2"}));
  EXPECT_EQ(pages_in(in_folder("a.warc"), Packing::none).responses, (Texts{url("/1"), url("/~joe/a%7Cb"), url("/2")}));
  EXPECT_EQ(counts(), (QueueCounts{.done = 1, .denied = 1}));
}

TEST_F(GetSpellings, UrlsOfSitemapsAreAskedInBoth) {
  robots("Disallow: /%7Ejoe\nSitemap: " + url("/%6Dap.xml") + "\nSitemap: " + url("/map.xml") + "\n");
  const auto entry = [&](const std::string& path) { return "<url><loc>" + url(path) + "</loc></url>"; };
  page("/map.xml",
       reply("<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">" +
                 entry("/%7Ejoe") + "<url><loc>/%7Ejoe/x</loc></url>" + entry("/%7Eann") + entry("/~ann") + "</urlset>",
             "application/xml"));
  go({"--dialect", "google", "--sitemap", url(""), "-o", in_folder("a.ndjson")});
  EXPECT_EQ(asked(), (Texts{"/map.xml", "/~ann"})) << "one URL, one request: sitemaps too";
  EXPECT_EQ(counts(), (QueueCounts{.done = 1, .denied = 2}));
}

TEST_F(GetSpellings, RepairedUrlsOfSitemapsAreAskedAsTheyWereWritten) {
  robots("Disallow: /a b\nDisallow: /caf\xC3\xA9\n");
  const std::string host = url("").substr(std::string("http:").size());
  page("/map.xml", reply("<urlset><url><loc>/a b</loc></url><url><loc>" + url("/a b/2") + "</loc></url><url><loc>" +
                             host + "/caf\xC3\xA9</loc></url><url><loc>/na\xC3\xAFve c</loc></url></urlset>",
                         "application/xml"));
  for (const char* dialect : {"google", "original-1994", "www-robotrules"}) {
    const Ran ran =
        get({"--dialect", dialect, "--sitemap", url("/map.xml"), "-o", in_folder(std::string(dialect) + ".ndjson")});
    EXPECT_EQ(asked(), (Texts{"/map.xml", "/na%C3%AFve%20c"})) << dialect << ran.err;
    server.witness().clear();
  }
}

TEST_F(GetSpellings, AnExportKeepsTheFirstSpelling) {
  add({{.url = url("/~joe"), .found = url("/%7Ejoe")},
       {.url = url("/caf%C3%A9"), .found = url("/caf\xC3\xA9")},
       {.url = url("/n%EFve"), .found = url("/n\xEFve")},
       {.url = url("/1")}});
  const Ran exported = run({"db", db(), "queue", "export"});
  const Texts lines = lines_of(exported.out);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(Json::parse(lines[0])["found"], url("/%7Ejoe"));
  EXPECT_EQ(Json::parse(lines[1])["found"], url("/caf\xC3\xA9"));
  EXPECT_EQ(Json::parse(lines[2])["found"], url("/n%efve")) << "JSON has no such bytes";
  EXPECT_FALSE(Json::parse(lines[3]).contains("found"));
  robots("Disallow: /%7Ejoe\n");
  get({"--db", db(), "--job", "again", "--dialect", "google", "-i", "-", "-o", in_folder("b.ndjson")}, exported.out);
  EXPECT_EQ(asked(), (Texts{"/caf%C3%A9", "/n%EFve", "/1"}));
}

TEST_F(GetSpellings, CheckAnswersAsGetObeys) {
  robots("Disallow: /%7Ejoe\nDisallow: /~ann\n");
  const auto check = [&](Words words, const char* path) {
    words.insert(words.begin(), "check");
    words.insert(words.end(), {"--dialect", "google", "--agent", "TestBot", "--db", db(), url(path)});
    return lines_of(run(words).out).at(0);
  };
  for (const char* path : {"/%7Ejoe", "/%7Eann", "/~ann", "/%7Eeve"}) {
    const std::string answer = std::string(path) == "/%7Eeve" ? "allowed\t" : "disallowed\t";
    EXPECT_EQ(check({"--allow-address", "127.0.0.0/8"}, path), answer + url(path));
    EXPECT_EQ(check({"--offline"}, path), answer + url(path));
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
