// robotrules get, stopped: by an interrupt it finishes what is on the wire, by a kill it loses nothing that it had, and
// the same line goes on. ROBOTRULES_SOAK=1: 200 kills of a job of 5,000 URLs.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <set>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "cli/get_rig.hpp"
#include "support/archive/fetched.hpp"
#include "support/eventually.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using test::reply;
using test::Script;

class Interrupted : public GetRig, public ::testing::WithParamInterface<int> {
 protected:
  Words words(std::string_view input) const {
    return line({"--input", std::string(input), "--db", in_folder("c.db"), "--output", in_folder("a.warc")});
  }
  std::vector<std::string> kept() const { return pages_in(in_folder("a.warc"), Packing::none).pages; }
};

TEST_P(Interrupted, FinishesWhatIsOnTheWireAndTheSameLineGoesOn) {
  const test::Gate gate;
  page("/slow", Script().wait(gate).send(reply("slow")).keep());
  page("/2", reply("two"));
  const std::string urls = list({url("/slow"), url("/2")});
  Running process(words(urls));
  ASSERT_TRUE(gate.wait_reached(1));
  process.signal(GetParam());
  process.read_err_until("finishing running requests");
  gate.open();
  const Ran ran = process.finish();
  EXPECT_EQ(ran.status, 128 + GetParam()) << ran.err;
  EXPECT_EQ(asked(), std::vector<std::string>{"/slow"});
  EXPECT_EQ(kept(), std::vector<std::string>{url("/slow")});

  EXPECT_EQ(run(words(urls)).status, 0);
  EXPECT_EQ(asked(), (std::vector<std::string>{"/slow", "/2"}));
  EXPECT_EQ(kept(), (std::vector<std::string>{url("/slow"), url("/2")}));
  EXPECT_EQ(server.witness().requests("/robots.txt").size(), 1U);
}

TEST_P(Interrupted, ASecondRunOfTheJobIsRefusedUntilTheFirstHasEnded) {
  const test::Gate gate;
  page("/slow", Script().wait(gate).send(reply("slow")).keep());
  const std::string urls = list({url("/slow")});
  Running process(words(urls));
  ASSERT_TRUE(gate.wait_reached(1));
  const Ran second = run(words(urls));
  EXPECT_EQ(second.status, 2);
  EXPECT_NE(second.err.find("Another process is crawling this job"), std::string::npos) << second.err;
  process.signal(SIGKILL);
  process.finish();
  gate.open();
  EXPECT_EQ(run(words(urls)).status, 0);
  EXPECT_EQ(kept(), std::vector<std::string>{url("/slow")});
}

TEST_P(Interrupted, TwiceItEndsAtOnceAndWhatWasOnTheWireStaysToBeFetched) {
  const test::Gate gate;
  page("/slow", Script().wait(gate).send(reply("slow")).keep());
  const std::string urls = list({url("/slow")});
  Running process(words(urls));
  ASSERT_TRUE(gate.wait_reached(1));
  process.signal(GetParam());
  process.read_err_until("finishing running requests");
  process.signal(GetParam());
  EXPECT_EQ(process.finish().status, 128 + GetParam());
  EXPECT_EQ(kept(), std::vector<std::string>{});

  gate.open();
  EXPECT_EQ(run(words(urls)).status, 0);
  EXPECT_EQ(kept(), std::vector<std::string>{url("/slow")});
  EXPECT_EQ(times("/slow"), 2U);
}

TEST_P(Interrupted, ARevisitGoesOnWithWhatItHasNotSeenYet) {
  const test::Gate gate;
  page("/1", reply("one"));
  page("/2", test::in_turn({reply("two"), Script().wait(gate).send(reply("again")).keep()}));
  Words again = words(list({url("/1"), url("/2")}));
  EXPECT_EQ(run(again).status, 0);
  again.push_back("--revisit");
  Running process(again);
  ASSERT_TRUE(gate.wait_reached(1));
  process.signal(GetParam());
  process.read_err_until("finishing running requests");
  process.signal(GetParam());
  EXPECT_EQ(process.finish().status, 128 + GetParam());
  gate.open();
  EXPECT_EQ(run(again).status, 0);
  EXPECT_EQ(times("/1"), 2U);
  EXPECT_EQ(times("/2"), 3U);
}

