// What people are shown of a crawl: figures, rates, the live display, the summary.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "cli/get/display.hpp"
#include "cli/get/figures.hpp"
#include "cli/get/rate_meter.hpp"
#include "cli/get/summary.hpp"

namespace robotrules::cli {
namespace {

using namespace std::chrono_literals;

DisplayState busy_state() {
  DisplayState state;
  state.counts.done = 1'200;
  state.counts.denied = 30;
  state.counts.failed = 4;
  state.counts.pending = 1'766;
  state.counts.bytes = std::uint64_t{45} << 20;
  state.counts.on_the_wire = 23;
  state.counts.waiting = 977;
  state.counts.sites = 98;
  state.pages_now = 12.34;
  state.pages_average = 10;
  state.bytes_now = 1'234'567;
  state.elapsed = 2min;
  state.left = 62min + 33s;
  for (int i = 0; i < 7; ++i) {
    const std::string name = "https://site" + std::to_string(i) + ".example";
    state.busiest.push_back({.origin = name, .done = 1'000, .pending = 5});
    state.delayed.push_back({.origin = "https://" + std::string(80, 'x') + "." + name.substr(8),
                             .done = 1,
                             .pending = 99'999'999,
                             .next_in = 61'500ms});
  }
  return state;
}

TEST(Figures, AreForPeople) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1'000), "1,000");
  EXPECT_EQ(grouped(1'234'567), "1,234,567");
  EXPECT_EQ(bytes_text(1'023), "1023 B");
  EXPECT_EQ(bytes_text(1'024), "1.0 KiB");
  EXPECT_EQ(bytes_text((std::uint64_t{1} << 20) - 1), "1.0 MiB");
  EXPECT_EQ(bytes_text(std::uint64_t{3} << 29), "1.5 GiB");
  EXPECT_EQ(bytes_text(UINT64_MAX), "16384.0 PiB");
  EXPECT_EQ(duration_text(0s), "0:00");
  EXPECT_EQ(duration_text(-5s), "0:00");
  EXPECT_EQ(duration_text(754s), "12:34");
  EXPECT_EQ(duration_text(3'600s), "1:00:00");
  EXPECT_EQ(duration_text(86'400s * 3 + 5s), "3 d 0:00:05");
  EXPECT_EQ(rate_text(0), "0");
  EXPECT_EQ(rate_text(0.123), "0.12");
  EXPECT_EQ(rate_text(12.34), "12.3");
  EXPECT_EQ(rate_text(1'234.5), "1,235");
}

TEST(RateMeter, KnowsTheLastTenSecondsAndTheWholeTime) {
  const RateMeter::Time begin{};
  RateMeter meter(begin);
  EXPECT_EQ(meter.now(), 0);
  EXPECT_EQ(meter.average(), 0);
  for (int second = 1; second <= 10; ++second) {
    meter.see(begin + std::chrono::seconds(second), 100 * static_cast<std::uint64_t>(second));
  }
  EXPECT_DOUBLE_EQ(meter.now(), 100);
  for (int second = 11; second <= 30; ++second) meter.see(begin + std::chrono::seconds(second), 1'000);
  EXPECT_DOUBLE_EQ(meter.now(), 0);
  EXPECT_DOUBLE_EQ(meter.average(), 1'000.0 / 30);
  meter.see(begin + 40s, 1'500);
  EXPECT_DOUBLE_EQ(meter.now(), 50);
}

TEST(TimeLeft, IsThatOfAllAtThisRateOrOfTheSlowestSite) {
  CrawlCounts counts;
  EXPECT_EQ(time_left(counts, 0, 0ms), 0s);
  counts.pending = 100;
  EXPECT_EQ(time_left(counts, 0, 0ms), std::nullopt);
  EXPECT_EQ(time_left(counts, 0, 57'500ms), 58s) << "all wait for one site";
  EXPECT_EQ(time_left(counts, 10, 5s), 10s);
  EXPECT_EQ(time_left(counts, 10, 90'100ms), 91s);
  counts.pending = UINT64_MAX;
  EXPECT_GT(time_left(counts, 1e-9, 0ms), 800'000h);
}

TEST(Display, SaysThatItWaitsForTheDiskAndEstimatesNothing) {
  DisplayState state = busy_state();
  state.counts.disk_full = true;
  EXPECT_EQ(time_left(state.counts, 10, 5s), std::nullopt);
  state.left = std::nullopt;
  EXPECT_EQ(display_lines(state, 79, 23)[1], "waiting for room on the disk");
  state.counts.disk_full = false;
  EXPECT_NE(display_lines(state, 79, 23)[1], "waiting for room on the disk");
  state.counts.queue_unreachable = true;
  EXPECT_EQ(display_lines(state, 79, 23)[1], "waiting for the database of the queue");
  state.counts.queue_unreachable = false;
  state.counts.waits_for_workers = true;
  EXPECT_EQ(display_lines(state, 79, 23)[1], "waiting for sites of other workers");
}

TEST(Fitted, KeepsBothEndsOfALongName) {
  EXPECT_EQ(fitted("abc", 5), "abc  ");
  EXPECT_EQ(fitted("https://a-long-name.example", 15), "https:...xample");
  EXPECT_EQ(fitted("abcdef", 3), "abc");
  EXPECT_EQ(fitted("abcdef", 0), "");
  EXPECT_EQ(fitted("\x1b[2J\xc3\xa9", 6), "?[2J??");
}

TEST(Display, AtEightyColumnsSitesStandBelowOneAnother) {
  const auto lines = display_lines(busy_state(), 79, 23);
  ASSERT_EQ(lines.size(), 16U);
  EXPECT_EQ(lines[0], "[##############.....................]   41 %  1,234 of 3,000 URLs, 1:02:33 left");
  EXPECT_EQ(lines[1], "1,200 done   30 denied   4 failed   0 left out   1,766 to go");
  EXPECT_EQ(lines[2], "12.3 pages/s (10.0 on average)   1.2 MiB/s   45.0 MiB in all");
  EXPECT_EQ(lines[3], "23 on the wire   977 waiting   98 sites   0 retried   2:00 gone");
  EXPECT_EQ(lines[4], "busiest sites" + std::string(53, ' ') + "done    to go");
  EXPECT_EQ(lines[10], "most delayed sites" + std::string(47, ' ') + "to go  next in");
  EXPECT_EQ(lines[11].size(), 79U);
  EXPECT_NE(lines[11].find("..."), std::string::npos);
  EXPECT_TRUE(lines[11].ends_with(".site0.example  99,999,999     1:02")) << lines[11];
}

TEST(Display, AtTwoHundredColumnsTheyStandSideBySide) {
  const auto lines = display_lines(busy_state(), 199, 49);
  ASSERT_EQ(lines.size(), 10U);
  EXPECT_TRUE(lines[4].starts_with("busiest sites "));
  EXPECT_NE(lines[4].find("    most delayed sites "), std::string::npos);
  EXPECT_TRUE(lines[5].ends_with("1:02"));
  EXPECT_EQ(lines[5].find("https://xxx"), 97U + 4);
}

TEST(Display, ShowsNamesOfSitesWhole) {
  DisplayState state = busy_state();
  const std::string name = "http://www.host-of-a-site.example";
  state.busiest = state.delayed = {{.origin = name, .done = 999'999, .pending = 1'000, .next_in = 61s}};
  for (const std::size_t columns : {79U, 99U, 109U, 119U}) {
    const auto lines = display_lines(state, columns, 23);
    const auto of_site = [&](const std::string& line) { return line.starts_with(name + ' '); };
    EXPECT_TRUE(std::ranges::any_of(lines, of_site)) << columns << ": " << lines[5];
    for (const std::string& line : lines) EXPECT_LE(line.size(), columns);
  }
}

TEST(Display, FitsEveryTerminal) {
  DisplayState huge = busy_state();
  huge.counts.done = huge.counts.pending = huge.counts.bytes = UINT64_MAX / 4;
  huge.busiest[0].done = UINT64_MAX;
  huge.left = 876'000h;
  huge.pages_now = 1e18;
  huge.bytes_now = 1e18;
  huge.interrupted = true;
  DisplayState open = busy_state();
  open.counts.open = true;
  for (const DisplayState& state : {DisplayState{}, busy_state(), huge, open}) {
    for (std::size_t columns = 1; columns < 260; ++columns) {
      for (const std::size_t rows : {1U, 2U, 3U, 5U, 7U, 9U, 12U, 23U, 60U}) {
        const auto lines = display_lines(state, columns, rows);
        ASSERT_GE(lines.size(), 1U);
        ASSERT_LE(lines.size(), rows);
        for (const std::string& line : lines) {
          ASSERT_LE(line.size(), columns) << line;
          ASSERT_TRUE(std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; })) << line;
        }
      }
    }
  }
}

TEST(Display, AtFortyColumnsNothingOfTheFiguresIsCut) {
  std::string all;
  for (const std::string& line : display_lines(busy_state(), 39, 23)) all += line + '\n';
  for (const char* part : {"1,234 of 3,000", "1:02:33 left", "30 denied", "4 failed", "0 left out", "1,766 to go",
                           "23 on the wire", "977 waiting", "(10.0 on average)", "1.2 MiB/s", "2:00 gone"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part;
  }
}

TEST(Display, WhileUrlsAreReadThereIsNoEndToMeasureBy) {
  DisplayState state = busy_state();
  state.counts.open = true;
  EXPECT_EQ(display_lines(state, 79, 23)[0], "1,234 of 3,000 URLs so far");
}

TEST(Display, SaysWhatIsWaitedFor) {
  DisplayState state;
  state.next_try = NextTry{.url = "https://down.example/robots.txt", .in = 57'500ms};
  const auto lines = display_lines(state, 79, 23);
  EXPECT_EQ(lines.back(), "0:58 until the next try of https://down.example/robots.txt");
  state.next_try->url = "https://" + std::string(200, 'x') + "\x1b[2J.example/robots.txt";
  for (const std::size_t columns : {39U, 79U, 119U}) {
    const std::string line = display_lines(state, columns, 23).back();
    EXPECT_EQ(line.size(), columns) << line;
    EXPECT_TRUE(line.starts_with("0:58 until the next")) << line;
    EXPECT_TRUE(line.ends_with(".txt")) << line;
  }
}

TEST(Display, SaysWhyASiteWaits) {
  DisplayState state;
  state.next_try = NextTry{"https://slow.example", 3'552s, WaitReason::crawl_delay};
  EXPECT_EQ(display_lines(state, 79, 23).back(), "59:12 until the next page of https://slow.example (Crawl-delay)");
  EXPECT_EQ(display_lines(state, 50, 23).back().size(), 50U);
  EXPECT_TRUE(display_lines(state, 50, 23).back().ends_with(" (Crawl-delay)"));
  state.next_try->why = WaitReason::delay;
  EXPECT_TRUE(is_told(state.next_try));
  state.next_try->in = 1s;
  EXPECT_FALSE(is_told(state.next_try)) << "it passes before it is read";
  state.next_try.reset();
  state.delayed = {{.origin = "https://a.example", .pending = 9, .next_in = 90s, .why = WaitReason::visit_time},
                   {.origin = "https://b.example", .pending = 9, .next_in = 60s, .why = WaitReason::delay},
                   {.origin = "https://c.example", .pending = 9, .next_in = 30s, .why = WaitReason::penalty}};
  for (const std::size_t columns : {79U, 199U}) {
    std::string all;
    for (const std::string& line : display_lines(state, columns, 23)) all += line + '\n';
    EXPECT_NE(all.find("1:30  Visit-time"), std::string::npos) << all;
    EXPECT_NE(all.find("0:30  it asked for a pause"), std::string::npos) << all;
    EXPECT_EQ(all.find("--delay"), std::string::npos) << all;
  }
  EXPECT_NE(state_text(state).find("https://a.example (next page in 1:30, Visit-time)"), std::string::npos);
}

TEST(Display, SaysThatItEnds) {
  DisplayState state = busy_state();
  state.interrupted = true;
  EXPECT_EQ(display_lines(state, 79, 2)[1], "finishing running requests; Ctrl-C again ends at once");
}

TEST(Summary, SaysWhatThereIsToSayAndNoMore) {
  SummaryFacts facts;
  facts.counts.done = 1;
  facts.counts.by_class[2] = 1;
  facts.counts.bytes = 5;
  facts.counts.sites_seen = 1;
  facts.time = 2s;
  facts.output = "-";
  EXPECT_EQ(summary_lines(facts, 79),
            (std::vector<std::string>{"fetched               1   1 with 2xx", "received            5 B   of bodies",
                                      "time               0:02   0.50 pages/s   1 site"}));
}

TEST(Summary, TellsEveryKindAndHowToGoOn) {
  SummaryFacts facts;
  facts.counts.done = 2'840;
  facts.counts.by_class[2] = 2'800;
  facts.counts.by_class[3] = 40;
  facts.counts.kept_out = 7;
  facts.counts.denied = 30;
  facts.counts.failed = 120;
  facts.failures = {{"404", 20}, {"network", 70}, {"timeout", 30}};
  facts.counts.cut = 2;
  facts.counts.parked = 10;
  facts.counts.retried = 12;
  facts.counts.pending = 5;
  facts.counts.output_size = 4'096;
  facts.counts.sites_seen = 98;
  facts.recovered = 3;
  facts.time = 750s;
  facts.output = "out.warc.gz";
  facts.has_size = true;
  facts.go_on.command = "robotrules get --db a.db --job a";
  EXPECT_EQ(summary_lines(facts, 79),
            (std::vector<std::string>{
                "fetched           2,840   2,800 with 2xx   40 with 3xx",
                "                          7 kept out of the output, as the pages ask",
                "denied               30   by robots.txt",
                "failed              120   70 network   30 timeout   20 404",
                "cut                   2   longer than --max-size",
                "left out             10   their sites ask for a longer wait",
                "retried              12   requests that were tried again",
                "recovered             3   found in the output of a run that was killed",
                "to go                 5",
                "received            0 B   of bodies",
                "time              12:30   4.0 pages/s   98 sites",
                "output          4.0 KiB   out.warc.gz",
                "To fetch the remaining URLs: robotrules get --db a.db --job a",
                "To fetch failed, cut and left-out URLs: robotrules get --db a.db --job a --retry",
            }));
  facts.go_on.command = "-";
  for (const std::string& line : summary_lines(facts, 60)) EXPECT_LE(line.size(), 75U) << line;
}

TEST(Summary, SaysWhyURLsOfEarlierRunsAreNotFetched) {
  const std::tuple<std::uint64_t, std::uint64_t, std::string> cases[] = {
      {1, 0, "1 URL was done in earlier runs; --revisit fetches it again."},
      {1'200, 0, "1,200 URLs were done in earlier runs; --revisit fetches them again."},
      {0, 2, "2 URLs were denied in earlier runs; --revisit fetches them again."},
      {1, 1, "1 URL was done and 1 denied in earlier runs; --revisit fetches them again."}};
  for (const auto& [done, denied, line] : cases) {
    SummaryFacts facts;
    facts.done_before = done;
    facts.denied_before = denied;
    EXPECT_EQ(summary_lines(facts, 79).back(), line);
  }
}

TEST(Summary, WithoutADatabaseNothingIsPromised) {
  SummaryFacts facts;
  facts.counts.pending = 1;
  facts.counts.failed = 1;
  facts.output = "\x1b[2J.warc";
  facts.time = 0s;
  const auto lines = summary_lines(facts, 79);
  EXPECT_EQ(lines.back(), "The remaining URLs are not stored; use --db to store them.");
  EXPECT_EQ(lines[lines.size() - 2].find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace robotrules::cli
