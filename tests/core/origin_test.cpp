// RFC 9309 section 2.3: the origin is the key of everything remembered; two URLs share it only if they must.
#include <robotrules/url.hpp>

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace robotrules::test::THIS_FILE {
namespace {

struct OriginCase {
  std::string_view url;
  std::string_view origin;  // as to_string() writes it; empty: none
};

void expect_origins(const std::vector<OriginCase>& cases) {
  for (const OriginCase& c : cases) {
    const std::vector<char> exact(c.url.begin(), c.url.end());  // no byte behind the end
    const auto origin = Origin::of({exact.data(), exact.size()});
    EXPECT_EQ(origin ? origin->to_string() : "", c.origin) << c.url;
  }
}

TEST(Origin, SchemeHostAndPort) {
  expect_origins({
      {"http://example.org", "http://example.org"},
      {"http://example.org/", "http://example.org"},
      {"https://example.org/a?b#c", "https://example.org"},
      {"http://example.org?q=/@:", "http://example.org"},
      {"http://example.org#f", "http://example.org"},
      {"HTTP://EXAMPLE.Org/A", "http://example.org"},
      {"hTTpS://EXAMPLE.ORG.", "https://example.org"},
      {"http://example.org.:8080/", "http://example.org:8080"},
      {"http://127.0.0.1:8080/", "http://127.0.0.1:8080"},
      {"http://localhost/", "http://localhost"},
      {"http://xn--bcher-kva.example/", "http://xn--bcher-kva.example"},
      {"http://B\xC3\xBC"
       "cher.example/",
       "http://b\xC3\xBC"
       "cher.example"},
      {"http://under_score.example/", "http://under_score.example"},
  });
}

TEST(Origin, DefaultPortsAreFoldedIn) {
  expect_origins({
      {"http://a.example:80/", "http://a.example"},
      {"http://a.example:080/", "http://a.example"},
      {"http://a.example:0000000000000000000080/", "http://a.example"},
      {"http://a.example:/", "http://a.example"},
      {"https://a.example:443/", "https://a.example"},
      {"https://a.example:80/", "https://a.example:80"},
      {"http://a.example:443/", "http://a.example:443"},
      {"http://a.example:1/", "http://a.example:1"},
      {"http://a.example:65535/", "http://a.example:65535"},
  });
  EXPECT_EQ(Origin::of("http://a.example")->port, 80);
  EXPECT_EQ(Origin::of("https://a.example:")->port, 443);
  EXPECT_EQ(Origin::of("https://a.example:8443")->port, 8443);
}

TEST(Origin, UserinfoIsLeftOut) {
  expect_origins({
      {"http://user:pass@a.example/", "http://a.example"},
      {"http://user@a.example:81/", "http://a.example:81"},
      {"http://@a.example/", "http://a.example"},
      {"http://a.example:80@b.example/", "http://b.example"},
      {"http://a@b@c.example/", "http://c.example"},
      {"http://a.example/@b.example", "http://a.example"},
      {"http://user@/", ""},
  });
}

TEST(Origin, Ipv6StandsInItsBrackets) {
  expect_origins({
      {"http://[::1]/", "http://[::1]"},
      {"http://[::]:8080/", "http://[::]:8080"},
      {"https://[2001:DB8::A]:443/", "https://[2001:db8::a]"},
      {"http://[1:2:3:4:5:6:7:8]/", "http://[1:2:3:4:5:6:7:8]"},
      {"http://[1:2:3:4:5:6:7::]/", "http://[1:2:3:4:5:6:7::]"},
      {"http://[::ffff:127.0.0.1]/", "http://[::ffff:127.0.0.1]"},
      {"http://u@[::1]:81/", "http://[::1]:81"},
      {"http://[]/", ""},
      {"http://[:]/", ""},
      {"http://[::1/", ""},
      {"http://::1]/", ""},
      {"http://::1/", ""},
      {"http://[::1]x/", ""},
      {"http://[::1]80/", ""},
      {"http://[::1%25eth0]/", ""},
      {"http://[fe80::1%eth0]/", ""},
      {"http://[1:2:3:4:5:6:7:8:9]/", ""},
      {"http://[1:2:3:4:5:6:7]/", ""},
      {"http://[1:2:3:4:5:6:7:8::]/", ""},
      {"http://[1::2::3]/", ""},
      {"http://[:::1]/", ""},
      {"http://[1:2:3:4:5:6:7:]/", ""},
      {"http://[12345::]/", ""},
      {"http://[g::]/", ""},
      {"http://[::1.2.3]/", ""},
      {"http://[::1.2.3.256]/", ""},
      {"http://[::1.2.3.4:5]/", ""},
      {"http://[::01.2.3.4]/", ""},
      {"http://[v1.a]/", ""},
      {"http://[127.0.0.1]/", ""},
  });
}

TEST(Origin, NoOriginWithoutSchemeOrHost) {
  expect_origins({
      {"", ""},
      {"/", ""},
      {"//a.example/", ""},
      {"a.example/", ""},
      {"a.example:80/", ""},
      {"http:", ""},
      {"http:/a.example/", ""},
      {"http:a.example", ""},
      {"http://", ""},
      {"http:///", ""},
      {"http://?a", ""},
      {"http://:80/", ""},
      {"http://./", ""},
      {"http://../", ""},
      {"http://a.example../", ""},
      {"ftp://a.example/", ""},
      {"file:///etc/passwd", ""},
      {"ws://a.example/", ""},
      {"httpx://a.example/", ""},
      {"httpss://a.example/", ""},
      {"mailto:a@b.example", ""},
      {"javascript://a.example/", ""},
      {" http://a.example/", ""},
      {"http ://a.example/", ""},
      {"\thttp://a.example/", ""},
  });
}

TEST(Origin, NoOriginWithABadPort) {
  expect_origins({
      {"http://a.example:0/", ""},
      {"http://a.example:000/", ""},
      {"http://a.example:65536/", ""},
      {"http://a.example:4294967376/", ""},
      {"http://a.example:18446744073709551696/", ""},
      {"http://a.example:-80/", ""},
      {"http://a.example:+80/", ""},
      {"http://a.example:80a/", ""},
      {"http://a.example:0x50/", ""},
      {"http://a.example: 80/", ""},
      {"http://a.example:80:80/", ""},
      {"http://a.example:\xD9\xA8/", ""},
  });
}

TEST(Origin, NoOriginWithAHostThatTwoProgramsReadDifferently) {
  expect_origins({
      {"http://a.example\\@b.example/", ""},
      {"http://a.example\\b/", ""},
      {"http:\\\\a.example/", ""},
      {"http:/\\a.example/", ""},
      {"http://a b.example/", ""},
      {"http://a\tb.example/", ""},
      {"http://a\nb.example/", ""},
      {"http://a\r\nHost: b/", ""},
      {"http://a b@c.example/", ""},
      {"http://a\x7F.example/", ""},
      {"http://a%2eexample/", ""},
      {"http://a%00.example/", ""},
      {"http://a<b/", ""},
      {"http://a>b/", ""},
      {"http://a\"b/", ""},
      {"http://a^b/", ""},
      {"http://a`b/", ""},
      {"http://a{b}/", ""},
      {"http://a|b/", ""},
      {"http://a[b]/", ""},
  });
  EXPECT_EQ(Origin::of(std::string_view("http://a\0b/", 11)), std::nullopt);
  EXPECT_EQ(Origin::of(std::string_view("http://a\0@b/", 12)), std::nullopt);
}

TEST(Origin, ComparesByValue) {
  EXPECT_EQ(Origin::of("http://A.example:80/x"), Origin::of("http://a.example./y"));
  EXPECT_NE(Origin::of("http://a.example"), Origin::of("https://a.example"));
  EXPECT_NE(Origin::of("http://a.example"), Origin::of("http://a.example:81"));
  EXPECT_LT(*Origin::of("http://a.example"), *Origin::of("http://b.example"));
}

TEST(Origin, KnowsItsRobotsTxt) {
  EXPECT_EQ(Origin::of("https://u:p@Example.org:443/a")->robots_url(), "https://example.org/robots.txt");
  EXPECT_EQ(Origin::of("http://[::1]:81/a")->robots_url(), "http://[::1]:81/robots.txt");
}

TEST(Origin, ItsOwnTextHasTheSameOrigin) {
  const std::string_view bytes = "a.B1:[]@/?#%\\ -\xC3\xBC\x01";
  std::mt19937 random(9309);
  int origins = 0;
  for (int round = 0; round < 200'000; ++round) {
    std::string url = round % 2 ? "http://" : "https://";
    for (std::size_t i = random() % 12; i > 0; --i) url += bytes[random() % bytes.size()];
    const auto origin = Origin::of(url);
    if (!origin) continue;
    ++origins;
    ASSERT_EQ(Origin::of(origin->to_string()), origin) << url;
    ASSERT_FALSE(origin->host.empty());
    ASSERT_FALSE(origin->host.ends_with('.')) << url;
    ASSERT_NE(origin->port, 0) << url;
  }
  EXPECT_GT(origins, 1000);
}

// robots-parser 3.0.1: https had port 80. LWP and Scrapy: http and https of one host shared their rules.
TEST(Origin, KeepsSchemeAndPort) {
  EXPECT_EQ(Origin::of("https://foo.example/")->port, 443);
  EXPECT_EQ(Origin::of("http://foo.example/")->port, 80);
  EXPECT_EQ(Origin::of("https://foo.example:443/"), Origin::of("https://FOO.example./x"));
  EXPECT_NE(Origin::of("http://foo.example:443/"), Origin::of("https://foo.example:443/"));
  EXPECT_NE(Origin::of("http://foo.example:8080/"), Origin::of("http://foo.example/"));
  EXPECT_EQ(Origin::of("http://foo.example:080/"), Origin::of("http://foo.example/"));
  EXPECT_FALSE(Origin::of("http://foo.example:0/"));
  EXPECT_FALSE(Origin::of("http://foo.example:65536/"));
  EXPECT_FALSE(Origin::of("http://foo.example:4294967376/"));
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
