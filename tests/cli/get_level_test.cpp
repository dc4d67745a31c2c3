// robotrules get --level: each format has its own levels.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "cli/get_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

class GetLevel : public GetRig {
 protected:
  GetLevel() { page("/*", test::reply(std::string(std::size_t{3} << 20, 'x'))); }  // longer than what is packed at once
};

TEST_F(GetLevel, ThatAFormatLacksIsRefusedAndLeavesNoFile) {
  struct Case {
    const char* output;
    const char* level;
    const char* levels;
  };
  for (const Case& c : {Case{"a.warc.gz", "10", "gzip has the levels 0 to 9"},
                        {"a.warc.gz", "19", "0 to 9"},
                        {"a.warc.zst", "0", "zstd has the levels 1 to 19"}}) {
    const Ran ran =
        get({url("/1"), "--output", in_folder(c.output), "--level", c.level, "--log", in_folder("l"), "--cdx"});
    EXPECT_EQ(ran.status, 2) << c.output;
    EXPECT_NE(ran.err.find(c.levels), std::string::npos) << ran.err;
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << c.output;
  }
  EXPECT_EQ(asked(), std::vector<std::string>{});
}

TEST_F(GetLevel, TheLastOneOfEachFormatWritesALongPage) {
  for (const auto& [output, level] : {std::pair{"a.warc.gz", "9"}, {"b.warc.gz", "0"}, {"c.warc.zst", "19"}}) {
    const Ran ran = get({url("/1"), "--output", in_folder(output), "--level", level});
    EXPECT_EQ(ran.status, 0) << output << ran.err;
    EXPECT_GT(std::filesystem::file_size(in_folder(output)), 100U);
  }
}

TEST_F(GetLevel, OfAnEarlierVersionBecomes9AndIsTold) {
  const Words begun = {url("/1"), "--output", in_folder("a.warc.gz"), "--level", "9", "--db", in_folder("c.db"),
                       "--job",   "j"};
  ASSERT_EQ(get(begun).status, 0);
  {
    const auto queue = open_url_queue(in_folder("c.db"), "j").value();
    const std::string note =
        std::regex_replace(queue->note().value(), std::regex("\"level\":\"9\""), "\"level\":\"11\"");
    ASSERT_NE(note, queue->note().value());
    ASSERT_TRUE(queue->set_note(note).ok());
    ASSERT_TRUE(queue->add({{url("/2")}}).ok());
  }
  const Ran ran = get({"--db", in_folder("c.db"), "--job", "j"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.err.find("began with --level 11, which gzip does not have; it goes on with 9"), std::string::npos)
      << ran.err;
  EXPECT_EQ(times("/2"), 1U);
}

TEST_F(GetLevel, AnIndexThatCannotBeOpenedLeavesNoEmptyFile) {
  std::filesystem::create_directory(in_folder("a.cdxj"));
  const Ran ran = get({url("/1"), "--output", in_folder("a.warc.gz"), "--cdx"});
  EXPECT_EQ(ran.status, 2) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(in_folder("a.warc.gz")));
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
