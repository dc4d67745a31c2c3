// robotrules check: what it prints and with which status it ends.
#include <unistd.h>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using Json = nlohmann::json;

constexpr std::string_view robots =
    "User-agent: *\n"         // 1
    "Disallow: /private/\n"   // 2
    "Allow: /private/open\n"  // 3
    "\n"                      // 4
    "User-agent: FooBot\n"    // 5
    "Disallow: /foo\n"        // 6
    "Disallow: /b\xFCg\n";    // 7, Latin-1

class Check : public ::testing::Test {
 protected:
  Ran check(std::vector<std::string> words, std::string_view input = {}) {
    words.insert(words.begin(), {"check", "--robots", file_});
    return run(words, input);
  }
  TemporaryFolder folder_;
  std::string file_ = folder_.file("robots.txt", robots);
};

TEST_F(Check, PrintsALineAUrlAndEndsWith0WhenAllAreAllowed) {
  const Ran ran = check({"https://example.org/", "/private/open/x"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out, "allowed\thttps://example.org/\nallowed\t/private/open/x\n");
  EXPECT_EQ(ran.err, "");
}

TEST_F(Check, EndsWith1WhenOneIsNotAllowed) {
  const Ran ran = check({"https://example.org/private/x", "https://example.org/"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out, "disallowed\thttps://example.org/private/x\nallowed\thttps://example.org/\n");
}

TEST_F(Check, AgentChoosesTheGroup) {
  EXPECT_EQ(check({"--agent", "FooBot", "/private/x"}).out, "allowed\t/private/x\n");
  EXPECT_EQ(check({"--agent=foobot", "/foo"}).out, "disallowed\t/foo\n");
  EXPECT_EQ(check({"-a", "BarBot", "/foo"}).out, "allowed\t/foo\n");
}

TEST_F(Check, AWholeUserAgentHeaderIsReducedAndThatIsSaid) {
  const Ran ran = check({"--agent", "Mozilla/5.0 (compatible; FooBot/1.0; +http://foo.example/bot)", "/foo"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out, "disallowed\t/foo\n");
  EXPECT_NE(ran.err.find("is read as the robot FooBot"), std::string::npos) << ran.err;
}

TEST_F(Check, ReadsUrlsFromStandardInputWhereDashStands) {
  const Ran ran = check({"/a", "-", "/z"}, "/private/1\r\n\n/private/open\n/last");
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out, "allowed\t/a\ndisallowed\t/private/1\nallowed\t/private/open\nallowed\t/last\nallowed\t/z\n");
}

TEST_F(Check, ReadsRobotsFromStandardInput) {
  const Ran ran = run({"check", "--robots", "-", "/private/x"}, robots);
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out, "disallowed\t/private/x\n");
}

TEST_F(Check, StandardInputCannotBeReadTwice) {
  const Ran ran = run({"check", "--robots", "-", "-"}, robots);
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("standard input can be read only once"), std::string::npos) << ran.err;
}

