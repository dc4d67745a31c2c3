// The measured differences between readers, for the four older presets. A row that a preset does not hold yet is
// listed in `open_rows` with the reason; a row that holds although it is listed fails, so that the list stays true.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "core/semantics_rows.hpp"

namespace robotrules {
namespace {

using test::SemanticsRow;

const std::map<std::pair<std::string_view, int>, std::string_view>& open_rows() {
  static const std::map<std::pair<std::string_view, int>, std::string_view> rows{
      {{"robotstxt-rb", 48}, "a Sitemap line ends a run of agents in the gem; no choice of Dialect says so yet"},
      {{"robotstxt-rb", 49}, "so does a Crawl-delay line"},
      {{"robotstxt-rb", 57}, "the gem's expression matches behind a decoded line feed; no choice of Dialect says so"},
  };
  return rows;
}

class SemanticsOlder : public testing::TestWithParam<SemanticsRow> {
 protected:
  void expect_answer(std::size_t preset) const {
    const Dialect& dialect = Dialect::presets()[preset];
    const char found = test::answer_letter(GetParam(), dialect);
    const char expected = GetParam().answers[preset];
    const auto open = open_rows().find({dialect.name, GetParam().number});
    if (open == open_rows().end()) {
      EXPECT_EQ(found, expected) << dialect.name;
    } else {
      EXPECT_NE(found, expected) << dialect.name << " holds this row now: take it from open_rows()";
    }
  }
};

TEST_P(SemanticsOlder, WwwRobotRules) { expect_answer(2); }
TEST_P(SemanticsOlder, RobotstxtRb) { expect_answer(3); }
TEST_P(SemanticsOlder, Original1994) { expect_answer(4); }
TEST_P(SemanticsOlder, Draft1996) { expect_answer(5); }

std::string name_of(const testing::TestParamInfo<SemanticsRow>& info) { return test::row_name(info.param); }

INSTANTIATE_TEST_SUITE_P(Rows, SemanticsOlder, testing::ValuesIn(test::semantics_rows()), name_of);

}  // namespace
}  // namespace robotrules
