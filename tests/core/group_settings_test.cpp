// Crawl-delay, Request-rate and Visit-time of the groups that apply to a robot. A comment names the parser that had a
// bug here and, if there is one, its report.
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>

#include <robotrules/rules.hpp>

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::string_literals;

std::optional<Milliseconds> delay_of(std::string_view robots, std::string_view agent,
                                     const Dialect& dialect = Dialect::rfc9309()) {
  return Rules::compile(robots, agent, dialect).crawl_delay();
}

TEST(GroupSettings, CrawlDelayOfTheGroupsThatApply) {
  const std::string body =
      "User-agent: mybot\nCrawl-delay: 10\n\nUser-agent: yourbot\nDisallow: /\n\nUser-agent: *\nCrawl-delay: 30\n\n"
      "User-agent: mybot\nCrawl-delay: 20";
  for (const Dialect* dialect : {&Dialect::rfc9309(), &Dialect::google()}) {
    EXPECT_EQ(delay_of(body, "mybot", *dialect), std::chrono::seconds(20)) << dialect->name;
    EXPECT_EQ(delay_of(body, "yourbot", *dialect), std::nullopt) << dialect->name;
    EXPECT_EQ(delay_of(body, "other", *dialect), std::chrono::seconds(30)) << dialect->name;
  }
}

// crawler-commons takes the smallest of several delays, texting_robots the first, others the last. Here the largest
// applies, and none of another robot.
TEST(GroupSettings, LargestDelayOfMergedGroups) {
  const std::string robots =
      "User-agent: *\nCrawl-delay: 30\nUser-agent: FooBot\nCrawl-delay: 10\nDisallow: /x\nUser-agent: "
      "FooBot\nCrawl-delay: 5\n"
      "User-agent: BarBot\nDisallow: /y\n";
  EXPECT_EQ(delay_of(robots, "FooBot"), std::chrono::seconds(10));
  EXPECT_FALSE(delay_of(robots, "BarBot"));
  EXPECT_EQ(delay_of(robots, "Other"), std::chrono::seconds(30));
}

// crawler-commons #590: the delay of one group leaked into the next.
TEST(GroupSettings, DelaysDoNotLeakIntoTheNextGroup) {
  EXPECT_FALSE(
      delay_of("User-agent: BarBot\nDisallow: /bar\nCrawl-delay: 9\n\nUser-agent: FooBot\nDisallow: /foo\n", "FooBot"));
}

// CPython #153404, #153795: a digit that is not ASCII in one of these lines raised, and the file was lost.
TEST(GroupSettings, DigitsThatAreNotAsciiAreNotRead) {
  const std::string three = "\xD9\xA3";
  const std::string robots = "User-agent: *\nCrawl-delay: " + three + "\nRequest-rate: " + three + "/" + three +
                             "\nVisit-time: " + three + "-0845\nDisallow: /x\n";
  const Rules rules = Rules::compile(robots, "FooBot");
  EXPECT_FALSE(rules.crawl_delay());
  EXPECT_FALSE(rules.request_rate());
  EXPECT_FALSE(rules.visit_time());
}

// crawler-commons: a delay of more than 300 s forbade the whole site. The verdicts are in tests/conformance/bugs.tsv.
TEST(GroupSettings, LongDelaysAreCappedAtADay) {
  for (const char* delay : {"301", "3600", "86400", "99999999"}) {
    const std::string robots = "User-agent: *\nCrawl-delay: "s + delay + "\nDisallow: /x\n";
    EXPECT_LE(delay_of(robots, "FooBot"), std::chrono::hours(24)) << delay;
  }
  EXPECT_EQ(delay_of("User-agent: *\nCrawl-delay: " + std::string(78, '1') + "\n", "FooBot"), std::chrono::hours(24));
}

// texting_robots read "3e38" as a delay of 3e38 s. In rep-cpp, -1 meant "none".
TEST(GroupSettings, TextThatIsNotADelay) {
  for (const char* delay : {"3e38", "1e309", "-1", "NaN", "inf", "0x10", "1e3"}) {
    EXPECT_FALSE(delay_of("User-agent: *\nCrawl-delay: "s + delay + "\n", "FooBot")) << delay;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
