// RobotRules, call by call as WWW::RobotRules has them.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <robotrules/robot_rules.hpp>

#include "store/store_contract.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::seconds;

class RobotRulesTest : public testing::Test {
 protected:
  test::ScriptedClock clock;
  std::shared_ptr<Store> store =
      make_memory_store({.clock = [this] { return clock.now(); }, .limit_bytes = std::size_t{1} << 30});
  RobotRules rules = RobotRules::open(store, "FooBot/1.0").value();
};

TEST_F(RobotRulesTest, UnknownUntilParsed) {
  EXPECT_EQ(rules.allowed("https://a.example/x"), Access::unknown);
  ASSERT_TRUE(rules.parse("https://a.example/robots.txt", "User-agent: *\nDisallow: /x\n").ok());
  EXPECT_EQ(rules.allowed("https://a.example/x"), Access::disallowed);
  EXPECT_EQ(rules.allowed("https://a.example/y"), Access::allowed);
  EXPECT_EQ(rules.allowed("http://a.example/y"), Access::unknown);
  EXPECT_EQ(rules.allowed("https://b.example/y"), Access::unknown);
}

// What came of fetching a robots.txt is an answer too: who fetches again on `unknown` must not do so for ever.
TEST_F(RobotRulesTest, AFreshRecordWithoutRulesIsJudgedByThePolicy) {
  const auto keep = [&](const char* url, RobotsOutcome outcome, int status) {
    RobotsRecord record;
    record.outcome = outcome;
    record.status = status;
    record.fresh_until = rules.store()->now() + std::chrono::hours(1);
    EXPECT_TRUE(rules.store()->put_robots(*Origin::of(url), std::move(record)).ok());
  };
  keep("https://none.example/", RobotsOutcome::unavailable, 404);
  keep("https://closed.example/", RobotsOutcome::unavailable, 403);
  keep("https://down.example/", RobotsOutcome::unreachable, 503);
  for (int asked = 0; asked < 2; ++asked) {  // from the store, and from what is at hand
    EXPECT_EQ(rules.allowed("https://none.example/x"), Access::allowed);
    EXPECT_EQ(rules.state("https://none.example/x"), RobotsState::allow_all);
    EXPECT_FALSE(rules.rules("https://none.example/x"));
    EXPECT_EQ(rules.allowed("https://closed.example/x"), Access::allowed);
    EXPECT_EQ(rules.allowed("https://down.example/x"), Access::disallowed);
    EXPECT_EQ(rules.state("https://down.example/x"), RobotsState::disallow_all);
    EXPECT_EQ(rules.allowed("https://down.example/robots.txt"), Access::allowed);
    EXPECT_EQ(rules.state("https://other.example/x"), RobotsState::unknown);
  }
  EXPECT_EQ(rules.access("https://none.example/x"), (SiteAccess{Access::allowed, RobotsState::allow_all}));
  EXPECT_EQ(rules.access("https://down.example/x"), (SiteAccess{Access::disallowed, RobotsState::disallow_all}));
  EXPECT_EQ(rules.access("https://other.example/x"), (SiteAccess{Access::unknown, RobotsState::unknown}));
  EXPECT_EQ(rules.access("mailto:a@none.example"), (SiteAccess{Access::allowed, RobotsState::unknown}));
  EXPECT_EQ(rules.policy().value(), RobotsPolicy::rfc9309());
  ASSERT_TRUE(rules.policy(RobotsPolicy::strict()).ok());
  EXPECT_EQ(rules.policy().value(), RobotsPolicy::strict());
  EXPECT_EQ(rules.allowed("https://closed.example/x"), Access::disallowed);
  EXPECT_EQ(rules.allowed("https://none.example/x"), Access::allowed);
}

TEST_F(RobotRulesTest, ManyHostsInOneObject) {
  for (int i = 0; i < 50; ++i) {
    const std::string site = "http://host" + std::to_string(i) + ".example";
    ASSERT_TRUE(rules.parse(site + "/robots.txt", "User-agent: *\nDisallow: /" + std::to_string(i) + "$\n").ok());
  }
  for (int i = 0; i < 50; ++i) {
    const std::string site = "http://host" + std::to_string(i) + ".example/";
    EXPECT_EQ(rules.allowed(site + std::to_string(i)), Access::disallowed) << site;
    EXPECT_EQ(rules.allowed(site + std::to_string(i + 1)), Access::allowed) << site;
  }
}

