// lines/marks and lines/marks_plain: where lines end and comments begin, in every file, by the wide instructions of
// this machine and octet by octet. One iteration is one pass.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/line/line_marks.hpp"
#include "corpus.hpp"

namespace robotrules::bench {
namespace {

using Finder = std::size_t (*)(const char*, std::size_t, std::uint32_t*) noexcept;

void marks(benchmark::State& state, Finder find) {
  static std::array<std::uint32_t, core::mark_block + 8> out;
  for (auto _ : state) {
    std::size_t count = 0;
    for (const auto& file : corpus().files) {
      for (std::size_t at = 0; at < file.text.size(); at += core::mark_block) {
        count += find(file.text.data() + at, std::min(core::mark_block, file.text.size() - at), out.data());
      }
    }
    benchmark::DoNotOptimize(count);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(corpus().bytes) * state.iterations());
}

[[maybe_unused]] const bool registered = [] {
  benchmark::RegisterBenchmark("lines/marks", marks, core::find_line_marks);
  benchmark::RegisterBenchmark("lines/marks_plain", marks, core::find_line_marks_plain);
  return true;
}();

}  // namespace
}  // namespace robotrules::bench
