// One file in several dialects.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include <robotrules/compare.hpp>

namespace robotrules::test::THIS_FILE {
namespace {

TEST(SideBySide, HasTheVerdictOfEachDialectInTheirOrder) {
  const std::string robots = "User-agent: *\nDisallow: /private/\nAllow: /private/map\nDisallow: /*.pdf\n";
  SideBySide sides(robots, AgentTokens::of({"FooBot"}));
  for (const char* url : {"/private/map", "/private/x", "/a.pdf", "/a", "https://example.org/private/map"}) {
    const std::span<const Verdict> verdicts = sides.check(url);
    ASSERT_EQ(verdicts.size(), Dialect::presets().size());
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      const Rules rules = Rules::compile(robots, "FooBot", Dialect::presets()[i]);
      const Verdict alone = rules.check(url);
      EXPECT_EQ(verdicts[i].access(), alone.access()) << url << " " << Dialect::presets()[i].name;
      EXPECT_EQ(verdicts[i].line(), alone.line()) << url << " " << Dialect::presets()[i].name;
      EXPECT_EQ(differs(verdicts, i), verdicts[i].access() != verdicts[0].access());
    }
  }
  EXPECT_TRUE(agree(sides.check("/private/x")));
  EXPECT_FALSE(agree(sides.check("/private/map")));
  EXPECT_TRUE(agree({}));

  const std::array two{Dialect::original_1994(), Dialect::google()};
  SideBySide own(robots, AgentTokens::of({"FooBot"}), two);
  ASSERT_EQ(own.check("/private/map").size(), 2u);
  EXPECT_FALSE(own.check("/private/map")[0].allowed());
  EXPECT_TRUE(own.check("/private/map")[1].allowed());
}

TEST(FileRules, OfADialectWithUrlsAreThoseOfTheSiteOfEachUrl) {
  std::vector<FileRules> moved;
  {
    const std::string robots = "User-agent: *\nDisallow: http://a.example/x\n";
    for (const Dialect& dialect : {Dialect::www_robotrules(), Dialect::rfc9309()}) {
      moved.emplace_back(robots, AgentTokens::of({"FooBot"}), dialect);
    }
  }
  FileRules& urls = moved[0];
  EXPECT_FALSE(urls.check("http://a.example/x").allowed());
  EXPECT_TRUE(urls.check("http://b.example/x").allowed());
  EXPECT_TRUE(urls.check("/x").allowed());
  const Verdict again = urls.check("http://a.example/x");
  EXPECT_FALSE(again.allowed());
  EXPECT_EQ(again.line(), 2u);
  EXPECT_TRUE(moved[1].check("http://a.example/x").allowed());
}

TEST(ReasonWithoutRule, IsThereForEachReasonButARule) {
  for (const Why why :
       {Why::no_rule, Why::empty_group, Why::no_group, Why::robots_txt, Why::other_scheme, Why::no_robots}) {
    EXPECT_NE(reason_without_rule(why), "") << to_string(why);
  }
  EXPECT_EQ(reason_without_rule(Why::rule), "");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
