// The comparison of two files: what it reports, and, in a small world of files and paths, that it misses nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <robotrules/compare.hpp>

#include "advice/compare/plain_compare.hpp"

namespace robotrules::testing {
namespace {

// Random files over a few letters, and every path over these letters of up to six bytes: compare() is checked against
// the answers for all these paths.
class SmallWorld {
 public:
  explicit SmallWorld(std::uint32_t seed, std::string_view letters) : engine_(seed), letters_(letters) {
    std::vector<std::string> longest{"https://example.org/"};  // because "//" would begin a host
    for (std::size_t length = 1; length <= 5; ++length) {
      paths_.insert(paths_.end(), longest.begin(), longest.end());
      std::vector<std::string> longer;
      for (const std::string& path : longest) {
        for (const char c : std::string_view("/ab*$")) longer.push_back(path + c);
      }
      longest = std::move(longer);
    }
  }

  std::string file() {
    std::string text = "User-agent: *\n";
    for (std::size_t rules = below(5); rules > 0; --rules) {
      text += below(2) == 0 ? "Allow: " : "Disallow: ";
      if (below(8) != 0) text += '/';
      for (std::size_t length = below(4); length > 0; --length) text += letters_[below(letters_.size())];
      text += '\n';
    }
    return text;
  }
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  std::size_t below(std::size_t limit) { return engine_() % limit; }
  std::mt19937 engine_;
  std::string_view letters_;
  std::vector<std::string> paths_;
};

using Deciders = std::set<std::pair<std::uint32_t, std::uint32_t>>;

// Returns the pairs of deciding lines for all paths about which the files disagree.
Deciders all_differences(const Rules& a, const Rules& b, const std::vector<std::string>& paths) {
  Deciders found;
  for (const std::string& path : paths) {
    const Verdict was = a.check(path);
    const Verdict is = b.check(path);
    if (was.access() != is.access()) found.emplace(was.line(), is.line());
  }
  return found;
}

// Returns the pairs of deciding lines that compare() reports. Each of its examples must be true.
Deciders reported(const Difference& difference, const Rules& a, const Rules& b) {
  Deciders found;
  for (const RobotChange& robot : difference.robots) {
    for (const PathChange& change : robot.changes) {
      const Verdict was = a.check(change.path);
      const Verdict is = b.check(change.path);
      EXPECT_NE(was.access(), is.access()) << change.path;
      EXPECT_EQ(was.access(), change.before.access);
      EXPECT_EQ(is.access(), change.after.access);
      EXPECT_EQ(was.line(), change.before.line);
      EXPECT_EQ(is.line(), change.after.line);
      found.emplace(was.line(), is.line());
    }
  }
  return found;
}

TEST(Compare, WithoutWildcardsFindsEveryDifferenceOfASmallWorld) {
  for (const Dialect& dialect : Dialect::presets()) {
    SmallWorld world(1, "/ab$");
    for (int round = 0; round < 600; ++round) {
      const std::string a = world.file();
      const std::string b = world.file();
      SCOPED_TRACE(std::string(dialect.name) + "\n" + a + "---\n" + b);
      const auto file_a = RobotsTxt::parse(a, dialect);
      const auto file_b = RobotsTxt::parse(b, dialect);
      const Rules rules_a = file_a.rules_for("somebot");
      const Rules rules_b = file_b.rules_for("somebot");
      const Deciders found = reported(compare(file_a, file_b, {}), rules_a, rules_b);
      const Deciders wanted = all_differences(rules_a, rules_b, world.paths());
      ASSERT_TRUE(std::includes(found.begin(), found.end(), wanted.begin(), wanted.end()));
    }
  }
}

TEST(Compare, WithWildcardsReportsOnlyTrueDifferencesAndMissesNoneOfASmallWorld) {
  for (const Dialect& dialect : Dialect::presets()) {
    SmallWorld world(2, "/ab*$");
    int missed = 0;
    for (int round = 0; round < 600; ++round) {
      const std::string a = world.file();
      const std::string b = world.file();
      SCOPED_TRACE(std::string(dialect.name) + "\n" + a + "---\n" + b);
      const auto file_a = RobotsTxt::parse(a, dialect);
      const auto file_b = RobotsTxt::parse(b, dialect);
      const Rules rules_a = file_a.rules_for("somebot");
      const Rules rules_b = file_b.rules_for("somebot");
      const Difference difference = compare(file_a, file_b, {});
      const Deciders found = reported(difference, rules_a, rules_b);
      const Deciders wanted = all_differences(rules_a, rules_b, world.paths());
      missed += found.empty() && !wanted.empty() ? 1 : 0;
      ASSERT_TRUE(found.empty() == difference.same());
      ASSERT_TRUE(compare(file_a, file_a, {}).same());
    }
    EXPECT_EQ(missed, 0) << dialect.name << ": pairs of files, of 600, that differ and are called the same";
  }
}

// Random files with groups and many wildcards, and changes of a few of their lines, as people make them.
class ChangedFiles {
 public:
  explicit ChangedFiles(std::uint32_t seed) : engine_(seed) {}

