// URLs as they go over the wire.
#include "url/url.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <robotrules/url.hpp>

namespace robotrules::test::THIS_FILE {
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
      {"http://a.test/\xC3\xBC", "http://a.test/%C3%BC"},
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

// RFC 3986 section 6.2.2.
TEST(Url, HasOneNormalForm) {
  const struct {
    std::string_view found;
    std::string_view sent;
  } cases[] = {
      {"/caf\xC3\xA9", "/caf%C3%A9"},
      {"/caf%C3%A9", "/caf%C3%A9"},
      {"/caf%c3%a9", "/caf%C3%A9"},
      {"/%7Ejoe", "/~joe"},
      {"/~joe", "/~joe"},
      {"/%41%2d%2E%5f%7e%39?%61=%7A", "/A-._~9?a=z"},
      {"/\"<>\\^{|}`?\"<>\\^{|}`", "/%22%3C%3E%5C%5E%7B%7C%7D%60?%22%3C%3E%5C%5E%7B%7C%7D%60"},
      {"/%3a%2f%3f%23%5b%5d%40?%21%24%26%27%28%29%2a%2b%2c%3b%3d",
       "/%3A%2F%3F%23%5B%5D%40?%21%24%26%27%28%29%2A%2B%2C%3B%3D"},
      {"/:@!$&'()*+,;=/?:@!$&'()*+,;=/?", "/:@!$&'()*+,;=/?:@!$&'()*+,;=/?"},
      {"/a[1]?b[]=2", "/a[1]?b[]=2"},
      {"/a b?c d?e f", "/a%20b?c+d?e+f"},
      {"/%20?%20+", "/%20?%20+"},
      {"/%00%0a%7f%FF", "/%00%0A%7F%FF"},
      {"/100%", "/100%"},
      {"/%zz%4", "/%zz%4"},
      {"/%%341", "/%%341"},  // not "%41"
      {"/%4%31", "/%4%31"},  // not "%41"
      {"/%2541%%7E", "/%2541%~"},
  };
  for (const auto& [found, sent] : cases) {
    const std::string whole = "http://a.test" + std::string(sent);
    EXPECT_EQ(read("http://a.test" + std::string(found)), whole) << found;
    EXPECT_EQ(read(whole), whole) << found;
  }
}

TEST(Url, KeepsTheSpellingThatWasFound) {
  const struct {
    std::string_view from;
    std::string_view found;  // empty: as it is sent
  } cases[] = {
      {"http://a.test/~joe", ""},
      {"http://a.test", ""},
      {"HTTP://A.test:80/x#part", ""},
      {"http://a.test/x/../y", ""},
      {"http://a.test/x?", "http://a.test/x?"},  // an empty query is not sent
      {"http://a.test/%7Ejoe", "http://a.test/%7Ejoe"},
      {"HTTP://user:pw@A.test:80/x/%2e%2e/%7Ejoe?%61#%7E", "http://a.test/%7Ejoe?%61"},
      {"http://a.test/caf\xC3\xA9", "http://a.test/caf\xC3\xA9"},
      {"http://a.test?a|b c", "http://a.test/?a|b c"},
      {"http://b\xC3\xBC"
       "cher.test/%c3",
       "http://xn--bcher-kva.test/%c3"},
  };
  for (const auto& [from, found] : cases) {
    const auto url = read_url(from, longest);
    ASSERT_TRUE(url) << from;
    EXPECT_EQ(url.value().found, found) << from;
    if (found.empty()) continue;
    const auto again = read_url(url.value().found, longest);
    ASSERT_TRUE(again) << from;
    EXPECT_EQ(again.value().found, found) << from;
    EXPECT_EQ(again.value().text, url.value().text) << from;
  }
  EXPECT_EQ(read("http:///a.test/%7E"), "http://a.test/~") << "libcurl reads the host, whatever the slashes";
}

TEST(Url, ReferencesKeepTheSpellingThatWasFound) {
  const auto base = read_url("http://a.test/%7Ejoe/x|y?q", longest);
  ASSERT_TRUE(base);
  const struct {
    std::string_view reference;
    std::string_view found;
    std::string_view sent;
  } cases[] = {
      {"a|b", "/%7Ejoe/a|b", "/~joe/a%7Cb"},
      {"a", "/%7Ejoe/a", "/~joe/a"},
      {"/a", "", "/a"},
      {"/caf\xC3\xA9", "/caf\xC3\xA9", "/caf%C3%A9"},
      {"../%7e?b c#|", "/%7e?b c", "/~?b+c"},
      {"?a|b", "/%7Ejoe/x|y?a|b", "/~joe/x%7Cy?a%7Cb"},
      {"", "/%7Ejoe/x|y?q", "/~joe/x%7Cy?q"},
      {"#a|b", "/%7Ejoe/x|y?q", "/~joe/x%7Cy?q"},
      {"x?u=http://b.test/%7E", "/%7Ejoe/x?u=http://b.test/%7E", "/~joe/x?u=http://b.test/~"},
  };
  for (const auto& [reference, found, sent] : cases) {
    const auto url = resolve_url(base.value(), reference, longest);
    ASSERT_TRUE(url) << reference;
    EXPECT_EQ(url.value().found, found.empty() ? "" : "http://a.test" + std::string(found)) << reference;
    EXPECT_EQ(url.value().text, "http://a.test" + std::string(sent)) << reference;
  }
  // libcurl reads a reference as it likes; the spelling of the base is kept all the same.
  const auto odd = resolve_url(base.value(), "..//q", longest);
  ASSERT_TRUE(odd);
  const auto again = read_url(odd.value().as_found(), longest);
  ASSERT_TRUE(again);
  EXPECT_EQ(again.value().text, odd.value().text);
  const auto other = resolve_url(base.value(), "//b.test/%7Eann", longest);
  ASSERT_TRUE(other);
  EXPECT_EQ(other.value().found, "http://b.test/%7Eann");
  const auto whole = resolve_url(base.value(), "https://b.test/%7Eann#x", longest);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole.value().found, "https://b.test/%7Eann");
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
      {"/a/.../b/.x/x./%2ex/%252e%252e/y", "/a/.../b/.x/x./.x/%252e%252e/y"},
      {"/a%2f../b", "/a%2F../b"},
      {"/a/..\\b;..", "/a/..%5Cb;.."},
      {"/%7Ea/%2Fb/%", "/~a/%2Fb/%"},
      {"/a?b=/../c&d=/%2e%2e/", "/a?b=/../c&d=/../"},
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
       {""sv, "/path"sv, "a.test"sv, "//a.test/"sv, "http:a.test"sv, "localhost:8080/x"sv, "1x:y"sv, "http://"sv,
        "http://a b/"sv, "http://a.test:0/"sv, "http://a.test:65536/"sv, "http://a.test:x/"sv, "http://[::1/"sv,
        "http://a.test/\r\n"sv, "http://a.test/\0"sv, "http://a\n.test/"sv, "http://a%00.test/"sv,
        "http://a.test/\x7F"sv}) {
    EXPECT_EQ(read(bad), "invalid-url") << bad;
  }
  for (const char* other : {"ftp://a.test/", "file:///etc/passwd", "gopher://a.test/", "unix://x/", "mailto:a@b.test",
                            "MAILTO:a@b.test", "urn:isbn:1", "javascript:1+1", "data:,x", "git+ssh:x"}) {
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

TEST(Url, LengthIsLimitedToTheByte) {
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
}  // namespace robotrules::test::THIS_FILE
