// robotrules get with lists of URLs in files and on standard input: plain, compressed, damaged.
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "cli/get_rig.hpp"
#include "support/archive/fetched.hpp"
#include "support/server/bodies.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

class GetLists : public GetRig {
 protected:
  std::string file(const std::string& name, const std::string& bytes) const {
    std::ofstream(in_folder(name), std::ios::binary) << bytes;
    return in_folder(name);
  }
  static bool says(const Ran& ran, std::string_view text) { return ran.err.find(text) != std::string::npos; }
};

TEST_F(GetLists, ReadsCommentsTabsCrlfAndAByteOrderMark) {
  page("/*", reply("."));
  const std::string text =
      "\xEF\xBB\xBF# list\r\n" + url("/1") + "\t200\ttext\r\n\r\n  # more\r\n" + url("/2#part") + "\r\n";
  const Ran ran = get({"--input", file("urls.tsv", text)});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(asked(), (std::vector<std::string>{"/1", "/2"}));
}

TEST_F(GetLists, ReadsGzipAndZstdFromFilesAndStandardInput) {
  page("/*", reply("."));
  const std::string gzip = packed(Coding::gzip, url("/1") + "\n") + packed(Coding::gzip, url("/2") + "\n");
  const std::string zstd = packed(Coding::zstd, url("/3") + "\n{\"url\":\"" + url("/4") + "\"}");
  const Ran ran = get({"--input", file("a", gzip), "--input", "-"}, zstd);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(asked(), (std::vector<std::string>{"/1", "/2", "/3", "/4"}));
}

TEST_F(GetLists, ADamagedListIsAnErrorAndTheRestIsFetched) {
  page("/*", reply("."));
  std::string gzip = packed(Coding::gzip, url("/1") + "\n" + url("/2") + "\n" + url("/part"));
  gzip.resize(gzip.size() - 8);  // without its end
  const std::string name = file("urls.gz", gzip);
  const Ran ran = get({"--input", name, "--input", list({url("/3")})});
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(says(ran, name + ": the gzip data ends too early, after line 2; get the whole file")) << ran.err;
  EXPECT_EQ(asked(), (std::vector<std::string>{"/1", "/2", "/3"}));
}

TEST_F(GetLists, BadLinesOfACompressedListHaveNumbers) {
  page("/*", reply("."));
  const Ran ran = get({"--input", "-"}, packed(Coding::zstd, "# x\n" + url("/1") + "\nnothing\n"));
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(says(ran, "standard input:3: \"nothing\" is not")) << ran.err;
  EXPECT_EQ(asked(), std::vector<std::string>{"/1"});
}

TEST_F(GetLists, TheNumberOfBadLinesIsToldIfNotAllAreReported) {
  page("/*", reply("."));
  std::string lines = url("/1") + "\n";
  for (int i = 0; i < 10; ++i) lines += "nothing\n";
  EXPECT_FALSE(says(get({"--input", "-"}, lines), "in all"));
  const Ran ran = get({"--input", "-"}, lines + "nothing\n");
  EXPECT_TRUE(says(ran, "robotrules get: 11 bad lines in all\n")) << ran.err;
}

TEST_F(GetLists, AnOperandWithoutASchemeIsHttps) {
  const std::string host = "a.localhost:" + std::to_string(server.refuse()) + "/x";
  const std::string log = in_folder("log");
  const Ran ran = get({host, "--max-wait", "0", "--log", log});
  EXPECT_EQ(ran.status, 3) << ran.err;
  EXPECT_EQ(json_lines(log).at(0)["url"], "https://" + host);
}

TEST_F(GetLists, AnOperandThatIsAFileNamesTheFlagForIt) {
  const std::string name = file("urls.list", url("/1") + "\n");
  const Ran ran = get({name});
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(says(ran, name + " is a file; read it with --input, or begin the URL with https://")) << ran.err;
  EXPECT_TRUE(asked().empty());
}

