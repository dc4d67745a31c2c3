// robotrules batch: one line in, one line out.
#include <sys/stat.h>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using Json = nlohmann::json;

constexpr std::string_view example_org =
    "User-agent: *\n"
    "Disallow: /private/\n"
    "\n"
    "User-agent: FooBot\n"
    "Disallow: /foo\n";

class Batch : public ::testing::Test {
 protected:
  Batch() {
    folder_.file("example.org", example_org);
    folder_.file("empty.example", "");
  }
  Ran batch(std::string_view input, std::vector<std::string> words = {}) {
    words.insert(words.begin(), {"batch", "--robots-dir", folder_.path()});
    return run(words, input);
  }
  TemporaryFolder folder_;
};

struct Case {
  const char* name;
  std::string line;    // input
  std::string answer;  // output, to the byte
};

class BatchAnswers : public Batch, public ::testing::WithParamInterface<Case> {};

TEST_P(BatchAnswers, ToTheByte) {
  const Ran ran = batch(GetParam().line + "\n");
  EXPECT_EQ(ran.out, GetParam().answer + "\n");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
}

const std::string dis2 = R"(,"access":"disallowed","line":2,"rule":"Disallow: /private/"})";
const std::string dis5 = R"(,"access":"disallowed","line":5,"rule":"Disallow: /foo"})";
const std::string yes = R"(,"access":"allowed","line":0,"rule":""})";
const std::string unknown = R"(,"access":"unknown","line":0,"rule":""})";

