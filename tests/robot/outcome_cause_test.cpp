// What a robot tells the gate about a request that got no answer.
#include <gtest/gtest.h>

#include "support/agent/robot_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

const std::string site = "http://a.test";

struct Case {
  const char* name;
  WireReply reply;
  unsigned failures;
};

TEST(OutcomeCause, FailuresOfTheSitePauseItAndOthersDoNot) {
  WireReply half{.headers = {{"Content-Length", "100"}}, .body = "half", .error = TransferError::cut};
  WireReply slow = half;
  slow.error = TransferError::timeout;
  const Case cases[] = {
      {"the connection is refused", failure(TransferError::connect), 1},
      {"a time-out", failure(TransferError::timeout), 1},
      {"the name cannot be resolved now", failure(TransferError::resolve), 1},
      {"no route", failure(TransferError::route), 1},
      {"the connection breaks before the head", failure(TransferError::cut), 1},
      {"the connection breaks in the body", half, 1},
      {"a body that takes too long", slow, 0},
      {"an answer", {.body = "page"}, 0},
      {"404", {.status = 404}, 0},
      {"500", {.status = 500}, 0},
      {"the name does not exist", failure(TransferError::unknown_name), 0},
      {"a certificate", failure(TransferError::certificate), 0},
      {"no HTTP", failure(TransferError::protocol), 0},
      {"the guard", failure(TransferError::address), 0},
      {"this process has no descriptors", failure(TransferError::internal), 0},
      {"the proxy fails", failure(TransferError::proxy), 0},
  };
  for (const Case& one : cases) {
    RobotRig rig;
    rig.site(site, "");
    rig.transport->on(site + "/x", one.reply);
    rig.fetch(site + "/x");
    rig.loop->run();
    const GateState gate = rig.store->gate(site).value();
    EXPECT_EQ(gate.failures, one.failures) << one.name;
    EXPECT_EQ(gate.away_until > rig.clock->now(), one.failures > 0) << one.name;
    EXPECT_EQ(gate.in_flight, 0U) << one.name;
  }
}

TEST(OutcomeCause, ARobotsTxtThatCannotBeFetchedPausesTheSiteToo) {
  RobotRig rig;
  rig.transport->on(site + "/robots.txt", failure(TransferError::timeout));
  rig.fetch(site + "/x");
  EXPECT_EQ(rig.store->gate(site).value().failures, 1U);
}

TEST(OutcomeCause, ARedirectPausesTheSiteThatGaveNoAnswer) {
  RobotRig rig;
  rig.site(site, "");
  rig.site("http://b.test", "");
  rig.transport->on(site + "/x", {.status = 302, .headers = {{"Location", "http://b.test/y"}}});
  rig.transport->on("http://b.test/y", failure(TransferError::connect));
  rig.fetch(site + "/x");
  EXPECT_EQ(rig.store->gate(site).value().failures, 0U);
  EXPECT_EQ(rig.store->gate("http://b.test").value().failures, 1U);
}

TEST(OutcomeCause, ACancelledRequestPausesNothing) {
  RobotRig rig;
  rig.site(site, "");
  rig.transport->on(site + "/x", {.body = "page", .latency = 1h});
  const std::size_t number = rig.start(site + "/x");
  rig.loop->advance(1s);
  rig.pending(number).cancel();
  rig.loop->advance(1s);
  ASSERT_TRUE(rig.is_answered(number));
  EXPECT_EQ(rig.store->gate(site).value().failures, 0U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
