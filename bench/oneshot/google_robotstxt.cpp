// oneshot/google_robotstxt: the questions of oneshot/question, answered by google/robotstxt.
#include <benchmark/benchmark.h>
#include <robots.h>

#include "corpus.hpp"

namespace robotrules::bench {
namespace {

Answer ask(const Question& question) {
  googlebot::RobotsMatcher matcher;
  Answer answer;
  answer.allowed = matcher.OneAgentAllowedByRobots(corpus().files[question.file].text, question.agent, question.url);
  answer.line = static_cast<std::uint32_t>(matcher.matching_line());
  return answer;
}

void question(benchmark::State& state) {
  const auto& questions = corpus().questions;
  while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(questions.size()))) {
    for (const Question& asked : questions) {
      googlebot::RobotsMatcher matcher;
      benchmark::DoNotOptimize(
          matcher.OneAgentAllowedByRobots(corpus().files[asked.file].text, asked.agent, asked.url));
    }
  }
  state.SetItemsProcessed(state.iterations());
}

[[maybe_unused]] const bool registered = [] {
  peers().push_back({"google/robotstxt", ask});
  benchmark::RegisterBenchmark("oneshot/google_robotstxt", question);
  return true;
}();

}  // namespace
}  // namespace robotrules::bench
