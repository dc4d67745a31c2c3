// Reports about files in which each of many settings has many robots: they stay small, or are refused in a sentence.
#include <gtest/gtest.h>

#include <sys/resource.h>

#include <algorithm>
#include <string>

#include "cli/command.hpp"
#include "support/folder.hpp"
#include "support/sanitized.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

// Returns a file of some 100 KiB: robots, and settings for each of them.
std::string file_of(std::string_view setting) {
  std::string text;
  for (int i = 0; text.size() < 50 * 1024; ++i) text += "User-agent: robot" + std::to_string(i) + "\n";
  for (int i = 0; text.size() < 100 * 1024; ++i) text += std::string(setting) + std::to_string(i) + "\n";
  return text;
}

constexpr std::string_view settings[] = {"Noindex: /", "Content-Usage: /x train-ai=", "Content-Signal: ai-train=no,a=",
                                         "Request-rate: 1/1", "Crawl-delay: 1"};

// The peak of a command counts from its fork, when it had the memory of this process.
long own_peak_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

class ReportSize : public testing::Test {
 protected:
  static void expect_small(const Ran& ran) {
    EXPECT_LT(ran.out.size(), 4u << 20);
    if (!sanitized) {
      EXPECT_LE(ran.max_rss_kib, std::max(128 * 1024L, own_peak_kib()));
    }
  }

  const TemporaryFolder folder_;
  const std::string empty_ = folder_.file("empty", "");
};

TEST_F(ReportSize, TextHasTheFirstRobotsOfASetting) {
  for (const std::string_view setting : settings) {
    SCOPED_TRACE(setting);
    const std::string file = folder_.file("robots.txt", file_of(setting));
    const Ran diff = run({"diff", empty_, file});
    EXPECT_EQ(diff.status, 1) << diff.err;
    expect_small(diff);
    expect_small(run({"diff", file, file}));
    const Ran agents = run({"agents", file});
    EXPECT_EQ(agents.status, 0) << agents.err;
    expect_small(agents);
    const Ran show = run({"show", file});
    EXPECT_EQ(show.status, 0) << show.err;
    expect_small(show);
    expect_small(run({"lint", "--all", "--notes", file}));
  }
}

TEST_F(ReportSize, JsonThatWouldHaveTooManyNamesIsRefused) {
  const auto expect_refused = [](const Ran& ran) {
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find("64 MiB of names"), std::string::npos) << ran.err;
    expect_small(ran);
  };
  const std::string file = folder_.file("robots.txt", file_of("Content-Usage: "));
  expect_refused(run({"diff", "--json", empty_, file}));
  expect_refused(run({"diff", "--json", file, empty_}));
  expect_refused(run({"agents", "--json", file}));
  expect_refused(run({"show", "--json", file}));
}

TEST_F(ReportSize, ASettingOfFewRobotsHasAllOfThem) {
  const auto file_with = [&](int robots) {
    std::string text;
    for (int i = 10; i < 10 + robots; ++i) text += "User-agent: r" + std::to_string(i) + "\n";
    return folder_.file("few", text + "Content-Signal: ai-train=no\nUser-agent: last\nDisallow: /\n");
  };
  const std::string few = run({"agents", file_with(21)}).out;
  EXPECT_NE(few.find("r29, r30: ai-train=no\n"), std::string::npos) << few;
  const std::string more = run({"agents", file_with(22)}).out;
  EXPECT_NE(more.find("r28, r29 and 2 more: ai-train=no\n"), std::string::npos) << more;
  const std::string shown = run({"show", file_with(22)}).out;
  EXPECT_NE(shown.find("r28, r29 and 2 more)\n"), std::string::npos) << shown;
  EXPECT_NE(run({"agents", "--json", file_with(22)}).out.find("\"r31\""), std::string::npos);
}

// Rules of 200 KiB that many robots obey would be written again for each of them.
TEST_F(ReportSize, DifferencesAreKeptUpToALimit) {
  std::string before;
  const auto groups = [](std::string_view rule) {
    std::string text;
    for (int i = 0; i < 1'500; ++i) {
      const std::string number = std::to_string(i);
      text += "User-agent: r" + number + "\nDisallow: /" + number + "\n" + std::string(rule) + "\n";
    }
    return text;
  };
  std::string names;
  for (int i = 0; i < 1'500; ++i) names += "User-agent: r" + std::to_string(i) + "\n";
  const std::string a = folder_.file("a", groups(""));
  const std::string b = folder_.file("b", names + "Disallow: /" + std::string(200'000, 'x') + "\n" + groups(""));
  const Ran ran = run({"diff", a, b});
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("differences were kept"), std::string::npos) << ran.err;
  if (!sanitized) {
    EXPECT_LT(ran.max_rss_kib, 700 * 1024);
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
