// Failures that last: which they are, what the answer says of them, and when robots.txt is asked for again.
#include <gtest/gtest.h>

#include "support/agent/robot_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

struct Lasting {
  TransferError error;
  FailureCause cause;
  std::string_view code;
};
constexpr Lasting lasting[] = {
    {TransferError::unknown_name, FailureCause::name_unknown, "name-unknown"},
    {TransferError::address, FailureCause::address_refused, "address-refused"},
    {TransferError::port, FailureCause::port_refused, "port-refused"},
    {TransferError::certificate, FailureCause::certificate_not_verified, "certificate-not-verified"},
};

TEST(FailureCause, OfRobotsTxtIsThatOfItsPages) {
  for (const Lasting& one : lasting) {
    RobotRig rig;
    rig.transport->on("http://a.test/robots.txt", failure(one.error));
    for (const char* page : {"http://a.test/x", "http://a.test/y"}) {
      const Response answer = rig.fetch(page);
      EXPECT_EQ(answer.source, ResponseSource::robots_unreachable) << one.code;
      EXPECT_EQ(answer.cause, one.cause) << one.code;
      EXPECT_EQ(to_string(answer.cause), one.code);
      ASSERT_NE(answer.robots, nullptr);
      EXPECT_EQ(answer.robots->cause, one.cause) << one.code;
    }
    EXPECT_EQ(rig.consult("http://a.test/z").note->cause, one.cause) << one.code;
    EXPECT_TRUE(rig.pages().empty());
  }
}

TEST(FailureCause, EndsWithTheRecordThatItBelongsTo) {
  RobotRig rig;
  RobotRig other(rig, undelayed());
  rig.transport->on("http://a.test/robots.txt",
                    {failure(TransferError::unknown_name), failure(TransferError::timeout)});
  EXPECT_EQ(rig.fetch("http://a.test/x").cause, FailureCause::name_unknown);
  rig.loop->advance(25h);
  EXPECT_EQ(other.fetch("http://a.test/x").cause, FailureCause::none);
  const Response answer = rig.fetch("http://a.test/y");
  EXPECT_EQ(rig.robots("http://a.test"), 2U) << "the record of the other robot is used";
  EXPECT_EQ(answer.source, ResponseSource::robots_unreachable);
  EXPECT_EQ(answer.cause, FailureCause::none);
  EXPECT_EQ(answer.warning.find("name"), std::string::npos) << answer.warning;
}

TEST(FailureCause, OfAPageIsItsOwn) {
  for (const Lasting& one : lasting) {
    RobotRig rig;
    rig.site("http://a.test", "");
    rig.transport->on("http://a.test/x", failure(one.error));
    const Response page = rig.fetch("http://a.test/x");
    EXPECT_EQ(page.cause, one.cause) << one.code;
    EXPECT_NE(page.source, ResponseSource::robots_unreachable) << one.code;
  }
}

TEST(FailureCause, ThereIsNoneWhereTheNextTryMaySucceed) {
  for (const TransferError error : {TransferError::resolve, TransferError::connect, TransferError::tls,
                                    TransferError::timeout, TransferError::cut, TransferError::protocol}) {
    RobotRig rig;
    rig.transport->on("http://a.test/robots.txt", failure(error));
    EXPECT_EQ(rig.fetch("http://a.test/x").cause, FailureCause::none) << static_cast<int>(error);
  }
  RobotRig rig;
  rig.transport->on("http://a.test/robots.txt", WireReply{.status = 503});
  EXPECT_EQ(rig.fetch("http://a.test/x").cause, FailureCause::none);
}

TEST(FailureCause, EndsWithTheNextAnswer) {
  RobotRig rig;
  rig.transport->on("http://a.test/robots.txt", {failure(TransferError::unknown_name), {.status = 503}, {.body = ""}});
  EXPECT_EQ(rig.fetch("http://a.test/x").cause, FailureCause::name_unknown);
  rig.loop->advance(70s);
  EXPECT_EQ(rig.fetch("http://a.test/x").cause, FailureCause::none);
  rig.loop->advance(140s);
  EXPECT_EQ(rig.fetch("http://a.test/x").body, "page");
}

// A later run asks again: at once if its settings may be others, else when a minute is over, as after any failure.
TEST(FailureCause, ALaterRunAsksAgain) {
  for (const Lasting& one : lasting) {
    RobotRig rig;
    rig.transport->on("http://a.test/robots.txt", {failure(one.error), {.body = ""}});
    rig.fetch("http://a.test/x");
    const auto record = rig.store->robots(Origin::of("http://a.test/").value()).value();
    ASSERT_NE(record, nullptr);
    EXPECT_EQ(record->outcome, RobotsOutcome::unreachable);
    const bool is_ours = one.error == TransferError::address;
    EXPECT_EQ(record->failing_since.has_value(), !is_ours) << one.code;
    rig.loop->advance(is_ours ? 1'001ms : 67s);
    RobotRig later(rig, undelayed());
    EXPECT_EQ(later.fetch("http://a.test/x").body, "page") << one.code;
  }
}

// A server was asked, so it is not asked every second.
TEST(FailureCause, ARedirectToARefusedAddressIsAFailureOfTheSite) {
  RobotRig rig;
  rig.transport->on("http://a.test/robots.txt", WireReply{.status = 302, .headers = {{"Location", "http://b.test/r"}}});
  rig.transport->on("http://b.test/r", failure(TransferError::address));
  EXPECT_EQ(rig.fetch("http://a.test/x").cause, FailureCause::address_refused);
  rig.loop->advance(30s);
  EXPECT_EQ(rig.fetch("http://a.test/x").cause, FailureCause::address_refused);
  EXPECT_EQ(rig.robots("http://a.test"), 1U);
}

TEST(FailureCause, OfARefusedPortIsKnownWithoutARequest) {
  RobotRig rig;
  const Response page = rig.fetch("http://a.test:25/");
  EXPECT_EQ(page.cause, FailureCause::port_refused);
  EXPECT_EQ(page.warning, "http://a.test:25/: port 25 is not permitted");
  EXPECT_EQ(rig.consult("http://a.test:25/").note->cause, FailureCause::port_refused);
  EXPECT_TRUE(rig.transport->log().empty());
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
