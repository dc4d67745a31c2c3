// The dialects side by side: check --dialect all, show --dialects.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <robotrules/dialect.hpp>

#include "cli/command.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using Json = nlohmann::json;

constexpr std::string_view robots =
    "User-agent: *\n"        // 1
    "Disallow: /private/\n"  // 2
    "Allow: /private/map\n"  // 3
    "Disallow: /*.pdf$\n"    // 4
    "Disallow: /%7Ejoe/\n";  // 5

class Dialects : public ::testing::Test {
 protected:
  Ran check(std::vector<std::string> words, std::string_view input = {}) {
    words.insert(words.begin(), {"check", "--robots", file_, "--dialect", "all"});
    return run(words, input);
  }
  TemporaryFolder folder_;
  std::string file_ = folder_.file("robots.txt", robots);
};

TEST_F(Dialects, StandInARowEachWithTheRuleTheyFollowedAndAMarkWhereTheyPart) {
  const Ran ran = check({"/private/map"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out,
            "differs\t/private/map\n"
            "     rfc9309         allowed     line 3  Allow: /private/map\n"
            "     google          allowed     line 3  Allow: /private/map\n"
            "  *  www-robotrules  disallowed  line 2  Disallow: /private/\n"
            "  *  robotstxt-rb    disallowed  line 2  Disallow: /private/\n"
            "  *  original-1994   disallowed  line 2  Disallow: /private/\n"
            "  *  draft-1996      disallowed  line 2  Disallow: /private/\n");
}

TEST_F(Dialects, ThatAgreeAreNotMarked) {
  const Ran ran = check({"/open"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out.find('*'), std::string::npos) << ran.out;
  const auto lines = lines_of(ran.out);
  ASSERT_EQ(lines.size(), 1 + Dialect::presets().size());
  EXPECT_EQ(lines[0], "allowed\t/open");
  EXPECT_EQ(lines[1], "     rfc9309         allowed  -  no rule matches");
  EXPECT_EQ(lines_of(check({"/private/x"}).out)[0], "disallowed\t/private/x");
}

TEST_F(Dialects, ExitStatusIs0OnlyWhereEveryDialectAllowsEveryUrl) {
  EXPECT_EQ(check({"/open", "https://example.org/"}).status, 0);
  EXPECT_EQ(check({"/open", "/private/map"}).status, 1) << "some dialects refuse the second";
  EXPECT_EQ(check({"/private/map", "/open"}).status, 1);
  EXPECT_EQ(check({"/private/x"}).status, 1);
  EXPECT_EQ(check({"-"}, "/open\n/a\n").status, 0);
  EXPECT_EQ(check({"mailto:a@b"}).status, 2) << "not every dialect has an answer";
  EXPECT_EQ(run({"check", "--dialect", "all", "--robots", folder_.path() + "/none", "/"}).status, 2);
}

TEST_F(Dialects, ExplainSaysTheReasonOfEach) {
  const auto lines = lines_of(check({"--explain", "/private/map"}).out);
  ASSERT_EQ(lines.size(), 1 + 2 * Dialect::presets().size());
  EXPECT_EQ(lines[2].rfind("       allowed by \"Allow: /private/map\" in line 3", 0), 0u) << lines[2];
  EXPECT_NE(lines[2].find("it beat"), std::string::npos);
  EXPECT_NE(lines[6].find("[rule]"), std::string::npos) << lines[6];
}

TEST_F(Dialects, JsonHasTheUsualMembersOfTheDefaultDialectAndThoseOfEach) {
  const Ran ran = check({"--json", "--agent", "FooBot", "/private/map", "/open"});
  EXPECT_EQ(ran.status, 1);
  const auto lines = lines_of(ran.out);
  ASSERT_EQ(lines.size(), 2u);
  const Json first = Json::parse(lines[0]);
  EXPECT_EQ(first["url"], "/private/map");
  EXPECT_EQ(first["agent"], "FooBot");
  EXPECT_EQ(first["dialect"], "rfc9309");
  EXPECT_EQ(first["access"], "allowed");
  EXPECT_EQ(first["line"], 3);
  EXPECT_EQ(first["agree"], false);
  ASSERT_EQ(first["dialects"].size(), Dialect::presets().size());
  EXPECT_EQ(first["dialects"]["original-1994"],
            Json({{"access", "disallowed"}, {"line", 2}, {"rule", "Disallow: /private/"}, {"why", "rule"}}));
  const Json second = Json::parse(lines[1]);
  EXPECT_EQ(second["agree"], true);
  EXPECT_EQ(second["dialects"]["google"], Json({{"access", "allowed"}, {"line", 0}, {"rule", ""}, {"why", "no-rule"}}));
  const Json explained = Json::parse(check({"--json", "--explain", "/private/map"}).out);
  EXPECT_EQ(explained["dialects"]["rfc9309"]["runner_up"]["line"], 2);
  EXPECT_EQ(explained["dialects"]["draft-1996"]["group"]["agent"], "*");
}

// www-robotrules resolves rules against the robots.txt of the URL's own site.
TEST_F(Dialects, RulesThatAreUrlsAreReadForTheSiteOfEachUrl) {
  const std::string file = folder_.file("urls.txt", "User-agent: *\nDisallow: http://a.example/x\n");
  const Ran ran = run({"check", "--robots", file, "--dialect", "all", "--json", "http://a.example/x",
                       "http://b.example/x", "http://a.example/x"});
  std::vector<std::string> said;
  for (const std::string& line : lines_of(ran.out)) {
    said.push_back(Json::parse(line)["dialects"]["www-robotrules"]["access"]);
  }
  EXPECT_EQ(said, (std::vector<std::string>{"disallowed", "allowed", "disallowed"}));
}

TEST_F(Dialects, AllIsRefusedWhereItMakesNoSense) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"batch", "--dialect", "all"},
                                                {"diff", "--dialect", "all", file_, file_},
                                                {"agents", "--dialect", "all", file_}}) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find("\"all\" compares the dialects and works only with robotrules check"), std::string::npos)
        << ran.err;
  }
}

