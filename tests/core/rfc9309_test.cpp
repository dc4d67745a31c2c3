// RFC 9309, clause by clause: a red test names the sentence that broke. Tests tagged _Deviation hold what the preset
// does on purpose where the letter says otherwise, or is silent.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/ask.hpp"
#include "core/check.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::string_literals;

const Dialect& rfc = Dialect::rfc9309();
Question file(std::string_view body, std::string_view agent = "FooBot") { return {rfc, body, agent}; }
Question rules(std::string_view body) { return for_everyone(rfc, body); }

// --- 2.1 and 2.2: the protocol and its grammar ---------------------------------------------------------------------

TEST(Rfc9309, S2_1_LastGroupMayHaveNoRules) {
  EXPECT_ALLOWED(file("User-agent: *\nDisallow: /\n\nUser-agent: FooBot"), "/x");
}
TEST(Rfc9309, S2_2_LineEndsAreCrLfOrEither) {
  for (const char* end : {"\r", "\n", "\r\n"}) {
    EXPECT_DISALLOWED(file("User-agent: *"s + end + "Disallow: /x" + end), "/x");
  }
}
TEST(Rfc9309, S2_2_WhiteSpaceAroundNameColonAndValue) {
  EXPECT_DISALLOWED(file(" \tUser-agent \t : \t FooBot \t \n \tDisallow \t: \t/x\t \n"), "/x");
}
TEST(Rfc9309, S2_2_CommentsEndALine) {
  EXPECT_DISALLOWED(file("# one\nUser-agent: FooBot # two\nDisallow: /x # three\n #four"), "/x");
}
TEST(Rfc9309, S2_2_RuleNamesAreCaseInsensitive) {
  EXPECT_DISALLOWED(file("USER-AGENT: FooBot\ndisALLOW: /x"), "/x");
  EXPECT_ALLOWED(file("user-agent: FooBot\nDisallow: /\naLLOW: /x"), "/x");
}
TEST(Rfc9309, S2_2_BytesBeyondAsciiAreUtf8) { EXPECT_DISALLOWED(rules("Disallow: /\xE3\x83\x84"), "/%E3%83%84"); }
TEST(Rfc9309, S2_2_MisspeltNamesAndMissingColons_Deviation) {
  EXPECT_DISALLOWED(rules("Disalow: /x"), "/x");
  EXPECT_DISALLOWED(rules("Disallow /x"), "/x");
  EXPECT_ALLOWED(rules("Disallow /x y"), "/x");
}

// --- 2.2.1: the user-agent line ------------------------------------------------------------------------------------