TEST_P(Interrupted, DoesNotWaitForTheTurnOfASite) {
  server.on("", "/robots.txt", reply("User-agent: *\nCrawl-delay: 250\n"));
  page("/*", reply("."));
  // In a new database every site counts as just visited.
  Running process(words(list({url("/1"), url("/2")})));
  ASSERT_TRUE(server.witness().wait_for_answers(1));
  process.signal(GetParam());
  EXPECT_EQ(process.finish().status, 128 + GetParam());
  EXPECT_EQ(asked(), std::vector<std::string>{});
  EXPECT_EQ(kept(), std::vector<std::string>{});
}

TEST_P(Interrupted, DoesNotWaitForMoreInput) {
  page("/*", reply("."));
  Running process(words("-"));
  const std::string text = url("/1") + "\n";
  ASSERT_EQ(::write(process.in(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ASSERT_TRUE(server.witness().wait_for_answers(2));
  process.signal(GetParam());
  EXPECT_EQ(process.finish().status, 128 + GetParam());
  EXPECT_EQ(kept(), std::vector<std::string>{url("/1")});
}

TEST_P(Interrupted, ARedirectToASiteThatCannotBeAskedHoldsUpNoOtherUrl) {
  const test::Gate gate;
  server.on("b.localhost", "/robots.txt", Script());  // the connection ends
  page("/away", test::redirect(302, url("/x", "b")));
  page("/1", reply("one"));
  page("/2", Script().wait(gate).send(reply("two")).keep());
  Running process(words(list({url("/away"), url("/1"), url("/2")})));
  ASSERT_TRUE(gate.wait_reached(1));  // while /away waits for a minute
  process.signal(GetParam());
  process.read_err_until("finishing running requests");
  gate.open();
  EXPECT_EQ(process.finish().status, 128 + GetParam());
  EXPECT_EQ(kept(), (std::vector<std::string>{url("/1"), url("/2")}));
}

// A failure that may pass is not final because the run ends: the URL has tries left, and stays pending.
TEST_P(Interrupted, WhatHasTriesLeftStaysPending) {
  const test::Gate gate;
  std::vector<std::string> urls;
  for (const char* site : {"a", "b", "c"}) {
    server.on(
        std::string(site) + ".localhost", "/slow",
        test::in_turn({Script().wait(gate).send(test::status(503, {{"Retry-After", "1"}})).keep(), reply("slow")}));
    urls.push_back(url("/slow", site));
  }
  const Words same = words(list(urls));
  Running process(same);
  ASSERT_TRUE(gate.wait_reached(3));
  process.signal(GetParam());
  process.read_err_until("finishing running requests");
  gate.open();
  EXPECT_EQ(process.finish().status, 128 + GetParam());
  const auto jobs = list_jobs(in_folder("c.db"));
  ASSERT_EQ(jobs->size(), 1U);
  EXPECT_EQ(jobs->front().counts.failed, 0U);
  EXPECT_EQ(jobs->front().counts.pending, 3U);
  EXPECT_EQ(kept(), std::vector<std::string>{});
  EXPECT_EQ(run(same).status, 0);
  EXPECT_EQ(kept().size(), 3U);
}

class StopWithin : public Interrupted {};

// No second signal: the request that does not end is given up.
TEST_P(StopWithin, EndsRequestsThatTakeLonger) {
  const test::Gate gate;
  page("/slow", Script().wait(gate).send(reply("slow")).keep());
  Words all = words(list({url("/slow")}));
  all.insert(all.end(), {"--stop-within", "0.1"});
  Running process(all);
  ASSERT_TRUE(gate.wait_reached(1));
  process.signal(GetParam());
  EXPECT_EQ(process.finish().status, 128 + GetParam());
  EXPECT_EQ(kept(), std::vector<std::string>{});
  gate.open();
  EXPECT_EQ(run(all).status, 0);
  EXPECT_EQ(kept(), std::vector<std::string>{url("/slow")});
}

INSTANTIATE_TEST_SUITE_P(Signals, StopWithin, ::testing::Values(SIGTERM),
                         [](const auto&) { return std::string("TERM"); });

INSTANTIATE_TEST_SUITE_P(Signals, Interrupted, ::testing::Values(SIGINT, SIGTERM),
                         [](const auto& info) { return std::string(info.param == SIGINT ? "INT" : "TERM"); });

// --- killed ----------------------------------------------------------------------------------------------------------

struct Job {
  int sites;
  int pages;  // of each
  int kills;
};

Job killed_job() {
  if (std::getenv("ROBOTRULES_SOAK") != nullptr) return {100, 50, 200};
  return {40, 20, 8};
}

std::string differences(const std::vector<std::string>& found, const std::vector<std::string>& expected) {
  std::vector<std::string> missing;
  std::vector<std::string> more;
  std::set_difference(expected.begin(), expected.end(), found.begin(), found.end(), std::back_inserter(missing));
  std::set_difference(found.begin(), found.end(), expected.begin(), expected.end(), std::back_inserter(more));
  return ::testing::PrintToString(missing) + " are missing, and too many: " + ::testing::PrintToString(more);
}

class Killed : public GetRig {
 protected:
  static constexpr milliseconds delay{100};
  // A page that was answered so long before a kill has been written, also if the disk is slow.
  static constexpr std::chrono::seconds longest_write{15};

  struct Page {
    int round;
    std::string name;  // host and target
    std::chrono::steady_clock::time_point arrived;
    std::optional<std::chrono::steady_clock::time_point> answered;
  };

  // All that the process that is gone has sent has been read when this returns; it is moved out of the witness.
  void take_round(int round) {
    const Ran ran = run(line({url("/last", "sync")}));  // its connection comes behind all others
    ASSERT_EQ(ran.status, 0) << ran.err;
    ASSERT_TRUE(server.witness().wait_for_closed(server.witness().connection_count()));
    for (const test::SeenRequest& request : server.witness().requests()) {
      if (request.host().starts_with("sync.")) continue;
      if (request.target == "/robots.txt") {
        ++robots_fetches[request.host()];
        continue;
      }
      const std::string host = request.host();
      asked_of[host].push_back({round, host + request.target, request.arrived.steady, {}});
      if (request.answered) asked_of[host].back().answered = request.answered->steady;
      names.insert(host + request.target);
    }
    server.witness().clear();
  }

  void crawl_with(const Words& more, const OutputOptions& options);

  std::map<std::string, std::vector<Page>> asked_of;  // by host, in their order
  std::map<std::string, int> robots_fetches;
  std::set<std::string> names;
};

// Crawls with kills until all is done, and checks what is in the files of the output.
void Killed::crawl_with(const Words& more, const OutputOptions& options) {
  const Job job = killed_job();
  page("/*", [](const test::SeenRequest& request) -> test::Answer { return reply(request.host() + request.target); });
  page("/robots.txt", reply("User-agent: *\nDisallow:\n"));
  std::vector<std::string> urls;
  for (int number = 1; number <= job.pages; ++number) {
    for (int site = 1; site <= job.sites; ++site) {
      urls.push_back(url("/" + std::to_string(number), "s" + std::to_string(site)));
    }
  }
  const std::string out = in_folder("a.warc.gz");
  Words words = line({"--delay", "0.1", "--input", list(urls), "--db", in_folder("c.db"), "--output", out});
  words.insert(words.end(), more.begin(), more.end());

  std::mt19937 random(20'261'121);
  const std::size_t share = urls.size() / static_cast<std::size_t>(job.kills);
  std::vector<std::chrono::steady_clock::time_point> killed_at;
  int kills = 0;
  for (; kills < job.kills; ++kills) {
    // Spread over nine tenths of the job, though much of what is asked for was in flight at a kill before. At least
    // that many are still to be asked for, so that the moment comes.
    const std::size_t left = urls.size() - names.size();
    ASSERT_GT(left, 0U);
    const bool is_late =
        10 * names.size() * static_cast<std::size_t>(job.kills) < 9 * urls.size() * static_cast<std::size_t>(kills);
    const std::size_t range = 2 * share + (is_late ? 2 * static_cast<std::size_t>(job.sites) : 0);
    const std::size_t after = 1 + random() % std::min(left, range);
    Running process(words);
    ASSERT_TRUE(server.witness().wait_for(after)) << "round " << kills;
    process.signal(SIGKILL);
    killed_at.push_back(std::chrono::steady_clock::now());
    EXPECT_EQ(process.finish().status, 128 + SIGKILL);
    ASSERT_NO_FATAL_FAILURE(take_round(kills));
  }
  const std::size_t left = urls.size() - names.size();
  const Ran last = run(words);
  EXPECT_EQ(last.status, 0) << last.err;
  ASSERT_NO_FATAL_FAILURE(take_round(kills));

  // Every URL, once.
  std::vector<std::string> expected = urls;
  std::sort(expected.begin(), expected.end());
  WarcPages pages;
  for (const std::string& file : output_files(out, options).value()) {
    const WarcPages found = pages_in(file, Packing::gzip);
    pages.responses.insert(pages.responses.end(), found.responses.begin(), found.responses.end());
    pages.pages.insert(pages.pages.end(), found.pages.begin(), found.pages.end());
  }
  std::sort(pages.responses.begin(), pages.responses.end());
  std::sort(pages.pages.begin(), pages.pages.end());
  EXPECT_TRUE(pages.responses == expected) << differences(pages.responses, expected);
  EXPECT_TRUE(pages.pages == expected) << differences(pages.pages, expected);
  EXPECT_EQ(names.size(), urls.size());

  // Asked for again: what a site was asked for last before a kill, and what came in while the page before was written.
  std::size_t repeated = 0;
  microseconds oldest{0};  // of the answers that were lost, when it came
  auto least_gap = microseconds::max();
  for (const auto& [host, pages_asked] : asked_of) {
    std::map<std::string, std::size_t> before;  // where it was asked for last
    for (std::size_t i = 0; i < pages_asked.size(); ++i) {
      const Page& one = pages_asked[i];
      if (i > 0)
        least_gap =
            std::min(least_gap, std::chrono::duration_cast<microseconds>(one.arrived - pages_asked[i - 1].arrived));
      const auto [known, is_new] = before.try_emplace(one.name, i);
      if (is_new) continue;
      ++repeated;
      const Page& first = pages_asked[known->second];
      EXPECT_LT(first.round, one.round) << one.name;
      // Its site's pages are written in their order, so those behind it are asked for again too.
      for (std::size_t behind = known->second + 1; behind < i && pages_asked[behind].round == first.round; ++behind) {
        const auto again = [&](const Page& page) {
          return page.name == pages_asked[behind].name && page.round > first.round;
        };
        EXPECT_TRUE(std::any_of(pages_asked.begin(), pages_asked.end(), again))
            << one.name << " is asked for again, and " << pages_asked[behind].name << " behind it is not";
      }
      if (first.answered && first.round < kills) {
        const auto age = killed_at[static_cast<std::size_t>(first.round)] - *first.answered;
        oldest = std::max(oldest, std::chrono::duration_cast<microseconds>(age));
      }
      known->second = i;
    }
  }
  EXPECT_LT(oldest, longest_write);
  EXPECT_GE(least_gap, delay - milliseconds(5));
  std::size_t robots = 0;
  for (const auto& [host, count] : robots_fetches) robots += static_cast<std::size_t>(count - 1);

  EXPECT_EQ(run({"db", in_folder("c.db"), "check"}).status, 0);
  RecordProperty("kills", kills);
  RecordProperty("urls", static_cast<int>(urls.size()));
  RecordProperty("urls_left_after_the_last_kill", static_cast<int>(left));
  RecordProperty("pages_repeated", static_cast<int>(repeated));
  RecordProperty("oldest_lost_answer_us", static_cast<int>(oldest.count()));
  RecordProperty("robots_repeated", static_cast<int>(robots));
  RecordProperty("least_gap_us", static_cast<int>(least_gap.count()));
}

TEST_F(Killed, LosesNoPageAndRepeatsOnlyWhatWasInFlightAndStaysPolite) { crawl_with({}, {}); }

TEST_F(Killed, RepeatsNoPageThatTheDatabaseHas) {
  const test::Gate gate;
  page("/slow", Script().wait(gate).send(reply("slow")).keep());
  page("/*", reply("a page"));
  std::vector<std::string> urls{url("/slow", "s0")};
  for (int i = 1; i < 40; ++i) urls.push_back(url("/" + std::to_string(i), "s" + std::to_string(i % 8 + 1)));
  const Words words = line({"--delay", "0", "--input", list(urls), "--db", in_folder("c.db"), "--job", "j", "--output",
                            in_folder("a.warc")});
  Running process(words);
  ASSERT_TRUE(gate.wait_reached(1));
  const auto queue = open_url_queue(in_folder("c.db"), "j").value();
  ASSERT_TRUE(eventually([&] { return queue->counts().value().done == urls.size() - 1; }));
  process.signal(SIGKILL);
  EXPECT_EQ(process.finish().status, 128 + SIGKILL);
  gate.open();
  EXPECT_EQ(run(words).status, 0);
  EXPECT_EQ(times("/slow"), 2U);
  EXPECT_EQ(asked().size(), urls.size() + 1);
  EXPECT_EQ(pages_in(in_folder("a.warc"), Packing::none).pages.size(), urls.size());
}

TEST_F(Killed, DoesSoWithSeveralFilesToo) { crawl_with({"--warc-max-size", "50k", "--cdx"}, {.max_file_size = 1}); }

}  // namespace
}  // namespace robotrules::test::THIS_FILE
