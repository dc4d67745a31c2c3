// The lines that compare() leaves out, compared by themselves.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <robotrules/compare.hpp>

namespace robotrules::test::THIS_FILE {
namespace {

ChangedSettings changed(std::string_view before, std::string_view after) {
  return changed_settings(RobotsTxt::parse(before), RobotsTxt::parse(after));
}

TEST(ChangedSettings, AreTheLinesThatOnlyOneFileHasForEachRobot) {
  const struct {
    std::string_view before, after;
    std::size_t removed, added;
  } cases[] = {
      {"", "", 0, 0},
      {"User-agent: *\nRequest-rate: 1/10\n", "User-agent: *\nRequest-rate: 1/20\n", 1, 1},
      {"User-agent: *\nVisit-time: 0100-0200\n", "User-agent: *\n", 1, 0},
      {"User-agent: *\n", "User-agent: *\nNoindex: /x\n", 0, 1},
      {"User-agent: *\nContent-Usage: a=n\n", "# moved\n\nUser-agent: *\nDisallow: /x\nContent-Usage: a=n\n", 0, 0},
      {"User-agent: *\nContent-Usage: a=n\n", "Content-Usage: a=n\nUser-agent: *\n", 1, 1},
      {"User-agent: A\nUser-agent: B\nContent-Signal: a=no\n", "User-agent: a\nContent-Signal: a=no\n", 1, 0},
      {"User-agent: A\nContent-Signal: a=no\nUser-agent: B\nContent-Signal: a=no\n",
       "User-agent: b\nUser-agent: a\nContent-Signal: a=no\n", 0, 0},
      {"User-agent: A\nClean-param: s\n", "User-agent: B\nClean-param: s\n", 0, 0},
      {"Host: a.example\n", "Host: b.example\n", 1, 1},
      // compare() looks at these.
      {"User-agent: *\nCrawl-delay: 1\n", "User-agent: *\nCrawl-delay: 2\nDisallow: /\nSitemap: /s\n", 0, 0},
  };
  for (const auto& c : cases) {
    const ChangedSettings settings = changed(c.before, c.after);
    EXPECT_EQ(settings.removed.size(), c.removed) << c.before << "->\n" << c.after;
    EXPECT_EQ(settings.added.size(), c.added) << c.before << "->\n" << c.after;
    EXPECT_EQ(settings.same(), c.removed + c.added == 0);
  }
}

TEST(ChangedSettings, HaveTheirLineAndTheirRobots) {
  const ChangedSettings settings = changed("", "User-agent: Foo\nUser-agent: bar\n\nContent-Signal: ai-train=no\n");
  ASSERT_EQ(settings.added.size(), 1u);
  EXPECT_EQ(settings.added[0].kind, DirectiveKind::content_signal);
  EXPECT_EQ(settings.added[0].value, "ai-train=no");
  EXPECT_EQ(settings.added[0].line, 4u);
  ASSERT_NE(settings.added[0].agents, nullptr);
  EXPECT_EQ(*settings.added[0].agents, (RobotNames{"bar", "foo"}));
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
