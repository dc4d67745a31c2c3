// Rules: the compiled form, what it holds besides verdicts, and how long it lives.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <robotrules/robots_txt.hpp>

#include "core/check.hpp"
#include "core/engine_answer.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::string_literals;

TEST(Rules, NoneAllowEverything) {
  const Rules rules;
  EXPECT_EQ(rules.size(), 0U);
  EXPECT_EQ(rules.dialect().name, "rfc9309");
  EXPECT_EQ(rules.crawl_delay(), std::nullopt);
  EXPECT_EQ(rules.request_rate(), std::nullopt);
  EXPECT_EQ(rules.visit_time(), std::nullopt);
  EXPECT_EQ(rules.usage("/x"), Usage());
  for (const char* url : {"", "/", "http://foo.bar/x", "mailto:x", "/%"}) {
    EXPECT_TRUE(rules.check(url).allowed());
    EXPECT_EQ(rules.check(url).why(), Why::no_group);
    EXPECT_EQ(rules.check(url).line(), 0U);
  }
}

TEST(Rules, HoldOnlyWhatTheAgentNeeds) {
  const std::string body =
      "User-agent: a\nDisallow: /1\nAllow: /2\nUser-agent: b\nDisallow: /3\nUser-agent: *\nDisallow: /4";
  EXPECT_EQ(Rules::compile(body, "a").size(), 2U);
  EXPECT_EQ(Rules::compile(body, "b").size(), 1U);
  EXPECT_EQ(Rules::compile(body, "c").size(), 1U);
  EXPECT_EQ(Rules::compile("", "c").size(), 0U);
}

