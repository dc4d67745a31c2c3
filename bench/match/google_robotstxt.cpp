// match/google_robotstxt: the questions of match/url, answered by google/robotstxt. It keeps no rules, so it reads the
// file again for each URL; one matcher serves all of them. One round, because an answer does not make the next one
// faster.
#include <benchmark/benchmark.h>
#include <robots.h>

#include <algorithm>
#include <tuple>

#include "corpus.hpp"

namespace robotrules::bench {
namespace {

const std::vector<Question>& sorted_questions() {
  static const std::vector<Question> sorted = [] {
    std::vector<Question> all = corpus().questions;
    std::stable_sort(all.begin(), all.end(), [](const Question& a, const Question& b) {
      return std::tie(a.file, a.agent) < std::tie(b.file, b.agent);
    });
    return all;
  }();
  return sorted;
}

void many_urls(benchmark::State& state) {
  const auto& questions = sorted_questions();
  googlebot::RobotsMatcher matcher;
  while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(questions.size()))) {
    for (const Question& asked : questions) {
      benchmark::DoNotOptimize(
          matcher.OneAgentAllowedByRobots(corpus().files[asked.file].text, asked.agent, asked.url));
    }
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(many_urls)->Name("match/google_robotstxt");

}  // namespace
}  // namespace robotrules::bench
