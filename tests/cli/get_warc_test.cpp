// The WARC files of robotrules get: the robots.txt exchanges in them, and what its options change.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "cli/get_rig.hpp"
#include "support/archive/fetched.hpp"
#include "support/sanitized.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

const std::string no_x = "User-agent: *\nDisallow: /x\n";

class GetWarcFile : public GetRig {
 protected:
  std::string out = in_folder("a.warc.gz");
  std::vector<ReadRecord> records() const { return read_warc(contents(out), Packing::gzip); }
  // "response URL", ... of robots.txt exchanges, in their order.
  std::vector<std::string> robots_records() const {
    std::vector<std::string> found;
    for (const ReadRecord& record : records()) {
      const std::string where = record.get("WARC-Target-URI");
      if (where.find("/robots") != std::string::npos) found.push_back(record.get("WARC-Type") + " " + where);
    }
    return found;
  }
};

TEST_F(GetWarcFile, HasTheExchangesOfRobotsTxt) {
  server.on("", "/robots.txt", test::reply(no_x));
  page("/1", test::reply("one"));
  EXPECT_EQ(get({url("/1"), "--output", out}).status, 0);
  const std::string robots = url("/robots.txt");
  EXPECT_EQ(robots_records(),
            (std::vector<std::string>{"response " + robots, "request " + robots, "metadata " + robots}));
  const auto all = records();
  ASSERT_EQ(all.size(), 7U);
  EXPECT_TRUE(all[1].block.starts_with("HTTP/1.1 200 ")) << all[1].block;
  EXPECT_TRUE(all[1].block.ends_with("\r\n\r\n" + no_x)) << all[1].block;
  EXPECT_TRUE(all[2].block.starts_with("GET /robots.txt HTTP/1.1\r\n")) << all[2].block;
  EXPECT_EQ(all[2].get("WARC-Concurrent-To"), all[1].get("WARC-Record-ID"));
  EXPECT_EQ(all[1].get("WARC-Warcinfo-ID"), all[0].get("WARC-Record-ID"));
  EXPECT_NE(all[3].block.find("robots-exchange: server\r\n"), std::string::npos) << all[3].block;
}

TEST_F(GetWarcFile, HasEachRedirectOfARobotsTxt) {
  server.on("", "/robots.txt", test::redirect(301, "/robots/real.txt"));
  server.on("", "/robots/real.txt", test::reply(no_x));
  page("/1", test::reply("one"));
  EXPECT_EQ(get({url("/1"), url("/x"), "--output", out}).status, 0);
  const std::string first = url("/robots.txt");
  const std::string second = url("/robots/real.txt");
  EXPECT_EQ(robots_records(), (std::vector<std::string>{
                                  "response " + first,
                                  "request " + first,
                                  "metadata " + first,
                                  "response " + second,
                                  "request " + second,
                                  "metadata " + second,
                              }));
}