INSTANTIATE_TEST_SUITE_P(
    Table, BatchAnswers,
    ::testing::Values(
        Case{"host_of_the_url", R"({"url":"https://Example.ORG./private/x"})",
             R"({"url":"https://Example.ORG./private/x")" + dis2},
        Case{"host", R"({"host":"example.org","url":"/private/x"})",
             R"({"host":"example.org","url":"/private/x")" + dis2},
        Case{"agent", R"({"url":"https://example.org/foo","agent":"foobot"})",
             R"({"url":"https://example.org/foo","agent":"foobot")" + dis5},
        Case{"version", R"({"url":"/a","robots":"User-agent: FooBot/1.0\nDisallow: /","agent":"FooBot/1.0"})",
             R"({"url":"/a","robots":"User-agent: FooBot/1.0\nDisallow: /","agent":"FooBot/1.0","robot":"FooBot",)"
             R"("access":"disallowed","line":2,"rule":"Disallow: /"})"},
        Case{
            "whole_header_of_robotstxt_rb",
            R"({"url":"/a","robots":"User-agent: FooBot/1.0\nDisallow: /","agent":"FooBot/1.0","dialect":"robotstxt-rb"})",
            R"({"url":"/a","robots":"User-agent: FooBot/1.0\nDisallow: /","agent":"FooBot/1.0","dialect":"robotstxt-rb",)"
            R"("access":"disallowed","line":2,"rule":"Disallow: /"})"},
        Case{"empty_file", R"({"url":"https://empty.example/x"})", R"({"url":"https://empty.example/x")" + yes},
        Case{"missing_file", R"({"url":"https://nowhere.example/x"})",
             R"({"url":"https://nowhere.example/x")" + unknown},
        Case{"long_host_is_missing", R"({"url":"/x","host":")" + std::string(300, 'a') + R"("})",
             R"({"url":"/x","host":")" + std::string(300, 'a') + '"' + unknown},
        Case{
            "inline_text", R"({"url":"/a","robots":"User-agent: *\nDisallow: /a"})",
            R"({"url":"/a","robots":"User-agent: *\nDisallow: /a","access":"disallowed","line":2,"rule":"Disallow: /a"})"},
        Case{"inline_goes_before_host", R"({"url":"https://example.org/private/","robots":"","host":"example.org"})",
             R"({"url":"https://example.org/private/","robots":"","host":"example.org")" + yes},
        Case{"base64", R"({"url":"/a","robots_b64":"VXNlci1hZ2VudDogKgpEaXNhbGxvdzogL2E="})",
             R"({"url":"/a","robots_b64":"VXNlci1hZ2VudDogKgpEaXNhbGxvdzogL2E=",)"
             R"("access":"disallowed","line":2,"rule":"Disallow: /a"})"},
        Case{"base64_without_padding", R"({"url":"/a","robots_b64":"VXNlci1hZ2VudDogKgpEaXNhbGxvdzogL2E"})",
             R"({"url":"/a","robots_b64":"VXNlci1hZ2VudDogKgpEaXNhbGxvdzogL2E",)"
             R"("access":"disallowed","line":2,"rule":"Disallow: /a"})"},
        Case{"rule_not_utf8", R"({"url":"/%FC","robots_b64":"VXNlci1hZ2VudDogKgpEaXNhbGxvdzogL/w="})",
             R"({"url":"/%FC","robots_b64":"VXNlci1hZ2VudDogKgpEaXNhbGxvdzogL/w=",)"
             "\"access\":\"disallowed\",\"line\":2,\"rule\":\"Disallow: "
             "/\xEF\xBF\xBD\",\"rule_b64\":\"RGlzYWxsb3c6IC/8\"}"},
        Case{"rule_with_quote", R"({"url":"/\"q","robots":"User-agent: *\nDisallow: /\"q"})",
             R"({"url":"/\"q","robots":"User-agent: *\nDisallow: /\"q",)"
             R"("access":"disallowed","line":2,"rule":"Disallow: /\"q"})"},
        Case{"dialect", R"({"url":"/%70","dialect":"google","robots":"User-agent: *\nDisallow: /p"})",
             R"({"url":"/%70","dialect":"google","robots":"User-agent: *\nDisallow: /p")" + yes},
        Case{"text_and_order_are_kept",
             "  { \"z\" : 12345678901234567890123456789.50e+99 ,\t\"url\":\"https:\\/\\/example.org/\\u0066oo\", "
             "\"\\u0061\":[ 1 ,{\"b\":null}, \"\\ud800\" ],\"a\":true } \r",
             "{ \"z\" : 12345678901234567890123456789.50e+99 ,\t\"url\":\"https:\\/\\/example.org/\\u0066oo\", "
             "\"\\u0061\":[ 1 ,{\"b\":null}, \"\\ud800\" ],\"a\":true" +
                 yes},
        Case{"old_answers_are_replaced",
             R"({"line": 7, "url":"/x" , "access":"x","k":1,"rule":[{}], "robots":"" ,"rule_b64":"x"})",
             R"({"url":"/x","k":1,"robots":"")" + yes},
        Case{"escaped_names", R"({"\u0075rl":"/private/x","h\u006Fst":"example.org","lin\u0065":3})",
             R"({"\u0075rl":"/private/x","h\u006Fst":"example.org")" + dis2},
        Case{"null_is_absent", R"({"url":"https://example.org/private/","agent":null,"robots":null,"host":null})",
             R"({"url":"https://example.org/private/","agent":null,"robots":null,"host":null)" + dis2},
        Case{"the_last_of_two_counts", R"({"url":"/x","url":"https://example.org/private/"})",
             R"({"url":"/x","url":"https://example.org/private/")" + dis2},
        Case{"byte_order_mark", "\xEF\xBB\xBF{\"url\":\"https://example.org/private/\"}",
             R"({"url":"https://example.org/private/")" + dis2}),
    [](const auto& info) { return info.param.name; });

struct Bad {
  const char* name;
  std::string line;
  std::string said;  // part of the sentence
};

class BatchRefuses : public Batch, public ::testing::WithParamInterface<Bad> {};

TEST_P(BatchRefuses, InPlaceAndGoesOn) {
  const std::string good = R"({"url":"https://example.org/x"})";
  const Ran ran = batch(good + "\n" + GetParam().line + "\n" + good + "\n");
  EXPECT_EQ(ran.status, 2);
  const auto lines = lines_of(ran.out);
  ASSERT_EQ(lines.size(), 3u) << ran.out;
  EXPECT_EQ(Json::parse(lines[0])["access"], "allowed");
  const Json error = Json::parse(lines[1]);
  EXPECT_EQ(error.size(), 2u);
  EXPECT_EQ(error["input_line"], 2);
  EXPECT_NE(error["error"].get<std::string>().find(GetParam().said), std::string::npos) << lines[1];
  EXPECT_EQ(lines[2], lines[0]);
  EXPECT_NE(ran.err.find("1 of 3 lines were not answered"), std::string::npos) << ran.err;
}

INSTANTIATE_TEST_SUITE_P(
    Table, BatchRefuses,
    ::testing::Values(
        Bad{"empty", "", "the line is empty"}, Bad{"blank", " \t\r", "the line is empty"},
        Bad{"no_json", "hello", "not a JSON object"}, Bad{"array", "[1]", "not a JSON object"},
        Bad{"unclosed", R"({"url":"/x")", "not a JSON object"},
        Bad{"unclosed_string", R"({"url":"/x)", "not a JSON object"},
        Bad{"two_objects", R"({"url":"/x"}{"url":"/y"})", "text follows the object"},
        Bad{"trailing_brace", R"({"url":"/x"}})", "not a JSON object"},
        Bad{"trailing_comma", R"({"url":"/x",})", "not a JSON object"},
        Bad{"missing_comma", R"({"url":"/x" "a":1})", "not a JSON object"},
        Bad{"two_colons", R"({"a":"b":1,"url":"/x"})", "not a JSON object"},
        Bad{"bad_number", R"({"url":"/x","a":01})", "member \"a\""},
        Bad{"bare_minus", R"({"url":"/x","a":-})", "\"a\""}, Bad{"bad_exponent", R"({"url":"/x","a":1e})", "\"a\""},
        Bad{"nan", R"({"url":"/x","a":NaN})", ""}, Bad{"bad_literal", R"({"url":"/x","a":truer})", "\"a\""},
        Bad{"bad_null", R"({"url":"/x","a":nul})", "\"a\""}, Bad{"bad_escape", R"({"url":"/x","a":"\q"})", "\"a\""},
        Bad{"short_escape", R"({"url":"/x","a":"\u12"})", "\"a\""},
        Bad{"raw_control", "{\"url\":\"/x\",\"a\":\"\x01\"}", "not a JSON object"},
        Bad{"nested_bad", R"({"url":"/x","a":{"b":[1,{"c":tru}]}})", "\"a\""},
        Bad{"nested_comma", R"({"url":"/x","a":[1,]})", "\"a\""}, Bad{"mismatched", R"({"url":"/x","a":[1}])", ""},
        Bad{"too_deep", R"({"url":"/x","a":)" + std::string(300, '[') + std::string(300, ']') + "}", "\"a\""},
        Bad{"not_utf8", "{\"url\":\"/\xFF\"}", "not UTF-8"},
        Bad{"lone_surrogate_in_url", R"({"url":"/\ud800"})", "member \"url\" contains an invalid escape"},
        Bad{"no_url", R"({"agent":"x"})", "\"url\" is missing"}, Bad{"no_members", "{}", "\"url\" is missing"},
        Bad{"url_null", R"({"url":null})", "\"url\" is missing"},
        Bad{"url_number", R"({"url":5})", "member \"url\" must be a string"},
        Bad{"robots_array", R"({"url":"/x","robots":["a"]})", "member \"robots\" must be a string"},
        Bad{"both_files", R"({"url":"/x","robots":"","robots_b64":""})", "give one of them"},
        Bad{"bad_base64", R"({"url":"/x","robots_b64":"a*=="})", "is not base64"},
        Bad{"short_base64", R"({"url":"/x","robots_b64":"A"})", "is not base64"},
        Bad{"dialect", R"({"url":"/x","dialect":"Google9309"})",
            "unknown dialect \"Google9309\"; use one of rfc9309, google"},
        Bad{"no_origin", R"({"url":"/x"})", "has no http or https origin"},
        Bad{"traversal", R"({"url":"/x","host":"../etc/passwd"})", "cannot be the name of a file under --robots-dir"},
        Bad{"dots", R"({"url":"/x","host":".."})", "\"..\""},
        Bad{"dots_inside", R"({"url":"/x","host":"a..b"})", "\"..\""},
        Bad{"dot", R"({"url":"/x","host":"."})", "\".\""}, Bad{"slash", R"({"url":"/x","host":"/etc"})", "\"/\""},
        Bad{"nul", R"({"url":"/x","host":"a\u0000b"})", "NUL"},
        Bad{"empty_host", R"({"url":"/x","host":""})", "empty host"},
        Bad{"dots_in_url", R"({"url":"https://a..b/x"})", "\"..\""}),
    [](const auto& info) { return info.param.name; });

TEST_F(Batch, OptionsAreTheDefaultsForTheirMembers) {
  EXPECT_EQ(Json::parse(batch(R"({"url":"https://example.org/foo"})", {"--agent", "FooBot"}).out)["line"], 5);
  const std::string line = R"({"url":"/%70","robots":"User-agent: *\nDisallow: /p"})";
  EXPECT_EQ(Json::parse(batch(line, {"--dialect", "google"}).out)["access"], "allowed");
  EXPECT_EQ(Json::parse(batch(line).out)["access"], "disallowed");
}

TEST_F(Batch, InlineFilesThatDifferAreNotMixedUp) {
  const std::string a = R"({"url":"/x","agent":"A","robots":"User-agent: A\nDisallow: /x"})";
  const std::string b = R"({"url":"/x","agent":"B","robots":"User-agent: A\nDisallow: /x"})";
  const std::string c = R"({"url":"/x","agent":"A","robots":"User-agent: A\nDisallow: /y"})";
  const auto lines = lines_of(batch(a + "\n" + a + "\n" + b + "\n" + a + "\n" + c + "\n" + a).out);
  ASSERT_EQ(lines.size(), 6u);
  const char* expected[] = {"disallowed", "disallowed", "allowed", "disallowed", "allowed", "disallowed"};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(Json::parse(lines[i])["access"], expected[i]) << i;
}

TEST_F(Batch, RulesThatAreUrlsAreResolvedForEachOrigin) {
  const std::string robots = R"("dialect":"www-robotrules","robots":"User-agent: *\nDisallow: http://a.example/x"})";
  const std::string in_file = R"("dialect":"www-robotrules","host":"shared"})";
  folder_.file("shared", "User-agent: *\nDisallow: http://a.example/x\n");
  const auto lines = lines_of(
      batch(R"({"url":"http://a.example/x",)" + robots + "\n" + R"({"url":"http://b.example/x",)" + robots + "\n" +
            R"({"url":"http://a.example/x",)" + in_file + "\n" + R"({"url":"http://b.example/x",)" + in_file)
          .out);
  ASSERT_EQ(lines.size(), 4u);
  const char* expected[] = {"disallowed", "allowed", "disallowed", "allowed"};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(Json::parse(lines[i])["access"], expected[i]) << lines[i];
}

TEST_F(Batch, EmptyInputIsNoLine) {
  const Ran ran = batch("");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out, "");
}

TEST_F(Batch, AFolderOrFifoInPlaceOfAFileIsAnErrorAndDoesNotWait) {
  ASSERT_EQ(::mkfifo((folder_.path() + "/fifo.example").c_str(), 0600), 0);
  ASSERT_EQ(::mkdir((folder_.path() + "/dir.example").c_str(), 0700), 0);
  const Ran ran = batch("{\"url\":\"https://fifo.example/\"}\n{\"url\":\"https://dir.example/\"}\n");
  EXPECT_EQ(ran.status, 2);
  const auto lines = lines_of(ran.out);
  ASSERT_EQ(lines.size(), 2u);
  for (const auto& line : lines) EXPECT_NE(line.find("not a regular file"), std::string::npos) << line;
}

TEST_F(Batch, WithoutAFolderEveryQuestionBringsItsFile) {
  const Ran ran = run({"batch"}, "{\"url\":\"https://example.org/\"}\n");
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.out.find("start with --robots-dir DIR"), std::string::npos) << ran.out;
}

TEST(BatchUsage, ErrorsAreStatus2BeforeAnythingIsRead) {
  const Ran folder = run({"batch", "--robots-dir", "/nowhere"});
  EXPECT_EQ(folder.status, 2);
  EXPECT_NE(folder.err.find("/nowhere: No such file or directory"), std::string::npos) << folder.err;
  const Ran dialect = run({"batch", "--dialect", "rfc9039"});
  EXPECT_EQ(dialect.status, 2);
  EXPECT_NE(dialect.err.find("did you mean rfc9309?"), std::string::npos) << dialect.err;
  EXPECT_EQ(run({"batch", "file.ndjson"}).status, 2);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
