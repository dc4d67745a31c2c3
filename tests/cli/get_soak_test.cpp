// robotrules get among servers that mean harm, for as long as one likes: its memory and its descriptors stay what they
// were, but for the queue's index of URLs and its cache of database pages (256 MiB at most). Three seconds in every
// run, N seconds with ROBOTRULES_SOAK=N.
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "cli/get_rig.hpp"
#include "support/archive/fetched.hpp"
#include "support/process.hpp"
#include "support/sanitized.hpp"
#include "support/server/hostile_answers.hpp"
#include "support/soak.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using test::Sample;

constexpr std::size_t sites = 120;
constexpr std::size_t urls_a_second = 200;
constexpr std::size_t at_once = 128;
// The queue's index has a place of 12 bytes for each URL and at most as many free places twice over.
constexpr double index_bytes = 36;
// A page of the database in memory, and what SQLite keeps beside it.
constexpr double page_share = 1.1;
constexpr double page_cache = 256 << 20;

class GetSoak : public GetRig {
 protected:
  GetSoak() {
    const std::string robots = "User-agent: *\nDisallow: /x\n";
    const std::vector<test::Handler> answers = test::hostile_answers(robots);
    kinds_ = answers.size();
    for (std::size_t kind = 0; kind < kinds_; ++kind) page("/" + std::to_string(kind) + "?*", answers[kind]);
    page("/again", test::redirect(302, "/again"));
    for (std::size_t number = 0; number < sites; ++number) {  // two of three have a robots.txt
      server.on(site(number) + ".localhost", "/robots.txt",
                number % 3 != 0 ? test::Handler(test::reply(robots)) : answers[number / 3 % kinds_]);
    }
  }
  static std::string site(std::size_t number) { return "s" + std::to_string(number); }

  std::string next_url() {
    const std::string path = "/" + std::to_string(random_() % kinds_) + "?" + std::to_string(++urls_);
    const std::string made = url(path, site(random_() % sites));
    return random_() % 8 == 0 ? "https" + made.substr(4) : made;  // which no server here speaks: TLS that fails
  }

  void write(const Running& process, std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = ::write(process.in(), text.data(), text.size());
      ASSERT_GT(count, 0) << "it ended";
      text.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  // Until then, or until standard error says something: then it is appended to `said`.
  static void wait_until(const Running& process, steady_clock::time_point then, std::string& said) {
    for (auto now = steady_clock::now(); now < then; now = steady_clock::now()) {
      pollfd error{process.err(), POLLIN, 0};
      const auto left = std::chrono::ceil<milliseconds>(then - now).count();
      if (::poll(&error, 1, static_cast<int>(left)) <= 0) continue;
      char piece[4'096];
      const ssize_t count = ::read(process.err(), piece, sizeof piece);
      ASSERT_GT(count, 0) << "it ended: " << said;
      said.append(piece, static_cast<std::size_t>(count));
    }
  }

  std::size_t kinds_ = 0;
  std::size_t urls_ = 0;
  std::mt19937 random_{20'261'122};
};

TEST_F(GetSoak, AHostileMixLeavesMemoryAndDescriptorsAsTheyWere) {
  const std::string out = in_folder("a.warc.gz");
  const std::string db = in_folder("crawl.db");
  Running process(
      line({"--input", "-", "--output", out, "--log", in_folder("log"), "--db", db, "--tries", "1", "--max-wait", "2",
            "--timeout", "2", "--max-size", "256k", "--concurrency", std::to_string(at_once)}));
  constexpr int samples = 60;
  const auto begin = steady_clock::now();
  const milliseconds time = test::time_to_soak();
  std::vector<Sample> taken;
  std::string said;
  for (int i = 1; i <= samples; ++i) {
    // A portion ten times a sample, so that what waits in the queue is little.
    for (int part = 1; part <= 10; ++part) {
      const auto until = begin + time * (10 * (i - 1) + part) / (10 * samples);
      const auto due = static_cast<std::size_t>((until - begin) / milliseconds(1)) * urls_a_second / 1'000;
      std::string text;
      while (urls_ < due) text += next_url() + "\n";
      ASSERT_NO_FATAL_FAILURE(write(process, text));
      ASSERT_NO_FATAL_FAILURE(wait_until(process, until, said));
    }
    taken.push_back({urls_, test::resident_bytes(process.id()), test::open_descriptors(process.id())});
    server.witness().clear();
  }
  process.close_in();
  const Ran ran = process.finish();
  EXPECT_EQ(ran.status, 3) << said << ran.err;  // some failed
  std::map<std::string, std::size_t> outcomes;
  std::size_t lines = 0;
  for (const Json& one : json_lines(in_folder("log"))) {
    ++lines;
    ++outcomes[one.value("why", "")];
  }
  EXPECT_EQ(lines, urls_) << "each URL has its line";
  for (const char* seen : {"server", "robots-unreachable", "timeout"}) EXPECT_GT(outcomes[seen], 0U) << seen;
  for (const char* wrong : {"internal", "store", "invalid-request"}) EXPECT_EQ(outcomes[wrong], 0U) << wrong;
  EXPECT_FALSE(read_warc(contents(out), Packing::gzip).empty());

  taken.erase(taken.begin(), taken.begin() + samples / 3);  // it warms up
  std::size_t most_descriptors = 0;
  for (const Sample& sample : taken) most_descriptors = std::max(most_descriptors, sample.descriptors);
  const double slope = test::slope_of(taken);
  const auto added = static_cast<double>(taken.back().operations - taken.front().operations);
  const auto stored = static_cast<double>(std::filesystem::file_size(db)) / static_cast<double>(urls_);
  const double rise = (slope - index_bytes) * added - std::min(page_share * stored * added, page_cache);
  std::printf(
      "%zu URLs, %zu answered by servers; %zu to %zu KiB, %+.2f bytes a URL, of which the database has %.2f; at most "
      "%zu "
      "descriptors\n",
      urls_, outcomes["server"], taken.front().resident >> 10, taken.back().resident >> 10, slope, stored,
      most_descriptors);
  for (const auto& [why, count] : outcomes) std::printf("  %zu %s\n", count, why.c_str());
  RecordProperty("urls", std::to_string(urls_));
  RecordProperty("bytes_a_url", std::to_string(slope));
  RecordProperty("most_descriptors", std::to_string(most_descriptors));
  EXPECT_LE(most_descriptors, 2 * at_once + 64 + sites);
  if (!test::sanitized) {
    const bool is_warm = time >= std::chrono::minutes(1);
    EXPECT_LE(rise, is_warm ? 8 << 20 : 64 << 20) << "however long it took";
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
