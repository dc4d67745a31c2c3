// robotrules get with --warc-max-size: one output in several WARC files.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "cli/get_rig.hpp"
#include "support/archive/fetched.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

class GetWarcParts : public GetRig {
 protected:
  GetWarcParts() {
    page("/*", [](const SeenRequest& request) -> Answer { return reply(request.target); });
  }
  Ran fetch(Words words) const {
    words.insert(words.end(), {"--db", in_folder("c.db"), "--output", in_folder("a.warc.gz")});
    return get(std::move(words));
  }
  std::vector<std::string> files() const { return output_files(in_folder("a.warc.gz"), {.max_file_size = 1}).value(); }
  std::vector<std::string> pages() const {
    std::vector<std::string> all;
    for (const std::string& file : files()) {
      for (const std::string& one : pages_in(file, Packing::gzip).pages) all.push_back(one);
    }
    std::sort(all.begin(), all.end());
    return all;
  }
};

TEST_F(GetWarcParts, EachFileIsWhole) {
  const Ran ran = fetch({url("/1"), url("/2"), url("/3"), "--warc-max-size", "1", "--cdx"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.err.find(in_folder("a-*.warc.gz")), std::string::npos) << ran.err;
  EXPECT_EQ(pages(), (std::vector<std::string>{url("/1"), url("/2"), url("/3")}));
  ASSERT_EQ(files().size(), 4U) << "robots.txt and three pages";
  EXPECT_EQ(files()[3], in_folder("a-00003.warc.gz"));
  for (const std::string& file : files()) {
    const auto records = read_warc(contents(file), Packing::gzip);
    ASSERT_EQ(records.size(), 4U) << file;
    EXPECT_EQ(records[0].get("WARC-Filename"), file.substr(file.rfind('/') + 1));
    EXPECT_EQ(lines_of(contents(file.substr(0, file.size() - 8) + ".cdxj")).size(), 1U) << file;
  }
  EXPECT_FALSE(std::filesystem::exists(in_folder("a.warc.gz")));
}

TEST_F(GetWarcParts, AJobContinuesItsLastFile) {
  EXPECT_EQ(fetch({url("/1"), "--warc-max-size", "1G"}).status, 0);
  EXPECT_EQ(fetch({url("/2"), "--warc-max-size", "1G"}).status, 0);
  EXPECT_EQ(files(), std::vector<std::string>{in_folder("a-00000.warc.gz")});
  EXPECT_EQ(run({"get", "--db", in_folder("c.db"), "--revisit"}).status, 0) << "the flag is kept with the job";
  EXPECT_EQ(files(), std::vector<std::string>{in_folder("a-00000.warc.gz")});
  EXPECT_EQ(pages(), (std::vector<std::string>{url("/1"), url("/1"), url("/2"), url("/2")}));
  EXPECT_FALSE(std::filesystem::exists(in_folder("a.warc.gz")));
}

TEST_F(GetWarcParts, AFullFileCanBeMovedAway) {
  EXPECT_EQ(fetch({url("/1"), url("/2"), "--warc-max-size", "1"}).status, 0);
  ASSERT_EQ(files().size(), 3U);
  for (int i = 0; i < 2; ++i) std::filesystem::remove(files()[0]);
  const Ran ran = fetch({url("/3"), "--warc-max-size", "1"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(files(), (std::vector<std::string>{in_folder("a-00002.warc.gz"), in_folder("a-00003.warc.gz")}));
  std::filesystem::remove(files()[1]);
  const Ran missing = fetch({url("/4"), "--warc-max-size", "1"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_NE(missing.err.find("a-00003.warc.gz is missing"), std::string::npos) << missing.err;
}

TEST_F(GetWarcParts, ACopyOfABodyRefersToAnotherFile) {
  page("/*", reply("the same"));
  EXPECT_EQ(fetch({url("/1"), url("/2"), "--warc-max-size", "1", "--dedup"}).status, 0);
  ASSERT_EQ(files().size(), 3U);
  EXPECT_EQ(pages_in(files()[1], Packing::gzip).responses.size(), 1U);
  EXPECT_EQ(pages_in(files()[2], Packing::gzip).revisits.size(), 1U);
}

TEST_F(GetWarcParts, TheirRobotsTxtIsImported) {
  server.on("", "/robots.txt", reply("User-agent: *\nDisallow: /x\n"));
  EXPECT_EQ(fetch({url("/1"), url("/1", "b"), "--warc-max-size", "1"}).status, 0);
  const std::string db = in_folder("other.db");
  for (const std::string& file : files()) EXPECT_EQ(run({"db", db, "import", file}).status, 0) << file;
  for (const char* site : {"a", "b"}) {
    EXPECT_EQ(run({"check", "--offline", "--agent", "MyBot", "--db", db, url("/x", site)}).status, 1);
  }
}

TEST_F(GetWarcParts, OtherOutputsAreRefused) {
  for (const std::string& output : {in_folder("a.ndjson"), in_folder("tree/"), std::string("-")}) {
    const Ran ran = get({url("/1"), "--output", output, "--warc-max-size", "1G"});
    EXPECT_EQ(ran.status, 2) << output;
    EXPECT_NE(ran.err.find("--warc-max-size is only for a WARC file"), std::string::npos) << ran.err;
  }
  EXPECT_EQ(fetch({url("/1"), "--warc-max-size", "0"}).status, 2);
  EXPECT_TRUE(asked().empty());
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
