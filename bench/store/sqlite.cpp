// store/sqlite_*: the gate of a file that holds a million origins, by one process and by four, and what opening and
// filling it takes. Times are of the wall clock: what another process holds, this one waits for.
#include <benchmark/benchmark.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include <robotrules/open_store.hpp>

#include "corpus.hpp"
#include "store/million.hpp"

namespace robotrules::bench {
namespace {

using Clock = std::chrono::steady_clock;

SqliteStoreOptions options_of(Durability durability) {
  SqliteStoreOptions options;
  options.first_ever = true;
  options.durability = durability;
  return options;
}

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

bool dispatch(Store& store, Random& random) {
  const auto answer = store.reserve({.keys = {origin_text(random.below(million))}});
  if (!answer) return false;
  const Granted* granted = std::get_if<Granted>(&answer.value());
  if (granted == nullptr) return true;  // another process is at this site
  return store.complete(granted->token, {.status = 200, .retry_after = {}}).ok();
}

void one_process(benchmark::State& state, Durability durability) {
  const auto store = open_sqlite_store(million_file().path, options_of(durability)).value();
  Random random(1);
  for (auto _ : state) {
    if (!dispatch(*store, random)) return state.SkipWithError("the store failed");
  }
  state.SetItemsProcessed(state.iterations());
}

// One iteration is 4 x 5,000 dispatches.
void four_processes(benchmark::State& state) {
  constexpr int processes = 4;
  constexpr int each = 5'000;
  struct Shared {
    std::atomic<int> ready{0};
    std::atomic<bool> go{false};
    std::atomic<bool> failed{false};
    std::int64_t claim_ns[processes * each];
  };
  auto* const shared =
      static_cast<Shared*>(mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const std::string& path = million_file().path;
  std::vector<std::int64_t> claims;
  for (auto _ : state) {
    new (shared) Shared;
    std::vector<pid_t> children;
    for (int process = 0; process < processes; ++process) {
      const pid_t child = fork();
      if (child != 0) {
        children.push_back(child);
        continue;
      }
      const auto store = open_sqlite_store(path, options_of(Durability::normal));
      Random random(static_cast<std::uint64_t>(getpid()));
      ++shared->ready;
      while (!shared->go) std::atomic_thread_fence(std::memory_order_seq_cst);
      for (int i = 0; i < each; ++i) {
        const auto begin = Clock::now();
        if (!store || !dispatch(*store.value(), random)) shared->failed = true;
        shared->claim_ns[process * each + i] = (Clock::now() - begin).count();
      }
      _exit(0);
    }
    while (shared->ready < processes) usleep(100);
    const auto begin = Clock::now();
    shared->go = true;
    for (const pid_t child : children) waitpid(child, nullptr, 0);
    state.SetIterationTime(seconds_since(begin));
    if (shared->failed) state.SkipWithError("the store failed");
    claims.insert(claims.end(), shared->claim_ns, shared->claim_ns + processes * each);
  }
  munmap(shared, sizeof(Shared));
  state.SetItemsProcessed(state.iterations() * processes * each);
  std::sort(claims.begin(), claims.end());
  if (!claims.empty()) {
    state.counters["claim_p99_ms"] = static_cast<double>(claims[claims.size() * 99 / 100]) / 1e6;
    state.counters["claim_max_ms"] = static_cast<double>(claims.back()) / 1e6;
  }
}

void open_file(benchmark::State& state) {
  const MillionFile& file = million_file();
  for (auto _ : state) {
    const auto store = open_sqlite_store(file.path, options_of(Durability::normal));
    if (!store) return state.SkipWithError("the store failed");
    benchmark::DoNotOptimize(store.value()->gate(origin_text(7)));
  }
}

// One iteration is the import of a million origins, done once.
void import(benchmark::State& state) {
  const MillionFile& file = million_file();
  for (auto _ : state) state.SetIterationTime(file.import_seconds);
  state.SetItemsProcessed(static_cast<std::int64_t>(million));
  state.counters["bytes_per_record"] =
      static_cast<double>(file.file_bytes - file.body_bytes) / static_cast<double>(million);
}

void normal(benchmark::State& state) { one_process(state, Durability::normal); }
void full(benchmark::State& state) { one_process(state, Durability::full); }

[[maybe_unused]] const bool registered = [] {
  benchmark::RegisterBenchmark("store/sqlite_import", import)->UseManualTime()->Iterations(1);
  benchmark::RegisterBenchmark("store/sqlite_open", open_file)->UseRealTime();
  benchmark::RegisterBenchmark("store/sqlite_gate", normal)->UseRealTime();
  benchmark::RegisterBenchmark("store/sqlite_gate_full", full)->UseRealTime();
  benchmark::RegisterBenchmark("store/sqlite_gate_4_processes", four_processes)->UseManualTime();
  return true;
}();

}  // namespace
}  // namespace robotrules::bench