TEST_F(Check, ExplainNamesRuleGroupReasonAndRunnerUpWithTheirLines) {
  const Ran ran = check({"--explain", "/private/open"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_NE(ran.out.find(file_ + ":3: Allow: /private/open\n"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find(file_ + ":1: User-agent: *"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("[rule]"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("runner-up  " + file_ + ":2: Disallow: /private/\n"), std::string::npos) << ran.out;
}

TEST_F(Check, ExplainSaysWhenNoGroupHolds) {
  const std::string file = folder_.file("one.txt", "User-agent: FooBot\nDisallow: /\n");
  const Ran ran = run({"check", "--robots", file, "--agent", "BarBot", "--explain", "/x"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_NE(ran.out.find("none applies to BarBot"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("[no-group]"), std::string::npos) << ran.out;
}

TEST_F(Check, JsonHasTheMembersOfBatchAndWhy) {
  const Ran ran = check({"--json", "--agent", "FooBot", "https://example.org/foo", "https://example.org/bar"});
  EXPECT_EQ(ran.status, 1);
  const auto lines = lines_of(ran.out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(Json::parse(lines[0]), Json({{"url", "https://example.org/foo"},
                                         {"agent", "FooBot"},
                                         {"dialect", "rfc9309"},
                                         {"access", "disallowed"},
                                         {"line", 6},
                                         {"rule", "Disallow: /foo"},
                                         {"why", "rule"}}));
  const Json second = Json::parse(lines[1]);
  EXPECT_EQ(second["access"], "allowed");
  EXPECT_EQ(second["line"], 0);
  EXPECT_EQ(second["rule"], "");
  EXPECT_EQ(second["why"], "no-rule");
}

TEST_F(Check, JsonWithExplainHasGroupAndRunnerUp) {
  const Json object = Json::parse(check({"--json", "--explain", "/private/open"}).out);
  EXPECT_EQ(object["group"], Json({{"line", 1}, {"agent", "*"}, {"default", true}}));
  EXPECT_EQ(object["runner_up"], Json({{"access", "disallowed"}, {"line", 2}, {"rule", "Disallow: /private/"}}));
  EXPECT_FALSE(object["explanation"].get<std::string>().empty());
}

TEST_F(Check, BytesThatAreNotUtf8AreGivenInBase64) {
  const Json object = Json::parse(check({"--json", "-a", "FooBot", "--dialect", "google", "/b%FCg"}).out);
  EXPECT_EQ(object["rule"], "Disallow: /b\xEF\xBF\xBDg");
  EXPECT_EQ(object["rule_b64"], "RGlzYWxsb3c6IC9i/Gc=");
  EXPECT_EQ(Json::parse(check({"--json", "/\xFF"}).out)["url_b64"], "L/8=");
}

TEST_F(Check, ControlsInUrlsAndRulesDoNotReachTheTerminal) {
  const std::string file = folder_.file("evil.txt", "User-agent: *\nDisallow: /\x1B[31m\xE2\x80\xAE\xC2\x9B\n");
  const Ran ran = run({"check", "--robots", file, "--explain", "/\x1B[31m\xE2\x80\xAE\xC2\x9B\n\x7F"});
  EXPECT_NE(ran.out.find("disallowed\t/\\x1B[31m\\u202E\\xC2\\x9B\\x0A\\x7F\n"), std::string::npos) << ran.out;
  for (const std::string_view bytes : {"\x1B", "\x7F", "\xE2\x80\xAE", "\xC2\x9B"}) {
    EXPECT_EQ(ran.out.find(bytes), std::string::npos) << ran.out;
  }
}

TEST_F(Check, DialectChangesTheReading) {
  EXPECT_EQ(check({"--dialect", "rfc9309", "/%70rivate/x"}).out, "disallowed\t/%70rivate/x\n");
  EXPECT_EQ(check({"--dialect", "google", "/%70rivate/x"}).out, "allowed\t/%70rivate/x\n");
}

// A scheme without an answer must not turn a no into a yes; the other URLs are still answered.
TEST_F(Check, WhatIsNoUrlIsAnErrorAndNeverAllowed) {
  const Ran ran = check({"ftp://example.org/x", "/y"});
  EXPECT_EQ(ran.out, "allowed\t/y\n");
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("\"ftp://example.org/x\" is not an http or https URL"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("write https://HOST/PATH"), std::string::npos) << ran.err;
  EXPECT_EQ(check({""}).status, 2);
  EXPECT_EQ(check({"--dialect", "www-robotrules", "mailto:a@b"}).out, "allowed\tmailto:a@b\n");
}

TEST_F(Check, WordsInBracketsAndBehindDoubleDashAreUrlsToo) {
  for (const std::string word : {"[/a,/b]", "--json", "check"}) {
    EXPECT_EQ(check({"--", word}).out, "allowed\t/" + word + "\n");
  }
}

struct Refused {
  const char* name;
  std::vector<std::string> words;
  std::vector<std::string> said;
};

class CheckRefuses : public ::testing::TestWithParam<Refused> {};

TEST_P(CheckRefuses, WithStatus2AndASentence) {
  const TemporaryFolder folder;
  std::vector<std::string> words{"check"};
  for (std::string word : GetParam().words) {
    if (word == "FILE") word = folder.file("robots.txt", robots);
    if (word == "FOLDER") word = folder.path();
    words.push_back(word);
  }
  const Ran ran = run(words);
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err.rfind("robotrules check: ", 0), 0u) << ran.err;
  for (const std::string& text : GetParam().said) EXPECT_NE(ran.err.find(text), std::string::npos) << ran.err;
}

INSTANTIATE_TEST_SUITE_P(
    Table, CheckRefuses,
    ::testing::Values(
        Refused{"no_url", {"--robots", "FILE"}, {"no URL was given", "robotrules check [OPTION]... URL..."}},
        Refused{"missing_file", {"--robots", "/nowhere/robots.txt", "/x"}, {"/nowhere/robots.txt: No such file"}},
        Refused{"directory", {"--robots", "FOLDER", "/x"}, {"Is a directory"}},
        Refused{"dialect",
                {"--robots", "FILE", "--dialect", "gogle", "/x"},
                {"unknown dialect \"gogle\"", "rfc9309, google", "did you mean google?"}},
        Refused{
            "flag", {"--robots", "FILE", "--agnet", "x", "/x"}, {"unknown option --agnet", "did you mean --agent?"}},
        Refused{"no_value", {"/x", "--robots"}, {"--robots needs a value"}},
        Refused{"policy", {"--robots", "FILE", "--policy", "stict", "/x"}, {"did you mean strict?"}}),
    [](const auto& info) { return info.param.name; });

TEST(CheckStream, AnswersEachUrlBeforeTheNextOneComes) {
  const TemporaryFolder folder;
  Running process({"check", "--robots", folder.file("robots.txt", robots), "-"});
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(::write(process.in(), "/private/x\n", 11), 11);
    std::string answer;
    char c;
    while (answer.find('\n') == std::string::npos && ::read(process.out(), &c, 1) == 1) answer += c;
    EXPECT_EQ(answer, "disallowed\t/private/x\n");
  }
  process.close_in();
  Ran ran;
  process.wait(ran);
  EXPECT_EQ(ran.status, 1);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