TEST_F(RobotRulesTest, FreshForAYearUnlessSaid) {
  ASSERT_TRUE(rules.parse("https://a.example/robots.txt", "").ok());
  ASSERT_TRUE(rules.parse("https://b.example/robots.txt", "", clock.now() + hours(1)).ok());
  EXPECT_EQ(rules.fresh_until("https://a.example/").value(), clock.now() + days(365));
  EXPECT_EQ(rules.fresh_until("https://c.example/").value(), std::nullopt);
  clock.advance(hours(1));
  EXPECT_EQ(rules.allowed("https://b.example/"), Access::allowed);  // to the very moment
  clock.advance(std::chrono::microseconds(1));
  EXPECT_EQ(rules.allowed("https://b.example/"), Access::unknown);
  EXPECT_EQ(rules.rules("https://b.example/"), std::nullopt);
  clock.advance(days(365));
  EXPECT_EQ(rules.allowed("https://a.example/"), Access::unknown);
}

TEST_F(RobotRulesTest, ExpiryCanBeSet) {
  ASSERT_TRUE(rules.parse("https://a.example/robots.txt", "User-agent: *\nDisallow: /\n").ok());
  ASSERT_TRUE(rules.set_fresh_until("https://a.example/", clock.now() - seconds(1)).ok());
  EXPECT_EQ(rules.allowed("https://a.example/"), Access::unknown);
  ASSERT_TRUE(rules.set_fresh_until("a.example:443", clock.now() + seconds(1)).ok());
  EXPECT_EQ(rules.allowed("https://a.example/"), Access::disallowed);
}

// Their bug: rules that come back, or add up, after a file is read again.
TEST_F(RobotRulesTest, ParsingAgainReplaces) {
  ASSERT_TRUE(rules.parse("https://a.example/robots.txt", "User-agent: *\nDisallow: /x\n").ok());
  EXPECT_EQ(rules.allowed("https://a.example/x"), Access::disallowed);
  ASSERT_TRUE(rules.parse("https://a.example/robots.txt", "User-agent: *\nDisallow: /y\n").ok());
  EXPECT_EQ(rules.allowed("https://a.example/x"), Access::allowed);
  EXPECT_EQ(rules.allowed("https://a.example/y"), Access::disallowed);
}

TEST_F(RobotRulesTest, ClearingForgetsTheRulesAndKeepsTheVisits) {
  ASSERT_TRUE(rules.parse("https://a.example/robots.txt", "").ok());
  ASSERT_TRUE(rules.visit("https://a.example/").ok());
  ASSERT_TRUE(rules.clear_rules("https://a.example/").ok());
  EXPECT_EQ(rules.allowed("https://a.example/"), Access::unknown);
  EXPECT_EQ(rules.visits("https://a.example/").value().count, 1u);
}

TEST(RobotRulesAgent, ShortNameIsCutAsPerlCutsIt) {
  EXPECT_EQ(RobotRules("FooBot").agent(), "FooBot");
  EXPECT_EQ(RobotRules("FooBot/1.2").agent(), "FooBot");
  EXPECT_EQ(RobotRules("FooBot/1.2 [http://foobot.int; foo@bot.int]").agent(), "FooBot");
  EXPECT_EQ(RobotRules("  \tFoo Bot").agent(), "Foo");
  EXPECT_EQ(RobotRules("MJ12bot/v1.4.8").agent(), "MJ12bot");
  EXPECT_EQ(RobotRules("").agent(), "");
}

TEST(RobotRulesAgent, TheNameInAWholeHeaderIsThatOfTheRobot) {
  constexpr std::string_view header = "Mozilla/5.0 (compatible; FooBot/1.0; +http://foo.example/bot)";
  EXPECT_EQ(RobotRules(header).agent(), "FooBot");
  const auto store = make_memory_store();
  RobotRules rules = RobotRules::open(store, header).value();
  ASSERT_TRUE(rules.parse("https://a.example/robots.txt", "User-agent: FooBot\nDisallow: /\n").ok());
  EXPECT_EQ(rules.agent(robot_name(header)).value(), "FooBot");  // as RobotUA::make() names the rules
  EXPECT_EQ(rules.agent(header).value(), "FooBot");
  EXPECT_EQ(RobotRules::open(store, header, Dialect::rfc9309(), OtherAgent::refused)->allowed("https://a.example/"),
            Access::disallowed);
}

