// Names of stores on servers.
#include <gtest/gtest.h>

#include "servers/server_name.hpp"

namespace robotrules::store {
namespace {

TEST(ServerNames, AllPartsAreRead) {
  const auto name = parse_server_name("rediss://us%40er:p%3Aw@one.test:7000,[::1],three/5?ca=%2Fetc%2Fca&x=", 6379);
  ASSERT_TRUE(name.ok()) << name.error().message;
  EXPECT_EQ(name->scheme, "rediss");
  EXPECT_EQ(name->user, "us@er");
  EXPECT_EQ(name->password, "p:w");
  const std::vector<ServerAddress> addresses{{"one.test", 7000}, {"::1", 6379}, {"three", 6379}};
  EXPECT_EQ(name->addresses, addresses);
  EXPECT_EQ(name->path, "5");
  const std::vector<std::pair<std::string, std::string>> settings{{"ca", "/etc/ca"}, {"x", ""}};
  EXPECT_EQ(name->settings, settings);
  EXPECT_EQ(addresses[1].text(), "[::1]:6379");
}

TEST(ServerNames, NamesThatCannotBeUnderstoodAreRefusedWithoutTheirPassword) {
  for (const char* text :
       {"redis", "redis://", "redis://:secret@", "redis://u:secret@host:0", "redis://u:secret@host:70000",
        "redis://u:secret@host:1x", "redis://u:secret@host,/0", "redis://u:secret@host/%", "redis://u:secret@host/%2",
        "redis://u:secret@host/%zz", "redis://u:secret@host/%00", "redis://u:secret@host?x", "redis://u:secret@host?=x",
        "redis://u:secret@host#x", "redis://u:secret%@host", "redis://u:secret@[::1", "redis://u:secret@[::1]x"}) {
    const auto name = parse_server_name(text, 6379);
    ASSERT_FALSE(name.ok()) << text;
    EXPECT_EQ(name.error().code, "store-name") << text;
    EXPECT_EQ(name.error().message.find("secret"), std::string::npos) << name.error().message;
  }
}

}  // namespace
}  // namespace robotrules::store
