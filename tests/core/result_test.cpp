// Result: a value or an error, and what becomes of those who take the one for the other.
#include <gtest/gtest.h>
#include <type_traits>
#include <vector>

#include <memory>
#include <sstream>
#include <string>

#include <robotrules/base.hpp>
#include <robotrules/compare.hpp>
#include <robotrules/diagnose.hpp>
#include <robotrules/rules.hpp>

namespace robotrules::test::THIS_FILE {
namespace {

const Error broken{"broken", "The thing is broken: mend it."};

TEST(ResultDeathTest, TheValueOfAnErrorEndsTheProgramWithTheErrorsSentence) {
  const char* const sentence = "The thing is broken: mend it\\. \\[broken\\]";
  Result<std::string> failed = broken;
  const Result<std::string>& constant = failed;
  EXPECT_DEATH(static_cast<void>(failed.value()), sentence);
  EXPECT_DEATH(static_cast<void>(constant.value()), sentence);
  EXPECT_DEATH(static_cast<void>(Result<std::string>(broken).value()), sentence);
  EXPECT_DEATH(static_cast<void>(*failed), sentence);
  EXPECT_DEATH(static_cast<void>(*constant), sentence);
  EXPECT_DEATH(static_cast<void>(failed->size()), sentence);
  EXPECT_DEATH(static_cast<void>(constant->size()), sentence);
  EXPECT_DEATH(Result<void>(broken).value(), sentence);
}

TEST(ResultDeathTest, TheErrorOfAValueEndsTheProgramWithASentence) {
  EXPECT_DEATH(static_cast<void>(Result<int>(1).error()), "the error of a Result was asked for, and there is none");
  EXPECT_DEATH(static_cast<void>(Result<void>().error()), "the error of a Result was asked for, and there is none");
}

TEST(Result, IsLookedIntoLikeAPointer) {
  Result<std::string> word = std::string("allowed");
  EXPECT_EQ(*word, "allowed");
  EXPECT_EQ(word->size(), 7U);
  word->push_back('!');
  *word += '?';
  EXPECT_EQ(word.value(), "allowed!?");
  const Result<std::string> constant = word;
  EXPECT_EQ(constant->size(), 9U);
  EXPECT_EQ(*constant, "allowed!?");
}

TEST(Result, GivesItsValueAwayWhenItIsATemporary) {
  Result<std::unique_ptr<int>> made = std::make_unique<int>(3);
  const std::unique_ptr<int> taken = *std::move(made);
  EXPECT_EQ(*taken, 3);
}

TEST(Result, ALoopOverTheValueOfATemporaryIsSafe) {
  const auto made = [] { return Result<std::vector<std::string>>(std::vector<std::string>{"one", "two"}); };
  static_assert(std::is_same_v<decltype(made().value()), std::vector<std::string>>);
  std::string all;
  for (const std::string& word : made().value()) all += word;
  for (const std::string& word : *made()) all += word;
  EXPECT_EQ(all, "onetwoonetwo");
}

TEST(Result, ValueOrGivesTheFallbackForAnErrorOnly) {
  EXPECT_EQ(Result<int>(3).value_or(4), 3);
  EXPECT_EQ(Result<int>(broken).value_or(4), 4);
  const Result<std::string> word = std::string("kept");
  EXPECT_EQ(word.value_or("other"), "kept");
  EXPECT_EQ(word.value(), "kept");
  const Result<std::string> failed = broken;
  EXPECT_EQ(failed.value_or("other"), "other");
  EXPECT_EQ(*Result<std::unique_ptr<int>>(broken).value_or(std::make_unique<int>(5)), 5);
}

TEST(Words, EnumerationsAreWrittenToAStreamByTheirNames) {
  std::ostringstream out;
  out << Access::allowed << ' ' << Access::disallowed << ' ' << Access::unknown << ' ' << Why::no_group << ' '
      << Why::robots_txt << ' ' << Severity::warning << ' ' << DirectiveKind::user_agent << ' ' << Reach::partly;
  EXPECT_EQ(out.str(), "allowed disallowed unknown no-group robots-txt warning User-agent partly");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
