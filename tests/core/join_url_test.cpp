// join_url(): the examples of RFC 3986 section 5.4, all of them, and the other words of its header.
#include <gtest/gtest.h>

#include <robotrules/url.hpp>

namespace robotrules::test::THIS_FILE {
namespace {

constexpr const char* base = "http://a/b/c/d;p?q";

struct Example {
  const char* reference;
  const char* target;
};

TEST(JoinUrl, Rfc3986Section541NormalExamples) {
  const Example examples[] = {
      {"g:h", "g:h"},
      {"g", "http://a/b/c/g"},
      {"./g", "http://a/b/c/g"},
      {"g/", "http://a/b/c/g/"},
      {"/g", "http://a/g"},
      {"//g", "http://g"},
      {"?y", "http://a/b/c/d;p?y"},
      {"g?y", "http://a/b/c/g?y"},
      {"#s", "http://a/b/c/d;p?q#s"},
      {"g#s", "http://a/b/c/g#s"},
      {"g?y#s", "http://a/b/c/g?y#s"},
      {";x", "http://a/b/c/;x"},
      {"g;x", "http://a/b/c/g;x"},
      {"g;x?y#s", "http://a/b/c/g;x?y#s"},
      {"", "http://a/b/c/d;p?q"},
      {".", "http://a/b/c/"},
      {"./", "http://a/b/c/"},
      {"..", "http://a/b/"},
      {"../", "http://a/b/"},
      {"../g", "http://a/b/g"},
      {"../..", "http://a/"},
      {"../../", "http://a/"},
      {"../../g", "http://a/g"},
  };
  for (const auto& [reference, target] : examples) EXPECT_EQ(join_url(base, reference), target) << reference;
}

TEST(JoinUrl, Rfc3986Section542AbnormalExamples) {
  const Example examples[] = {
      {"../../../g", "http://a/g"},
      {"../../../../g", "http://a/g"},
      {"/./g", "http://a/g"},
      {"/../g", "http://a/g"},
      {"g.", "http://a/b/c/g."},
      {".g", "http://a/b/c/.g"},
      {"g..", "http://a/b/c/g.."},
      {"..g", "http://a/b/c/..g"},
      {"./../g", "http://a/b/g"},
      {"./g/.", "http://a/b/c/g/"},
      {"g/./h", "http://a/b/c/g/h"},
      {"g/../h", "http://a/b/c/h"},
      {"g;x=1/./y", "http://a/b/c/g;x=1/y"},
      {"g;x=1/../y", "http://a/b/c/y"},
      {"g?y/./x", "http://a/b/c/g?y/./x"},
      {"g?y/../x", "http://a/b/c/g?y/../x"},
      {"g#s/./x", "http://a/b/c/g#s/./x"},
      {"g#s/../x", "http://a/b/c/g#s/../x"},
      {"http:g", "http:g"},  // strict
  };
  for (const auto& [reference, target] : examples) EXPECT_EQ(join_url(base, reference), target) << reference;
}

TEST(JoinUrl, OfOtherBases) {
  EXPECT_EQ(join_url("https://example.org/a/b?c", "../d#e"), "https://example.org/d#e");
  EXPECT_EQ(join_url("http://a", "g"), "http://a/g");
  EXPECT_EQ(join_url("http://a?q", "g"), "http://a/g");
  EXPECT_EQ(join_url("http://a/b#old", "#new"), "http://a/b#new");
  EXPECT_EQ(join_url("http://a/b/c", "%2e%2E/d"), "http://a/d");
  EXPECT_EQ(join_url("mailto:x", "g"), "g");
  EXPECT_EQ(join_url("", "g"), "g");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