TEST_F(RobotRulesTest, AnotherNameClearsTheSameDoesNot) {
  ASSERT_TRUE(rules.parse("https://a.example/robots.txt", "User-agent: BarBot\nDisallow: /\n").ok());
  ASSERT_TRUE(rules.visit("https://a.example/").ok());
  EXPECT_EQ(rules.agent("FooBot/2.0 (new)").value(), "FooBot");
  EXPECT_EQ(rules.agent("").value(), "FooBot");
  EXPECT_EQ(rules.allowed("https://a.example/"), Access::allowed);

  EXPECT_EQ(rules.agent("BarBot/1.0").value(), "FooBot");
  EXPECT_EQ(rules.agent(), "BarBot");
  EXPECT_EQ(store->agent().value(), "BarBot");
  EXPECT_EQ(rules.allowed("https://a.example/"), Access::unknown);
  EXPECT_EQ(rules.visits("https://a.example/").value().count, 0u);
  ASSERT_TRUE(rules.parse("https://a.example/robots.txt", "User-agent: BarBot\nDisallow: /\n").ok());
  EXPECT_EQ(rules.allowed("https://a.example/"), Access::disallowed);
}

TEST_F(RobotRulesTest, TheStoreKnowsItsAgent) {
  ASSERT_TRUE(rules.parse("https://a.example/robots.txt", "User-agent: FooBot\nDisallow: /\n").ok());
  const RobotRules again = RobotRules::open(store).value();
  EXPECT_EQ(again.agent(), "FooBot");
  EXPECT_EQ(again.allowed("https://a.example/"), Access::disallowed);
  const RobotRules other = RobotRules::open(store, "BarBot").value();
  EXPECT_EQ(other.allowed("https://a.example/"), Access::unknown);
}

TEST_F(RobotRulesTest, AnotherNameIsRefusedWhereAsked) {
  ASSERT_TRUE(rules.parse("https://a.example/robots.txt", "").ok());
  const auto other = RobotRules::open(store, "BarBot/1.0", Dialect::rfc9309(), OtherAgent::refused);
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, "other-agent");
  RobotRules same = RobotRules::open(store, "FooBot/2.0", Dialect::rfc9309(), OtherAgent::refused).value();
  EXPECT_EQ(same.agent("BarBot").error().code, "other-agent");
  EXPECT_EQ(same.agent(), "FooBot");
  EXPECT_EQ(same.allowed("https://a.example/"), Access::allowed);
}

TEST(RobotRulesAgent, AStoreWithoutANameNeedsOne) {
  const auto opened = RobotRules::open(make_memory_store());
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, "no-agent");
  EXPECT_NE(opened.error().message.find("FooBot"), std::string::npos);
}

TEST_F(RobotRulesTest, OtherSchemesAreAllowed) {
  EXPECT_EQ(rules.allowed("mailto:someone@a.example"), Access::allowed);
  EXPECT_EQ(rules.allowed("FTP://a.example/x"), Access::allowed);
  EXPECT_EQ(rules.allowed("HTTP://a.example/x"), Access::unknown);
}

