// The measured differences between readers, for the four older presets.
#include <gtest/gtest.h>

#include <string>

#include "core/semantics_rows.hpp"

namespace robotrules {
namespace {

using test::SemanticsRow;

class SemanticsOlder : public testing::TestWithParam<SemanticsRow> {
 protected:
  void expect_answer(std::size_t preset) const {
    const Dialect& dialect = Dialect::presets()[preset];
    EXPECT_EQ(test::answer_letter(GetParam(), dialect), GetParam().answers[preset]) << dialect.name;
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
