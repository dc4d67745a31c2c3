// Names and passwords of a netrc file.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <robotrules/user_agent.hpp>

namespace robotrules::test::THIS_FILE {
namespace {

TEST(Netrc, IsReadAsCurlReadsIt) {
  const auto machines = read_netrc(
      "# machine comment.test login no password no\r\n"
      "machine one.test login ann password secret account x\r\n"
      "machine two.test\n  password \"two \\\"words\\\"\"\n  login bob\n"
      "macdef init\nmachine macro.test login no password no\n\n"
      "default login anonymous password x\n"
      "machine nameless.test password x\n"
      "machine three.test login cy password #x");
  ASSERT_EQ(machines.size(), 3U);
  EXPECT_EQ(machines[0].host + ' ' + machines[0].access.user + ' ' + machines[0].access.password,
            "one.test ann secret");
  EXPECT_EQ(machines[1].host + ' ' + machines[1].access.user + ' ' + machines[1].access.password,
            "two.test bob two \"words\"");
  EXPECT_EQ(machines[2].host + ' ' + machines[2].access.user + ' ' + machines[2].access.password, "three.test cy #x");
  for (const std::string text :
       {"", "machine", "login x", "machine a login \"x", "password", "\"", "machine a login"}) {
    EXPECT_LE(read_netrc(text).size(), 1U) << text;
  }
}

TEST(Netrc, TheFirstEntryOfTheHostIsUsed) {
  const auto machines = read_netrc(
      "machine One.test login ann password a\nmachine one.test login bob password b\n"
      "default login anonymous password x\nmachine 127.0.0.1 login cy password c\n");
  const auto user = [&](std::string_view url) {
    const auto access = netrc_access(machines, url);
    return access ? access->user + ":" + access->password : "-";
  };
  EXPECT_EQ(user("https://one.test/x"), "ann:a");
  EXPECT_EQ(user("http://ONE.test:8080/"), "ann:a");
  EXPECT_EQ(user("http://127.0.0.1:81/"), "cy:c");
  for (const char* url : {"https://two.test/", "https://sub.one.test/", "/x", "", "ftp://one.test/"}) {
    EXPECT_EQ(user(url), "-") << url;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