TEST_F(GetWarcFile, OtherOutputsHaveNoRobotsTxt) {
  page("/1", test::reply("one"));
  const Ran ran = get({url("/1"), "--output", in_folder("a.ndjson")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(json_lines(in_folder("a.ndjson")).size(), 1U);
}

TEST_F(GetWarcFile, ItsRulesAreImportedIntoADatabase) {
  server.on("", "/robots.txt", test::reply(no_x));
  page("/1", test::reply("one"));
  for (const char* name : {"a.warc", "a.warc.gz", "a.warc.zst"}) {
    EXPECT_EQ(get({url("/1"), url("/1", "b"), "--output", in_folder(name)}).status, 0);
    const std::string db = in_folder(std::string(name) + ".db");
    const Ran imported = run({"db", db, "import", in_folder(name)});
    EXPECT_EQ(imported.status, 0) << imported.err;
    EXPECT_NE(imported.err.find("2 records imported"), std::string::npos) << imported.err;
    for (const char* site : {"a", "b"}) {
      EXPECT_EQ(run({"check", "--offline", "--agent", "MyBot", "--db", db, url("/x", site)}).status, 1);
      EXPECT_EQ(run({"check", "--offline", "--agent", "MyBot", "--db", db, url("/y", site)}).status, 0);
    }
  }
}

// What is recorded of a robots.txt is what was received. It can be longer than what is decoded.
TEST_F(GetWarcFile, ARecordedRobotsTxtNeedsNotMuchMemory) {
  constexpr int sites = 40;
  std::string packed("\x1f\x8b\x08\0\0\0\0\0\0\3", 10);
  for (int i = 0; i < (8 << 20) / 5; ++i) packed.append("\0\0\0\xff\xff", 5);  // an empty block
  packed.append("\1\0\0\xff\xff\0\0\0\0\0\0\0\0", 13);
  server.on("", "/robots.txt", test::Reply{.headers = {{"Content-Encoding", "gzip"}}, .body = packed});
  page("/1", test::reply("one"));
  std::vector<std::string> urls;
  for (int i = 0; i < sites; ++i) urls.push_back(url("/1", "s" + std::to_string(i)));
  const Ran ran = get({"--input", list(urls), "--output", out});
  EXPECT_EQ(ran.status, 0) << ran.err;
  if (!test::sanitized) {
    EXPECT_LT(ran.max_rss_kib, 200 << 10);
  }
  const auto all = records();
  EXPECT_EQ(
      std::count_if(all.begin(), all.end(), [&](const auto& one) { return one.block.ends_with("\r\n\r\n" + packed); }),
      sites);
}

TEST_F(GetWarcFile, AFailedRobotsTxtIsKeptAsFarAsItCame) {
  server.on("", "/robots.txt", test::Script().send("HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\nUser").cut());
  EXPECT_EQ(get({url("/1"), "--output", out, "--max-wait", "0"}).status, 3);
  const auto all = records();
  ASSERT_GE(all.size(), 4U);
  EXPECT_EQ(all[1].get("WARC-Target-URI"), url("/robots.txt"));
  EXPECT_EQ(all[1].get("WARC-Truncated"), "disconnect");
  EXPECT_TRUE(all[1].block.ends_with("\r\n\r\nUser")) << all[1].block;
  EXPECT_NE(all[3].block.find("robots-exchange: network\r\n"), std::string::npos) << all[3].block;
}

// The crawl continues after robots.txt exchanges at the end of the file, and takes none of them for a page.
TEST_F(GetWarcFile, ContinuesBehindARobotsTxt) {
  page("/1", test::reply("one"));
  page("/2", test::reply("two"));
  const Words first{url("/1"), "--output", out, "--db", in_folder("a.db")};
  EXPECT_EQ(get(first).status, 0);
  const auto before = records().size();
  Words second = first;
  second[0] = url("/2");
  EXPECT_EQ(get(second).status, 0);
  const WarcPages pages = pages_in(out, Packing::gzip);
  EXPECT_EQ(pages.pages, (std::vector<std::string>{url("/1"), url("/2")}));
  EXPECT_EQ(records().size(), before + 4) << "warcinfo, response, request, metadata: robots.txt is still fresh";
}

TEST_F(GetWarcFile, SaysInWarcinfoWhatItIsTold) {
  page("/1", test::reply("one"));
  const Ran ran = get({url("/1"), "--output", out, "--warc-header", "operator=Ann <ann@example.org>", "--warc-header",
                       "description=a = b", "--warc-header", "isPartOf=news-2026"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  const auto all = records();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0].get("WARC-Type"), "warcinfo");
  for (const char* line :
       {"operator: Ann <ann@example.org>\r\n", "description: a = b\r\n", "isPartOf: news-2026\r\n", "software: "}) {
    EXPECT_NE(all[0].block.find(line), std::string::npos) << line << all[0].block;
  }
  EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const auto& one) { return one.get("WARC-Type") == "warcinfo"; }),
            1);
}

