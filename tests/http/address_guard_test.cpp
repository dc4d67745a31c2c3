// Networks that are let through, as they are written.
#include <gtest/gtest.h>

#include <string>

#include <robotrules/user_agent.hpp>

namespace robotrules::test::THIS_FILE {
namespace {

using std::string_view_literals::operator""sv;

TEST(AddressGuard, ANetworkWithHostBitsIsRefused) {
  const struct {
    const char* network;
    const char* remedy;
  } cases[] = {{"8.8.8.8/0", "\"0.0.0.0/0\""},
               {"127.0.0.1/8", "\"127.0.0.0/8\""},
               {"10.1.2.3/31", "\"10.1.2.2/31\""},
               {"fd00::1/8", "\"fd00::/8\""},
               {"::1/0", "\"::/0\""},
               {"::1/127", "\"::/127\""},
               {"::ffff:10.0.0.1/104", "/104\""}};
  for (const auto& [network, remedy] : cases) {
    AddressGuard guard;
    const auto allowed = guard.allow(network);
    ASSERT_FALSE(allowed) << network;
    EXPECT_EQ(allowed.error().code, "invalid-network");
    EXPECT_NE(allowed.error().message.find(remedy), std::string::npos) << allowed.error().message;
    EXPECT_FALSE(guard.permits("\x7F\x00\x00\x01"sv)) << network;
  }
}

TEST(AddressGuard, ANetworkWithoutThemIsLetThrough) {
  for (const char* network : {"127.0.0.0/8", "127.0.0.1", "127.0.0.1/32", "0.0.0.0/0", "127.0.0.0/31"}) {
    AddressGuard guard;
    ASSERT_TRUE(guard.allow(network)) << network;
    EXPECT_TRUE(guard.permits("\x7F\x00\x00\x01"sv)) << network;
    EXPECT_EQ(guard.permits("\x0A\x00\x00\x01"sv), std::string(network) == "0.0.0.0/0") << network;
  }
  for (const char* network : {"fd00::/8", "fd00::1", "fd00::1/128", "::/0"}) {
    AddressGuard guard;
    ASSERT_TRUE(guard.allow(network)) << network;
    EXPECT_TRUE(guard.permits("\xFD\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01"sv)) << network;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
