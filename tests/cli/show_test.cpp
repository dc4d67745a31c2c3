// robotrules show and robotrules lint.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using Json = nlohmann::json;

constexpr std::string_view robots =
    "Sitemap: https://example.org/map.xml\n"      // 1
    "User-agent: *\n"                             // 2
    "Disallow: /private/\n"                       // 3
    "Crawl-delay: 2.5\n"                          // 4
    "\n"                                          // 5
    "User-agent: FooBot\n"                        // 6
    "User-agent: BarBot\n"                        // 7
    "Allow: /a\n"                                 // 8
    "Request-rate: 1/10s 1800-1900\n"             // 9
    "\n"                                          // 10
    "user-agent: foobot\n"                        // 11
    "Disallow: /b # why not\n"                    // 12
    "X-Unheard: of\n"                             // 13
    "Content-Signal: search=yes, ai-train=no\n";  // 14

class Show : public ::testing::Test {
 protected:
  Ran show(std::vector<std::string> words) {
    words.insert(words.begin(), "show");
    words.push_back(file_);
    return run(words);
  }
  TemporaryFolder folder_;
  std::string file_ = folder_.file("robots.txt", robots);
};

TEST_F(Show, PrintsGroupsRulesAndSitemapsWithTheirLines) {
  const Ran ran = show({});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out, file_ +
                         ": 14 lines, 3 groups, 3 rules, 1 sitemap\n"
                         "\n"
                         "Group at line 2, for *\n"
                         "     2  User-agent: *\n"
                         "     3  Disallow: /private/\n"
                         "     4  Crawl-delay: 2.5\n"
                         "\n"
                         "Group at line 6, for FooBot, BarBot\n"
                         "     6  User-agent: FooBot\n"
                         "     7  User-agent: BarBot\n"
                         "     8  Allow: /a\n"
                         "     9  Request-rate: 1/10s 1800-1900\n"
                         "\n"
                         "Group at line 11, for foobot\n"
                         "    11  User-agent: foobot\n"
                         "    12  Disallow: /b\n"
                         "    13  X-Unheard: of\n"
                         "    14  Content-Signal: search=yes, ai-train=no\n"
                         "\n"
                         "Sitemaps\n"
                         "     1  Sitemap: https://example.org/map.xml\n");
}

TEST_F(Show, WithAgentPrintsWhatHoldsForIt) {
  const Ran ran = show({"--agent", "FooBot/2.0"});
  EXPECT_EQ(ran.status, 0);
  const std::string expected =
      "\nFor FooBot\n"
      "  groups at line 6, 11, by name\n"
      "     8  Allow: /a\n"
      "    12  Disallow: /b\n"
      "  request rate 1 request in 10 s, 1800-1900 UTC\n"
      "  content signal: search allowed ai-train disallowed\n";
  EXPECT_NE(ran.out.find(expected), std::string::npos) << ran.out;
  EXPECT_NE(show({"--agent", "OtherBot"})
                .out.find("\nFor OtherBot\n  group at line 2, for every robot that no group "
                          "names\n     3  Disallow: /private/\n  crawl delay 2.5 s\n"),
            std::string::npos);
}

TEST_F(Show, JsonIsOneDocument) {
  const Ran ran = show({"--json", "--agent", "FooBot"});
  EXPECT_EQ(ran.status, 0);
  const Json document = Json::parse(ran.out);
  EXPECT_EQ(document["file"], file_);
  EXPECT_EQ(document["lines"], 14);
  ASSERT_EQ(document["groups"].size(), 3u);
  EXPECT_EQ(document["groups"][1]["agents"],
            Json({{{"line", 6}, {"agent", "FooBot"}}, {{"line", 7}, {"agent", "BarBot"}}}));
  EXPECT_EQ(document["groups"][0]["other"],
            Json::array({{{"line", 4}, {"name", "Crawl-delay"}, {"value", "2.5"}, {"agents", {"*"}}}}));
  EXPECT_EQ(document["sitemaps"], Json::array({{{"line", 1}, {"url", "https://example.org/map.xml"}}}));
  const Json& holds = document["for"];
  EXPECT_EQ(holds["agent"], "FooBot");
  EXPECT_EQ(holds["groups"], Json({6, 11}));
  EXPECT_EQ(holds["rules"], Json({{{"line", 8}, {"access", "allowed"}, {"pattern", "/a"}},
                                  {{"line", 12}, {"access", "disallowed"}, {"pattern", "/b"}}}));
  EXPECT_EQ(holds["crawl_delay"], nullptr);
  EXPECT_EQ(holds["request_rate"]["seconds"], 10);
  EXPECT_EQ(holds["request_rate"]["during"], Json({{"from_minute", 1080}, {"to_minute", 1140}}));
  EXPECT_EQ(holds["usage"]["content_signal"]["ai_train"], "disallowed");
}

TEST_F(Show, ReadsStandardInputAndAnyBytes) {
  const Ran ran = run({"show", "--json", "-"}, std::string_view("User-agent: *\nDisallow: /\xFF\xFE\0x\n", 28));
  EXPECT_EQ(ran.status, 0);
  const Json document = Json::parse(ran.out);  // throws on what is not UTF-8
  EXPECT_EQ(document["groups"].size(), 1u);
  EXPECT_EQ(run({"show", "-"}, "").out, "-: 0 lines, 0 groups, 0 rules, 0 sitemaps\n");
}

