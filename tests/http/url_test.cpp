// URLs as they go over the wire.
#include "http/curl/url.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <robotrules/url.hpp>

namespace robotrules::test {
namespace {

using agent::read_url;
using agent::resolve_url;
using agent::Url;

constexpr std::size_t longest = 8'192;

std::string read(std::string_view text) {
  const auto url = read_url(text, longest);
  return url ? url.value().text : std::string(url.error().code);
}

TEST(Url, IsMadeReadyForTheWire) {
  const struct {
    std::string_view from;
    std::string_view to;
  } cases[] = {
      {"http://a.test", "http://a.test/"},
      {"HTTP://A.TEST/Path", "http://a.test/Path"},
      {"http://a.test:80/", "http://a.test/"},
      {"https://a.test:443/", "https://a.test/"},
      {"https://a.test:80/", "https://a.test:80/"},
      {"http://a.test:080/", "http://a.test/"},
      {"http://a.test./x", "http://a.test/x"},
      {"http://a.test/a/../b/./c", "http://a.test/b/c"},
      {"http://a.test/../../x", "http://a.test/x"},
      {"http://a.test?q", "http://a.test/?q"},
      {"http://a.test/x#fragment", "http://a.test/x"},
      {"http://user:pw@a.test/x", "http://a.test/x"},
      {"http://a.test/a b?c d", "http://a.test/a%20b?c+d"},
      {"http://a.test/\xC3\xBC", "http://a.test/%c3%bc"},
      {"http://b\xC3\xBC"
       "cher.test/",
       "http://xn--bcher-kva.test/"},
      {"http://2130706433/", "http://127.0.0.1/"},
      {"http://0x7f.1/", "http://127.0.0.1/"},
      {"http://127.1/", "http://127.0.0.1/"},
      {"http://0177.0.0.1/", "http://127.0.0.1/"},
      {"http://[::1]/", "http://[::1]/"},
      {"http://[::FFFF:7F00:1]:81/", "http://[::ffff:7f00:1]:81/"},
  };
  for (const auto& [from, to] : cases) EXPECT_EQ(read(from), to) << from;
}

TEST(Url, DotSegmentsAreResolvedInEverySpelling) {
  const struct {
    std::string_view from;
    std::string_view to;
  } cases[] = {
      {"/x/%2e%2e/secret.html", "/secret.html"},
      {"/%2e/secret.html", "/secret.html"},
      {"/x/%2E./%2e%2E/secret", "/secret"},
      {"/x/.%2e", "/"},
      {"/x/%2e", "/x/"},
      {"/..", "/"},
      {"/a//../b", "/a/b"},
      {"//..//../b", "/b"},
      {"/a/.../b/.x/x./%2ex/%252e%252e/y", "/a/.../b/.x/x./%2ex/%252e%252e/y"},
      {"/a%2f../b", "/a%2f../b"},
      {"/a/..\\b;..", "/a/..\\b;.."},
      {"/%7Ea/%2Fb/%", "/%7Ea/%2Fb/%"},
      {"/a?b=/../c&d=/%2e%2e/", "/a?b=/../c&d=/%2e%2e/"},
      {"/a/..?b/../c", "/?b/../c"},
      {"/a/../b#/../c", "/b"},
  };
  const auto base = read_url("http://a.test/d/e", longest);
  ASSERT_TRUE(base);
  for (const auto& [from, to] : cases) {
    const std::string whole = "http://a.test" + std::string(from);
    EXPECT_EQ(read(whole), "http://a.test" + std::string(to)) << from;
    EXPECT_EQ(plain_url(whole).value(), "http://a.test" + std::string(to)) << from;
    if (from.starts_with("//")) continue;
    const auto target = resolve_url(base.value(), from, longest);
    ASSERT_TRUE(target) << from;
    EXPECT_EQ(target.value().text, "http://a.test" + std::string(to)) << from;
  }
}

TEST(Url, ThatCantBeSentIsRefused) {
  using std::string_view_literals::operator""sv;
  for (const std::string_view bad :
       {""sv, "/path"sv, "a.test"sv, "//a.test/"sv, "http:a.test"sv, "http://"sv, "http://a b/"sv, "http://a.test:0/"sv,
        "http://a.test:65536/"sv, "http://a.test:x/"sv, "http://[::1/"sv, "http://a.test/\r\n"sv, "http://a.test/\0"sv,
        "http://a\n.test/"sv, "http://a%00.test/"sv, "http://a.test/\x7F"sv}) {
    EXPECT_EQ(read(bad), "invalid-url") << bad;
  }
  for (const char* other : {"ftp://a.test/", "file:///etc/passwd", "gopher://a.test/", "unix://x/"}) {
    EXPECT_EQ(read(other), "unsupported-scheme") << other;
  }
}

// libcurl 7.88 leaves its copy of such a name behind. (A sanitizer's allocator has no figures here: it reports leaks.)
TEST(Url, AHostWithoutAnALabelLeaksNothing) {
  const auto read_often = [] {
    for (int i = 0; i < 1'000; ++i) EXPECT_EQ(read("http://b.tes\x8E\xD0y/"), "invalid-url");
    return mallinfo2().uordblks;
  };
  const std::size_t before = read_often();
  EXPECT_LT(read_often(), before + 1'000);
}

TEST(Url, IsMadePlainInPublicToo) {
  EXPECT_EQ(plain_url("HTTP://b\u00FCcher.example:80/a/../b c#part").value(), "http://xn--bcher-kva.example/b%20c");
  EXPECT_EQ(plain_url("/x").error().code, "invalid-url");
  EXPECT_EQ(plain_url("ftp://a.test/").error().code, "unsupported-scheme");
  EXPECT_EQ(plain_url("http://a.test/", 13).error().code, "invalid-url");
}

TEST(Url, LengthIsLimitedToTheOctet) {
  const std::string start = "http://a.test/";
  for (const std::size_t size : {99U, 100U, 101U}) {
    const std::string text = start + std::string(size - start.size(), 'x');
    EXPECT_EQ(static_cast<bool>(read_url(text, 100)), size <= 100) << size;
  }
  const std::string grows = start + std::string(40, ' ') + "x";
  EXPECT_FALSE(read_url(grows, 100)) << "as it goes over the wire";
}

TEST(Url, KeepsItsUserApart) {
  const auto url = read_url("http://us%40er:p%3Aw@a.test/", longest);
  ASSERT_TRUE(url);
  EXPECT_EQ(url.value().user, "us@er");
  EXPECT_EQ(url.value().password, "p:w");
  EXPECT_EQ(url.value().path_and_query(), "/");
}

// The examples of RFC 3986 section 5.4, without fragments, which are not sent, and without the path "g;x" that is none.
TEST(Url, ReferencesAreResolvedAsTheStandardShows) {
  const auto base = read_url("http://a/b/c/d;p?q", longest);
  ASSERT_TRUE(base);
  const std::pair<std::string_view, std::string_view> cases[] = {{"g", "/b/c/g"},
                                                                 {"./g", "/b/c/g"},
                                                                 {"g/", "/b/c/g/"},
                                                                 {"/g", "/g"},
                                                                 {"?y", "/b/c/d;p?y"},
                                                                 {"g?y", "/b/c/g?y"},
                                                                 {"#s", "/b/c/d;p?q"},
                                                                 {"g#s", "/b/c/g"},
                                                                 {"g?y#s", "/b/c/g?y"},
                                                                 {";x", "/b/c/;x"},
                                                                 {"g;x", "/b/c/g;x"},
                                                                 {"g;x?y#s", "/b/c/g;x?y"},
                                                                 {"", "/b/c/d;p?q"},
                                                                 {".", "/b/c/"},
                                                                 {"./", "/b/c/"},
                                                                 {"..", "/b/"},
                                                                 {"../", "/b/"},
                                                                 {"../g", "/b/g"},
                                                                 {"../..", "/"},
                                                                 {"../../", "/"},
                                                                 {"../../g", "/g"},
                                                                 {"../../../g", "/g"},
                                                                 {"../../../../g", "/g"},
                                                                 {"/./g", "/g"},
                                                                 {"/../g", "/g"},
                                                                 {"g.", "/b/c/g."},
                                                                 {".g", "/b/c/.g"},
                                                                 {"g..", "/b/c/g.."},
                                                                 {"..g", "/b/c/..g"},
                                                                 {"./../g", "/b/g"},
                                                                 {"./g/.", "/b/c/g/"},
                                                                 {"g/./h", "/b/c/g/h"},
                                                                 {"g/../h", "/b/c/h"},
                                                                 {"g;x=1/./y", "/b/c/g;x=1/y"},
                                                                 {"g;x=1/../y", "/b/c/y"},
                                                                 {"g?y/./x", "/b/c/g?y/./x"},
                                                                 {"g?y/../x", "/b/c/g?y/../x"},
                                                                 {"g#s/../x", "/b/c/g"}};
  for (const auto& [reference, target] : cases) {
    const auto url = resolve_url(base.value(), reference, longest);
    ASSERT_TRUE(url) << reference;
    EXPECT_EQ(url.value().text, "http://a" + std::string(target)) << reference;
  }
}

TEST(Url, ReferencesAreResolved) {
  const auto base = read_url("http://a.test/d/e?q", longest);
  ASSERT_TRUE(base);
  const auto to = [&](std::string_view reference) {
    const auto url = resolve_url(base.value(), reference, longest);
    return url ? url.value().text : std::string(url.error().code);
  };
  EXPECT_EQ(to("x"), "http://a.test/d/x");
  EXPECT_EQ(to("/x"), "http://a.test/x");
  EXPECT_EQ(to("../x"), "http://a.test/x");
  EXPECT_EQ(to("%2e%2e/x"), "http://a.test/x");
  EXPECT_EQ(to("./%2E/../../x"), "http://a.test/x");
  EXPECT_EQ(to(".."), "http://a.test/");
  EXPECT_EQ(to("?x"), "http://a.test/d/e?x");
  EXPECT_EQ(to("//b.test"), "http://b.test/");
  EXPECT_EQ(to("https://b.test/#f"), "https://b.test/");
  EXPECT_EQ(to("ftp://b.test/"), "unsupported-scheme");
  EXPECT_EQ(to("mailto:a@b.test"), "invalid-url");
  EXPECT_EQ(to("javascript:alert(1)"), "invalid-url");
  EXPECT_EQ(to("http://[::1"), "invalid-url");
}

}  // namespace
}  // namespace robotrules::test