TEST(Rules, AreNotLargerThanTheirFile) {
  std::string body = "User-agent: *\n";
  for (int i = 0; i < 15'000; ++i) body += "Disallow: /path/number/" + std::to_string(i) + "\n";
  const Rules rules = Rules::compile(body, "x");
  EXPECT_EQ(rules.size(), 15'000U);
  EXPECT_LE(rules.memory_bytes(), body.size() * 3 / 2);
}

TEST(Rules, KeepTheDialectTheyWereReadWith) {
  Dialect mine = Dialect::google();
  mine.name = "mine";
  mine.index_html = false;
  const Rules rules = Rules::compile("User-agent: *\nAllow: /index.html\nDisallow: /", "x", mine);
  mine.index_html = true;  // a copy was taken
  EXPECT_EQ(rules.dialect().name, "mine");
  EXPECT_FALSE(rules.check("/").allowed());
}

TEST(Rules, NothingOfTheInputIsNeededAfterwards) {
  auto body = std::make_unique<ExactBlock>("User-agent: FooBot\nDisallow: /a*b$\nAllow: /c");
  auto agent = std::make_unique<ExactBlock>("FooBot");
  const Rules rules = Rules::compile(body->view(), agent->view());
  body.reset();
  agent.reset();
  const Verdict verdict = rules.check(*std::make_unique<std::string>("/axxb"));
  EXPECT_EQ(verdict.rule()->pattern, "/a*b$");
  EXPECT_EQ(verdict.group().agent, "FooBot");
}

TEST(Rules, VerdictsLiveAsLongAsACopy) {
  Verdict verdict;
  std::string_view pattern;
  std::vector<Rules> copies;
  {
    const Rules rules = Rules::compile("User-agent: *\nDisallow: /x\nAllow: /", "x");
    verdict = rules.check("/x");
    pattern = verdict.rule()->pattern;
    copies.push_back(rules);
    for (int i = 0; i < 20; ++i) copies.push_back(copies.back());
  }
  const Rules last = std::move(copies.back());
  copies.clear();
  EXPECT_EQ(pattern, "/x");
  EXPECT_EQ(verdict.rule()->pattern.data(), pattern.data());
  EXPECT_EQ(verdict.runner_up()->line, 3U);
  EXPECT_FALSE(last.check("/x").allowed());
}

TEST(Rules, CopiesAndAssignments) {
  Rules a = Rules::compile("User-agent: *\nDisallow: /a", "x");
  Rules b = a;
  b = Rules::compile("User-agent: *\nDisallow: /b", "x");
  EXPECT_FALSE(a.check("/a").allowed());
  EXPECT_TRUE(b.check("/a").allowed());
  const Rules& self = a;
  a = self;
  EXPECT_FALSE(a.check("/a").allowed());
  a = std::move(b);
  EXPECT_FALSE(a.check("/b").allowed());
}

TEST(Rules, UrlsInEveryForm) {
  const Rules rules = Rules::compile("User-agent: *\nDisallow: /a/b?c", "x");
  for (const char* url :
       {"/a/b?c", "http://h/a/b?c", "https://u:p@h:8/a/b?c#f", "HTTP://[::1]:8/a/b?cd", "//h/a/b?c", "a/b?c"}) {
    EXPECT_FALSE(rules.check(url).allowed()) << url;
  }
  for (const char* url : {"/a/b", "http://h/a/b#?c", "http://h/x/a/b?c", "http://h?c", "/a/b?d"}) {
    EXPECT_TRUE(rules.check(url).allowed()) << url;
  }
}

TEST(Rules, LongUrlsAndPatterns) {
  for (const std::size_t size : {100U, 255U, 256U, 257U, 4'095U, 4'096U, 65'536U, 400'000U}) {
    const std::string path = "/" + std::string(size, 'p');
    const Rules rules = Rules::compile("User-agent: *\nDisallow: " + path, "x");
    EXPECT_FALSE(rules.check(path).allowed()) << size;
    EXPECT_FALSE(rules.check(path + "q").allowed()) << size;
    EXPECT_TRUE(rules.check(path.substr(0, size)).allowed()) << size;
    EXPECT_TRUE(rules.check("/" + std::string(size - 1, 'p') + "q").allowed()) << size;
    // Every byte three times as long when it is normalised.
    const Rules escaped = Rules::compile("User-agent: *\nDisallow: /" + std::string(size, '\xFC'), "x");
    if (size < 200'000) {
      EXPECT_FALSE(escaped.check("/" + std::string(size, '\xFC')).allowed()) << size;
      EXPECT_TRUE(escaped.check("/" + std::string(size - 1, '\xFC')).allowed()) << size;
    }
  }
}

// --- what is not a rule --------------------------------------------------------------------------------------------

TEST(Rules, CrawlDelayIsTheLargestOfTheGroup) {
  EXPECT_EQ(Rules::compile("User-agent: *\nCrawl-delay: 2\nCrawl-delay: 7.5\nCrawl-delay: 3", "x").crawl_delay(),
            Milliseconds(7500));
  EXPECT_EQ(Rules::compile("User-agent: *\nCrawl-delay: 0", "x").crawl_delay(), Milliseconds(0));
  EXPECT_EQ(Rules::compile("User-agent: *\nCrawl-delay: 1e9\nCrawl-delay: 4", "x").crawl_delay(), Milliseconds(4000));
  EXPECT_EQ(Rules::compile("User-agent: *\nCrawl-delay: 99999999999", "x").crawl_delay(), Milliseconds(86'400'000));
  for (const char* bad : {"-1", "NaN", "inf", "1e309", "", "x", "5s", "0x10", "\xD9\xA3"}) {
    EXPECT_EQ(Rules::compile("User-agent: *\nCrawl-delay: "s + bad, "x").crawl_delay(), std::nullopt) << bad;
  }
}

TEST(Rules, CrawlDelayBelongsToItsGroupAndChangesNoVerdict) {
  const std::string body = "Crawl-delay: 9\nUser-agent: a\nCrawl-delay: 5\nUser-agent: *\nDisallow: /";
  EXPECT_FALSE(check(Rules::compile(body, "a"), "/x").allowed());  // one group: the delay does not split it
  EXPECT_EQ(Rules::compile(body, "a").crawl_delay(), Milliseconds(5000));
  const std::string two = "User-agent: a\nCrawl-delay: 5\nDisallow: /z\nUser-agent: *\nDisallow: /";
  EXPECT_EQ(Rules::compile(two, "b").crawl_delay(), std::nullopt);
  EXPECT_TRUE(check(Rules::compile(two, "a"), "/x").allowed());
}

TEST(Rules, RequestRateAndVisitTimeAreTheLastReadable) {
  const Rules rules = Rules::compile(
      "User-agent: *\nRequest-rate: 1/10s\nRequest-rate: 100/15m 1800-1900\nRequest-rate: x\nVisit-time: 0600-0845\n"
      "Visit-time: 2200-0300\nVisit-time: 9999",
      "x");
  ASSERT_TRUE(rules.request_rate().has_value());
  EXPECT_EQ(rules.request_rate()->requests, 100U);
  EXPECT_EQ(rules.request_rate()->period, std::chrono::seconds(900));
  EXPECT_EQ(rules.request_rate()->during, (TimeOfDay{1080, 1140}));
  EXPECT_EQ(rules.visit_time(), (TimeOfDay{1320, 180}));
}

TEST(Rules, UsageTakesTheLongestPathAndTheMostRestrictiveOfEquals) {
  const Rules rules = Rules::compile(
      "User-agent: *\nAllow: /\nContent-Usage: train-ai=y\nContent-Usage: /a train-ai=n\nContent-Usage: /a/b "
      "train-ai=y\n"
      "Content-Usage: /c search=y\nContent-Usage: /c search=n",
      "x");
  EXPECT_EQ(rules.usage("/x").content_usage.train_ai, Preference::allowed);
  EXPECT_EQ(rules.usage("/a/x").content_usage.train_ai, Preference::disallowed);
  EXPECT_EQ(rules.usage("/a/b").content_usage.train_ai, Preference::allowed);
  EXPECT_EQ(rules.usage("/a/b").content_usage.path, "/a/b");
  EXPECT_EQ(rules.usage("/c").content_usage.search, Preference::disallowed);
  EXPECT_EQ(rules.usage("/x").content_signal, ContentSignal());
}

TEST(Rules, UsageBeforeTheFirstGroupHoldsWhereTheGroupSaysNothing) {
  const std::string body =
      "Content-Signal: search=yes, ai-train=no\nUser-agent: a\nDisallow: /z\nUser-agent: b\nContent-Signal: "
      "ai-train=yes\nDisallow: /z";
  EXPECT_EQ(Rules::compile(body, "a").usage("/x").content_signal.ai_train, Preference::disallowed);
  EXPECT_EQ(Rules::compile(body, "a").usage("/x").content_signal.search, Preference::allowed);
  EXPECT_EQ(Rules::compile(body, "b").usage("/x").content_signal.ai_train, Preference::allowed);
  EXPECT_EQ(Rules::compile(body, "b").usage("/x").content_signal.search, Preference::unknown);
}

TEST(Rules, UsageNeverChangesAVerdict) {
  const Rules rules =
      Rules::compile("User-agent: *\nDisallow: /a\nContent-Usage: / train-ai=n\nContent-Signal: search=no", "x");
  EXPECT_TRUE(rules.check("/b").allowed());
  EXPECT_FALSE(rules.check("/a").allowed());
  EXPECT_EQ(rules.size(), 1U);
}

// --- threads -------------------------------------------------------------------------------------------------------

// Means most under ThreadSanitizer: nothing in Rules or RobotsTxt is written after it was made.
// --- lists ---------------------------------------------------------------------------------------------------------

std::vector<std::string> texts(const Rules& rules) {
  std::vector<std::string> texts;
  for (const RuleLine& line : rules.lines()) texts.push_back(std::to_string(line.line) + " " + line.text());
  return texts;
}

TEST(Rules, ListTheirLinesForOneRobot) {
  const std::string body =
      "User-agent: a\nDisallow: /x\nAllow: /%7Ey$\n\nUser-agent: b\nDisallow: /no\n\nUser-agent: A\nDisallow: no\n"
      "Allow: /d/index.html\nDisallow:\nDisallow: /*q*$\n";
  const std::vector<std::string> expected = {"2 Disallow: /x", "3 Allow: /%7Ey$", "10 Allow: /d/index.html",
                                             "11 Disallow:", "12 Disallow: /*q*$"};
  for (const Dialect& dialect : {Dialect::rfc9309(), Dialect::google()}) {
    EXPECT_EQ(texts(Rules::compile(body, "a", dialect)), expected) << dialect.name;
    EXPECT_EQ(texts(RobotsTxt::parse(body, dialect).rules_for("a")), expected) << dialect.name;
  }
  EXPECT_EQ(texts(Rules()), std::vector<std::string>{});
}

TEST(Rules, ListEachOfManyLines) {
  std::string body = "User-agent: *\n";
  std::vector<std::string> expected;
  for (int i = 0; i < 5'000; ++i) {
    const std::string rule = "Disallow: /folder/" + std::to_string(i * 7919) +
                             (i % 3 == 0   ? "$"
                              : i % 5 == 0 ? "*x"
                                           : "");
    body += rule + "\n";
    expected.push_back(std::to_string(i + 2) + " " + rule);
  }
  EXPECT_EQ(texts(Rules::compile(body, "a")), expected);
}

TEST(Rules, CleanTakesOutWhatCleanParamNames) {
  const Rules rules = Rules::compile(
      "Clean-param: ref /some_dir/get_book.pl\n"
      "User-agent: FooBot\nDisallow: /x\nClean-param: sid&sort /forum/*.php\n"
      "User-agent: *\nClean-param: utm_source&utm_medium\nClean-param: /no\n",
      "BarBot");
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {"http://a.example/some_dir/get_book.pl?ref=site_1&book_id=123",
       "http://a.example/some_dir/get_book.pl?book_id=123"},
      {"http://a.example/other?ref=site_1&book_id=123", "http://a.example/other?ref=site_1&book_id=123"},
      {"http://a.example/forum/show.php?t=8&sid=68&sort=", "http://a.example/forum/show.php?t=8"},
      {"http://a.example/forum/show.php?sid=68&sort", "http://a.example/forum/show.php"},
      {"http://a.example/forum/show.html?sid=68", "http://a.example/forum/show.html?sid=68"},
      {"/p?utm_source=x&a=1&utm_medium=y&b#utm_source=z", "/p?a=1&b#utm_source=z"},
      {"/p?utm_source=x#f", "/p#f"},
      {"/p?UTM_SOURCE=x&&a", "/p?UTM_SOURCE=x&&a"},
      {"/p", "/p"},
      {"/p?", "/p?"},
      {"/p#?utm_source=x", "/p#?utm_source=x"},
      {"", ""},
  };
  for (const auto& [url, cleaned] : cases) EXPECT_EQ(rules.apply_clean_param(url), cleaned) << url;
  EXPECT_EQ(Rules().apply_clean_param("/p?a=1"), "/p?a=1");
}

TEST(Rules, SixteenThreadsAskOneObject) {
  std::string body = "User-agent: *\nCrawl-delay: 3\nContent-Signal: search=yes\n";
  for (int i = 0; i < 300; ++i)
    body += "Disallow: /dir" + std::to_string(i) + "/*x" + std::to_string(i % 7) + "$\nAllow: /dir" +
            std::to_string(i) + "\n";
  const RobotsTxt file = RobotsTxt::parse(body);
  const Rules rules = file.rules_for("x");
  std::vector<std::string> urls;
  std::vector<oracle::Answer> expected;
  for (int i = 0; i < 600; ++i) {
    urls.push_back("http://foo.bar/dir" + std::to_string(i % 310) + "/%61x" + std::to_string(i % 9));
    expected.push_back(answer_of(rules.check(urls.back())));
  }
  std::vector<std::size_t> wrong(16, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      const Rules copy = rules;  // the count of owners is shared too
      for (std::size_t round = 0; round < 20; ++round) {
        for (std::size_t i = 0; i < urls.size(); ++i) {
          const std::size_t at = (i * (t + 1)) % urls.size();
          if (answer_of((round % 2 == 0 ? rules : copy).check(urls[at])) != expected[at]) ++wrong[t];
        }
        if (check(file.rules_for("x"), urls[t]).line() != expected[t].line) ++wrong[t];
        if (rules.crawl_delay() != Milliseconds(3000) || file.groups().size() != 1) ++wrong[t];
        if (rules.usage("/").content_signal.search != Preference::allowed) ++wrong[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::size_t count : wrong) EXPECT_EQ(count, 0U);
}

TEST(Rules, TakeTextThatIsNotAUrlForAPathWithoutItsFirstSlash) {
  const Rules rules = Rules::compile("User-agent: *\nDisallow: /doc.pdf\nDisallow: /$\n", "FooBot");
  for (const char* text : {"doc.pdf", "/doc.pdf", "ftp://a.example/doc.pdf"}) EXPECT_EQ(rules.check(text).line(), 2u);
  EXPECT_EQ(rules.check("").line(), 3u);
  EXPECT_TRUE(rules.check("other.pdf").allowed());
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
