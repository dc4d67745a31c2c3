// The rules of a site, on their own: what a record means for a URL.
#include "robot/site_rules.hpp"

#include <gtest/gtest.h>

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using agent::SiteRules;

const Timestamp now(1h);
const RobotsPolicy& policy = RobotsPolicy::rfc9309();

std::shared_ptr<RobotsRecord> record_of(const std::string& body) {
  auto record = std::make_shared<RobotsRecord>();
  record->body = std::make_shared<const std::string>(body);
  record->fetched_at = now;
  record->fresh_until = now + 1h;
  return record;
}

agent::Url url(const std::string& text) { return agent::read_url(text, 8'192).value(); }

TEST(SiteRules, WithoutARecordNothingIsKnown) {
  SiteRules rules("http://a.test/robots.txt");
  EXPECT_FALSE(rules.judge(policy, now));
  EXPECT_FALSE(rules.allows(url("http://a.test/"), policy, now));
  EXPECT_EQ(rules.note({}, now)->access, Access::unknown);
}

TEST(SiteRules, ARecordDecidesWhileItIsFresh) {
  SiteRules rules("http://a.test/robots.txt");
  const auto record = record_of("User-agent: *\nDisallow: /x\n");
  EXPECT_TRUE(rules.take(record, "testbot", Dialect::rfc9309()));
  EXPECT_FALSE(rules.take(record, "testbot", Dialect::rfc9309()));  // the same one
  EXPECT_GE(rules.bytes(), record->body->size());
  ASSERT_TRUE(rules.judge(policy, now));
  EXPECT_FALSE(rules.check(url("http://a.test/x")).allowed());
  EXPECT_TRUE(rules.check(url("http://a.test/y")).allowed());
  EXPECT_TRUE(rules.allows(url("http://a.test/y"), policy, now));
  const auto note = rules.note(rules.check(url("http://a.test/x")), now + 5s);
  EXPECT_EQ(note->access, Access::disallowed);
  EXPECT_EQ(note->url, "http://a.test/robots.txt");
  EXPECT_EQ(note->age, 5s);
  EXPECT_FALSE(rules.judge(policy, now + 2h));
  rules.forget();
  EXPECT_EQ(rules.record(), nullptr);
  EXPECT_EQ(rules.state(), RobotsState::unknown);
}

TEST(SiteRules, TheReasonOfAFailureBelongsToItsRecord) {
  SiteRules rules("http://a.test/robots.txt");
  auto failed = std::make_shared<RobotsRecord>();
  failed->outcome = RobotsOutcome::unreachable;
  failed->status = 0;
  failed->fresh_until = now + 1min;
  rules.note_fetch(failed->fresh_until, "no route", FailureCause::port_refused);
  rules.take(failed, "testbot", Dialect::rfc9309());
  ASSERT_TRUE(rules.judge(policy, now));
  EXPECT_EQ(rules.state(), RobotsState::disallow_all);
  EXPECT_EQ(rules.why_disallowed(), "robots.txt cannot be fetched (no route), so all of the site is disallowed");
  EXPECT_EQ(rules.note({}, now)->warning, "no route");
  EXPECT_EQ(rules.cause(), FailureCause::port_refused);
  auto of_another_process = std::make_shared<RobotsRecord>(*failed);
  of_another_process->fresh_until = now + 2min;
  rules.take(of_another_process, "testbot", Dialect::rfc9309());
  ASSERT_TRUE(rules.judge(policy, now));
  EXPECT_EQ(rules.why_disallowed(), "robots.txt cannot be fetched, so all of the site is disallowed");
  EXPECT_EQ(rules.cause(), FailureCause::none);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
