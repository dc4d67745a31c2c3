// robotrules get, from the words of its line to what is on the wire, in the output and in its exit status.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "cli/get_rig.hpp"
#include "demo/site/demo_server.hpp"
#include "demo/site/judge.hpp"
#include "support/archive/fetched.hpp"
#include "support/server/bodies.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using test::reply;
using test::SeenRequest;
using test::status;

class Get : public GetRig {};

const std::string no_x = "User-agent: *\nDisallow: /x\n";

// A figure of the summary; 0: it is not told.
int counted(const Ran& ran, const std::string& name) {
  for (const std::string& line : lines_of(ran.err)) {
    std::istringstream words(line);
    std::string first;
    int number = 0;
    if (words >> first >> number && first == name) return number;
  }
  return 0;
}

bool says(const Ran& ran, std::string_view text) { return ran.err.find(text) != std::string::npos; }

TEST_F(Get, WritesBodiesToStandardOutputAndEndsWith0WhenAllIsFetched) {
  page("/1", reply("one "));
  page("/2", reply("two "));
  const Ran ran = get({url("/1"), url("/2")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, "one two ");
  EXPECT_EQ(counted(ran, "fetched"), 2) << ran.err;
}

TEST_F(Get, SaysWhoItIsAndAsksForRobotsTxtFirst) {
  page("/1", reply("one"));
  EXPECT_EQ(get({"--agent", "MyBot/1.0", url("/1")}).status, 0);
  const std::vector<SeenRequest> seen = server.witness().requests();
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].target, "/robots.txt");
  EXPECT_EQ(seen[1].target, "/1");
  for (const SeenRequest& one : seen) {
    EXPECT_EQ(one.header("User-Agent"), "MyBot/1.0");
    EXPECT_EQ(one.header("From"), "me@example.org");
  }
}

TEST_F(Get, EndsWith0WhenSomethingIsDeniedAndNeverAsksForIt) {
  server.on("", "/robots.txt", reply(no_x));
  page("/1", reply("one"));
  const Ran ran = get({url("/1"), url("/x/y"), "--log", in_folder("log")});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out, "one");
  EXPECT_EQ(counted(ran, "denied"), 1) << ran.err;
  EXPECT_EQ(asked(), std::vector<std::string>{"/1"});
  const Json denied = line_of(in_folder("log"), url("/x/y"));
  EXPECT_EQ(denied["why"], "robots-denied");
  EXPECT_EQ(denied["access"], "disallowed");
  EXPECT_EQ(denied["line"], 2);
  EXPECT_EQ(line_of(in_folder("log"), url("/1"))["status"], 200);
}

