// parse/document: RobotsTxt::parse over every file; everything a file says is kept. One iteration is one pass.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>

#include "corpus.hpp"
#include "presets.hpp"

namespace robotrules::bench {
namespace {

struct Memory {
  double overall = 0;  // heap bytes a file byte, over all files
  double worst = 0;    // of one file of at least 4,096 octets: below that the fixed part is what is measured
};

Memory memory_of(const Dialect& dialect) {
  Memory memory;
  std::size_t held = 0;
  for (const auto& file : corpus().files) {
    const std::size_t bytes = RobotsTxt::parse(file.text, dialect, file.url).memory_bytes();
    held += bytes;
    if (file.text.size() < 4096) continue;
    memory.worst = std::max(memory.worst, static_cast<double>(bytes) / static_cast<double>(file.text.size()));
  }
  memory.overall = static_cast<double>(held) / static_cast<double>(corpus().bytes);
  return memory;
}

const Memory& measured(const Dialect& dialect) {
  static std::map<std::string_view, Memory> kept;
  const auto found = kept.find(dialect.name);
  return found != kept.end() ? found->second : kept.emplace(dialect.name, memory_of(dialect)).first->second;
}

void document(benchmark::State& state, const Dialect& dialect) {
  const Memory& memory = measured(dialect);
  for (auto _ : state) {
    for (const auto& file : corpus().files) {
      const RobotsTxt parsed = RobotsTxt::parse(file.text, dialect, file.url);
      benchmark::DoNotOptimize(parsed.size());
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(corpus().bytes) * state.iterations());
  state.counters["memory_per_file_byte"] = memory.overall;
  state.counters["memory_per_file_byte_worst"] = memory.worst;
}

[[maybe_unused]] const bool registered = register_for_presets("parse/document", document);

}  // namespace
}  // namespace robotrules::bench
