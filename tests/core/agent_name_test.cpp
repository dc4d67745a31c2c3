#include <robotrules/rules.hpp>

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace robotrules::test::THIS_FILE {
namespace {

using Names = std::vector<std::string_view>;

TEST(ProductToken, LettersHyphenAndUnderscore) {
  for (const std::string_view good : {"FooBot", "a", "-", "_", "Foo-Bot_News"})
    EXPECT_TRUE(is_product_token(good)) << good;
  for (const std::string_view bad : {"", " ", "Foo Bot", "FooBot/2.1", "MJ12bot", "*", "Foo.", "\xC3\xBC", "Foo\n"}) {
    EXPECT_FALSE(is_product_token(bad)) << bad;
  }
  EXPECT_FALSE(is_product_token(std::string_view("Foo\0", 4)));
}

TEST(ProductToken, TheLeadingOne) {
  EXPECT_EQ(leading_product_token("FooBot/2.1"), "FooBot");
  EXPECT_EQ(leading_product_token("FooBot"), "FooBot");
  EXPECT_EQ(leading_product_token("Foo Bot"), "Foo");
  EXPECT_EQ(leading_product_token("MJ12bot"), "MJ");
  EXPECT_EQ(leading_product_token("360Spider"), "");
  EXPECT_EQ(leading_product_token("*"), "");
  EXPECT_EQ(leading_product_token(""), "");
}

struct HeaderCase {
  std::string_view header;
  Names names;
};

TEST(ProductTokens, OfHeadersAsRobotsSendThem) {
  const std::vector<HeaderCase> cases = {
      {"Mozilla/5.0 (compatible; FooBot/1.0; +http://foo.example/bot)", {"FooBot"}},
      {"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; FooBot/2.1; +http://foo.example/bot.html) "
       "Chrome/120.0.0.0 Safari/537.36",
       {"FooBot"}},
      {"Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) "
       "Chrome/120.0.0.0 Mobile Safari/537.36 (compatible; FooBot/2.1; +http://foo.example/bot.html)",
       {"FooBot"}},
      {"FooBot/2.1 (+http://foo.example/bot.html)", {"FooBot"}},
      {"FooBot-News", {"FooBot-News"}},
      {"MJ12bot/v1.4.8", {"MJ12bot"}},
      {"Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://foo.example/)", {"MJ12bot"}},
      {"360Spider/1.0", {"360Spider"}},
      {"Mozilla/5.0 (compatible; Foo! Slurp; http://foo.example/help)", {"Slurp"}},
      {"curl/7.88.1", {"curl"}},
      {"python-requests/2.31.0", {"python-requests"}},
      {"FooFetcher/1.0 libwww-perl/6.67", {"FooFetcher", "libwww-perl"}},
      {"Foo web spider/4.0(+http://foo.example/)", {"Foo", "web", "spider"}},
      {"Mozilla/5.0 (compatible; Foo/1.0; BarBot/2.0)", {"BarBot", "Foo"}},
      {"FooBot/1.0 (foobot/2.0; FOOBOT)", {"FooBot"}},
      {"FooBot/1.2 robots@foo.example www.foo.example foo.example/bot.html", {"FooBot"}},
      {"FooBot/1.0 (a (nested) comment; with \\) and \\( in it; BarBot/1.0)", {"FooBot", "BarBot"}},
      {"FooBot/1.0 (never closed; BarBot/1.0", {"FooBot", "BarBot"}},
  };
  for (const HeaderCase& c : cases) EXPECT_EQ(product_tokens(c.header), c.names) << c.header;
}

TEST(ProductTokens, NamesOfBrowsersOnlyWhereNothingElseIsThere) {
  EXPECT_EQ(product_tokens("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:115.0) Gecko/20100101 Firefox/115.0"),
            (Names{"Mozilla", "Gecko", "Firefox"}));
  EXPECT_EQ(product_tokens("Mozilla"), Names{"Mozilla"});
}

TEST(ProductTokens, AHeaderOfOneWordGivesThatWord) {
  EXPECT_EQ(product_tokens("FooBot"), Names{"FooBot"});
  EXPECT_EQ(product_tokens("  FooBot\t"), Names{"FooBot"});
  EXPECT_EQ(product_tokens("foo.example/bot.html"), Names{"foo.example/bot.html"});
  EXPECT_EQ(product_tokens("12345"), Names{"12345"});
}

TEST(ProductTokens, ProseInACommentNamesNoRobotBesideAProduct) {
  EXPECT_EQ(product_tokens("Foo/1.0 (our crawlers are nice; see foo.example)").front(), "Foo");
  EXPECT_EQ(product_tokens("Mozilla/5.0 (compatible; a crawlingbot of foo.example)").front(), "crawlingbot");
}

TEST(RobotName, AnyNameThatARobotsTxtCanName) {
  for (const std::string_view good :
       {"FooBot", "MJ12bot", "360Spider", "crawler4j", "archive.org_bot", "007", "Foo!", "Mail.RU", "\xC3\xBC-bot"}) {
    EXPECT_TRUE(is_robot_name(good)) << good;
    EXPECT_EQ(robot_name(good), good);
  }
  for (const std::string_view bad : {"", "*", "Foo*", "Foo Bot", "Foo/1.0", "Foo#", "Foo\n", " Foo", "\x7F"}) {
    EXPECT_FALSE(is_robot_name(bad)) << bad;
  }
  EXPECT_FALSE(is_robot_name(std::string_view("Foo\0", 4)));
}

TEST(RobotName, OfAWholeUserAgentHeader) {
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {"Mozilla/5.0 (compatible; FooBot/1.0; +https://foo.example/bot)", "FooBot"},
      {"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
       "GPTBot"},
      {"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.1; +https://openai.com/gptbot",
       "GPTBot"},
      {"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 "
       "Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)",
       "Applebot"},
      {"Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) "
       "Chrome/126.0.6478.126 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
       "Googlebot"},
      {"Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Firefox/115.0", "Mozilla"},
      {"MJ12bot/v1.4.8 (http://mj12bot.com/)", "MJ12bot"},
      {"Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)", "archive.org_bot"},
      {"  FooBot  ", "FooBot"},
      {"*", ""},
      {"", ""},
      {"  ", ""},
      {"(+http://foo.example/)", ""},
      {"foo.example/bot.html", ""},
  };
  for (const auto& [header, name] : cases) EXPECT_EQ(robot_name(header), name) << header;
}

TEST(ProductTokens, NoneInNothing) {
  for (const std::string_view nothing : {"", "   ", "( ; , )", "1 2 3"})
    EXPECT_EQ(product_tokens(nothing), Names{}) << nothing;
}

TEST(ProductTokens, AreViewsIntoTheHeaderWhateverItsBytes) {
  const std::string_view bytes = "FoB1./();,\\ -_+@:\t\xFF\x80\x01";
  std::mt19937 random(9309);
  for (int round = 0; round < 50'000; ++round) {
    std::vector<char> header;
    for (std::size_t i = random() % 40; i > 0; --i) header.push_back(bytes[random() % bytes.size()]);
    const std::string_view view(header.data(), header.size());
    for (const std::string_view name : product_tokens(view)) {
      ASSERT_FALSE(name.empty());
      ASSERT_GE(name.data(), view.data());
      ASSERT_LE(name.data() + name.size(), view.data() + view.size());
    }
  }
}

TEST(ProductTokens, ALongHeaderIsReadInLinearTime) {
  std::string header;
  for (int i = 0; i < 100'000; ++i) header += "Name" + std::to_string(i) + "/1.0 ((x)) ";
  EXPECT_EQ(product_tokens(header).size(), 100u);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