TEST_F(Show, SaysWhatStandsBeforeTheFirstGroup) {
  const std::string file = folder_.file("orphan.txt", "Disallow: /x\nUser-agent: *\n");
  EXPECT_NE(run({"show", file}).out.find("\nBefore the first group\n     1  Disallow: /x\n"), std::string::npos);
}

TEST_F(Show, SaysForWhomASettingIsThatIsNotForTheWholeGroup) {
  const std::string file = folder_.file(
      "parted.txt", "User-agent: *\nCrawl-delay: 1\nUser-agent: A\nUser-agent: B\nCrawl-delay: 60\nDisallow: /x\n");
  const std::string out = run({"show", file, "--agent", "FooBot"}).out;
  EXPECT_NE(out.find("Group at line 1, for *, A, B\n"), std::string::npos) << out;
  EXPECT_NE(out.find("     2  Crawl-delay: 1  (for *)\n"), std::string::npos) << out;
  EXPECT_NE(out.find("     5  Crawl-delay: 60  (for A, B)\n"), std::string::npos) << out;
  EXPECT_NE(out.find("     6  Disallow: /x\n  crawl delay 1 s\n"), std::string::npos) << out;
  const Json document = Json::parse(run({"show", "--json", file}).out);
  EXPECT_EQ(document["groups"][0]["other"][1]["agents"], Json({"A", "B"}));
}

TEST_F(Show, EscapesControls) {
  const std::string file = folder_.file("evil.txt", "User-agent: \x1B]0;x\x07\nDisallow: /\xE2\x80\xAE\n");
  const Ran ran = run({"show", file, "--agent", "a\xE2\x80\xAE"});
  EXPECT_EQ(ran.out.find('\x1B'), std::string::npos);
  EXPECT_EQ(ran.out.find("\xE2\x80\xAE"), std::string::npos);
  EXPECT_NE(ran.out.find("\\x1B]0;x\\x07"), std::string::npos) << ran.out;
}

TEST(ShowRefuses, WhatIsNoFile) {
  const TemporaryFolder folder;
  const Ran missing = run({"show", folder.path() + "/none"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_NE(missing.err.find("/none: No such file or directory"), std::string::npos) << missing.err;
  EXPECT_EQ(run({"show", folder.path()}).status, 2);
  EXPECT_EQ(run({"show"}).status, 2);
  EXPECT_EQ(run({"show", "a", "b"}).status, 2);
}

// --- lint ---------------------------------------------------------------------------------------------------------

TEST(Lint, FindingsHavePlaceSeverityCodeAndRemedy) {
  const TemporaryFolder folder;
  const std::string file = folder.file("bad.txt", "User-agent: *\nDisallow /x\nFrobnicate: 1\n");
  const Ran ran = run({"lint", file});
  const auto lines = lines_of(ran.out);
  ASSERT_GE(lines.size(), 2u) << ran.out;
  bool missing_colon = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].rfind(file + ":2:", 0) != 0 || lines[i].find("[missing-colon]") == std::string::npos) continue;
    missing_colon = true;
    ASSERT_LT(i + 1, lines.size());
    EXPECT_EQ(lines[i + 1].rfind("    ", 0), 0u) << "the remedy is indented: " << lines[i + 1];
  }
  EXPECT_TRUE(missing_colon) << ran.out;
  EXPECT_NE(ran.err.find("1 file: "), std::string::npos) << ran.err;
}

TEST(Lint, EndsWith1ForAnErrorAndWith0ForLess) {
  const TemporaryFolder folder;
  const std::string good = folder.file("good.txt", "User-agent: *\nDisallow: /x\n");
  const Ran clean = run({"lint", good});
  EXPECT_EQ(clean.status, 0);
  EXPECT_EQ(clean.out, "");
  EXPECT_EQ(clean.err, "robotrules lint: 1 file: 0 errors, 0 warnings, 0 notes\n");

  const std::string page = folder.file("page.txt", "<!DOCTYPE html>\n<html><head><title>x</title></head></html>\n");
  const Ran html = run({"lint", good, page});
  EXPECT_EQ(html.status, 1) << html.out;
  EXPECT_NE(html.out.find(page + ":"), std::string::npos);
  EXPECT_EQ(html.out.find(good + ":"), std::string::npos);
}

TEST(Lint, JsonIsAnObjectAFinding) {
  const Ran ran = run({"lint", "--json", "-"}, "User-agent: *\nDisallow /x\n");
  const auto lines = lines_of(ran.out);
  ASSERT_FALSE(lines.empty());
  for (const std::string& line : lines) {
    const Json finding = Json::parse(line);
    EXPECT_EQ(finding["file"], "-");
    for (const char* member : {"line", "column", "severity", "code", "message", "remedy"}) {
      EXPECT_TRUE(finding.contains(member)) << line;
    }
  }
}

TEST(Lint, AnInputErrorIsStatus2AndTheOtherFilesAreStillRead) {
  const TemporaryFolder folder;
  const std::string page = folder.file("page.txt", "<html>\n");
  const Ran ran = run({"lint", folder.path() + "/none", page});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.out.find(page), std::string::npos);
  EXPECT_NE(ran.err.find("/none: No such file"), std::string::npos) << ran.err;
  EXPECT_EQ(run({"lint"}).status, 2);
  EXPECT_EQ(run({"lint", "https://example.org/robots.txt"}).status, 2);
  EXPECT_EQ(run({"lint", "-", "-"}, "").status, 2);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