TEST_F(Get, EndsWith3WhenSomethingFailsAndTellsWhyInTheLog) {
  page("/1", reply("one"));
  page("/gone", status(410));
  page("/cut", test::Script().send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf").cut());
  const std::string nobody = test::url_of(server.refuse(), "/", "b.localhost");
  const Ran ran = get({url("/1"), url("/gone"), url("/cut"), nobody, "--max-wait", "1", "--log", in_folder("log")});
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(ran.out, "one");
  EXPECT_EQ(counted(ran, "failed"), 3) << ran.err;
  EXPECT_EQ(line_of(in_folder("log"), url("/gone"))["status"], 410);
  EXPECT_EQ(line_of(in_folder("log"), url("/cut"))["why"], "network");
  EXPECT_EQ(line_of(in_folder("log"), nobody)["why"], "robots-unreachable");
}

struct Refused {
  std::vector<std::string> words;
  const char* because;
};

TEST_F(Get, EndsWith2WhereItIsNotToldWhatToDo) {
  const Refused lines[] = {
      {{"get", "--from", "me@example.org"}, "no URLs were given"},
      {{"get", "http://a.localhost/"}, "--from is missing"},
      {{"get", "--from", "nobody", "http://a.localhost/"}, "nobody"},
      {{"get", "--from", "me@example.org", "--delay", "soon", "http://a.localhost/"}, "--delay does not accept"},
      {{"get", "--from", "me@example.org", "--per-host", "0", "http://a.localhost/"}, "--per-host does not accept"},
      {{"get", "--from", "me@example.org", "--max-size", "1X", "http://a.localhost/"}, "--max-size does not accept"},
      {{"get", "--from", "me@example.org", "--rate", "0", "http://a.localhost/"}, "--rate does not accept"},
      {{"get", "--from", "me@example.org", "--timeout", "0", "http://a.localhost/"}, "--timeout does not accept"},
      {{"get", "--from", "me@example.org", "--output", "pages.txt", "http://a.localhost/"}, "pages.txt"},
      {{"get", "--from", "me@example.org", "--output", "/nowhere/a.warc", "http://a.localhost/"}, "/nowhere/a.warc"},
      {{"get", "--from", "me@example.org", "--db", "/nowhere/a.db", "http://a.localhost/"}, "/nowhere/a.db"},
      {{"get", "--from", "me@example.org", "--fast", "http://a.localhost/"}, "--fast"}};
  for (const Refused& line : lines) {
    const Ran ran = run(line.words);
    EXPECT_EQ(ran.status, 2) << line.because;
    EXPECT_TRUE(says(ran, line.because)) << ran.err;
    EXPECT_EQ(ran.out, "");
  }
  EXPECT_EQ(server.witness().connection_count(), 0U);
}

// --- what is to be fetched -------------------------------------------------------------------------------------------

TEST_F(Get, OptionsWithoutEffectAreRefused) {
  struct Case {
    Words words;
    const char* because;
  };
  const std::string warc = in_folder("a.warc");
  for (const auto& [words, because] :
       {Case{{"--retry"}, "--retry is for the URLs of an earlier run"},
        Case{{"--revisit"}, "--revisit is for the URLs of an earlier run"},
        Case{{"--no-bodies", "-o", warc}, "--no-bodies is only for an NDJSON file"},
        Case{{"--keep-secrets", "-o", in_folder("a.ndjson")}, "--keep-secrets is only for a WARC file"}}) {
    Words all = words;
    all.push_back(url("/1"));
    const Ran ran = get(all);
    EXPECT_EQ(ran.status, 2);
    EXPECT_TRUE(says(ran, because)) << ran.err;
  }
  EXPECT_TRUE(asked().empty());
}

TEST_F(Get, FetchesTheRestOfAListWithBadLinesAndEndsWith2) {
  page("/*", reply("."));
  const std::string urls = list({url("/1"), "ftp://a.localhost/2", "", "  " + url("/3") + "  ", "{\"url\":3}",
                                 "{\"url\":\"" + url("/5") + "\",\"priority\":\"high\"}", url("/6")});
  const Ran ran = get({"--input", urls});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(asked(), (std::vector<std::string>{"/1", "/3", "/6"}));
  EXPECT_TRUE(says(ran, "urls.txt:2: ")) << ran.err;
  EXPECT_TRUE(says(ran, "urls.txt:5: ")) << ran.err;
  EXPECT_TRUE(says(ran, "urls.txt:6: its \"priority\"")) << ran.err;
  EXPECT_FALSE(says(ran, "urls.txt:3: ")) << ran.err;
}

TEST_F(Get, FetchesTheRestWhereAFileIsMissingAndEndsWith2) {
  page("/1", reply("one"));
  const Ran ran = get({url("/1"), "--input", in_folder("none")});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "one");
  EXPECT_TRUE(says(ran, in_folder("none") + ": No such file")) << ran.err;
}

TEST_F(Get, ReadsStandardInputAsItComes) {
  page("/*", reply("."));
  Running process(line({"--input", "-"}));
  const std::string first = url("/1") + "\n";
  ASSERT_EQ(::write(process.in(), first.data(), first.size()), static_cast<ssize_t>(first.size()));
  ASSERT_TRUE(server.witness().wait_for(2));  // fetched, though more may come
  const std::string second = "{\"url\":\"" + url("/2") + "\"}";
  ASSERT_EQ(::write(process.in(), second.data(), second.size()), static_cast<ssize_t>(second.size()));
  process.close_in();
  const Ran ran = process.finish();
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(asked(), (std::vector<std::string>{"/1", "/2"}));
}

TEST_F(Get, SendsTheMethodAndHeadersOfALineAndTheMostUrgentFirst) {
  page("/*", reply("."));
  const Ran ran = get({"--input", list({url("/last"), "{\"url\":\"" + url("/second") + "\",\"priority\":1}",
                                        "{\"url\":\"" + url("/first") + "\",\"priority\":7,\"method\":\"HEAD\"," +
                                            "\"headers\":{\"Accept-Language\":\"ca\",\"X-Key\":\"k\"}}"})});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(asked(), (std::vector<std::string>{"/first", "/second", "/last"}));
  const SeenRequest first = server.witness().requests("/first").at(0);
  EXPECT_EQ(first.method, "HEAD");
  EXPECT_EQ(first.header("Accept-Language"), "ca");
  EXPECT_EQ(first.header("X-Key"), "k");
  EXPECT_EQ(server.witness().requests("/last").at(0).header("X-Key"), std::nullopt);
}

