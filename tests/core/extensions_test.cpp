// The values of directives beyond Allow and Disallow. Numbers are read without the locale, values that are too large
// are capped, and anything but a plain number is ignored (row T8 in docs/reliability.md).
#include <robotrules/extensions.hpp>

#include <gtest/gtest.h>

#include <clocale>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace robotrules::test::THIS_FILE {
namespace {

using std::chrono::seconds;
constexpr Preference unknown = Preference::unknown;
constexpr Preference allowed = Preference::allowed;
constexpr Preference disallowed = Preference::disallowed;

// Values as a robots.txt may hold them; copied to the end of their memory, so that reading on is seen by a sanitizer.
class Exact {
 public:
  explicit Exact(std::string_view text) : bytes_(text.begin(), text.end()) {}
  std::string_view view() const { return {bytes_.data(), bytes_.size()}; }

 private:
  std::vector<char> bytes_;
};

struct DelayCase {
  std::string_view value;
  std::optional<std::int64_t> ms;
};

const std::vector<DelayCase>& delay_cases() {
  static const std::vector<DelayCase> cases = {
      {"10", 10'000},
      {"0", 0},
      {"00010", 10'000},
      {"0.5", 500},
      {".5", 500},
      {"5.", 5'000},
      {"0.001", 1},
      {"0.0001", 1},
      {"0.0000", 0},
      {"1.0010", 1'001},
      {"1.00100000000000000000000000000001", 1'002},
      {"0.9999", 1'000},
      {"300", 300'000},
      {"86400", 86'400'000},
      {"86400.001", 86'400'000},
      {"86399.9991", 86'400'000},
      {"86401", 86'400'000},
      {"115792089237316195423570985008687907853269984665640564039457584007913129639936", 86'400'000},
      {"18446744073709551616", 86'400'000},
      {"9223372036854775808", 86'400'000},
      {"0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000.1", 100},
      {"", std::nullopt},
      {".", std::nullopt},
      {"..5", std::nullopt},
      {"1.2.3", std::nullopt},
      {"-1", std::nullopt},
      {"-0", std::nullopt},
      {"+1", std::nullopt},
      {"1e309", std::nullopt},
      {"1e3", std::nullopt},
      {"1E3", std::nullopt},
      {"NaN", std::nullopt},
      {"nan", std::nullopt},
      {"inf", std::nullopt},
      {"Infinity", std::nullopt},
      {"0x10", std::nullopt},
      {"10s", std::nullopt},
      {"10 s", std::nullopt},
      {"10 20", std::nullopt},
      {" 10", std::nullopt},
      {"1,5", std::nullopt},
      {"1.000,5", std::nullopt},
      {"1'000", std::nullopt},
      {"1_000", std::nullopt},
      {"\xD9\xA3", std::nullopt},      // Arabic-Indic three
      {"\xEF\xBC\x93", std::nullopt},  // full-width three
      {"10\xC2\xA0", std::nullopt},    // a no-break space
      {std::string_view("1\0", 2), std::nullopt},
      {std::string_view("\0", 1), std::nullopt},
  };
  return cases;
}

void expect_delays() {
  for (const DelayCase& c : delay_cases()) {
    const auto delay = parse_crawl_delay(Exact(c.value).view());
    ASSERT_EQ(delay.has_value(), c.ms.has_value()) << c.value;
    if (c.ms) {
      EXPECT_EQ(delay->count(), *c.ms) << c.value;
    }
  }
}

TEST(CrawlDelay, PlainDecimalSecondsRoundedUpAndCapped) { expect_delays(); }

TEST(CrawlDelay, FollowsNoLocale) {
  std::string tried;
  for (const char* name :
       {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "tr_TR.UTF-8", "ar_SA.UTF-8", "C.UTF-8"}) {
    if (std::setlocale(LC_ALL, name) == nullptr) continue;
    tried += std::string(name) + ' ';
    expect_delays();
    EXPECT_EQ(parse_request_rate("1/10S")->period, seconds(10));
    EXPECT_EQ(parse_content_signal("AI-INPUT=no")->ai_input, disallowed);
  }
  std::setlocale(LC_ALL, "C");
  if (tried.empty()) GTEST_SKIP() << "skipped: this machine has no locale but C";
}

TEST(VisitTime, TwoTimesOfTheDay) {
  EXPECT_EQ(parse_visit_time("0600-0845"), (TimeOfDay{360, 525}));
  EXPECT_EQ(parse_visit_time("0600 - 0845"), (TimeOfDay{360, 525}));
  EXPECT_EQ(parse_visit_time("0600\t-0845"), (TimeOfDay{360, 525}));
  EXPECT_EQ(parse_visit_time("0600 0845"), (TimeOfDay{360, 525}));
  EXPECT_EQ(parse_visit_time("2300-0100"), (TimeOfDay{1380, 60}));
  EXPECT_EQ(parse_visit_time("0000-2359"), (TimeOfDay{0, 1439}));
  EXPECT_EQ(parse_visit_time("0000-0000"), (TimeOfDay{0, 0}));
  for (const std::string_view bad :
       {"", "-", "0600", "0600-", "-0845", "06000845", "0600--0845", "0600-0845-", "0600-0845 x", "600-845",
        "6:00-8:45", "2400-0100", "0060-0100", "0000-2400", "00600-0845", "0600-08450", "+600-0845",
        "0600\xE2\x80\x93"
        "0845",
        "0x60-0845"}) {
    EXPECT_EQ(parse_visit_time(Exact(bad).view()), std::nullopt) << bad;
  }
  EXPECT_EQ(parse_visit_time(std::string_view("0600\0"
                                              "0845",
                                              9)),
            std::nullopt);
}

TEST(RequestRate, DocumentsInATime) {
  const auto rate = [](std::uint32_t requests, std::int64_t period) {
    return RequestRate{requests, seconds(period), std::nullopt};
  };
  EXPECT_EQ(parse_request_rate("1/10s"), rate(1, 10));
  EXPECT_EQ(parse_request_rate("100/15m"), rate(100, 900));
  EXPECT_EQ(parse_request_rate("1/2h"), rate(1, 7200));
  EXPECT_EQ(parse_request_rate("1/2H"), rate(1, 7200));
  EXPECT_EQ(parse_request_rate("1/60"), rate(1, 60));
  EXPECT_EQ(parse_request_rate("1/5"), rate(1, 5));
  EXPECT_EQ(parse_request_rate("001/010s"), rate(1, 10));
  EXPECT_EQ(parse_request_rate("99999999999999999999/1"), rate(4294967295u, 1));
  EXPECT_EQ(parse_request_rate("1/99999999999999999999h"), rate(1, 4294967295 * 3600));
  for (const std::string_view bad :
       {"",       "/",      "1",      "10",     "1/",          "/10",    "0/10",    "1/0",   "1/0s",
        "-1/10",  "1/-10",  "+1/10",  "1.5/10", "1/10d",       "1/10ms", "1/10ss",  "1 /10", "1/ 10",
        "1/10 s", "1/0x10", "1e3/10", "NaN/10", "\xD9\xA3/10", "1//10",  "1/10/10", "1:10"}) {
    EXPECT_EQ(parse_request_rate(Exact(bad).view()), std::nullopt) << bad;
  }
}

TEST(RequestRate, MayHoldForAPartOfTheDay) {
  EXPECT_EQ(parse_request_rate("1/10s 1800-1900"), (RequestRate{1, seconds(10), TimeOfDay{1080, 1140}}));
  EXPECT_EQ(parse_request_rate("1/60\t 1800 1900"), (RequestRate{1, seconds(60), TimeOfDay{1080, 1140}}));
  EXPECT_EQ(parse_request_rate("1/10s1800-1900"), std::nullopt);
  EXPECT_EQ(parse_request_rate("1/10s 1800-2500"), std::nullopt);
  EXPECT_EQ(parse_request_rate("1/10s 1800-1900 x"), std::nullopt);
}

TEST(CleanParam, ParametersAndAPath) {
  EXPECT_EQ(parse_clean_param("ref&sid /some_dir/get_book.pl"), (CleanParam{{"ref", "sid"}, "/some_dir/get_book.pl"}));
  EXPECT_EQ(parse_clean_param("utm"), (CleanParam{{"utm"}, ""}));
  EXPECT_EQ(parse_clean_param("a&&b& \t*/index.html"), (CleanParam{{"a", "b"}, "*/index.html"}));
  for (const std::string_view bad :
       {"", "&", "&&& /a", "/a", "/a ref", " ref", "ref sid", "ref /a /b", "ref http://a/"}) {
    EXPECT_EQ(parse_clean_param(Exact(bad).view()), std::nullopt) << bad;
  }
}

TEST(ContentSignal, KnownKeysWithYesAndNo) {
  EXPECT_EQ(parse_content_signal("search=yes, ai-input=no, ai-train=no"),
            (ContentSignal{allowed, disallowed, disallowed}));
  EXPECT_EQ(parse_content_signal("ai-train=no"), (ContentSignal{unknown, unknown, disallowed}));
  EXPECT_EQ(parse_content_signal("AI-Train = NO ,Search=Yes"), (ContentSignal{allowed, unknown, disallowed}));
  EXPECT_EQ(parse_content_signal("search=yes,search=no"), (ContentSignal{disallowed, unknown, unknown}));
  EXPECT_EQ(parse_content_signal("use=reference, search=yes, x, =, ,"), (ContentSignal{allowed, unknown, unknown}));
  EXPECT_EQ(parse_content_signal("search=yes, search=maybe"), (ContentSignal{allowed, unknown, unknown}));
  EXPECT_EQ(parse_content_signal("search=yes ai-train=no"), std::nullopt);
  for (const std::string_view bad : {"", ",", "=", "search", "search=", "search=y", "search=true", "search=\"yes\"",
                                     "ai-train=n", "train-ai=no", "summary=no", "/a search=yes", "search:yes"}) {
    EXPECT_EQ(parse_content_signal(Exact(bad).view()), std::nullopt) << bad;
  }
}

ContentUsage usage(std::string_view path, Preference train, Preference use, Preference search) {
  return {path, train, use, search};
}

TEST(ContentUsage, AnOptionalPathAndADictionary) {
  EXPECT_EQ(parse_content_usage("/private/ train-ai=n, search=y"), usage("/private/", disallowed, unknown, allowed));
  EXPECT_EQ(parse_content_usage("train-ai=n"), usage("", disallowed, unknown, unknown));
  EXPECT_EQ(parse_content_usage("/ \t train-ai=n,ai-use=y,\tsearch=n"), usage("/", disallowed, allowed, disallowed));
  EXPECT_EQ(parse_content_usage("/*.pdf$ ai-use=n"), usage("/*.pdf$", unknown, disallowed, unknown));
  EXPECT_EQ(parse_content_usage("/train-ai=n search=y"), usage("/train-ai=n", unknown, unknown, allowed));
}

TEST(ContentUsage, ThePathIsAViewIntoTheValue) {
  const std::string value = "/a train-ai=n";
  EXPECT_EQ(parse_content_usage(value)->path.data(), value.data());
}

TEST(ContentUsage, OtherKeysAndValuesSayNothing) {
  EXPECT_EQ(parse_content_usage("train-ai=no"), usage("", unknown, unknown, unknown));
  EXPECT_EQ(parse_content_usage("ai-train=n, search=y"), usage("", unknown, unknown, allowed));
  EXPECT_EQ(parse_content_usage("train-ai, ai-use=?1, search=1"), usage("", unknown, unknown, unknown));
  EXPECT_EQ(parse_content_usage("train-ai=N"), usage("", unknown, unknown, unknown));
  EXPECT_EQ(parse_content_usage("train-ai=\"n\""), usage("", unknown, unknown, unknown));
  EXPECT_EQ(parse_content_usage("train-ai=(n y)"), usage("", unknown, unknown, unknown));
  EXPECT_EQ(parse_content_usage("train-ai=n; search=y"), usage("", disallowed, unknown, unknown));  // a parameter
  EXPECT_EQ(parse_content_usage("train-ai=n;reason=\"a,b\""), usage("", disallowed, unknown, unknown));
  EXPECT_EQ(parse_content_usage("a=1.5, b=-2, c=:aGk=:, d=@170, e=%\"x%c3%bc\", f=(1 2;p);q, *k=a/b:c, search=y"),
            usage("", unknown, unknown, allowed));
}

TEST(ContentUsage, OfAKeyGivenTwiceTheLastCounts) {
  EXPECT_EQ(parse_content_usage("search=y, search=n"), usage("", unknown, unknown, disallowed));
  EXPECT_EQ(parse_content_usage("search=y, search=maybe"), usage("", unknown, unknown, unknown));
}

TEST(ContentUsage, ADictionaryWithAFaultIsNone) {
  for (const std::string_view bad : {"",
                                     "/",
                                     "/a",
                                     "/a ",
                                     "train-ai=n,",
                                     ",train-ai=n",
                                     "train-ai=n,,search=y",
                                     "train-ai=n search=y",

                                     "train-ai =n",
                                     "train-ai= n",
                                     "train-ai=",
                                     "Train-AI=n",
                                     "=n",
                                     "train-ai=n, search=",
                                     "search=y, x=\"open",
                                     "search=y, x=(1",
                                     "search=y, x=(1(2))",
                                     "search=y, x=1.2345",
                                     "search=y, x=1234567890123456",
                                     "search=y, x=1.",
                                     "search=y, x=?2",
                                     "search=y, x=:a",
                                     "search=y, x=@1.5",
                                     "search=y, x=%\"%C3\"",
                                     "search=y, x=%\"%c",
                                     "search=y, x=\"\\n\"",
                                     "search=y, x=\"\xC3\xBC\"",
                                     "search=y, 9=n",
                                     "* train-ai=n",
                                     "search=y;",
                                     "search=y;=1",
                                     "a/b search=y"}) {
    EXPECT_EQ(parse_content_usage(Exact(bad).view()), std::nullopt) << bad;
  }
}

TEST(ContentUsage, TheTwoVocabulariesAreKeptApart) {
  EXPECT_EQ(parse_content_signal("train-ai=n, ai-use=n"), std::nullopt);
  EXPECT_EQ(parse_content_usage("ai-train=no, ai-input=no"), usage("", unknown, unknown, unknown));
}

TEST(Extensions, AnyBytesAreAValueOrNone) {
  const std::string_view bytes = "019./-smhYyNn=,; \t&()\"\\?:@%*aesrchti\xFF\x80";
  std::mt19937 random(86'400);
  for (int round = 0; round < 200'000; ++round) {
    std::string text;
    for (std::size_t i = random() % 16; i > 0; --i) text += bytes[random() % bytes.size()];
    const Exact exact(text);
    const std::string_view value = exact.view();
    if (const auto delay = parse_crawl_delay(value)) {
      ASSERT_GE(delay->count(), 0) << text;
      ASSERT_LE(delay->count(), 86'400'000) << text;
    }
    if (const auto time = parse_visit_time(value)) {
      ASSERT_TRUE(time->from < 1440 && time->to < 1440) << text;
    }
    if (const auto rate = parse_request_rate(value)) {
      ASSERT_TRUE(rate->requests > 0 && rate->period.count() > 0) << text;
    }
    if (const auto clean = parse_clean_param(value)) {
      ASSERT_FALSE(clean->parameters.empty()) << text;
    }
    if (const auto signal = parse_content_signal(value)) {
      ASSERT_NE(*signal, ContentSignal()) << text;
    }
    if (const auto known = parse_content_usage(value)) {
      ASSERT_TRUE(known->path.empty() || known->path.front() == '/') << text;
    }
  }
}

TEST(Extensions, PreferencesHaveNames) {
  EXPECT_EQ(to_string(Preference::unknown), "unknown");
  EXPECT_EQ(to_string(Preference::allowed), "allowed");
  EXPECT_EQ(to_string(Preference::disallowed), "disallowed");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