TEST_F(RobotRulesTest, OwnRulesCloseBesideThoseOfTheSite) {
  ASSERT_TRUE(rules.push_rules("https://a.example", {"/own", "/*.pdf$"}).ok());
  EXPECT_EQ(rules.allowed("https://a.example/own/page"), Access::disallowed) << "before robots.txt is known";
  EXPECT_EQ(rules.allowed("https://a.example/y"), Access::unknown);
  ASSERT_TRUE(rules.parse("https://a.example/robots.txt", "User-agent: *\nDisallow: /x\nAllow: /own/\n").ok());
  EXPECT_EQ(rules.allowed("https://a.example/own/page"), Access::disallowed) << "the site cannot open what they close";
  EXPECT_EQ(rules.allowed("https://a.example/a.pdf"), Access::disallowed);
  EXPECT_EQ(rules.allowed("https://a.example/x"), Access::disallowed) << "they open nothing";
  EXPECT_EQ(rules.allowed("https://a.example/y"), Access::allowed);
  EXPECT_EQ(rules.allowed("https://b.example/own"), Access::unknown) << "of another site";
  EXPECT_EQ(rules.access("https://a.example/own"), (SiteAccess{Access::disallowed, RobotsState::rules}));
  EXPECT_EQ(rules.rules("https://a.example/own")->check("/own/").access(), Access::allowed) << "the file alone";
  const auto own = rules.own_rules("https://a.example/any");
  ASSERT_TRUE(own);
  EXPECT_EQ(own->check("/own").access(), Access::disallowed);
  EXPECT_EQ(rules.own_rules("https://b.example/"), std::nullopt);
  ASSERT_TRUE(rules.clear_rules("https://a.example").ok());
  EXPECT_EQ(rules.allowed("https://a.example/own"), Access::disallowed) << "they stay";
  ASSERT_TRUE(rules.clear_own_rules("https://a.example").ok());
  EXPECT_EQ(rules.allowed("https://a.example/own"), Access::unknown);
}

TEST_F(RobotRulesTest, OwnRulesAreAddedAndAreForHttpAndHttpsOfAHostWithAPort) {
  ASSERT_TRUE(rules.push_rules("a.example", {"/1"}).ok());
  ASSERT_TRUE(rules.push_rules("a.example", {"/2"}).ok());
  for (const char* url : {"http://a.example/1", "https://a.example/1", "http://a.example/2", "https://a.example/2"}) {
    EXPECT_EQ(rules.allowed(url), Access::disallowed) << url;
  }
  EXPECT_EQ(rules.allowed("http://a.example:8080/1"), Access::unknown);
}

TEST_F(RobotRulesTest, WhatCannotBeAnOwnRuleAddsNothing) {
  for (const std::string wrong : {"", " ", "/a\nAllow: /", "/a\r", "/a#b"}) {
    EXPECT_EQ(rules.push_rules("https://a.example", {"/fine", wrong}).error().code, "invalid-rule") << wrong;
  }
  EXPECT_EQ(rules.push_rules("https://a.example", {std::string("/a\0b", 4)}).error().code, "invalid-rule");
  EXPECT_EQ(rules.push_rules("a.example/path", {"/x"}).error().code, "invalid-url");
  EXPECT_EQ(rules.own_rules("https://a.example/"), std::nullopt);
}

TEST_F(RobotRulesTest, AnotherRobotHasNoOwnRules) {
  ASSERT_TRUE(rules.push_rules("https://a.example", {"/own"}).ok());
  ASSERT_TRUE(rules.agent("FooBot/9").ok());
  EXPECT_EQ(rules.allowed("https://a.example/own"), Access::disallowed) << "the same robot";
  ASSERT_TRUE(rules.agent("BarBot").ok());
  EXPECT_EQ(rules.allowed("https://a.example/own"), Access::unknown);
}

// Perl takes "localhost" for a scheme here, and allows what no robots.txt was read for.
TEST_F(RobotRulesTest, AHostWithAPortIsNoScheme) {
  for (const char* url : {"localhost:8080/x", "localhost:8080", "a.example:443/x", "a.example:80?x", "intranet:1#x"}) {
    EXPECT_EQ(rules.allowed(url), Access::unknown) << url;
  }
  for (const char* url : {"tel:+4930123456", "mailto:12@a.example", "urn:123456", "x:/80", "x:"}) {
    EXPECT_EQ(rules.allowed(url), Access::allowed) << url;
  }
}

TEST_F(RobotRulesTest, WhatIsNoUrlIsNeverAllowed) {
  for (const char* url : {"", "/x", "a.example/x", "http://", "http:///x", "https:x", ":x", "1:x", "http://a b/"}) {
    EXPECT_EQ(rules.allowed(url), Access::unknown) << url;
    EXPECT_EQ(rules.rules(url), std::nullopt) << url;
    const auto parsed = rules.parse(url, "");
    ASSERT_FALSE(parsed.ok()) << url;
    EXPECT_EQ(parsed.error().code, "invalid-url");
  }
}

