// match/url: a whole URL in, a verdict out, the rules compiled beforehand. One iteration is one question.
//
//   match/url       the questions of one file follow each other, in rounds, sorted by agent: a crawler at one site
//   match/url_cold  every question once, in the order of the corpus: hardly ever the rules that were asked just before
#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <utility>

#include "corpus.hpp"
#include "presets.hpp"

namespace robotrules::bench {
namespace {

constexpr int rounds = 32;  // of a file's dozen questions, before the next file

struct Asked {
  const Rules* rules;
  std::string_view url;
};

struct Compiled {
  std::vector<Rules> rules;                 // of sites(), one each
  std::vector<std::vector<Asked>> by_file;  // sorted by agent
  std::vector<Asked> in_order;              // of the corpus
};

Compiled compile_all(const Dialect& dialect) {
  Compiled all;
  std::map<std::pair<std::size_t, std::string_view>, std::size_t> index;
  for (const Site& site : sites()) {
    index[{site.file, site.agent}] = all.rules.size();
    all.rules.push_back(
        Rules::compile(corpus().files[site.file].text, site.agent, dialect, corpus().files[site.file].url));
  }
  std::size_t file = static_cast<std::size_t>(-1);
  for (std::size_t i = 0; i < sites().size(); ++i) {
    if (sites()[i].file != file) all.by_file.emplace_back();
    file = sites()[i].file;
    for (const std::string_view url : sites()[i].urls) all.by_file.back().push_back({&all.rules[i], url});
  }
  for (const Question& question : corpus().questions) {
    all.in_order.push_back({&all.rules[index.at({question.file, question.agent})], question.url});
  }
  return all;
}

// Compiled once a run of the program: all repetitions see the same objects at the same places.
const Compiled& compiled(const Dialect& dialect) {
  static std::map<std::string_view, Compiled> kept;
  const auto found = kept.find(dialect.name);
  return found != kept.end() ? found->second : kept.emplace(dialect.name, compile_all(dialect)).first->second;
}

void warm(benchmark::State& state, const Dialect& dialect) {
  const Compiled& all = compiled(dialect);
  const auto a_pass = static_cast<benchmark::IterationCount>(all.in_order.size() * rounds);
  while (state.KeepRunningBatch(a_pass)) {
    for (const auto& questions : all.by_file) {
      for (int round = 0; round < rounds; ++round) {
        for (const Asked& asked : questions) benchmark::DoNotOptimize(asked.rules->check(asked.url).access());
      }
    }
  }
  state.SetItemsProcessed(state.iterations());
}

void cold(benchmark::State& state, const Dialect& dialect) {
  const Compiled& all = compiled(dialect);
  while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(all.in_order.size()))) {
    for (const Asked& asked : all.in_order) benchmark::DoNotOptimize(asked.rules->check(asked.url).access());
  }
  state.SetItemsProcessed(state.iterations());
}

[[maybe_unused]] const bool registered =
    register_for_presets("match/url", warm) && register_for_presets("match/url_cold", cold);

}  // namespace
}  // namespace robotrules::bench
