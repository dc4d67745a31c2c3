// oneshot/question: from the bytes of a file to one verdict, nothing kept: what a library that parses for every
// question does. One iteration is one question, in the order of the corpus.
#include <benchmark/benchmark.h>

#include "corpus.hpp"
#include "presets.hpp"

namespace robotrules::bench {
namespace {

void question(benchmark::State& state, const Dialect& dialect) {
  const auto& questions = corpus().questions;
  while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(questions.size()))) {
    for (const Question& asked : questions) {
      const Rules rules =
          Rules::compile(corpus().files[asked.file].text, asked.agent, dialect, corpus().files[asked.file].url);
      benchmark::DoNotOptimize(rules.check(asked.url).access());
    }
  }
  state.SetItemsProcessed(state.iterations());
}

[[maybe_unused]] const bool registered = register_for_presets("oneshot/question", question);

}  // namespace
}  // namespace robotrules::bench
