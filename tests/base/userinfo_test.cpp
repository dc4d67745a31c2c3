// User and password in a URL, also in a text that is nearly one.
#include <gtest/gtest.h>

#include <string_view>

#include "base/userinfo.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using base::userinfo_of;
using base::without_userinfo;

TEST(Userinfo, IsRemovedFromUrls) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"http://ann:pw@a.test/x", "http://a.test/x"},
      {"HTTPS://ann@a.test", "HTTPS://a.test"},
      {"//ann:pw@a.test/x", "//a.test/x"},
      {"redis://:pw@a.test:6379/0", "redis://a.test:6379/0"},
      {"ftp://a@b:pw@a.test/", "ftp://a.test/"},
      {"http://ann:pw@[::1]:80/", "http://[::1]:80/"},
      {"http://ann:pw@a.test/?next=http://ann:pw@a.test/", "http://a.test/?next=http://a.test/"}};
  for (const auto& [url, plain] : cases) EXPECT_EQ(without_userinfo(url), plain) << url;
}

TEST(Userinfo, IsRemovedFromTextsThatAreNearlyUrls) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"ann:pw@a.test/x", "a.test/x"},
      {"http:/ann:pw@a.test/", "http:/a.test/"},
      {"http:///ann:pw@a.test/", "http:///a.test/"},
      {"http:\\\\ann:pw@a.test/", "http:\\\\a.test/"},
      {"https:ann:pw@a.test", "https:a.test"},
      {"https:token@a.test", "https:a.test"},
      {"http://ann:pw/x@a.test/", "http://a.test/"},
      {"http://ann:p#w?x@a.test/", "http://a.test/"},
      {"http://ann:p@w:x/y@a.test/", "http://a.test/"},
      {"redis://ann:p/w@a.test:6379/0", "redis://a.test:6379/0"},
      {"ann:p/w@a.test", "a.test"},
      {"sip:ann:pw@a.test", "a.test"},
      {"http://ann:pw@", "http://"}};
  for (const auto& [text, plain] : cases) EXPECT_EQ(without_userinfo(text), plain) << text;
}

TEST(Userinfo, IsNotSeenWhereThereIsNone) {
  for (const std::string_view text :
       {"", "http://a.test/@ann", "http://a.test:80/@ann:x", "http://a.test/?m=ann:pw@b.test", "https://a.test#x@y",
        "http://[::1]/@x", "a.test/x@y", "ann@a.test", "dir/x:y@z", "C:/x@y", "/x:y@z", "a.test:80/x@y",
        "http://a.test:x/", "http://a.test:80", "mailto:ann@a.test", "MAILTO:a@b", "sip:ann@a.test"}) {
    EXPECT_EQ(userinfo_of(text), "") << text;
    EXPECT_EQ(without_userinfo(text), text);
  }
}

TEST(Userinfo, IsRemovedFromSentences) {
  EXPECT_EQ(without_userinfo("\"ann:pw@a.test\" or http://ann:pw@a.test/", "ann:pw@"), "\"a.test\" or http://a.test/");
  EXPECT_EQ(without_userinfo("ann@a.test and http://ann@a.test/", "ann@"), "ann@a.test and http://a.test/")
      << "without a password it may be an e-mail address";
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