TEST(Rfc9309, S2_2_1_ProductTokenIsCaseInsensitive) {
  EXPECT_DISALLOWED(file("User-agent: FOOBOT\nDisallow: /", "foobot"), "/x");
  EXPECT_DISALLOWED(file("User-agent: foobot\nDisallow: /", "FooBot"), "/x");
}
TEST(Rfc9309, S2_2_1_ProductTokenIsLettersUnderscoresAndHyphens) {
  EXPECT_DISALLOWED(file("User-agent: Foo_Bot-x/2.1\nDisallow: /", "foo_bot-X"), "/x");
}
TEST(Rfc9309, S2_2_1_ProductTokenMatchesWhole) {
  EXPECT_ALLOWED(file("User-agent: Foo\nDisallow: /"), "/x");
  EXPECT_ALLOWED(file("User-agent: FooBotX\nDisallow: /"), "/x");
}
TEST(Rfc9309, S2_2_1_CaseFoldingIsAsciiOnly) {
  EXPECT_ALLOWED(file("User-agent: \xC4\xB0\nDisallow: /", "i"), "/x");
  EXPECT_ALLOWED(file("User-agent: k\nDisallow: /", "\xE2\x84\xAA"), "/x");
}
TEST(Rfc9309, S2_2_1_MatchingGroupsAreCombined) {
  const std::string body =
      "User-agent: FooBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n\nuser-agent: foobot\nDisallow: /b";
  EXPECT_DISALLOWED(file(body), "/a");
  EXPECT_DISALLOWED(file(body), "/b");
  EXPECT_ALLOWED(file(body), "/c");
}
TEST(Rfc9309, S2_2_1_DefaultGroupOnlyWithoutOwnGroup) {
  const std::string body = "User-agent: *\nDisallow: /a\n\nUser-agent: BarBot\nDisallow: /b";
  EXPECT_DISALLOWED(file(body), "/a");
  EXPECT_ALLOWED(file(body), "/b");
  EXPECT_ALLOWED(file(body, "BarBot"), "/a");
}
TEST(Rfc9309, S2_2_1_DefaultGroupsAreCombined) {
  EXPECT_DISALLOWED(
      file("User-agent: *\nDisallow: /a\n\nUser-agent: BarBot\nDisallow: /c\n\nUser-agent: *\nDisallow: /b"), "/b");
}
TEST(Rfc9309, S2_2_1_NoGroupAllowsAll) {
  EXPECT_ALLOWED(file("User-agent: BarBot\nDisallow: /"), "/x");
  EXPECT_ALLOWED(file(""), "/x");
}
TEST(Rfc9309, S2_2_1_RulesOutsideGroupsAreIgnored) { EXPECT_ALLOWED(file("Disallow: /\nUser-agent: FooBot"), "/x"); }
TEST(Rfc9309, S2_2_1_NamesWithDigits_Deviation) {
  EXPECT_DISALLOWED(file("User-agent: MJ12bot\nDisallow: /", "mj12bot"), "/x");
  EXPECT_DISALLOWED(file("User-agent: 360Spider\nDisallow: /", "360Spider"), "/x");
  EXPECT_DISALLOWED(file("User-agent: R2D2\nDisallow: /", "R2D2"), "/x");
  EXPECT_ALLOWED(file("User-agent: *\nDisallow: /\nUser-agent: R2D2\nDisallow: /z", "R2D2"), "/x");
}

// --- 2.2.2: allow and disallow lines -------------------------------------------------------------------------------

TEST(Rfc9309, S2_2_2_MatchingBeginsWithTheFirstByteOfThePath) { EXPECT_ALLOWED(rules("Disallow: /b"), "/a/b"); }
TEST(Rfc9309, S2_2_2_MatchingIsCaseSensitive) { EXPECT_ALLOWED(rules("Disallow: /Foo"), "/foo"); }
TEST(Rfc9309, S2_2_2_MostSpecificMatchWins) {
  EXPECT_DISALLOWED(rules("Allow: /example/page/\nDisallow: /example/page/disallowed.gif"),
                    "/example/page/disallowed.gif");
  EXPECT_ALLOWED(rules("Disallow: /\nAllow: /a"), "/ab");
}
TEST(Rfc9309, S2_2_2_AllowWinsBetweenEquivalentRules) {
  EXPECT_ALLOWED(rules("Disallow: /a\nAllow: /a"), "/a");
  EXPECT_ALLOWED(rules("Disallow: /%61\nAllow: /a"), "/a");
}
TEST(Rfc9309, S2_2_2_NoMatchAllows) { EXPECT_ALLOWED(rules("Disallow: /a"), "/b"); }
TEST(Rfc9309, S2_2_2_RobotsTxtIsImplicitlyAllowed) {
  for (const char* url :
       {"/robots.txt", "http://foo.bar/robots.txt", "/robots.txt?x=1", "/%72obots.txt", "/robots.txt#f"}) {
    EXPECT_ALLOWED(rules("Disallow: /"), url);
  }
  for (const char* url : {"/robots.txtx", "/a/robots.txt", "/Robots.txt", "/robots.txt/", "//robots.txt/x"}) {
    EXPECT_DISALLOWED(rules("Disallow: /"), url);
  }
}
TEST(Rfc9309, S2_2_2_EmptyPatternMatchesNothing) {
  EXPECT_ALLOWED(rules("Disallow:"), "/x");
  EXPECT_DISALLOWED(rules("Disallow:\nDisallow: /x"), "/x");
}

