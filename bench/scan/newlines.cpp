// scan/newlines: only finds the line ends of every file, with memchr. The floor under whatever reads the same bytes.
#include <benchmark/benchmark.h>

#include <cstring>

#include "corpus.hpp"

namespace robotrules::bench {
namespace {

void newlines(benchmark::State& state) {
  for (auto _ : state) {
    std::size_t lines = 0;
    for (const auto& file : corpus().files) {
      const char* at = file.text.data();
      const char* const end = at + file.text.size();
      while (at != end) {
        const void* found = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
        if (found == nullptr) break;
        at = static_cast<const char*>(found) + 1;
        ++lines;
      }
    }
    benchmark::DoNotOptimize(lines);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(corpus().bytes) * state.iterations());
}

[[maybe_unused]] const auto* registered = benchmark::RegisterBenchmark("scan/newlines", newlines);

}  // namespace
}  // namespace robotrules::bench
