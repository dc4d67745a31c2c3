// The benchmarks' main: compares answers before anything is timed, and says in what surroundings the times were taken.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <fstream>
#include <string>

#include <robotrules/version.hpp>

#include "corpus.hpp"

namespace {

constexpr bool optimised =
#if defined(__OPTIMIZE__)
    true;
#else
    false;
#endif

constexpr bool checked =
#if !defined(NDEBUG) || defined(__SANITIZE_ADDRESS__)
    true;
#else
    false;
#endif

std::string processor() {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string load() {
  std::ifstream stream("/proc/loadavg");
  std::string line;
  std::getline(stream, line);
  return line;
}

void describe_surroundings() {
  const auto& corpus = robotrules::bench::corpus();
  benchmark::AddCustomContext("robotrules", ROBOTRULES_VERSION);
  benchmark::AddCustomContext("corpus", corpus.origin);
  benchmark::AddCustomContext("corpus_bytes", std::to_string(corpus.bytes));
  benchmark::AddCustomContext("corpus_questions", std::to_string(corpus.questions.size()));
  for (const auto& peer : robotrules::bench::peers()) benchmark::AddCustomContext("peer", peer.name);
  benchmark::AddCustomContext("compiler", __VERSION__);
  benchmark::AddCustomContext("optimised", optimised ? "yes" : "NO");
  benchmark::AddCustomContext("assertions", checked ? "ON" : "off");
  benchmark::AddCustomContext("processor", processor());
  benchmark::AddCustomContext("load_at_start", load());
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  if (!optimised || checked) {
    std::fprintf(
        stderr,
        "\n*** NOT AN OPTIMISED BUILD, or one with assertions: these times mean nothing. Use `make bench`. ***\n\n");
  }
  if (const std::size_t wrong = robotrules::bench::wrong_answers(); wrong > 0) {
    std::fprintf(stderr, "%zu of %zu answers are wrong: nothing is timed\n", wrong,
                 robotrules::bench::corpus().questions.size());
    return 1;
  }
  describe_surroundings();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