// The table of examples: a path in the file, percent-encoded, and what it matches.
TEST(Rfc9309, S2_2_2_TableOfEncodedPaths) {
  struct Row {
    const char* in_file;
    const char* in_url;
  };
  // The fourth row of the table encodes "://" in a query; both spellings match themselves (see the next test).
  for (const Row& row : std::vector<Row>{{"/foo/bar?baz=quz", "/foo/bar?baz=quz"},
                                         {"/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https%3a%2f%2ffoo.bar"},
                                         {"/foo/bar/\xE3\x83\x84", "/foo/bar/%E3%83%84"},
                                         {"/foo/bar/%E3%83%84", "/foo/bar/%E3%83%84"},
                                         {"/foo/bar/%e3%83%84", "/foo/bar/\xE3\x83\x84"},
                                         {"/foo/bar/%62%61%7A", "/foo/bar/baz"},
                                         {"/foo/bar/baz", "/foo/bar/%62%61%7A"}}) {
    EXPECT_DISALLOWED(rules("Disallow: "s + row.in_file), row.in_url);
  }
}
TEST(Rfc9309, S2_2_2_ReservedCharactersStayApart_Deviation) {
  // The table writes "?baz=https://foo.bar" as "?baz=https%3A%2F%2Ffoo.bar" and the text forbids to mix them.
  EXPECT_DISALLOWED(rules("Disallow: /foo/bar?baz=https://foo.bar"), "/foo/bar?baz=https://foo.bar");
  EXPECT_ALLOWED(rules("Disallow: /foo/bar?baz=https://foo.bar"), "/foo/bar?baz=https%3A%2F%2Ffoo.bar");
}
TEST(Rfc9309, S2_2_2_UnreservedCharactersAreDecoded) {
  const std::string hex = "0123456789ABCDEF";
  const std::string unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  for (unsigned c = 0; c < 256; ++c) {
    const std::string byte(1, static_cast<char>(c));
    const std::string escaped = {'%', hex[c >> 4], hex[c & 15]};
    const bool same = unreserved.find(byte) != std::string::npos;
    const bool encoded =
        c <= 0x20 || c >= 0x7F || "\"<>\\^`{|}"s.find(byte) != std::string::npos || c == '*' || c == '$';
    if (c == '#') continue;  // a fragment
    const Access expected = same || encoded ? Access::disallowed : Access::allowed;
    EXPECT_EQ(rules("Disallow: /a" + escaped + "b")("/a" + byte + "b"), expected) << c;
    EXPECT_EQ(rules("Disallow: /a" + escaped + "b")("/a" + escaped + "b"), Access::disallowed) << c;
  }
}
TEST(Rfc9309, S2_2_2_PriorityCountsBytesOfTheNormalisedPattern) {
  EXPECT_ALLOWED(rules("Disallow: /*%41%41\nAllow: /aAA"), "/aAA");             // 4 and 4: decoded escapes count once
  EXPECT_DISALLOWED(rules("Disallow: /\xC3\xBC\nAllow: /*****"), "/\xC3\xBC");  // 7 and 6
}

// --- 2.2.3: special characters -------------------------------------------------------------------------------------

TEST(Rfc9309, S2_2_3_HashStartsAComment) { EXPECT_DISALLOWED(rules("Disallow: /a#b"), "/a"); }
TEST(Rfc9309, S2_2_3_DollarEndsThePattern) {
  EXPECT_DISALLOWED(rules("Disallow: /this/path/exactly$"), "/this/path/exactly");
  EXPECT_ALLOWED(rules("Disallow: /this/path/exactly$"), "/this/path/exactly/not");
}
TEST(Rfc9309, S2_2_3_StarMatchesAnyBytes) {
  for (const char* url : {"/this//exactly", "/this/a/b/exactly", "/this/x?y/exactly"}) {
    EXPECT_DISALLOWED(rules("Disallow: /this/*/exactly"), url);
  }
  EXPECT_ALLOWED(rules("Disallow: /this/*/exactly"), "/this/exactly");
}
TEST(Rfc9309, S2_2_3_SpecialCharactersAreWrittenEscaped) {
  const Question star = rules("Disallow: /path/file-with-a-%2A.html");
  EXPECT_DISALLOWED(star, "/path/file-with-a-*.html");
  EXPECT_DISALLOWED(star, "/path/file-with-a-%2a.html");
  EXPECT_ALLOWED(star, "/path/file-with-a-b.html");
  const Question dollar = rules("Disallow: /path/foo-%24");
  EXPECT_DISALLOWED(dollar, "/path/foo-$");
  EXPECT_DISALLOWED(dollar, "/path/foo-%24x");
  EXPECT_ALLOWED(dollar, "/path/foo-");
}