TEST_F(Get, FetchesOneURLOnceHoweverItIsSpelled) {
  page("/*", reply("."));
  const std::string again = "HTTP://A.LocalHost:" + std::to_string(port) + "/b/../1#part";
  const Ran ran = get({url("/1"), url("/1"), again, "--input", list({url("/1#top"), url("/./1")})});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(asked(), std::vector<std::string>{"/1"});
}

// The end of the list begins a new look at the sites that are pending, some of which have just been left.
TEST_F(Get, FetchesNothingTwiceWhileTheListIsStillBeingRead) {
  page("/*", reply("."));
  Running process(line({"--input", "-", "--output", in_folder("a.ndjson")}));
  constexpr int sites = 300;
  for (int i = 0; i < sites; ++i) {
    const std::string text = url("/" + std::to_string(i), "s" + std::to_string(i)) + "\n";
    ASSERT_EQ(::write(process.in(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
    const std::size_t answered = i % 10 == 0 ? 2 * static_cast<std::size_t>(i) : 0;
    ASSERT_TRUE(server.witness().wait_for_answers(answered));
  }
  process.close_in();
  EXPECT_EQ(process.finish().status, 0);
  EXPECT_EQ(asked().size(), static_cast<std::size_t>(sites));
  EXPECT_EQ(json_lines(in_folder("a.ndjson")).size(), static_cast<std::size_t>(sites));
}

std::string urlset(const std::vector<std::string>& urls) {
  std::string text = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";
  for (const std::string& one : urls) text += "<url><loc>" + one + "</loc></url>";
  return text + "</urlset>";
}

TEST_F(Get, FetchesWhatASitemapLists) {
  page("/*", reply("."));
  page("/map.gz", reply(test::packed(test::Coding::gzip, urlset({url("/1"), url("/2")})), "application/gzip"));
  EXPECT_EQ(get({"--sitemap", url("/map.gz")}).status, 0);
  EXPECT_EQ(asked(), (std::vector<std::string>{"/map.gz", "/1", "/2"}));
}

TEST_F(Get, FetchesWhatTheSitemapsOfTheSitesListIfAskedTo) {
  server.on("", "/robots.txt", reply("Sitemap: " + url("/map.xml") + "\nSitemap: " + url("/none.xml") + "\n"));
  page("/map.xml", reply(urlset({url("/1"), url("/2")}), "text/xml"));
  for (const char* path : {"/1", "/2", "/3"}) page(path, reply("."));
  EXPECT_EQ(get({url("/3")}).status, 0);
  EXPECT_EQ(asked(), std::vector<std::string>{"/3"});
  const Ran ran = get({"--sitemaps", url("/3")});
  EXPECT_EQ(ran.status, 2);  // as one of them is missing
  EXPECT_TRUE(says(ran, "the sitemap " + url("/none.xml"))) << ran.err;
  EXPECT_EQ(times("/1"), 1U);
  EXPECT_EQ(times("/2"), 1U);
  EXPECT_EQ(times("/3"), 2U);
}

// --- how -------------------------------------------------------------------------------------------------------------

TEST_F(Get, KeepsTheDelayBetweenPagesOfASiteAndNotBetweenSites) {
  page("/*", reply("."));
  std::vector<std::string> urls;
  for (const char* site : {"a", "b", "c"}) {
    for (const char* path : {"/1", "/2", "/3"}) urls.push_back(url(path, site));
  }
  EXPECT_EQ(get({"--delay", "0.1", "--input", list(urls)}).status, 0);
  std::map<std::string, std::chrono::steady_clock::time_point> last;
  for (const SeenRequest& request : server.witness().requests()) {
    if (request.target == "/robots.txt") continue;
    const auto [known, is_new] = last.try_emplace(request.host(), request.arrived.steady);
    if (is_new) continue;
    EXPECT_GE(request.arrived.steady - known->second, std::chrono::milliseconds(100)) << request.head;
    known->second = request.arrived.steady;
  }
  EXPECT_EQ(last.size(), 3U);
}

TEST_F(Get, ASlowSiteHoldsUpNoOther) {
  const test::Gate gate;
  server.on("slow.localhost", "/*", test::Script().wait(gate).send(reply(".")).keep());
  server.on("slow.localhost", "/robots.txt", reply(""));
  page("/*", reply("."));
  std::vector<std::string> urls = {url("/1", "slow"), url("/2", "slow")};
  for (int i = 0; i < 50; ++i) urls.push_back(url("/" + std::to_string(i), "quick"));
  Running process(line({"--input", list(urls)}));
  ASSERT_TRUE(server.witness().wait_for(2 + 1 + 50));
  EXPECT_EQ(server.witness().request_count(), 53U);
  gate.open();
  EXPECT_EQ(process.finish().status, 0);
  EXPECT_EQ(server.witness().request_count(), 54U);
}

TEST_F(Get, AsksASiteForAsManyPagesAtOnceAsItIsTold) {
  const test::Gate one;
  page("/one/*", test::Script().wait(one).send(reply(".")).keep());
  page("/end", reply("."));
  Running single(line({url("/one/1"), url("/one/2"), url("/end", "b")}));
  ASSERT_TRUE(one.wait_reached(1));
  ASSERT_TRUE(server.witness().wait_for(4));  // the other site is through
  EXPECT_FALSE(one.wait_reached(2, test::Millis(0)));
  one.open();
  EXPECT_EQ(single.finish().status, 0);

  const test::Gate three;
  page("/three/*", test::Script().wait(three).send(reply(".")).keep());
  Running several(line({url("/three/1"), url("/three/2"), url("/three/3"), "--per-host", "3"}));
  EXPECT_TRUE(three.wait_reached(3));
  three.open();
  EXPECT_EQ(several.finish().status, 0);
}

TEST_F(Get, BeginsNoMoreURLsASecondThanItIsTold) {
  page("/*", reply("."));
  std::vector<std::string> urls;
  for (int i = 0; i < 12; ++i) urls.push_back(url("/" + std::to_string(i), "s" + std::to_string(i)));
  const std::string file = list(urls);
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(get({"--rate", "40", "--input", file}).status, 0);
  // What was saved up while there was nothing to do is one URL at most.
  EXPECT_GE(server.witness().requests().back().arrived.steady - begun, std::chrono::milliseconds(25) * 10);
  EXPECT_EQ(asked().size(), urls.size());
}

TEST_F(Get, CutsABodyAtTheSizeItIsTold) {
  page("/long", reply(std::string(5'000, 'x')));
  page("/short", reply(std::string(1'024, 'y')));
  const std::string out = in_folder("a.ndjson");
  EXPECT_EQ(get({url("/long"), url("/short"), "--max-size", "1k", "--output", out}).status, 3);
  const Json cut = line_of(out, url("/long"));
  EXPECT_EQ(cut["body"], std::string(1'024, 'x'));
  EXPECT_EQ(cut["truncated"], true);
  const Json whole = line_of(out, url("/short"));
  EXPECT_EQ(whole["body"], std::string(1'024, 'y'));
  EXPECT_FALSE(whole.contains("truncated"));
}

TEST_F(Get, FollowsAsManyRedirectsAsItIsTold) {
  page("/0", test::redirect(302, "/1"));
  page("/1", test::redirect(302, "/2"));
  page("/2", reply("here"));
  EXPECT_EQ(get({url("/0"), "--max-redirects", "2"}).out, "here");
  EXPECT_EQ(get({url("/0"), "--max-redirects", "1"}).status, 3);
  EXPECT_EQ(times("/2"), 1U);
}

TEST_F(Get, TriesAgainWhatIsRefusedForNow) {
  page("/busy", test::in_turn({status(503, {{"Retry-After", "1"}}), reply("at last")}));
  EXPECT_EQ(get({url("/busy")}).out, "at last");
  const std::vector<SeenRequest> seen = server.witness().requests("/busy");
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_GE(seen[1].arrived.steady - seen[0].arrived.steady, std::chrono::seconds(1));
}

TEST_F(Get, GivesUpAfterAsManyTriesAsItIsTold) {
  page("/busy", status(503, {{"Retry-After", "1"}}));
  EXPECT_EQ(get({url("/busy"), "--tries", "2"}).status, 3);
  EXPECT_EQ(times("/busy"), 2U);
}

// --- where to --------------------------------------------------------------------------------------------------------

struct Kind {
  const char* name;
  Packing packing;
};

class GetWarc : public GetRig, public ::testing::WithParamInterface<Kind> {};

TEST_P(GetWarc, HasEveryPageOnceByteForByte) {
  server.on("", "/robots.txt", reply(no_x));
  std::string bytes;
  for (int i = 0; i < 5'000; ++i) bytes += static_cast<char>(i * 7 % 256);
  page("/octets", reply(bytes, "application/octet-stream"));
  page("/gzip",
       test::Reply{.headers = {{"Content-Encoding", "gzip"}}, .body = test::packed(test::Coding::gzip, bytes)});
  page("/old", test::redirect(301, "/octets"));
  page("/gone", status(410));
  const std::string out = in_folder(GetParam().name);
  EXPECT_EQ(get({url("/octets"), url("/gzip"), url("/old"), url("/gone"), url("/x"), "--output", out}).status, 3);
  const WarcPages pages = pages_in(out, GetParam().packing);
  EXPECT_EQ(pages.pages,
            (std::vector<std::string>{url("/octets"), url("/gzip"), url("/old"), url("/gone"), url("/x")}));
  EXPECT_EQ(pages.responses,
            (std::vector<std::string>{url("/octets"), url("/gzip"), url("/old"), url("/octets"), url("/gone")}));
  for (const ReadRecord& record : read_warc(contents(out), GetParam().packing)) {
    if (record.get("WARC-Type") != "response" || record.get("WARC-Target-URI") == url("/gone") ||
        record.get("WARC-Target-URI") == url("/old") || record.get("WARC-Target-URI") == url("/robots.txt")) {
      continue;
    }
    const std::string body = record.block.substr(record.block.find("\r\n\r\n") + 4);
    const bool packed = record.get("WARC-Target-URI") == url("/gzip");
    EXPECT_EQ(body, packed ? test::packed(test::Coding::gzip, bytes) : bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(Packings, GetWarc,
                         ::testing::Values(Kind{"a.warc", Packing::none}, Kind{"a.warc.gz", Packing::gzip},
                                           Kind{"a.warc.zst", Packing::zstd}),
                         [](const auto& info) {
                           return std::string(info.index == 0 ? "plain" : info.index == 1 ? "gzip" : "zstd");
                         });

TEST_F(Get, WritesATree) {
  page("/", reply("root", "text/html"));
  page("/a/b.html", reply("b", "text/html"));
  page("/gone", reply("not this"));
  page("/gone", status(404));
  EXPECT_EQ(get({url("/"), url("/a/b.html"), url("/gone"), "--output", in_folder("tree/")}).status, 3);
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(in_folder("tree"))) {
    if (entry.is_regular_file()) files.push_back(contents(entry.path().string()));
  }
  std::sort(files.begin(), files.end());
  EXPECT_EQ(files, (std::vector<std::string>{"b", "root"}));
}

TEST_F(Get, WritesNdjsonWithOrWithoutBodies) {
  page("/1", reply("one"));
  EXPECT_EQ(get({url("/1"), "--output", in_folder("with.ndjson")}).status, 0);
  EXPECT_EQ(get({url("/1"), "--output", in_folder("without.jsonl"), "--no-bodies"}).status, 0);
  EXPECT_EQ(json_lines(in_folder("with.ndjson")).at(0)["body"], "one");
  const Json without = json_lines(in_folder("without.jsonl")).at(0);
  EXPECT_FALSE(without.contains("body"));
  EXPECT_EQ(without["status"], 200);
}

TEST_F(Get, EndsWith2WhereItsOutputCantBeWrittenAndFetchesThePageTheNextTime) {
  page("/1", reply("one"));
  const std::string full = in_folder("full.ndjson");
  std::filesystem::create_symlink("/dev/full", full);
  const Ran ran = get({url("/1"), "--output", full, "--db", in_folder("c.db")});
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(says(ran, full + " cannot be written: No space left on device")) << ran.err;
  const Ran again = get({url("/1"), "--output", in_folder("good.ndjson"), "--db", in_folder("c.db")});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(json_lines(in_folder("good.ndjson")).size(), 1U);
}

TEST_F(Get, AFileThatMayNotGrowIsAnErrorAndNoEndBySignal) {
  page("/small", reply("small"));
  page("/big", reply(std::string(3'000'000, 'x')));
  const std::string out = in_folder("a.warc");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 2'000'000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);  // inherited
  const Ran ran = get({url("/small"), url("/big"), "--output", out, "--db", in_folder("c.db")});
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(says(ran, out + " cannot be written: File too large; raise the limit on the size of files (ulimit -f)"))
      << ran.err;
  EXPECT_EQ(pages_in(out, Packing::none).pages, std::vector<std::string>{url("/small")});
  const Ran again = get({url("/small"), url("/big"), "--output", out, "--db", in_folder("c.db")});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(pages_in(out, Packing::none).pages, (std::vector<std::string>{url("/small"), url("/big")}));
  EXPECT_EQ(times("/small"), 1U);
}

TEST_F(Get, ABodyWhoseTemporaryFileMayNotGrowFailsAlone) {
  page("/small", reply("small"));
  page("/big", reply(std::string(5'000'000, 'x')));
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 2'000'000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);  // inherited
  const Ran ran = get({url("/big"), url("/small"), "--output", in_folder("a.warc"), "--tries", "1"});
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(ran.status, 3);
  EXPECT_TRUE(says(ran, "no room for the body of " + url("/big") + ": the temporary file for a body in ")) << ran.err;
  EXPECT_TRUE(says(ran, "1 disk-too-small")) << ran.err;
  EXPECT_EQ(pages_in(in_folder("a.warc"), Packing::none).responses, std::vector<std::string>{url("/small")});
}

TEST_F(Get, EndsWhereNobodyReadsItsStandardOutput) {
  page("/*", reply(std::string(100'000, 'x')));
  Running process(line({url("/1"), url("/2"), url("/3")}));
  process.close_out();
  const Ran ran = process.finish();
  EXPECT_EQ(ran.status, 141);
  EXPECT_FALSE(says(ran, "robotrules get:")) << ran.err;
}

TEST_F(Get, TwoDoNotWriteOneFile) {
  const test::Gate gate;
  page("/1", reply("."));
  page("/slow", test::Script().wait(gate).send(reply(".")).keep());
  const std::string out = in_folder("a.warc.gz");
  const auto words = [&](std::string_view db) {
    return line({url("/1"), url("/slow"), "--output", out, "--db", in_folder(db)});
  };
  Running first(words("c.db"));
  ASSERT_TRUE(gate.wait_reached(1));
  const Ran second = run(words("another.db"));
  EXPECT_EQ(second.status, 2);
  EXPECT_TRUE(says(second, out + " is being written by another process")) << second.err;
  gate.open();
  EXPECT_EQ(first.finish().status, 0);
  EXPECT_EQ(pages_in(out, Packing::gzip).pages, (std::vector<std::string>{url("/1"), url("/slow")}));
}

// --- the database ----------------------------------------------------------------------------------------------------

TEST_F(Get, TheSameLineAgainFetchesNothingAndSaysHowItEnded) {
  server.on("", "/robots.txt", reply(no_x));
  page("/1", reply("one"));
  const Words words = {url("/1"),  url("/x"),           "--db",      in_folder("c.db"),
                       "--output", in_folder("a.warc"), "--fail-on", "denied"};
  EXPECT_EQ(get(words).status, 1);
  const std::size_t requests = server.witness().request_count();
  EXPECT_EQ(get(words).status, 1);
  EXPECT_EQ(server.witness().request_count(), requests);
  EXPECT_EQ(pages_in(in_folder("a.warc"), Packing::none).pages.size(), 2U);
}

TEST_F(Get, RevisitAsksWhetherAPageHasChanged) {
  const auto tagged = [](const std::string& tag, const std::string& body) {
    return [=](const SeenRequest& request) -> test::Answer {
      if (request.header("If-None-Match") == tag) return status(304, {{"ETag", tag}});
      return test::Reply{.headers = {{"ETag", tag}}, .body = body};
    };
  };
  page("/same", tagged("\"1\"", "same"));
  page("/changed", tagged("\"1\"", "before"));
  page("/dated", reply("dated"));
  page("/dated", test::Reply{.headers = {{"Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"}}, .body = "dated"});
  const std::string out = in_folder("a.warc");
  const Words words = {url("/same"), url("/changed"), url("/dated"), "--db", in_folder("c.db"), "--output", out};
  ASSERT_EQ(get(words).status, 0);
  page("/changed", tagged("\"2\"", "after"));
  for (int round = 1; round <= 2; ++round) {  // what a 304 confirms is kept for the next time
    Words again = words;
    again.push_back("--revisit");
    ASSERT_EQ(get(again).status, 0);
    EXPECT_EQ(server.witness().requests("/same").back().header("If-None-Match"), "\"1\"");
    EXPECT_EQ(server.witness().requests("/dated").back().header("If-Modified-Since"), "Sun, 06 Nov 1994 08:49:37 GMT");
    const WarcPages pages = pages_in(out, Packing::none);
    EXPECT_EQ(std::count(pages.revisits.begin(), pages.revisits.end(), url("/same")), round);
    EXPECT_EQ(std::count(pages.responses.begin(), pages.responses.end(), url("/same")), 1);
    EXPECT_EQ(std::count(pages.responses.begin(), pages.responses.end(), url("/changed")), 2);
  }
  EXPECT_EQ(server.witness().requests("/robots.txt").size(), 1U);
}

TEST_F(Get, RetryFetchesWhatHasFailed) {
  page("/1", reply("one"));
  page("/mended", test::in_turn({status(500), reply("mended")}));
  const Words words = {url("/1"), url("/mended"), "--db", in_folder("c.db")};
  EXPECT_EQ(get(words).out, "one");
  EXPECT_EQ(get(words).out, "");
  Words again = words;
  again.push_back("--retry");
  const Ran ran = get(again);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, "mended");
}

TEST_F(Get, ADatabaseOfAnotherRobotIsLeftAlone) {
  page("/1", reply("one"));
  ASSERT_EQ(get({"--agent", "OneBot", url("/1"), "--db", in_folder("c.db")}).status, 0);
  const Ran ran = get({"--agent", "OtherBot", url("/1"), "--db", in_folder("c.db")});
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(says(ran, "OneBot") || says(ran, "onebot")) << ran.err;
  EXPECT_EQ(times("/1"), 1U);
  EXPECT_TRUE(says(ran, "or let the new name clear this one: robotrules db " + in_folder("c.db") +
                            " import --agent OtherBot --replace-agent - < /dev/null\n"))
      << ran.err;
  EXPECT_EQ(run({"db", in_folder("c.db"), "import", "--agent", "OtherBot", "--replace-agent", "-"}).status, 0);
  EXPECT_EQ(get({"--agent", "OtherBot", url("/2"), "--db", in_folder("c.db")}).status, 3);
}

TEST_F(Get, PagesThatAreMissingInTheOutputAreAnError) {
  page("/1", reply("one"));
  const std::string out = in_folder("a.warc");
  const Words words = {url("/1"), "--db", in_folder("c.db"), "--output", out};
  ASSERT_EQ(get(words).status, 0);
  std::filesystem::resize_file(out, std::filesystem::file_size(out) - 1);
  const Ran ran = get(words);
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(says(ran, "pages are missing")) << ran.err;
}

// --- all of it -------------------------------------------------------------------------------------------------------

TEST_F(Get, ObeysOnTheWholeDemoSite) {
  const demo::DemoServer site;
  const std::string out = in_folder("a.warc.gz");
  const Ran ran = get({"--input",    list(site.urls()),
                       "--sitemap",  site.sitemap(),
                       "--output",   out,
                       "--db",       in_folder("c.db"),
                       "--log",      in_folder("log"),
                       "--agent",    "DemoBot/1.0",
                       "--delay",    "0.2",
                       "--tries",    "2",
                       "--timeout",  "5",
                       "--max-wait", "5"});
  EXPECT_EQ(ran.status, 3) << ran.err;
  const demo::Findings findings = demo::judge(site.asked(), site.sites(), std::chrono::milliseconds(200));
  EXPECT_TRUE(findings.good()) << demo::told(findings);
  EXPECT_GT(findings.requests, 400U);
  std::size_t all = 1;  // that of nobody's site
  for (const demo::Site& one : site.sites()) all += one.pages.size();
  EXPECT_EQ(json_lines(in_folder("log")).size(), all);
  std::vector<std::string> pages = pages_in(out, Packing::gzip).pages;
  EXPECT_EQ(pages.size(), all);
  std::sort(pages.begin(), pages.end());
  EXPECT_EQ(std::adjacent_find(pages.begin(), pages.end()), pages.end());
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
