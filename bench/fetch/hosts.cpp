// fetch/hosts_10000: 10,000 hosts at once, a page a second from each, held for ROBOTRULES_HOLD_SECONDS (30). What is
// looked at are the counters, of which fetch/hold/hold.cpp tells; `memory_per_host` is octets beyond libcurl's own.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace robotrules::bench {
namespace {

struct Close {
  void operator()(std::FILE* program) const { pclose(program); }
};

void hosts(benchmark::State& state, int number) {
  const char* given = std::getenv("ROBOTRULES_HOLD_SECONDS");
  const std::string seconds = std::to_string(given == nullptr ? 30 : std::atoi(given));
  const std::string command = ROBOTRULES_HOLD_PROGRAM " " + std::to_string(number) + ' ' + seconds;
  for (auto _ : state) {
    std::unique_ptr<std::FILE, Close> program(popen(command.c_str(), "r"));
    if (program == nullptr) return state.SkipWithError("robotrules_hold can't be started");
    char name[64];
    double value = 0;
    while (std::fscanf(program.get(), "%63s %lf", name, &value) == 2) state.counters[name] = value;
    if (pclose(program.release()) != 0) return state.SkipWithError("robotrules_hold failed");
  }
}

BENCHMARK_CAPTURE(hosts, 10000, 10'000)
    ->Name("fetch/hosts_10000")
    ->Iterations(1)
    ->Repetitions(1)
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace robotrules::bench