TEST_F(Dialects, OfAFileStandUnderOneAnotherForAnExampleOfEveryRule) {
  const Ran ran = run({"show", "--dialects", file_});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out, file_ +
                         ": may robotrules fetch these paths, and which line says so?\n"
                         "\n"
                         "    rfc9309  google  www-robotrules  robotstxt-rb  original-1994  draft-1996\n"
                         "  /\n"
                         "    yes      yes     yes             yes           yes            yes\n"
                         "  /private/zzz\n"
                         "    no 2     no 2    no 2            no 2          no 2           no 2\n"
                         "* /private/mapzzz\n"
                         "    yes 3    yes 3   no 2*           no 2*         no 2*          no 2*\n"
                         "* /zzz.pdf\n"
                         "    no 4     no 4    yes*            no 4          yes*           yes*\n"
                         "  /%7Ejoe/zzz\n"
                         "    no 5     no 5    no 5            no 5          no 5           no 5\n"
                         "* /~joe/zzz\n"
                         "    no 5     yes*    yes*            no 5          yes*           no 5\n"
                         "\n"
                         "the dialects differ for 3 of 6 example paths\n");
}

TEST_F(Dialects, OfAFileAreADocumentTooAndKnowTheAgent) {
  const std::string file =
      folder_.file("two.txt", "User-agent: FooBot\nDisallow: /\xFF\n\nUser-agent: *\nDisallow: /\n");
  const Ran ran = run({"show", "--dialects", "--agent", "FooBot/1.0 (+http://foo.example)", "--json", file});
  EXPECT_EQ(ran.status, 0);
  EXPECT_NE(ran.err.find("is read as the robot FooBot"), std::string::npos) << ran.err;
  const Json document = Json::parse(ran.out);
  EXPECT_EQ(document["file"], file);
  EXPECT_EQ(document["agent"], "FooBot");
  ASSERT_EQ(document["paths"].size(), 4u) << ran.out;
  EXPECT_EQ(document["paths"][0]["path"], "/");
  EXPECT_EQ(document["paths"][0]["of_line"], 0);
  EXPECT_EQ(document["paths"][0]["agree"], false) << "robotstxt-rb drops bytes that are not UTF-8: Disallow: /";
  EXPECT_EQ(document["paths"][0]["dialects"].size(), Dialect::presets().size());
  EXPECT_EQ(document["paths"][1]["of_line"], 2);
  EXPECT_TRUE(document["paths"][1].contains("path_b64"));
  EXPECT_EQ(document["paths"][2]["path"], "/%FFzzz");
  std::size_t parted = 0;
  for (const Json& path : document["paths"]) parted += path["agree"] ? 0 : 1;
  EXPECT_EQ(document["parted"], parted);
}

TEST_F(Dialects, NothingInAFileReachesTheTerminal) {
  const std::string file = folder_.file("evil.txt", "User-agent: *\nDisallow: /\x1B[31m\xE2\x80\xAE\x9B\n");
  for (const Ran& ran : {run({"show", "--dialects", file, "--agent", "a\x1B"}),
                         run({"check", "--dialect", "all", "--explain", "-r", file, "/\x1B[31m\xE2\x80\xAE"})}) {
    for (const std::string_view bytes : {"\x1B", "\xE2\x80\xAE", "\x9B"}) {
      EXPECT_EQ(ran.out.find(bytes), std::string::npos) << ran.out;
    }
  }
}

TEST_F(Dialects, OfStandardInputAndOfAnEmptyFile) {
  const Ran ran = run({"show", "--dialects", "-"}, "");
  EXPECT_EQ(ran.status, 0);
  EXPECT_NE(ran.out.find("\nthe dialects differ for 0 of 1 example path\n"), std::string::npos) << ran.out;
  const Ran page = run({"show", "--dialects", "-"}, "<!DOCTYPE html>\n<html></html>\n");
  EXPECT_NE(page.err.find("is an HTML page"), std::string::npos) << page.err;
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
