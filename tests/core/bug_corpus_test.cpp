// Bugs that were found in other robots.txt parsers, each as a test that it does not happen here. The comment before
// each names the parser, its report where it has one, and what went wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include <robotrules/core.hpp>

#include "core/check.hpp"

namespace robotrules {
namespace {

using namespace std::string_literals;

const Dialect& rfc = Dialect::rfc9309();
const Dialect& google = Dialect::google();

Access ask(std::string_view robots, std::string_view url, std::string_view agent = "FooBot",
           const Dialect& dialect = rfc) {
  return test::check(Rules::compile(robots, agent, dialect), url).access();
}

testing::AssertionResult allowed(std::string_view robots, std::string_view url, std::string_view agent = "FooBot") {
  for (const Dialect* dialect : {&rfc, &google}) {
    if (ask(robots, url, agent, *dialect) != Access::allowed) {
      return testing::AssertionFailure() << url << " is not allowed under " << dialect->name;
    }
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult disallowed(std::string_view robots, std::string_view url, std::string_view agent = "FooBot") {
  for (const Dialect* dialect : {&rfc, &google}) {
    if (ask(robots, url, agent, *dialect) != Access::disallowed) {
      return testing::AssertionFailure() << url << " is not disallowed under " << dialect->name;
    }
  }
  return testing::AssertionSuccess();
}

// --- crashes, exceptions and lost files -----------------------------------------------------------------------------

// robotspy #212, #215: every repetition of an agent doubled the memory held.
TEST(BugCorpus, RobotspyRepeatedAgentsDoubleNothing) {
  const auto file_of = [](int times) {
    std::string robots;
    for (int i = 0; i < times; ++i) robots += "User-agent: FooBot\n";
    for (int i = 0; i < times; ++i) robots += "User-agent: FooBot\nDisallow: /a" + std::to_string(i) + "\n";
    return robots;
  };
  const std::string robots = file_of(2'000);
  EXPECT_TRUE(disallowed(robots, "/a1999"));
  EXPECT_TRUE(allowed(robots, "/b"));
  const auto memory = [&](int times) { return Rules::compile(file_of(times), "FooBot").memory_bytes(); };
  EXPECT_LE(memory(2'000), 3 * memory(1'000));
}

// crw #542: lower-casing by Unicode changes how many bytes a name has (U+0130 grows, U+212A shrinks), and slices run
// off.
TEST(BugCorpus, CrwLowerCasingChangesNoLength) {
  for (const std::string& odd : {"\xC4\xB0"s, "\xE2\x84\xAA"s, "\xC8\xBA"s, "\xE1\xBA\x9E"s}) {
    std::string run;
    for (int i = 0; i < 40; ++i) run += odd;
    const std::string robots = "User-agent: " + run + "\nAllow: /\nUser-agent: *\nDisallow: /" + run + "\n";
    EXPECT_EQ(ask(robots, "/" + run + "/x"), Access::disallowed);
    EXPECT_EQ(ask(robots, "/" + run + "/x", "FooBot", google), Access::allowed);  // it encodes the rule, never the URL
    EXPECT_TRUE(disallowed("User-agent: *\nD" + run + "sallow: /\nDisallow: /x\n", "/x"));
    EXPECT_TRUE(allowed("User-agent: *\nD" + run + "sallow: /\nDisallow: /x\n", "/y", run));
    EXPECT_EQ(RobotsTxt::parse(run + ":" + run + "\n" + run).line_count(), 2u);
  }
  // And a Kelvin sign is not a k, a dotted capital I is not an i.
  EXPECT_TRUE(allowed("User-agent: \xE2\x84\xAALINGON\nDisallow: /\n", "/x", "klingon"));
  EXPECT_TRUE(allowed("User-agent: *\nD\xC4\xB0SALLOW: /\n", "/x"));
}

// Folyd/robotstxt #1: a line of nothing but white space ended the program.
TEST(BugCorpus, FolydLinesOfWhiteSpace) {
  for (const std::string& blank : {" "s, "\t"s, " \t "s, "\v"s, "\f"s, "\r"s, "   \r"s, std::string(5'000, ' ')}) {
    EXPECT_TRUE(disallowed(blank + "\nUser-agent: *\n" + blank + "\nDisallow: /x\n" + blank + "\n", "/x"));
    EXPECT_TRUE(allowed(blank, "/x"));
    EXPECT_TRUE(allowed("User-agent:" + blank + "\nDisallow: /\n", "/x"));
    EXPECT_TRUE(allowed("User-agent: *\nDisallow:" + blank + "\n", "/x"));
    EXPECT_TRUE(RobotsTxt::parse(blank).size() == 0);
  }
}

// httrack #1316: the tail of an over-long line was read back as a line of its own, and its rule opened a closed path.
TEST(BugCorpus, HttrackTailOfALongLineIsNoRule) {
  for (const std::size_t width : {128, 256, 512, 1'024, 2'048, 4'096, 8'192, 16'384, 16'663, 16'664, 32'768, 65'536}) {
    for (std::size_t offset = 0; offset < 24; ++offset) {
      const std::string filler(width - 12 + offset, 'x');
      for (const std::string& head : {"# "s, "Disallow: /y"s, "Nonsense: "s}) {
        const std::string robots = "User-agent: *\nDisallow: /secret\n" + head + filler + "Allow: /secret\n";
        ASSERT_TRUE(disallowed(robots, "/secret")) << width << "+" << offset;
      }
    }
  }
}

// CPython #153404, gh-153795: a digit that is not ASCII in Crawl-delay or Request-rate raised, and the file was lost.
TEST(BugCorpus, CPythonDigitsThatAreNotAscii) {
  const std::string three = "\xD9\xA3";
  const std::string robots = "User-agent: *\nCrawl-delay: " + three + "\nRequest-rate: " + three + "/" + three +
                             "\nVisit-time: " + three + "-0845\nDisallow: /x\n";
  EXPECT_TRUE(disallowed(robots, "/x"));
  const Rules rules = Rules::compile(robots, "FooBot");
  EXPECT_FALSE(rules.crawl_delay());
  EXPECT_FALSE(rules.request_rate());
  EXPECT_FALSE(rules.visit_time());
}

// reppy #47, #50: one line that could not be read raised, and the whole file was lost (or everything was denied).
TEST(BugCorpus, ReppyOneBadLineKillsNoFile) {
  for (const std::string& bad :
       {"Crawl-delay: 5"s, "Crawl-delay: soon"s, "Disallow: /x"s, "nonsense"s, ":"s, ": /"s, "\xFF\xFD:"s, "Sitemap:"s,
        "User agent"s, "Allow /a b c"s, "%%%"s, "Crawl-delay: -"s}) {
    const std::string robots =
        bad + "\nUser-agent: FooBot\nDisallow: /no\n" + (bad.starts_with("Disallow") ? "" : bad) + "\n";
    EXPECT_TRUE(disallowed(robots, "/no")) << bad;
    EXPECT_TRUE(allowed(robots, "/yes")) << bad;
  }
}

// reppy #83: a pattern that begins with "*" needs no slash.
TEST(BugCorpus, ReppyLeadingWildcard) {
  EXPECT_TRUE(disallowed("User-agent: *\nDisallow: */test\n", "/test"));
  EXPECT_TRUE(disallowed("User-agent: *\nDisallow: */test\n", "/foo/test"));
  EXPECT_TRUE(disallowed("User-agent: *\nDisallow: ****/cats\n", "/kind/cats"));
  EXPECT_TRUE(disallowed("User-agent: *\nDisallow: *m\n", "/from"));
  EXPECT_TRUE(allowed("User-agent: *\nDisallow: */test\n", "/tes"));
}

// robots-parser: a group for an agent called "constructor" or "__proto__" found what every JavaScript object has.
TEST(BugCorpus, RobotsParserNamesOfObjectMembers) {
  for (const std::string& name : {"constructor"s, "__proto__"s, "toString"s, "hasOwnProperty"s, "prototype"s}) {
    EXPECT_TRUE(disallowed("User-agent: " + name + "\nDisallow: /x\n", "/x", name));
    EXPECT_TRUE(allowed("User-agent: FooBot\nDisallow: /x\n", "/x", name));
    EXPECT_TRUE(disallowed(name + ": " + name + "\nUser-agent: *\nDisallow: /x\n", "/x", name));
  }
}

// robots-parser: broken escapes and lone surrogates threw; Latin-1 bytes lost the rules behind them.
TEST(BugCorpus, RobotsParserBrokenEscapes) {
  EXPECT_TRUE(disallowed("User-agent: *\nDisallow: /%a%a\n", "/%a%a"));
  EXPECT_TRUE(disallowed("User-agent: *\nDisallow: /%\n", "/%"));
  EXPECT_EQ(ask("User-agent: *\nDisallow: /\xE2\x9C\xBF%a\n", "/%E2%9C%BF%a"), Access::disallowed);
  for (const std::string& bad : {"\xED\xA0\x80"s, "\xFC"s, "\xC3"s, "\xF5\x80\x80\x80"s}) {
    EXPECT_TRUE(disallowed("User-agent: *\nDisallow: /" + bad + "\nDisallow: /x\n", "/x"));
    EXPECT_TRUE(allowed("User-agent: *\nDisallow: /" + bad + "\nDisallow: /x\n", "/y"));
  }
}

// google/robotstxt PR 86: a string_view was walked to a NUL that need not be there. ASan sees an octet too far here.
TEST(BugCorpus, GoogleNoNulIsNeeded) {
  for (const std::string_view text :
       {"u", "user-agent", "user-agent:", "User-agent: *", "User-agent: *\nDisallow",
        "User-agent: *\nDisallow:", "User-agent: *\nDisallow: /x", "User-agent: *\nDisallow: /%4",
        "User-agent: *\nDisallow /", "\xEF", "\xEF\xBB", "\xEF\xBB\xBF", "#", "\r"}) {
    const std::unique_ptr<char[]> block(new char[text.size()]);
    std::memcpy(block.get(), text.data(), text.size());
    const std::string_view exact(block.get(), text.size());
    EXPECT_EQ(ask(exact, "/xy"), ask(text, "/xy"));
    EXPECT_EQ(ask("User-agent: *\nDisallow: /", exact), ask("User-agent: *\nDisallow: /", text));
    EXPECT_EQ(ask("User-agent: *\nDisallow: /", "/", exact), ask("User-agent: *\nDisallow: /", "/", text));
  }
}

// crawler-commons #590: rules of one group leaked into the next.
TEST(BugCorpus, CrawlerCommonsGroupsDoNotLeak) {
  const std::string robots =
      "User-agent: BarBot\nDisallow: /bar\nCrawl-delay: 9\n\nUser-agent: FooBot\nDisallow: /foo\n";
  EXPECT_TRUE(allowed(robots, "/bar"));
  EXPECT_TRUE(disallowed(robots, "/foo"));
  EXPECT_TRUE(allowed(robots, "/foo", "BarBot"));
  EXPECT_FALSE(Rules::compile(robots, "FooBot").crawl_delay());
}

// CPython's urllib.robotparser, protego, texting_robots and others: Crawl-delay or Sitemap split a group.
TEST(BugCorpus, OtherLinesDoNotSplitAGroup) {
  for (const std::string& line :
       {"Crawl-delay: 5"s, "Sitemap: http://s.example/"s, "Noindex: /x"s, ""s, "garbage"s, "# remark"s}) {
    EXPECT_TRUE(disallowed("User-agent: FooBot\n" + line + "\nUser-agent: BarBot\nDisallow: /\n", "/x")) << line;
  }
}

// temoto/robotstxt: rules before the first User-agent lost the whole file.
TEST(BugCorpus, TemotoRulesBeforeTheFirstAgent) {
  EXPECT_TRUE(disallowed("Disallow: /a\nAllow: /\nUser-agent: *\nDisallow: /b\n", "/b"));
  EXPECT_TRUE(allowed("Disallow: /a\nAllow: /\nUser-agent: *\nDisallow: /b\n", "/a"));
}

// texting_robots: NULs around a line (a file of sgppto.com) made it unreadable; Google ends the line there.
TEST(BugCorpus, TextingRobotsNulsAroundALine) {
  const std::string robots = "User-agent: *\nDisallow: /\n\0\0Allow: /family\0\0\n"s;
  EXPECT_EQ(ask(robots, "/family"), Access::allowed);
  EXPECT_EQ(ask(robots, "/family", "FooBot", google), Access::disallowed);
  // A NUL inside: Google sees "/x", RFC 9309 here an octet like any other.
  const std::string inside = "User-agent: *\nDisallow: /x\0y\n"s;
  EXPECT_EQ(ask(inside, "/x", "FooBot", google), Access::disallowed);
  EXPECT_EQ(ask(inside, "/x"), Access::allowed);
}

// texting_robots, BUbiNG #17, scrapy #6195: a byte order mark hid the first line; later ones are garbage.
TEST(BugCorpus, ByteOrderMarks) {
  for (const std::string& mark : {"\xEF\xBB\xBF"s, "\xEF\xBB"s, "\xEF"s}) {
    EXPECT_TRUE(disallowed(mark + "User-agent: *\nDisallow: /x\n", "/x"));
    EXPECT_TRUE(allowed(mark + "User-agent: BarBot\nDisallow: /x\n", "/x"));
  }
  EXPECT_TRUE(
      allowed("User-agent: *\n\xEF\xBB\xBF"
              "Disallow: /x\n",
              "/x"));
  EXPECT_TRUE(allowed("\xEF\x11\xBFUser-agent: *\nDisallow: /x\n", "/x"));
}

// --- numbers --------------------------------------------------------------------------------------------------------

// crawler-commons: a delay of more than 300 s forbade the whole site.
TEST(BugCorpus, CrawlerCommonsLongDelayForbidsNothing) {
  for (const char* delay : {"301", "3600", "86400", "99999999"}) {
    const std::string robots = "User-agent: *\nCrawl-delay: "s + delay + "\nDisallow: /x\n";
    EXPECT_TRUE(allowed(robots, "/y")) << delay;
    EXPECT_TRUE(disallowed(robots, "/x")) << delay;
    EXPECT_LE(Rules::compile(robots, "FooBot").crawl_delay(), std::chrono::hours(24)) << delay;
  }
}

// texting_robots: "3e38" was a delay of 3e38 s. rep-cpp: -1 meant "none".
TEST(BugCorpus, TextingRobotsAndRepDelaysThatAreNone) {
  for (const char* delay : {"3e38", "1e309", "-1", "NaN", "inf", "0x10", "1e3"}) {
    EXPECT_FALSE(Rules::compile("User-agent: *\nCrawl-delay: "s + delay + "\n", "FooBot").crawl_delay()) << delay;
  }
  EXPECT_EQ(Rules::compile("User-agent: *\nCrawl-delay: " + std::string(78, '1') + "\n", "FooBot").crawl_delay(),
            std::chrono::hours(24));
}

// crawler-commons takes the smallest of several delays, texting_robots the first, others the last: here the largest,
// and none of another robot's.
TEST(BugCorpus, DelaysOfMergedGroups) {
  const std::string robots =
      "User-agent: *\nCrawl-delay: 30\nUser-agent: FooBot\nCrawl-delay: 10\nDisallow: /x\nUser-agent: "
      "FooBot\nCrawl-delay: 5\n"
      "User-agent: BarBot\nDisallow: /y\n";
  EXPECT_EQ(Rules::compile(robots, "FooBot").crawl_delay(), std::chrono::seconds(10));
  EXPECT_FALSE(Rules::compile(robots, "BarBot").crawl_delay());
  EXPECT_EQ(Rules::compile(robots, "Other").crawl_delay(), std::chrono::seconds(30));
}

// --- wrong verdicts -------------------------------------------------------------------------------------------------

// robots-parser #12, crawler4j #425, GHSA-6g33-8w2q-4hxv, rep-cpp, protego: patterns that never came to an end.
TEST(BugCorpus, PatternsThatComeToAnEnd) {
  std::string stars;
  for (int i = 0; i < 2'048; ++i) stars += "*a";
  EXPECT_TRUE(allowed("User-agent: *\nDisallow: /" + stars + "b\n", "/" + std::string(8'000, 'a')));
  EXPECT_TRUE(disallowed("User-agent: *\nDisallow: /" + std::string(2'048, '*') + "\n", "/x"));
  EXPECT_TRUE(allowed("User-agent: *\nDisallow: /*?" + std::string(84, '*') + "donotindex=1*\n", "/page?x=1"));
}

// CPython (new): the longest match was measured in the path, not in the pattern.
TEST(BugCorpus, CPythonOctetsOfThePatternDecide) {
  EXPECT_TRUE(allowed("User-agent: *\nAllow: /abc\nDisallow: /*\n", "/abcdef"));
  EXPECT_TRUE(allowed("User-agent: *\nAllow: /x/page.\nDisallow: /*.html\n", "/x/page.html"));
  EXPECT_TRUE(disallowed("User-agent: *\nAllow: /page\nDisallow: /*.htm\n", "/page.htm"));
}

// CPython #114310: "*" alone was percent-encoded and matched nothing.
TEST(BugCorpus, CPythonStarAlone) { EXPECT_TRUE(disallowed("User-agent: *\nDisallow: *\n", "/x")); }

// CPython #17403, #88375, protego #29, #51, rep-cpp: query and parameters were not part of what is matched.
TEST(BugCorpus, QueriesCount) {
  EXPECT_TRUE(disallowed("User-agent: *\nDisallow: /*s=\n", "/search?s=x"));
  EXPECT_TRUE(disallowed("User-agent: *\nDisallow: /?\n", "/?q"));
  EXPECT_TRUE(allowed("User-agent: *\nDisallow: /?\n", "/"));
  EXPECT_TRUE(disallowed("User-agent: *\nDisallow: /path;params?query\n", "http://foo.bar/path;params?query"));
  EXPECT_TRUE(allowed("User-agent: *\nDisallow: /path;params?query\n", "http://foo.bar/path;params"));
}

// protego, CPython: the fragment was compared too, so that "$" missed.
TEST(BugCorpus, FragmentsDoNotCount) {
  EXPECT_TRUE(disallowed("User-agent: *\nDisallow: /a$\n", "/a#f"));
  EXPECT_TRUE(allowed("User-agent: *\nDisallow: /*secret\n", "/a#secret"));
}

// scrapy #4145: a rule that is a whole URL of another site became "Disallow: /".
TEST(BugCorpus, ScrapyRulesThatAreUrls) {
  EXPECT_TRUE(allowed("User-agent: *\nDisallow: http://other.example/\n", "/x"));
  EXPECT_TRUE(allowed("User-agent: *\nDisallow: http://other.example\n", "http://foo.example/x"));
}

// crawler-commons #195 and its tests: "%2F" is no slash, "%20" at the end is no blank to trim, "%24" no anchor.
TEST(BugCorpus, CrawlerCommonsEscapesInPatterns) {
  EXPECT_TRUE(disallowed("User-agent: *\nDisallow: /*%2F*\n", "/topic/9%2F11/"));
  EXPECT_TRUE(allowed("User-agent: *\nDisallow: /*%2F*\n", "/path/index.html"));
  EXPECT_TRUE(disallowed("User-agent: *\nDisallow: /*%20\n", "/a%20"));
  EXPECT_TRUE(allowed("User-agent: *\nDisallow: /*%20\n", "/a"));
  EXPECT_EQ(ask("User-agent: *\nDisallow: /%24\n", "/$100"), Access::disallowed);
  EXPECT_EQ(ask("User-agent: *\nDisallow: /%24\n", "/%24100"), Access::disallowed);
  EXPECT_EQ(ask("User-agent: *\nDisallow: /%24\n", "/"), Access::allowed);
}

// robotstxt-parser and rep-cpp decoded "%2A" into a wildcard; robotstxt-parser's anchors were those of lines.
TEST(BugCorpus, RubyStarsAndLines) {
  EXPECT_TRUE(allowed("User-agent: *\nDisallow: /a%2Ab\n", "/aXXb"));
  EXPECT_TRUE(allowed("User-agent: *\nDisallow: /secret\n", "/x%0A/secret"));
  EXPECT_TRUE(allowed("User-agent: *\nDisallow: /secret\n", "/x\n/secret"));
  EXPECT_TRUE(allowed("User-agent: *\nDisallow: /a.c\n", "/abc"));
  EXPECT_TRUE(allowed("User-agent: *\nDisallow: /(a|b)+\n", "/a"));
}

// temoto/robotstxt: a pattern with a wildcard was looked for anywhere. rep-cpp: "*$" needed an octet.
TEST(BugCorpus, TemotoAndRepAnchors) {
  EXPECT_TRUE(allowed("User-agent: *\nDisallow: /fish*$\n", "/shark/fish"));
  EXPECT_TRUE(disallowed("User-agent: *\nDisallow: /fish*$\n", "/fish"));
  EXPECT_TRUE(disallowed("User-agent: *\nDisallow: /*.php$\n", "/x.php.php"));
  EXPECT_TRUE(disallowed("User-agent: *\nDisallow: /x$/abc\n", "/x$/abcdef"));
}

// The last group may have no rules (RFC 9309 section 2.1); robots-parser, temoto and CPython fell back to "*".
TEST(BugCorpus, ALastGroupWithoutRules) {
  EXPECT_TRUE(allowed("User-agent: *\nDisallow: /\n\nUser-agent: FooBot", "/x"));
  EXPECT_TRUE(allowed("User-agent: *\nDisallow: /\n\nUser-agent: FooBot\n", "/x"));
}

// google/robotstxt #46: a product token with digits is never found; here the robot that bears it is.
TEST(BugCorpus, GoogleDigitsInNames) {
  const std::string robots = "User-agent: MJ12bot\nDisallow: /\n";
  EXPECT_EQ(ask(robots, "/x", "MJ12bot"), Access::disallowed);
  EXPECT_EQ(ask(robots, "/x", "MJ12bot", google), Access::allowed);
  EXPECT_EQ(ask("User-agent: 360Spider\nDisallow: /\n", "/x", "360Spider"), Access::disallowed);
}

// google/robotstxt #57: "%2A" and "%24" never matched the octets they stand for.
TEST(BugCorpus, GoogleEscapedSigns) {
  EXPECT_EQ(ask("User-agent: *\nDisallow: /a%2Ab\n", "/a*b"), Access::disallowed);
  EXPECT_EQ(ask("User-agent: *\nDisallow: /a%2Ab\n", "/a%2ab"), Access::disallowed);
  EXPECT_EQ(ask("User-agent: *\nDisallow: /search/%2A/\n", "/search/foobar/"), Access::allowed);
}

// --- keys of what is remembered -------------------------------------------------------------------------------------

// robots-parser 3.0.1: https took port 80. LWP and Scrapy: http and https of one host shared their rules.
TEST(BugCorpus, OriginsKeepSchemeAndPort) {
  EXPECT_EQ(Origin::of("https://foo.example/")->port, 443);
  EXPECT_EQ(Origin::of("http://foo.example/")->port, 80);
  EXPECT_EQ(Origin::of("https://foo.example:443/"), Origin::of("https://FOO.example./x"));
  EXPECT_NE(Origin::of("http://foo.example:443/"), Origin::of("https://foo.example:443/"));
  EXPECT_NE(Origin::of("http://foo.example:8080/"), Origin::of("http://foo.example/"));
  EXPECT_EQ(Origin::of("http://foo.example:080/"), Origin::of("http://foo.example/"));
  EXPECT_FALSE(Origin::of("http://foo.example:0/"));
  EXPECT_FALSE(Origin::of("http://foo.example:65536/"));
  EXPECT_FALSE(Origin::of("http://foo.example:4294967376/"));
}

// What robots.txt says is put into sentences: no control octet gets through to a terminal or a log.
TEST(BugCorpus, NoControlOctetsInSentences) {
  const std::string robots =
      "User-agent: *\x1B[2J\nDisallow: /\x1B]0;x\x07\x7F\nDisallow: /\xE2\x80\xAE\nDisalow /\x1B c\x1B\n";
  const auto clean = [](const std::string& text) {
    return std::none_of(text.begin(), text.end(), [](char c) { return (c >= 0 && c < 32) || c == 127; });
  };
  for (const Dialect& dialect : Dialect::presets()) {
    const RobotsTxt file = RobotsTxt::parse(robots, dialect);
    for (const Diagnostic& found : file.diagnostics()) {
      EXPECT_TRUE(clean(found.message)) << found.code;
      EXPECT_TRUE(clean(found.remedy)) << found.code;
    }
    const Rules rules = file.rules_for("FooBot");
    EXPECT_TRUE(clean(rules.check("/\x1B]0;x\x07\x7F").explanation()));
    EXPECT_TRUE(clean(rules.check("/%1B%5D0;x%07%7F").explanation()));
  }
}

}  // namespace
}  // namespace robotrules