TEST_F(GetLists, AFolderIsAnError) {
  const Ran ran = get({"--input", folder.path()});
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(says(ran, folder.path() + ": cannot read the input: Is a directory")) << ran.err;
}

TEST_F(GetLists, WithoutAReadableInputNoOutputIsMade) {
  const Ran ran = get({"-i", in_folder("none"), "-o", in_folder("o.warc"), "--db", in_folder("c.db")});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("cannot read " + in_folder("none") + " (No such file or directory)"), std::string::npos)
      << ran.err;
  EXPECT_FALSE(std::filesystem::exists(in_folder("o.warc")));
  EXPECT_EQ(run({"db", in_folder("c.db"), "jobs"}).out, "");
}

TEST_F(GetLists, AMessageSaysWhyFewerUrlsAreFetched) {
  page("/*", reply("x"));
  const Ran empty = get({"-i", folder.file("empty", "# none\n")});
  EXPECT_EQ(empty.status, 0);
  EXPECT_NE(empty.err.find("robotrules get: the input has no URLs\n"), std::string::npos) << empty.err;
  const Ran repeated = get({"-i", list({url("/1"), url("/1"), url("/./1"), url("/2")})});
  EXPECT_NE(repeated.err.find("robotrules get: 4 URLs of the input: 2 new, 2 repeated or already in the job\n"),
            std::string::npos)
      << repeated.err;
}

// The run would add its lines to the list, and read them.
TEST_F(GetLists, AFileThatIsReadIsNotWritten) {
  page("/*", reply("."));
  const std::string urls = file("urls.ndjson", "{\"url\":\"" + url("/1") + "\"}\n");
  const std::string alias = in_folder("alias.ndjson");
  std::filesystem::create_hard_link(urls, alias);
  const std::string before = contents(urls);
  for (const std::string flag : {"--log", "--output", "--metrics-file"}) {
    for (const std::string& written : {urls, alias}) {
      const Ran ran = get({"--input", urls, flag, written});
      EXPECT_EQ(ran.status, 2) << flag;
      EXPECT_TRUE(says(ran, flag + " " + written + " is also the file of --input")) << ran.err;
    }
  }
  EXPECT_EQ(contents(urls), before);
  EXPECT_EQ(asked(), std::vector<std::string>{});
  EXPECT_EQ(get({"--input", urls, "--log", in_folder("log")}).status, 0);
}

TEST_F(GetLists, AnOutputWithTheNameOfAFileIsNotAFolder) {
  page("/*", reply("."));
  const std::string folder = in_folder("d.warc");
  std::filesystem::create_directory(folder);
  const Ran ran = get({url("/1"), "--output", folder, "--log", in_folder("log")});
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(says(ran, "\"" + folder + "\" has the name of a file, but it is a folder")) << ran.err;
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  EXPECT_FALSE(std::filesystem::exists(in_folder("log")));
  EXPECT_EQ(asked(), std::vector<std::string>{});
}

// As a page: it is asked for again after the Retry-After, and a signal ends the wait.
TEST_F(GetLists, ASitemapOfABusyServerIsAskedForAgain) {
  const std::string map =
      "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>" + url("/1") +
      "</loc></url></urlset>";
  page("/map.xml", in_turn({status(503, {{"Retry-After", "1"}}), reply(map, "application/xml")}));
  page("/1", reply("one"));
  const Ran ran = get({"--sitemap", url("/map.xml")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, "one");

  page("/busy.xml", status(503, {{"Retry-After", "1000"}}));
  Running process(line({"--sitemap", url("/busy.xml"), "--input", "-"}));
  process.close_in();
  ASSERT_TRUE(server.witness().wait_for(6));  // the first run has made four
  process.signal(SIGINT);
  EXPECT_EQ(process.finish().status, 128 + SIGINT);
  EXPECT_EQ(times("/busy.xml"), 1U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
