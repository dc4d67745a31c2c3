// Values of flags with units: times and sizes.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "base/time_text.hpp"
#include "cli/flags/given.hpp"

namespace robotrules::cli {
namespace {

using namespace std::chrono_literals;

TEST(SpanOfText, ReadsSecondsAndUnits) {
  const std::pair<std::string_view, std::chrono::microseconds> cases[] = {
      {"90", 90s},      {"1.5", 1500ms},     {"0", 0s},       {"500ms", 500ms},      {"0.5ms", 500us},
      {"20s", 20s},     {"2m", 2min},        {"1h", 1h},      {"1d", 24h},           {"30d", 720h},
      {"1h30m", 90min}, {"1d12h", 36h},      {"1.5h", 90min}, {"1m30.5s", 90'500ms}, {"1s500ms", 1500ms},
      {"0.29", 290ms},  {"36500d", 876'000h}};
  for (const auto& [text, span] : cases) EXPECT_EQ(base::span_of_text(text), span) << text;
}

TEST(SpanOfText, RefusesAllOtherText) {
  for (const std::string_view text :
       {"",       "soon",    "-5s", "+5",   "5 s", " 5", "5x", "1h30", "30m1h", "1h1h",  "1.5h30m",
        "1e3",    "inf",     "nan", "0x10", "h",   ".",  ".5", "5.",   "1H",    "1ms1s", "99999999999999999999d",
        "36501d", "1d36500d"}) {
    EXPECT_EQ(base::span_of_text(text), std::nullopt) << text;
  }
}

const Flag& get_flag(std::string_view name) { return *find_flag(*find_command("get"), name); }

std::chrono::milliseconds delay_of(const std::string& text) {
  Given given(*find_command("get"));
  given.set(get_flag("delay"), {text});
  return find_wrong_value(given).empty() ? given.span("delay", 7s) : -1ms;
}

std::string error_of(std::string_view flag, const std::string& text) {
  const auto checked = check_value(get_flag(flag), text);
  return checked ? "" : checked.error().message;
}

TEST(Values, TimesHaveUnitsAndARange) {
  EXPECT_EQ(delay_of("2"), 2s);
  EXPECT_EQ(delay_of("250ms"), 250ms);
  EXPECT_EQ(delay_of("1h30m"), 90min);
  EXPECT_EQ(delay_of("1d"), 24h);
  EXPECT_EQ(error_of("delay", "2d"),
            "--delay does not accept \"2d\"; give a time from 0 to 1d, such as 90 (seconds), 500ms, 2m or 1h");
  EXPECT_EQ(error_of("timeout", "soon"),
            "--timeout does not accept \"soon\"; give a time from 1ms to 1h, such as 90 (seconds), 500ms, 2m or 1h");
}

TEST(Values, SizesHaveUnitsOf1024AndOf1000) {
  const std::pair<std::string_view, std::uint64_t> cases[] = {{"10", 10},
                                                              {"500k", 512'000},
                                                              {"1.5k", 1'536},
                                                              {"10M", 10'485'760},
                                                              {"1G", 1'073'741'824},
                                                              {"1KiB", 1'024},
                                                              {"10MiB", 10'485'760},
                                                              {"2GiB", 2'147'483'648},
                                                              {"1kB", 1'000},
                                                              {"10MB", 10'000'000},
                                                              {"1GB", 1'000'000'000},
                                                              {"1gib", 1'073'741'824},
                                                              {"7B", 7}};
  for (const auto& [text, bytes] : cases) {
    const auto read = size_value(get_flag("max-size"), text);
    ASSERT_TRUE(read.ok()) << text;
    EXPECT_EQ(read.value(), bytes) << text;
  }
  for (const std::string text : {"", "0", "0k", "-1k", "1X", "1 M", "1MBB", "1Ki", "1Mi", "M", "1e30", "inf", "nan"}) {
    EXPECT_EQ(error_of("memory", text),
              "--memory does not accept \"" + text + "\"; give a size in bytes, such as 500k, 16M, 1GiB or 10MB");
  }
}

}  // namespace
}  // namespace robotrules::cli
