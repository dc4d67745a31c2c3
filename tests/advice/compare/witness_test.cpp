// Example paths of patterns: their form, the letters in them, and paths that two patterns match.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "advice/compare/witness.hpp"

namespace robotrules::testing {
namespace {

using advice::Filler;

std::vector<std::string> examples(std::string_view pattern) {
  std::vector<std::string> paths;
  advice::append_examples(paths, pattern, Filler({pattern}));
  return paths;
}

TEST(Witness, TheFirstExampleIsTheTypicalPath) {
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
  for (const auto& each : cases) EXPECT_EQ(advice::example_of(each.pattern, Filler({each.pattern})), each.path);
}

TEST(Witness, EveryDialectHasExamples) {
  const auto has = [](const std::vector<std::string>& paths, const std::string& path) {
    return std::find(paths.begin(), paths.end(), path) != paths.end();
  };
  EXPECT_TRUE(has(examples("/a*b$"), "/ab")) << "a star may match nothing";
  EXPECT_TRUE(has(examples("/a*b$"), "/a*b$")) << "for dialects without wildcards";
  EXPECT_TRUE(has(examples("/a$"), "/a?zzz")) << "for dialects in which $ also matches before ?";
  EXPECT_TRUE(has(examples("/d/index.html"), "/d/"));
  EXPECT_TRUE(has(examples("/%7euser%2f"), "/~user%2F")) << "normalised escapes";
  EXPECT_TRUE(has(examples("/%7euser%2f"), "/%7Euser%2F")) << "escapes as Google compares them";
  EXPECT_TRUE(has(examples("/\xC3\xBC"), "/%C3%BC"));
  for (const char* pattern : {"", "*", "/a*b$", "x", "/%", "/%4", "/\xFF*", "$", "**$"}) {
    const auto paths = examples(pattern);
    for (const std::string& path : paths) EXPECT_EQ(path.front(), '/') << pattern;
    EXPECT_EQ(advice::example_of("//x", Filler({"//x"})), "https://example.org//xzzz");
    EXPECT_EQ(std::set<std::string>(paths.begin(), paths.end()).size(), paths.size()) << pattern;
  }
}

TEST(Witness, FillersLeadAwayFromEveryPattern) {
  // Every letter except w continues "/", and all single letters occur.
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
  const char* path;  // null: there is none
};

class Overlaps : public ::testing::TestWithParam<Pair> {};

TEST_P(Overlaps, AreFoundAndShort) {
  for (const bool swapped : {false, true}) {
    const auto found =
        swapped ? advice::overlap(GetParam().b, GetParam().a) : advice::overlap(GetParam().a, GetParam().b);
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

}  // namespace
}  // namespace robotrules::testing