TEST_F(RobotRulesTest, ErrorsNameWhatWasGivenWithoutItsControls) {
  const auto failed = rules.visit("\x1b[31m" + std::string(5'000, 'x') + "/");
  ASSERT_FALSE(failed.ok());
  EXPECT_LT(failed.error().message.size(), 400u);
  EXPECT_EQ(failed.error().message.find('\x1b'), std::string::npos);
}

TEST_F(RobotRulesTest, HostAndPortMeanBothSchemes) {
  ASSERT_TRUE(rules.visit("a.example:80").ok());
  clock.advance(hours(1));
  ASSERT_TRUE(rules.visit("https://a.example:80/").ok());
  const Visits both = rules.visits("a.example:80").value();
  EXPECT_EQ(both.count, 2u);
  EXPECT_EQ(both.last, clock.now());
  EXPECT_EQ(rules.visits("http://a.example/").value().count, 1u);

  ASSERT_TRUE(rules.visit("b.example:443", clock.now() - hours(2)).ok());
  EXPECT_EQ(rules.visits("https://b.example/").value().last, clock.now() - hours(2));
  EXPECT_EQ(rules.visits("b.example").value().count, 1u);
}

TEST_F(RobotRulesTest, RulesAnswerWhyAndHowFast) {
  ASSERT_TRUE(rules.parse("https://a.example/robots.txt", "User-agent: *\nCrawl-delay: 5\nDisallow: /x\n").ok());
  const auto compiled = rules.rules("https://a.example/x");
  ASSERT_TRUE(compiled.has_value());
  EXPECT_EQ(compiled->check("https://a.example/x").line(), 3u);
  EXPECT_EQ(compiled->crawl_delay(), seconds(5));
}

// robots.txt by URL: its rules may be references, resolved against where the file came from.
TEST(RobotRulesDialect, PerlsReadingIsPerlsReading) {
  RobotRules perl("FooBot", Dialect::www_robotrules());
  ASSERT_TRUE(perl.parse("http://foo.bar/robots.txt",
                         "User-agent: *\nDisallow: http://foo.bar/private\nDisallow: http://other.bar/public\n")
                  .ok());
  EXPECT_EQ(perl.allowed("http://foo.bar/private"), Access::disallowed);
  EXPECT_EQ(perl.allowed("http://foo.bar/public"), Access::allowed);
  EXPECT_EQ(perl.dialect().name, "www-robotrules");
}

TEST_F(RobotRulesTest, ReadersAndAWriterTogether) {
  ASSERT_TRUE(rules.parse("https://a.example/robots.txt", "User-agent: *\nDisallow: /x\n").ok());
  std::atomic<bool> wrong = false;
  std::vector<std::thread> readers;
  for (int t = 0; t < 3; ++t) {
    readers.emplace_back([&] {
      for (int i = 0; i < 2'000; ++i) {
        if (rules.allowed("https://a.example/x") != Access::disallowed) wrong = true;
      }
    });
  }
  for (int i = 0; i < 500; ++i) {
    static_cast<void>(rules.parse("https://a.example/robots.txt",
                                  "User-agent: *\nDisallow: /x\nDisallow: /" + std::to_string(i) + "\n"));
  }
  for (std::thread& reader : readers) reader.join();
  EXPECT_FALSE(wrong);
}

// More sites than the cache of compiled rules holds: every answer is still right.
TEST_F(RobotRulesTest, MoreThanTheCacheHolds) {
  const std::string padding(200'000, '#');
  for (int i = 0; i < 400; ++i) {
    ASSERT_TRUE(rules
                    .parse("https://site" + std::to_string(i) + ".example/robots.txt",
                           "User-agent: *\nDisallow: /" + std::to_string(i) + "$\n" + padding)
                    .ok());
  }
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 400; ++i) {
      const std::string site = "https://site" + std::to_string(i) + ".example/";
      ASSERT_EQ(rules.allowed(site + std::to_string(i)), Access::disallowed);
      ASSERT_EQ(rules.allowed(site + "other"), Access::allowed);
    }
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
