// Sites of a real server that fail together: without connections it may be the robot's own network.
#include <gtest/gtest.h>

#include "support/agent/loopback.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

class SitesFailTogether : public testing::Test {
 protected:
  SitesFailTogether() {
    site_.robot_options.use_sleep = false;
    site_.options.limits.max_total_time = 2s;
    site_.robots_txt(reply(""));
    site_.server.on("", "/hangs", Script().read_to_end());
    for (const std::string& host : hosts_) EXPECT_EQ(site_.get("/y", host).code, 200);
  }
  void all_end_with(ResponseSource source) {
    std::vector<std::string> urls;
    for (const std::string& host : hosts_) urls.push_back(site_.url("/hangs", host));
    for (const Response& response : site_.get_all(urls)) EXPECT_EQ(response.source, source) << response.warning;
  }
  const std::vector<std::string> hosts_{"a.test", "b.test", "c.test", "d.test", "e.test"};
  Loopback site_;
};

TEST_F(SitesFailTogether, WithConnectionsTheyAreTheCause) {
  all_end_with(ResponseSource::timeout);
  EXPECT_FALSE(site_.robot().network_failing_since());
  for (const std::string& host : hosts_) {
    EXPECT_EQ(site_.robot().rules()->store()->gate(site_.url("", host)).value().failures, 1U) << host;
  }
}

TEST_F(SitesFailTogether, WithoutConnectionsItIsTheNetwork) {
  EXPECT_FALSE(site_.robot().network_failing_since());
  site_.server.stop_listening(site_.port);
  site_.server.drop_connections();
  all_end_with(ResponseSource::network);
  EXPECT_TRUE(site_.robot().network_failing_since());
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
