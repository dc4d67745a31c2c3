// Bodies that are longer than --max-size: the page is cut, every output and count says so, and a later run gets it
// whole.
#include <algorithm>
#include <filesystem>

#include "cli/get_rig.hpp"
#include "support/archive/fetched.hpp"
#include "support/server/bodies.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

constexpr std::string_view tag = "\"1\"";

// Answers 304 if it is asked whether the page has changed.
Handler tagged(const std::string& body) {
  return [body](const SeenRequest& request) -> Answer {
    if (request.header("If-None-Match") == tag || request.header("If-Modified-Since")) {
      return status(304, {{"ETag", std::string(tag)}});
    }
    return Reply{.headers = {{"ETag", std::string(tag)}, {"Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"}},
                 .body = body};
  };
}

class GetCut : public GetRig {
 protected:
  GetCut() { page("/long", tagged(body)); }

  static Words with(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  static bool says(const Ran& ran, const std::string& text) { return ran.err.find(text) != std::string::npos; }
  std::vector<std::string> files(const std::string& name) const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(in_folder(name))) {
      if (entry.is_regular_file()) found.push_back(contents(entry.path().string()));
    }
    return found;
  }

  const std::string body = std::string(5'000, 'x');
};

TEST_F(GetCut, ABodyOver16MiBIsWhole) {
  const std::string large((std::size_t{16} << 20) + 4'711, 'x');
  page("/large", test::reply(large));
  const Ran ran = get({url("/large"), "--output", in_folder("tree/")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  ASSERT_EQ(files("tree").size(), 1U);
  EXPECT_EQ(files("tree")[0].size(), large.size());
}

TEST_F(GetCut, MaxSizeNoneCutsNothing) {
  for (const char* none : {"none", "1G"}) {
    const Ran ran = get({url("/long"), "--max-size", none});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.out, body);
  }
  for (const char* bad : {"0", "nothing", "None", ""}) {
    EXPECT_EQ(get({url("/long"), "--max-size", bad}).status, 2) << bad;
  }
}

TEST_F(GetCut, IsAnOutcomeOfItsOwn) {
  page("/short", test::reply("short"));
  const std::string log = in_folder("log");
  const Ran ran = get({url("/long"), url("/short"), "--max-size", "1k", "--log", log, "--db", in_folder("c.db")});
  EXPECT_EQ(ran.status, 3);
  EXPECT_TRUE(says(ran, "fetched               1   1 with 2xx")) << ran.err;
  EXPECT_TRUE(says(ran, "cut                   1   longer than --max-size")) << ran.err;
  EXPECT_TRUE(says(ran, "--retry")) << ran.err;
  const Json line = line_of(log, url("/long"));
  EXPECT_EQ(line["why"], "cut");
  EXPECT_EQ(line["status"], 200);
  EXPECT_EQ(line["truncated"], true);
  EXPECT_EQ(line["bytes"], 1'024);
  EXPECT_EQ(get({url("/long"), url("/short"), "--db", in_folder("c.db")}).status, 3) << "it is still cut";
  EXPECT_EQ(times("/long"), 1U);
}

TEST_F(GetCut, LeavesNothingInAFolderOrOnStandardOutputThatLooksWhole) {
  const Ran printed = get({url("/long"), "--max-size", "1k"});
  EXPECT_EQ(printed.status, 3);
  EXPECT_EQ(printed.out, "");
  EXPECT_EQ(get({url("/long"), "--max-size", "1k", "--output", in_folder("tree/")}).status, 3);
  EXPECT_TRUE(files("tree").empty());
}

TEST_F(GetCut, AFileThatAnEarlierRunWroteWholeStays) {
  const Words words{url("/long"), "--output", in_folder("tree/"), "--db", in_folder("c.db")};
  ASSERT_EQ(get(words).status, 0);
  page("/long", test::Reply{.headers = {{"ETag", "\"2\""}}, .body = body + body});
  EXPECT_EQ(get(with(words, {"--revisit", "--max-size", "1k"})).status, 3);
  EXPECT_EQ(files("tree"), std::vector<std::string>{body});
}

// The limit is on the decoded body; the record has the encoded one.
TEST_F(GetCut, ARecordIsTruncatedOnlyIfItsOwnBodyIsCut) {
  const std::string short_one = test::packed(test::Coding::gzip, std::string(5'000, 'x'));
  page("/whole", test::Reply{.headers = {{"Content-Encoding", "gzip"}}, .body = short_one});
  const std::string out = in_folder("a.warc");
  EXPECT_EQ(get({url("/whole"), url("/long"), "--max-size", "1k", "--output", out}).status, 3);
  for (const ReadRecord& record : read_warc(contents(out), Packing::none)) {
    if (record.get("WARC-Type") != "response" || record.get("WARC-Target-URI").ends_with("/robots.txt")) continue;
    const bool is_whole = record.get("WARC-Target-URI") == url("/whole");
    EXPECT_EQ(record.get("WARC-Truncated"), is_whole ? "" : "length");
    if (is_whole) {
      EXPECT_TRUE(record.block.ends_with(short_one));
    }
  }
  const auto pages = pages_in(out, Packing::none);
  EXPECT_EQ(pages.responses.size(), 2U);
}

struct Again {
  const char* flag;
  const char* output;
  Packing packing;
};

class GetCutAgain : public GetCut, public ::testing::WithParamInterface<Again> {};

TEST_P(GetCutAgain, GetsItWholeAndNeverAsksConditionally) {
  const std::string out = in_folder(GetParam().output);
  const Words words{url("/long"), "--db", in_folder("c.db"), "--output", out};
  ASSERT_EQ(get(with(words, {"--max-size", "1k"})).status, 3);
  const Ran ran = get(with(words, {GetParam().flag}));
  EXPECT_EQ(ran.status, 0) << ran.err;
  const auto seen = server.witness().requests("/long");
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[1].header("If-None-Match"), std::nullopt);
  EXPECT_EQ(seen[1].header("If-Modified-Since"), std::nullopt);
  if (std::string_view(GetParam().output).ends_with("/")) {
    EXPECT_EQ(files(GetParam().output), std::vector<std::string>{body});
    return;
  }
  std::vector<std::string> truncated;
  std::vector<std::size_t> sizes;
  for (const ReadRecord& record : read_warc(contents(out), GetParam().packing)) {
    if (record.get("WARC-Type") != "response" || record.get("WARC-Target-URI").ends_with("/robots.txt")) continue;
    truncated.push_back(record.get("WARC-Truncated"));
    sizes.push_back(record.block.size() - record.block.find("\r\n\r\n") - 4);
  }
  EXPECT_EQ(truncated, (std::vector<std::string>{"length", ""}));
  ASSERT_EQ(sizes.size(), 2U);
  EXPECT_EQ(sizes[1], body.size());
  EXPECT_TRUE(pages_in(out, GetParam().packing).revisits.empty());
  EXPECT_EQ(get(with(words, {"--revisit"})).status, 0);
  EXPECT_EQ(server.witness().requests("/long").back().header("If-None-Match"), tag) << "now it is whole";
}

INSTANTIATE_TEST_SUITE_P(
    EachWay, GetCutAgain,
    ::testing::Values(Again{"--retry", "a.warc", Packing::none}, Again{"--revisit", "a.warc.gz", Packing::gzip},
                      Again{"--retry", "tree/", Packing::none}),
    [](const auto& info) {
      return std::string(info.index == 0 ? "RetryWarc" : info.index == 1 ? "RevisitWarc" : "RetryTree");
    });

TEST_F(GetCut, APageThatWasWholeIsNotAskedForConditionallyAfterItWasCut) {
  const Words words{url("/long"), "--db", in_folder("c.db"), "--output", in_folder("a.warc")};
  ASSERT_EQ(get(words).status, 0);
  page("/long", test::Reply{.headers = {{"ETag", "\"2\""}}, .body = body});
  ASSERT_EQ(get(with(words, {"--revisit", "--max-size", "1k"})).status, 3);
  page("/long", tagged(body));
  EXPECT_EQ(get(with(words, {"--revisit"})).status, 0);
  EXPECT_EQ(server.witness().requests("/long").back().header("If-None-Match"), std::nullopt);
}

// The cut part of a page that failed or that must stay out of the output changes neither result.
TEST_F(GetCut, AFailureAndAPageThatIsKeptOutStayWhatTheyAre) {
  page("/gone", test::Reply{.status = 410, .headers = {{"ETag", std::string(tag)}}, .body = body});
  page("/kept-out", test::Reply{.headers = {{"X-Robots-Tag", "noindex"}}, .body = body});
  const std::string log = in_folder("log");
  const Ran ran =
      get({url("/gone"), url("/kept-out"), "--max-size", "1k", "--obey-page", "--log", log, "--db", in_folder("c.db")});
  EXPECT_EQ(ran.status, 3);
  EXPECT_TRUE(says(ran, "1 410")) << ran.err;
  EXPECT_FALSE(says(ran, "longer than --max-size")) << ran.err;
  EXPECT_EQ(line_of(log, url("/kept-out"))["why"], "page-rules");
  get({"--retry", "--db", in_folder("c.db")});
  EXPECT_EQ(server.witness().requests("/gone").back().header("If-None-Match"), std::nullopt);
}

// A process that was killed after the page was written, and before the queue said so: the database is the one from
// before the run.
TEST_F(GetCut, StaysCutAfterAKill) {
  page("/first", test::reply("first"));
  for (const char* name : {"a.ndjson", "a.warc"}) {
    const std::string database = in_folder(std::string(name) + ".db");
    const Words words{"--output", in_folder(name), "--db", database, "--job", "mine"};
    ASSERT_EQ(get(with(words, {url("/first")})).status, 0);
    ASSERT_EQ(get(with(words, {url("/long"), "--dry-run"})).status, 0);  // adds it to the queue
    const std::string before = contents(database);
    ASSERT_EQ(get(with(words, {"--max-size", "1k"})).status, 3);
    std::filesystem::remove(database + "-wal");
    folder.file(std::string(name) + ".db", before);

    const std::size_t asked_before = times("/long");
    const Ran ran = get(words);
    EXPECT_EQ(ran.status, 3) << ran.err;
    EXPECT_TRUE(says(ran, "recovered             1")) << ran.err;
    EXPECT_EQ(times("/long"), asked_before);
    EXPECT_EQ(get(with(words, {"--retry"})).status, 0);
    EXPECT_EQ(times("/long"), asked_before + 1);
    EXPECT_EQ(server.witness().requests("/long").back().header("If-None-Match"), std::nullopt);
  }
}

TEST_F(GetCut, DeniedAloneIsStillStatus1AndAFailureIs3) {
  server.on("", "/robots.txt", test::reply("User-agent: *\nDisallow: /x\n"));
  page("/gone", test::status(410));
  EXPECT_EQ(get({url("/x")}).status, 0) << "robots.txt alone is no failure";
  EXPECT_EQ(get({url("/x"), "--fail-on", "denied"}).status, 1);
  EXPECT_EQ(get({url("/x"), "--fail-on", "cut"}).status, 2);
  EXPECT_EQ(get({url("/gone")}).status, 3);
  EXPECT_EQ(get({url("/x"), url("/gone")}).status, 3);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
