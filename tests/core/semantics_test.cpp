// The measured differences between readers, for the two presets that are the core of the project, and the tricky cases
// that the suites of other parsers ask for.
#include <gtest/gtest.h>

#include <set>

#include <robotrules/robots_txt.hpp>

#include "core/semantics_rows.hpp"
#include "oracle/oracle.hpp"

namespace robotrules {
namespace {

using test::SemanticsRow;

std::string name_of(const testing::TestParamInfo<SemanticsRow>& info) { return test::row_name(info.param); }

class Semantics : public testing::TestWithParam<SemanticsRow> {};

TEST_P(Semantics, Rfc9309) {
  if (!GetParam().deviation.empty()) RecordProperty("deviation_from_rfc9309", GetParam().deviation);
  EXPECT_EQ(test::answer_letter(GetParam(), Dialect::rfc9309()), GetParam().answers[0]);
}

TEST_P(Semantics, Google) { EXPECT_EQ(test::answer_letter(GetParam(), Dialect::google()), GetParam().answers[1]); }

INSTANTIATE_TEST_SUITE_P(Rows, Semantics, testing::ValuesIn(test::semantics_rows()), name_of);

TEST(SemanticsRows, EveryRowIsThereOnceAndHasAnAnswerForEveryPreset) {
  std::set<int> numbers;
  for (const SemanticsRow& row : test::semantics_rows()) {
    EXPECT_TRUE(numbers.insert(row.number).second) << row.number;
    EXPECT_EQ(row.answers.size(), Dialect::presets().size()) << row.number;
    EXPECT_EQ(row.answers.find_first_not_of("AD"), std::string::npos) << row.number;
  }
  EXPECT_EQ(numbers.size(), 59U);
  EXPECT_EQ(*numbers.rbegin(), 59);
}

// The oracle answers these rows too: it is what everything else is measured with.
TEST(SemanticsRows, TheOracleAgreesUnderBothPresets) {
  for (const SemanticsRow& row : test::semantics_rows()) {
    for (std::size_t i = 0; i < 2; ++i) {
      const auto answer =
          oracle::ask(test::expanded(row), row.agent, "http://foo.bar" + row.url, Dialect::presets()[i]);
      EXPECT_EQ(answer.access == Access::allowed ? 'A' : 'D', row.answers[i]) << test::row_name(row);
    }
  }
}

}  // namespace
}  // namespace robotrules
