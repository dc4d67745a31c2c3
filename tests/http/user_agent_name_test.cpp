// The User-Agent header of an agent: its default, and what is added to a name that ends with a space, as in LWP.
#include <robotrules/version.hpp>

#include "support/agent/loopback.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using UserAgentName = LocalAgent;

TEST_F(UserAgentName, ANameThatEndsWithASpaceGetsTheDefault) {
  server.on("", "/", reply(""));
  const std::string own = "robotrules/" ROBOTRULES_VERSION;
  const auto sent = [&](UserAgent& ua) {
    ua.get(url("/"));
    return server.witness().requests("/").back().header("User-Agent");
  };
  UserAgentOptions plain = options;
  plain.agent = UserAgentOptions().agent;
  UserAgent unnamed(plain);
  EXPECT_EQ(sent(unnamed), own);
  options.agent = "MyTool/1.0 ";
  UserAgent ua = agent();
  EXPECT_EQ(ua.options().agent, "MyTool/1.0 " + own);
  EXPECT_EQ(sent(ua), "MyTool/1.0 " + own);
  UserAgentOptions other = ua.options();
  ua.configure(other);
  EXPECT_EQ(sent(ua), "MyTool/1.0 " + own) << "once";
  other.agent = "Other ";
  ua.configure(other);
  EXPECT_EQ(sent(ua), "Other " + own);
  other.agent = "Other";
  ua.configure(other);
  EXPECT_EQ(sent(ua), "Other");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
