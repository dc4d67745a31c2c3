#include <gtest/gtest.h>

#include <cstdint>

#include "cli/io/progress_line.hpp"

namespace robotrules::cli {
namespace {

TEST(ProgressLine, FillsWhatIsThereAndNoMore) {
  EXPECT_EQ(progress_line(0, 10, "0 records", 30), "[..........]    0 %  0 records");
  EXPECT_EQ(progress_line(5, 10, "5 records", 30), "[#####.....]   50 %  5 records");
  EXPECT_EQ(progress_line(10, 10, "9 records", 30), "[##########]  100 %  9 records");
  for (std::size_t columns = 0; columns < 300; ++columns) {
    EXPECT_LE(progress_line(7, 9, "123456 records", columns).size(), columns);
  }
  EXPECT_LT(progress_line(1, 2, "1 record", 1'000).size(), 100u);
}

TEST(ProgressLine, ShortLinesHaveNoBar) {
  EXPECT_EQ(progress_line(1, 2, "1 record", 20), " 50 %  1 record");
  EXPECT_EQ(progress_line(1, 2, "1 record", 5), " 50 %");
  EXPECT_EQ(progress_line(1, 2, "1 record", 0), "");
}

TEST(ProgressLine, WithoutAnEndOnlyWhatWasDone) { EXPECT_EQ(progress_line(5, 0, "5 records", 80), "5 records"); }

TEST(ProgressLine, FilesThatGrowAndGreatOnesStayWithinTheBar) {
  EXPECT_EQ(progress_line(11, 10, "x", 22), "[##########]  100 %  x");
  EXPECT_NE(progress_line(UINT64_MAX / 2, UINT64_MAX, "x", 80).find(" 50 %"), std::string::npos);
}

}  // namespace
}  // namespace robotrules::cli
