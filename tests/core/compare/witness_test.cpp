// Example paths of patterns, and the comparison that stands on them, held against every path of a small world.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include <robotrules/robots_txt.hpp>

#include "core/compare/audience.hpp"
#include "core/compare/compare.hpp"
#include "core/compare/examples.hpp"
#include "core/compare/witness.hpp"
#include "support/random_robots.hpp"

namespace robotrules::testing {
namespace {

using cli::Filler;

std::vector<std::string> examples(std::string_view pattern) {
  std::vector<std::string> paths;
  cli::append_examples(paths, pattern, Filler({pattern}));
  return paths;
}

TEST(Witness, TheFirstExampleShowsTheBulkOfTheRule) {
  const struct {
    const char* pattern;
    const char* path;
  } cases[] = {{"/private/", "/private/zzz"},
               {"/a$", "/a"},
               {"/*.pdf$", "/zzz.pdf"},
               {"/a*b", "/azzzbzzz"},
               {"/a**b*", "/azzzbzzzzzz"},
               {"*", "/zzzzzz"},
               {"*.php", "/zzz.phpzzz"},
               {"", "/zzz"},
               {"/", "/zzz"},
               {"tmp", "/tmpzzz"},
               {"/z/", "/z/qqq"},
               {"/%7A/", "/%7A/qqq"},  // an escape may hide the letter
               {"/a#b", "/a%23bzzz"}};
  for (const auto& each : cases) EXPECT_EQ(cli::example_of(each.pattern, Filler({each.pattern})), each.path);
}

TEST(Witness, OddReadersHaveExamplesToo) {
  const auto has = [](const std::vector<std::string>& paths, const std::string& path) {
    return std::find(paths.begin(), paths.end(), path) != paths.end();
  };
  EXPECT_TRUE(has(examples("/a*b$"), "/ab")) << "a star may be nothing";
  EXPECT_TRUE(has(examples("/a*b$"), "/a*b$")) << "where there are no wildcards";
  EXPECT_TRUE(has(examples("/a$"), "/a?zzz")) << "where $ stands before ? too";
  EXPECT_TRUE(has(examples("/d/index.html"), "/d/"));
  EXPECT_TRUE(has(examples("/%7euser%2f"), "/~user%2F")) << "the spelling of escapes";
  EXPECT_TRUE(has(examples("/%7euser%2f"), "/%7Euser%2F")) << "as Google compares them";
  EXPECT_TRUE(has(examples("/\xC3\xBC"), "/%C3%BC"));
  for (const char* pattern : {"", "*", "/a*b$", "x", "/%", "/%4", "/\xFF*", "$", "**$"}) {
    const auto paths = examples(pattern);
    for (const std::string& path : paths) EXPECT_EQ(path.front(), '/') << pattern;
    EXPECT_EQ(cli::example_of("//x", Filler({"//x"})), "https://example.org//xzzz");
    EXPECT_EQ(std::set<std::string>(paths.begin(), paths.end()).size(), paths.size()) << pattern;
  }
}

TEST(Witness, FillersLeadAwayFromEveryPattern) {
  // Every letter but w goes on from "/"; and all single letters occur.
  std::vector<std::string> patterns{"/ghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ"};
  for (const char c : std::string_view("ghijklmnopqrstuvxyzGHIJKLMNOPQRSTUVWXYZ"))
    patterns.push_back(std::string("/") + c);
  const Filler filler({patterns.begin(), patterns.end()});
  EXPECT_EQ(filler.behind("/").front(), 'w');
  for (const std::string& pattern : patterns) EXPECT_EQ(pattern.find(filler.word()), std::string::npos);
}

struct Pair {
  const char* name;
  const char* a;
  const char* b;
  const char* path;  // null: none is shared
};

class Overlaps : public ::testing::TestWithParam<Pair> {};

TEST_P(Overlaps, AreFoundAndShort) {
  for (const bool swapped : {false, true}) {
    const auto found = swapped ? cli::overlap(GetParam().b, GetParam().a) : cli::overlap(GetParam().a, GetParam().b);
    EXPECT_EQ(found.value_or("none"), GetParam().path == nullptr ? "none" : GetParam().path);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, Overlaps,
                         ::testing::Values(Pair{"prefix_and_suffix", "/tmp/", "/*.php", "/tmp/.php"},
                                           Pair{"in_the_middle", "/a*c", "/*b*c$", "/abc"},
                                           Pair{"ends", "/*.php$", "/*.html$", nullptr},
                                           Pair{"heads", "/a*", "/b*", nullptr},
                                           Pair{"end_before_the_rest", "/a$", "/a*b", nullptr},
                                           Pair{"stars_alone", "*", "/*", "/"}, Pair{"nested", "/x*y", "/x", "/xy"}),
                         [](const auto& info) { return info.param.name; });

// --- the small world ----------------------------------------------------------------------------------------------

class SmallWorld {
 public:
  explicit SmallWorld(std::uint32_t seed, std::string_view letters) : engine_(seed), letters_(letters) {
    std::vector<std::string> longest{"https://example.org/"};  // "//" alone would be followed by a host
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

// The pairs of deciding lines at which the files part, at any path of the world.
Deciders all_differences(const Rules& a, const Rules& b, const std::vector<std::string>& paths) {
  Deciders found;
  for (const std::string& path : paths) {
    const Verdict was = a.check(path);
    const Verdict is = b.check(path);
    if (was.access() != is.access()) found.emplace(was.line(), is.line());
  }
  return found;
}

// What is reported, after each of its examples is found to be true.
Deciders reported(const cli::Difference& difference, const Rules& a, const Rules& b) {
  Deciders found;
  for (const cli::RobotChange& robot : difference.robots) {
    for (const cli::Change& change : robot.changes) {
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
      const Deciders found = reported(cli::compare(file_a, file_b, {}), rules_a, rules_b);
      const Deciders wanted = all_differences(rules_a, rules_b, world.paths());
      ASSERT_TRUE(std::includes(found.begin(), found.end(), wanted.begin(), wanted.end()));
    }
  }
}

TEST(Compare, WithWildcardsReportsOnlyWhatIsTrueAndMissesNothingInASmallWorld) {
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
      const cli::Difference difference = cli::compare(file_a, file_b, {});
      const Deciders found = reported(difference, rules_a, rules_b);
      const Deciders wanted = all_differences(rules_a, rules_b, world.paths());
      missed += found.empty() && !wanted.empty() ? 1 : 0;
      ASSERT_TRUE(found.empty() == difference.same());
      ASSERT_TRUE(cli::compare(file_a, file_a, {}).same());
    }
    EXPECT_EQ(missed, 0) << dialect.name << ": of 600 pairs of files; these part and are called the same";
  }
}

// Escapes are compared in four ways; a rule that is there in one file only must be seen under each.
TEST(Compare, ARuleWithEscapesIsSeenUnderEveryDialect) {
  for (const Dialect& dialect : Dialect::presets()) {
    for (const std::string pattern :
         {"/a%2f%7e", "/%7Ejoe/", "/~joe", "/\xC3\xBC", "/%c3%bc%2A", "/100%", "/a%2", "/a b"}) {
      const auto before = RobotsTxt::parse("User-agent: *\nDisallow: /other\n", dialect);
      const auto after = RobotsTxt::parse("User-agent: *\nDisallow: /other\nDisallow: " + pattern + "\n", dialect);
      EXPECT_FALSE(cli::compare(before, after, {}).same()) << dialect.name << " " << pattern;
    }
  }
}

// --- who is spoken to ---------------------------------------------------------------------------------------------

TEST(Audience, TheGroupsOfARobotHoldTheRulesThatAreCompiledForIt) {
  test::RandomRobots random(7);
  for (int round = 0; round < 1500; ++round) {
    const std::string text = random.file(40 + random.below(400));
    for (const Dialect& dialect : Dialect::presets()) {
      const auto file = RobotsTxt::parse(text, dialect);
      const cli::GroupFinder find(file);
      for (const std::string_view agent : {"FooBot", "MJ12bot", "Foo", "somebot", "Foo Bar"}) {
        const auto rules = cli::rules_of(find, find.held_for(agent).groups);
        const Rules compiled = file.rules_for(agent);
        EXPECT_EQ(find.held_for(agent).is_default, compiled.check("/none").group().is_default) << dialect.name;
        EXPECT_EQ(rules.size(), compiled.size()) << dialect.name << " " << agent << "\n" << text;
      }
    }
    if (HasFailure()) break;
  }
}

TEST(Audience, RobotsAreNamedAsTheyWouldNameThemselves) {
  const auto file = RobotsTxt::parse(
      "User-agent: FooBot/2.1 (search)\nUser-agent: *\nUser-agent: MJ12bot\nDisallow:\nUser-agent: foobot\n"
      "User-agent: Screaming Frog SEO Spider\nUser-agent: BarBot*\nUser-agent:\nDisallow: /\n");
  EXPECT_EQ(cli::named_robots(file.groups(), Dialect::rfc9309()),
            (std::vector<std::string>{"FooBot", "MJ12bot", "Screaming", "BarBot"}));
  EXPECT_EQ(cli::named_robots(file.groups(), Dialect::google(), {"foobot"}),
            (std::vector<std::string>{"MJ", "Screaming", "BarBot"}));
  EXPECT_EQ(cli::named_robots(file.groups(), Dialect::www_robotrules())[2], "Screaming Frog SEO Spider");
}

TEST(Audience, TheUnnamedRobotHasNoGroupOfItsOwn) {
  std::string text = "User-agent: *\nDisallow: /all\n\n";
  for (char c = 'a'; c < 'z'; ++c) text += std::string("User-agent: ") + c + "\nDisallow: /" + c + "\n\n";
  for (const Dialect& dialect : Dialect::presets()) {
    const auto file = RobotsTxt::parse(text, dialect);
    const auto groups = file.groups();
    const Rules rules = file.rules_for(cli::unnamed_robot({&groups}));
    EXPECT_TRUE(rules.check("/").group().is_default) << dialect.name;
  }
}

}  // namespace
}  // namespace robotrules::testing