  std::vector<std::string> file() {
    std::vector<std::string> lines;
    for (const char* agent : {"User-agent: *", "User-agent: FooBot", "User-agent: BarBot"}) {
      lines.emplace_back(agent);
      for (std::size_t rules = below(9); rules > 0; --rules) lines.push_back(rule());
    }
    return lines;
  }

  std::vector<std::string> changed(std::vector<std::string> lines) {
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
      const auto place = lines.begin() + 1 + static_cast<std::ptrdiff_t>(below(lines.size() - 1));
      switch (below(4)) {
        case 0: lines.insert(place, rule()); break;
        case 1: lines.erase(place); break;
        case 2: std::swap(*place, lines.back()); break;
        default: *place = rule();
      }
    }
    return lines;
  }

  static std::string text(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
  }

 private:
  std::string rule() {
    static constexpr std::array<std::string_view, 12> pieces = {"a",  "b",   "*",   "*", "/",          "?",
                                                                "x=", "%2f", "%7E", "~", "index.html", "\xC3\xBC"};
    std::string line = below(2) == 0 ? "Allow: " : "Disallow: ";
    if (below(9) == 0) return line;
    line += '/';
    for (std::size_t length = below(6); length > 0; --length) line += pieces[below(pieces.size())];
    if (below(6) == 0) line += '$';
    return line;
  }
  std::size_t below(std::size_t limit) { return engine_() % limit; }
  std::mt19937 engine_;
};

// compare() asks only about paths that a changed rule may match. The plain twin asks about all.
TEST(Compare, FindsForEachRobotADifferenceIfItsPlainTwinFindsOne) {
  for (const Dialect& dialect : Dialect::presets()) {
    ChangedFiles files(3);
    int differing = 0;
    for (int round = 0; round < 200; ++round) {
      const std::vector<std::string> lines = files.file();
      const std::string a = ChangedFiles::text(lines);
      const std::string b = ChangedFiles::text(round % 5 == 0 ? files.file() : files.changed(lines));
      SCOPED_TRACE(std::string(dialect.name) + "\n" + a + "---\n" + b);
      const RobotsTxt before = RobotsTxt::parse(a, dialect);
      const RobotsTxt after = RobotsTxt::parse(b, dialect);
      const test::DecidersByRobot wanted = test::plain_compare(before, after);
      const test::DecidersByRobot found = test::deciders_in(compare(before, after));
      differing += wanted.empty() ? 0 : 1;
      ASSERT_EQ(found.size(), wanted.size());
      for (const auto& [robot, lines_found] : found) {
        const auto& lines_wanted = wanted.at(robot);
        ASSERT_TRUE(std::includes(lines_wanted.begin(), lines_wanted.end(), lines_found.begin(), lines_found.end()));
      }
    }
    EXPECT_GT(differing, 50) << dialect.name;
  }
}

// Dialects compare escapes in four ways. A rule that only one file has must be found in each of them.
TEST(Compare, ARuleWithEscapesIsFoundInEveryDialect) {
  for (const Dialect& dialect : Dialect::presets()) {
    for (const std::string pattern :
         {"/a%2f%7e", "/%7Ejoe/", "/~joe", "/\xC3\xBC", "/%c3%bc%2A", "/100%", "/a%2", "/a b"}) {
      const auto before = RobotsTxt::parse("User-agent: *\nDisallow: /other\n", dialect);
      const auto after = RobotsTxt::parse("User-agent: *\nDisallow: /other\nDisallow: " + pattern + "\n", dialect);
      EXPECT_FALSE(compare(before, after, {}).same()) << dialect.name << " " << pattern;
    }
  }
}

// --- the result ---------------------------------------------------------------------------------------------------

RobotsTxt file(std::string_view text) { return RobotsTxt::parse(text); }

TEST(Compare, ReportsPathsAnswersAndDelaysOfEachSetOfRobots) {
  const Difference difference =
      compare(file("User-agent: *\nDisallow: /old\nUser-agent: FooBot\nUser-agent: BarBot\nDisallow: /\n"),
              file("User-agent: *\nAllow: /\nCrawl-delay: 2\nDisallow: /new\n"
                   "User-agent: FooBot\nUser-agent: BarBot\nDisallow: /\n"));
  EXPECT_FALSE(difference.same());
  EXPECT_EQ(difference.robots_asked, 3U);
  EXPECT_GT(difference.paths_asked, 3U);
  EXPECT_EQ(difference.limits, std::vector<std::string>());
  ASSERT_EQ(difference.robots.size(), 1U);
  const RobotChange& robot = difference.robots.front();
  EXPECT_TRUE(robot.others);
  EXPECT_EQ(robot.agents, std::vector<std::string>());
  EXPECT_EQ(robot.delay_before, std::nullopt);
  EXPECT_EQ(robot.delay_after, Milliseconds(2000));
  ASSERT_EQ(robot.changes.size(), 2U);
  EXPECT_EQ(robot.changes[0], (PathChange{"/newzzz",
                                          {Access::allowed, Why::no_rule, 0, ""},
                                          {Access::disallowed, Why::rule, 4, "Disallow: /new"}}));
  EXPECT_EQ(robot.changes[1], (PathChange{"/oldzzz",
                                          {Access::disallowed, Why::rule, 2, "Disallow: /old"},
                                          {Access::allowed, Why::rule, 2, "Allow: /"}}));
}

TEST(Compare, OrderCommentsSpellingAndRepeatedGroupsMakeNoDifference) {
  const Difference difference =
      compare(file("User-agent: FooBot\nDisallow: /a\nDisallow: /b\n"),
              file("# new\nuser-agent: foobot\ndisallow: /b\n\nUSER-AGENT: FooBot\nDisallow: /a # why\n"));
  EXPECT_TRUE(difference.same());
}

TEST(Compare, SitemapsAreComparedByUrl) {
  const RobotsTxt before = file("Sitemap: https://a.example/1\nSitemap: https://a.example/2\n");
  const RobotsTxt after = file("Sitemap: https://a.example/2\nSitemap: https://a.example/3\n");
  const Difference difference = compare(before, after);
  EXPECT_FALSE(difference.same());
  ASSERT_EQ(difference.added_sitemaps.size(), 1U);
  EXPECT_EQ(difference.added_sitemaps[0].url, "https://a.example/3");
  EXPECT_EQ(difference.added_sitemaps[0].line, 2U);
  ASSERT_EQ(difference.removed_sitemaps.size(), 1U);
  EXPECT_EQ(difference.removed_sitemaps[0].url, "https://a.example/1");
}

TEST(Compare, TheDifferenceKeepsTheFilesOfItsViews) {
  std::optional<RobotsTxt> before = file("Sitemap: https://a.example/1\n");
  std::optional<RobotsTxt> after = file("Sitemap: https://a.example/3\n");
  const Difference difference = compare(*before, *after);
  before.reset();
  after.reset();
  ASSERT_EQ(difference.files.size(), 2U);
  EXPECT_EQ(difference.added_sitemaps[0].value, "https://a.example/3");
  EXPECT_EQ(difference.removed_sitemaps[0].value, "https://a.example/1");
}

TEST(Compare, AGivenRobotIsAskedForByItsName) {
  const RobotsTxt before = file("User-agent: *\nDisallow: /x\n");
  const RobotsTxt after = file("User-agent: *\nDisallow: /y\n");
  const Difference difference = compare(before, after, {"FooBot"});
  EXPECT_EQ(difference.robots_asked, 2U);
  ASSERT_EQ(difference.robots.size(), 1U);
  EXPECT_TRUE(difference.robots[0].others);
  EXPECT_EQ(difference.robots[0].agents, std::vector<std::string>{"FooBot"});
}

TEST(Compare, MergedJoinsRobotsWhoseRulesAreOnDifferentLines) {
  const Difference difference = compare(file("User-agent: FooBot\nDisallow: /x\n\nUser-agent: BarBot\nDisallow: /x\n"),
                                        file("User-agent: Other\nDisallow: /\n"));
  ASSERT_EQ(difference.robots.size(), 3U);  // Other, FooBot, BarBot
  for (const RobotChange& robot : difference.robots) EXPECT_FALSE(robot.lines_vary);
  const std::vector<RobotChange> joined = merged(difference.robots);
  ASSERT_EQ(joined.size(), 2U);
  const auto both =
      std::find_if(joined.begin(), joined.end(), [](const auto& robot) { return robot.agents.size() == 2; });
  ASSERT_NE(both, joined.end());
  EXPECT_EQ(both->agents, (std::vector<std::string>{"FooBot", "BarBot"}));
  EXPECT_TRUE(both->lines_vary);
  EXPECT_EQ(both->changes.at(0).before.line, 2U);
}

TEST(Compare, ALimitIsReported) {
  std::string many;
  for (int i = 0; i < 2001; ++i) {
    many += "User-agent: bot-" + std::string(1, static_cast<char>('a' + i % 26)) +
            std::string(1, static_cast<char>('a' + i / 26 % 26)) + std::string(1, static_cast<char>('a' + i / 676)) +
            "\n";
  }
  const Difference difference = compare(file(many + "Disallow: /a\n"), file(many + "Disallow: /b\n"));
  EXPECT_EQ(difference.robots_asked, 2001U);
  EXPECT_EQ(difference.limits,
            std::vector<std::string>{"the files name 2001 robots; the first 2000 of them were compared"});
}

}  // namespace
}  // namespace robotrules::testing
