// Dot segments go round no rule: "/x/%2e%2e/secret" is what a server gives for "/secret".
#include <robotrules/url.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/rules.hpp>

#include "core/engine_answer.hpp"
#include "core/rules/plain_text.hpp"
#include "oracle/oracle.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

constexpr std::string_view robots = "User-agent: *\nDisallow: /secret\nContent-Usage: /secret train-ai=n\n";

TEST(DotSegments, GoRoundNoRule) {
  const Rules rules = Rules::compile(robots, "FooBot");
  const std::string deep(300, 'x');
  for (const std::string& path :
       {std::string("/x/%2e%2e/secret.html"), std::string("/%2e/secret.html"), std::string("/x/../secret"),
        std::string("/./secret"), std::string("/x/.%2E/secret"), std::string("/%2E%2e/secret"),
        std::string("/x/y/../../secret?q"), "/" + deep + "/../secret", "/" + deep + "/%2e%2e/secret"}) {
    for (const std::string& url : {"https://a.test" + path, path, path.substr(1), "HTTPS://a.test" + path + "#f"}) {
      EXPECT_EQ(rules.check(url).access(), Access::disallowed) << url;
    }
  }
  for (const char* path : {"/secret/../x", "/secret/%2e%2e/x", "/x/%252e%252e/secret", "/x/..secret", "/x?/../secret",
                           "/x%2f../secret", "/x/...", "/x/.secret"}) {
    EXPECT_EQ(rules.check("https://a.test" + std::string(path)).access(), Access::allowed) << path;
  }
}

TEST(DotSegments, AreResolvedForTheRobotsTxtItselfAndForItsPreferences) {
  const Rules closed = Rules::compile("User-agent: *\nDisallow: /\n", "FooBot");
  EXPECT_EQ(closed.check("https://a.test/x/../robots.txt").why(), Why::robots_txt);
  EXPECT_EQ(closed.check("https://a.test/robots.txt/../x").access(), Access::disallowed);
  const Rules rules = Rules::compile(robots, "FooBot");
  EXPECT_EQ(rules.usage("https://a.test/x/%2e%2e/secret"), rules.usage("https://a.test/secret"));
}

TEST(DotSegments, StayInTheRecordedDialectsAndInPatterns) {
  for (const Dialect& dialect : Dialect::presets()) {
    const bool resolves = dialect.name == "rfc9309";
    const Rules rules = Rules::compile(robots, "FooBot", dialect, "https://a.test/robots.txt");
    EXPECT_EQ(rules.check("https://a.test/x/../secret").allowed(), !resolves) << dialect.name;
  }
  const Rules dotted = Rules::compile("User-agent: *\nDisallow: /x/../secret\n", "FooBot");
  EXPECT_TRUE(dotted.check("https://a.test/secret").allowed());
  EXPECT_TRUE(dotted.check("https://a.test/x/../secret").allowed());
}

TEST(DotSegments, AreResolvedInAUrlOfWhichNothingElseChanges) {
  const struct {
    std::string_view from;
    std::string_view to;
  } cases[] = {
      {"https://example.org/a/%2E%2e/b?c=/../d", "https://example.org/b?c=/../d"},
      {"HTTPS://U:p@Example.ORG:443/./%7e#/../x", "HTTPS://U:p@Example.ORG:443/%7e#/../x"},
      {"https://example.org", "https://example.org"},
      {"https://example.org/..", "https://example.org/"},
      {"https://example.org?a/../b", "https://example.org?a/../b"},
      {"/a/b/../../../c", "/c"},
      {"/a//../b", "/a/b"},
      {"/a/b/..", "/a/"},
      {"/a/b/.", "/a/b/"},
      {"/..//x", "//x"},
      {"", ""},
  };
  for (const auto& [from, to] : cases) EXPECT_EQ(resolve_dot_segments(from), to) << from;
}

// Every path of up to seven pieces, through the engine and the naive matcher.
TEST(DotSegments, AreResolvedAsTheOracleResolvesThem) {
  const std::vector<std::string> letters{"/", ".", "%2e", "%2E", "a", "?"};
  const Dialect& dialect = Dialect::rfc9309();
  const Rules rules = Rules::compile("User-agent: *\nDisallow: /a\nAllow: /a/$\nDisallow: /*/a?\n", "FooBot", dialect);
  const oracle::File read = oracle::read("User-agent: *\nDisallow: /a\nAllow: /a/$\nDisallow: /*/a?\n", dialect);
  std::vector<std::string> paths{"/"};
  std::size_t compared = 0;
  for (int length = 0; length < 7; ++length) {
    std::vector<std::string> longer;
    for (const std::string& path : paths) {
      const std::string url = "http://h" + path;
      const oracle::Answer wanted = oracle::ask(read, "FooBot", url, dialect);
      ASSERT_EQ(answer_of(rules.check(url)), wanted) << url;
      ASSERT_EQ(resolve_dot_segments(url), "http://h" + oracle::url_parts(url, dialect).path) << url;
      ++compared;
      for (const std::string& letter : letters) longer.push_back(path + letter);
    }
    paths = std::move(longer);
  }
  EXPECT_GT(compared, 50'000U);
}

// The quick look sees "/." wherever it stands in a block, and nothing else.
TEST(DotSegments, AreLookedForInEveryPlace) {
  for (const std::size_t size : {0U, 1U, 2U, 15U, 16U, 17U, 40U}) {
    const std::string text(size, 'a');
    for (std::size_t at = 0; at + 1 < size; ++at) {
      std::string marked = text;
      marked[at] = '/';
      EXPECT_FALSE(core::has_slash_dot((marked + std::string(32, '\0')).data(), size)) << size << ' ' << at;
      marked[at + 1] = '.';
      EXPECT_TRUE(core::has_slash_dot((marked + std::string(32, '\0')).data(), size)) << size << ' ' << at;
    }
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
