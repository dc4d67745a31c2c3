// worst/SHAPE: hostile files of 512,000 octets under URLs of 8,192. One iteration is one verdict from bytes, on the
// URL that was slowest for the shape; `max_ms` is the longest single verdict seen, `check_max_ms` its share after
// compiling. worst/stars_N: one wildcard bomb of N stars and its near miss, matching only.
#include <benchmark/benchmark.h>

#include <time.h>

#include <algorithm>
#include <memory>

#include "../../tests/support/hostile_files.hpp"
#include "core/rules/rules_hash.hpp"
#include "corpus.hpp"

namespace robotrules::bench {
namespace {

// Time this thread had the processor for: the longest of many must not be the neighbours' doing.
double now_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// Literal rules that all begin alike and whose hashes fall into an eighth of the index's table.
hostile::Shape crowd_flood() {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  constexpr std::uint32_t size = 48'001;  // of that table for 32,000 rules
  std::string robots = "User-agent: *\n";
  char pattern[32] = "/aaaa";
  for (std::size_t n = 0; n < letters.size() * letters.size() * letters.size() && robots.size() < 480'000; ++n) {
    for (std::size_t i = 0; i < 3; ++i) pattern[5 + i] = letters[(n >> (6 * i)) & 63];
    if (core::crowd_slot(core::PrefixHash(pattern).of(8), size) < size / 8)
      robots.append("Allow:").append(pattern, 8) += '\n';
  }
  return {"crowd_flood", [robots] { return robots; }};
}

struct Longest {
  double whole = 0;
  double check = 0;
};

void ask(const std::string& robots, const std::string& url, const Dialect& dialect, Longest& longest) {
  const double start = now_ms();
  const Rules rules = Rules::compile(robots, "FooBot", dialect);
  const double compiled = now_ms();
  benchmark::DoNotOptimize(rules.check(url).access());
  const double end = now_ms();
  longest.whole = std::max(longest.whole, end - start);
  longest.check = std::max(longest.check, end - compiled);
}

std::string slowest_url(const std::string& robots, const Dialect& dialect) {
  std::string slowest;
  double most = -1;
  for (const std::string& url : hostile::urls()) {
    Longest one;
    ask(robots, url, dialect, one);
    if (one.whole <= most) continue;
    most = one.whole;
    slowest = url;
  }
  return slowest;
}

struct Case {
  std::string robots;
  Dialect dialect;
  std::string url;  // found at the first run
};

void verdict(benchmark::State& state, const std::shared_ptr<Case>& hostile) {
  if (hostile->url.empty()) hostile->url = slowest_url(hostile->robots, hostile->dialect);
  Longest longest;
  for (auto _ : state) ask(hostile->robots, hostile->url, hostile->dialect, longest);
  state.counters["max_ms"] = longest.whole;
  state.counters["check_max_ms"] = longest.check;
}

void stars(benchmark::State& state, std::size_t count, const Dialect& dialect) {
  const std::string robots = "User-agent: *\nDisallow: " + hostile::wildcard_bomb(count) + "\n";
  const std::string url = "https://example.com" + hostile::near_miss(8'000);
  const Rules rules = Rules::compile(robots, "FooBot", dialect);
  if (!rules.check(url).allowed()) {
    state.SkipWithError("the near miss matched");
    return;
  }
  double longest = 0;
  for (auto _ : state) {
    const double start = now_ms();
    benchmark::DoNotOptimize(rules.check(url).access());
    longest = std::max(longest, now_ms() - start);
  }
  state.counters["max_ms"] = longest;
}

[[maybe_unused]] const bool registered = [] {
  std::vector<hostile::Shape> shapes = hostile::shapes();
  shapes.push_back(crowd_flood());
  for (const hostile::Shape& shape : shapes) {
    const std::string name = "worst/" + shape.name;
    benchmark::RegisterBenchmark(name.c_str(), verdict,
                                 std::make_shared<Case>(Case{shape.robots(), Dialect::google(), {}}));
    benchmark::RegisterBenchmark((name + "_rfc9309").c_str(), verdict,
                                 std::make_shared<Case>(Case{shape.robots(), Dialect::rfc9309(), {}}));
  }
  for (const std::size_t count : {4, 16, 256, 8'000}) {
    benchmark::RegisterBenchmark(("worst/stars_" + std::to_string(count)).c_str(), stars, count, Dialect::google());
    benchmark::RegisterBenchmark(("worst/stars_" + std::to_string(count) + "_rfc9309").c_str(), stars, count,
                                 Dialect::rfc9309());
  }
  return true;
}();

}  // namespace
}  // namespace robotrules::bench