// --- 2.2.4: other records ------------------------------------------------------------------------------------------

TEST(Rfc9309, S2_2_4_OtherRecordsDoNotInterfere) {
  EXPECT_DISALLOWED(file("User-agent: FooBot\nSitemap: https://foo.bar/s.xml\nUser-agent: BarBot\nDisallow: /"), "/x");
  EXPECT_ALLOWED(file("User-agent: FooBot\nDisallow: /z\nSitemap: https://foo.bar/s.xml\nUser-agent: *\nDisallow: /"),
                 "/x");
}

// --- 2.3.1.5 and 2.5: errors and limits ----------------------------------------------------------------------------

TEST(Rfc9309, S2_3_1_5_ParseableLinesAreUsedOthersIgnored) {
  const Question q =
      file("\x01\x02\nUser-agent FooBot extra\nUser-agent: FooBot\n\xFF\xFE\xFD\nDisallow: /x\nDisallow\n\0\0\n"s);
  EXPECT_DISALLOWED(q, "/x");
  EXPECT_ALLOWED(q, "/y");
}
TEST(Rfc9309, S2_5_AtLeast500KibibytesAreParsed) {
  std::string body = "User-agent: *\n";
  const std::string last = "Disallow: /last\n";
  body += "#" + std::string(512'000 - body.size() - last.size() - 2, 'x') + "\n" + last;
  ASSERT_EQ(body.size(), 512'000U);
  EXPECT_EQ(check(Rules::compile(body, "FooBot", rfc), "/last").access(), Access::disallowed);
}

// --- 5: the examples -----------------------------------------------------------------------------------------------

constexpr std::string_view simple_example =
    "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n"
    "User-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n"
    "User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\nUser-Agent: quxbot\n\nEOF\n";

TEST(Rfc9309, S5_1_SimpleExampleForAnyRobot) {
  const Question q = file(simple_example, "otherbot");
  EXPECT_DISALLOWED(q, "/a.gif");
  EXPECT_ALLOWED(q, "/a.gif?x");
  EXPECT_DISALLOWED(q, "/example/page.html");
  EXPECT_ALLOWED(q, "/publications/x");
  EXPECT_ALLOWED(q, "/publications/x.gif");
}
TEST(Rfc9309, S5_1_SimpleExampleForFoobot) {
  const Question q = file(simple_example, "foobot");
  EXPECT_ALLOWED(q, "/example/page.html");
  EXPECT_ALLOWED(q, "/example/allowed.gif");
  EXPECT_DISALLOWED(q, "/publications/x");
}
TEST(Rfc9309, S5_1_SimpleExampleForBarbotAndBazbot) {
  for (const char* agent : {"barbot", "bazbot"}) {
    EXPECT_DISALLOWED(file(simple_example, agent), "/example/page.html");
    EXPECT_ALLOWED(file(simple_example, agent), "/a.gif");
  }
}
TEST(Rfc9309, S5_1_SimpleExampleForQuxbot) { EXPECT_ALLOWED(file(simple_example, "quxbot"), "/a.gif"); }
TEST(Rfc9309, S5_2_LongestMatch) {
  const Question q =
      file("User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n", "foobot");
  EXPECT_DISALLOWED(q, "https://foo.bar/example/page/disallowed.gif");
  EXPECT_ALLOWED(q, "https://foo.bar/example/page/allowed.gif");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