TEST_F(GetWarcFile, RefusesFieldsThatWarcinfoCannotHave) {
  struct Refused {
    std::string field;
    const char* because;
  };
  const Refused fields[] = {{"operator", "NAME=VALUE"},
                            {"=x", "is not a name"},
                            {"is part=x", "is not a name"},
                            {"operator=", "has no value"},
                            {"operator=\xff", "is not UTF-8"},
                            {"Software=x", "writes itself"},
                            {"http-header-from=x", "writes itself"}};
  for (const Refused& one : fields) {
    const Ran ran = get({url("/1"), "--output", out, "--warc-header", one.field});
    EXPECT_EQ(ran.status, 2) << one.field;
    EXPECT_NE(ran.err.find(one.because), std::string::npos) << ran.err;
  }
  const Ran ran = get({url("/1"), "--output", in_folder("a.ndjson"), "--warc-header", "operator=x"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("only for a WARC file"), std::string::npos) << ran.err;
  EXPECT_TRUE(asked().empty());
}

TEST_F(GetWarcFile, WritesACopyOfAPayloadAsARevisit) {
  server.on("", "/robots.txt", test::reply("same"));
  for (const char* same : {"/1", "/2", "/3"}) page(same, test::reply("same"));
  page("/other", test::reply("other"));
  page("/gone", test::Reply{.status = 404, .body = "same"});
  page("/empty", test::reply(""));
  page("/empty2", test::reply(""));
  const Words words{url("/1"), url("/2"), url("/other"), url("/gone"), url("/empty"), url("/empty2"), url("/3", "b")};
  Words with = words;
  with.insert(with.end(), {"--output", out, "--dedup"});
  EXPECT_EQ(get(with).status, 3);
  std::vector<std::string> revisits;
  ReadRecord original;
  for (const ReadRecord& record : records()) {
    const std::string where = record.get("WARC-Target-URI");
    if (record.get("WARC-Type") == "response" && (where == url("/1") || where == url("/3", "b"))) original = record;
    if (record.get("WARC-Type") != "revisit") continue;
    revisits.push_back(where);
    EXPECT_EQ(record.get("WARC-Profile"), "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest");
    EXPECT_EQ(record.get("WARC-Refers-To-Target-URI"), original.get("WARC-Target-URI"));
    EXPECT_EQ(record.get("WARC-Refers-To-Date"), original.get("WARC-Date"));
    EXPECT_EQ(record.get("WARC-Payload-Digest"), original.get("WARC-Payload-Digest"));
    EXPECT_TRUE(record.block.starts_with("HTTP/1.1 200 ")) << record.block;
    EXPECT_TRUE(record.block.ends_with("\r\n\r\n")) << "only the head: " << record.block;
  }
  EXPECT_EQ(revisits.size(), 2U) << "robots.txt, failures and empty bodies are written in full";
  EXPECT_EQ(pages_in(out, Packing::gzip).pages.size(), words.size());

  Words without = words;
  without.insert(without.end(), {"--output", in_folder("b.warc.gz")});
  EXPECT_EQ(get(without).status, 3);
  EXPECT_TRUE(pages_in(in_folder("b.warc.gz"), Packing::gzip).revisits.empty());
}

class GetWarcAgain : public GetWarcFile {
 protected:
  GetWarcAgain() {
    page("/1", [](const SeenRequest& request) -> test::Answer {
      if (request.header("If-None-Match")) return test::status(304, {{"ETag", "\"1\""}});
      return test::Reply{.headers = {{"ETag", "\"1\""}}, .body = "one"};
    });
  }
  // Records of the page in a file, of one type.
  std::vector<ReadRecord> of_type(std::string_view type, const std::string& file) const {
    std::vector<ReadRecord> found;
    for (ReadRecord& record : read_warc(contents(file), Packing::gzip)) {
      if (record.get("WARC-Type") == type && record.get("WARC-Target-URI") == url("/1")) found.push_back(record);
    }
    return found;
  }
  void expect_revisit(const ReadRecord& revisit, const std::string& date) const {
    EXPECT_EQ(revisit.get("WARC-Refers-To-Target-URI"), url("/1"));
    EXPECT_EQ(revisit.get("WARC-Refers-To-Date"), date);
  }
  Words words{url("/1"), "--output", out, "--db", in_folder("c.db")};
};

TEST_F(GetWarcAgain, EveryRevisitNamesTheDateOfTheResponse) {
  ASSERT_EQ(get(words).status, 0);
  words.emplace_back("--revisit");
  for (int round = 0; round < 3; ++round) ASSERT_EQ(get(words).status, 0);
  const auto responses = of_type("response", out);
  const auto revisits = of_type("revisit", out);
  ASSERT_EQ(responses.size(), 1U);
  ASSERT_EQ(revisits.size(), 3U);
  for (const ReadRecord& revisit : revisits) expect_revisit(revisit, responses[0].get("WARC-Date"));
}

TEST_F(GetWarcAgain, ARevisitInAnotherFileNamesTheDateToo) {
  words.insert(words.end(), {"--job", "mine"});
  ASSERT_EQ(get(words).status, 0);
  const std::string first = in_folder("first.warc.gz");
  std::filesystem::rename(out, first);
  const std::string second = in_folder("b.warc.gz");
  const Ran ran = get({"--output", second, "--db", in_folder("c.db"), "--revisit", "--job", "mine"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto revisits = of_type("revisit", second);
  ASSERT_EQ(revisits.size(), 1U);
  expect_revisit(revisits[0], of_type("response", first).at(0).get("WARC-Date"));
}

// A revisit record could name no response.
TEST_F(GetWarcAgain, APageThatNoWarcFileHasIsNotRequestedConditionally) {
  words = {url("/1"), "--output", in_folder("a.ndjson"), "--db", in_folder("c.db"), "--job", "mine"};
  ASSERT_EQ(get(words).status, 0);
  words.emplace_back("--revisit");
  ASSERT_EQ(get(words).status, 0);
  words[2] = out;
  for (int round = 0; round < 2; ++round) ASSERT_EQ(get(words).status, 0);
  std::vector<bool> conditional;
  for (const SeenRequest& one : server.witness().requests("/1")) {
    conditional.push_back(one.header("If-None-Match").has_value());
  }
  EXPECT_EQ(conditional, (std::vector<bool>{false, true, false, true}));
  const auto responses = of_type("response", out);
  const auto revisits = of_type("revisit", out);
  ASSERT_EQ(responses.size(), 1U);
  ASSERT_EQ(revisits.size(), 1U);
  expect_revisit(revisits[0], responses[0].get("WARC-Date"));
}

TEST_F(GetWarcFile, HasAnIndexThatGrowsWithIt) {
  page("/1", test::reply("one"));
  page("/2", test::reply("two"));
  for (const char* name : {"/2", "/1"}) {
    const Ran ran = get({url(name), "--output", out, "--db", in_folder("a.db"), "--cdx"});
    EXPECT_EQ(ran.status, 0) << ran.err;
  }
  const std::vector<std::string> lines = lines_of(contents(in_folder("a.cdxj")));
  ASSERT_EQ(lines.size(), 3U);
  const std::string key = "localhost,a:" + std::to_string(port) + ")";
  EXPECT_TRUE(lines[0].starts_with(key + "/1 ")) << lines[0];
  EXPECT_TRUE(lines[1].starts_with(key + "/2 ")) << lines[1];
  EXPECT_TRUE(lines[2].starts_with(key + "/robots.txt ")) << lines[2];
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
