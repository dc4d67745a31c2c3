// How many calls of the gate a store makes in a second.
//
//     robotrules_gates redis://127.0.0.1:7000?first_ever=1 [--clients N] [--batch N] [--keys N] [--seconds N]
//
// Each client is a thread with a store of its own, as a process of a fleet has it. It reserves `--batch` different keys
// in one call of Store::call_gate(), again and again. The keys are random, so most requests are granted and each call
// writes. Prints the number of calls in a second.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

#include <robotrules/open_store.hpp>

#include "fleet/number_flags.hpp"

namespace robotrules::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Settings {
  std::uint32_t clients = 1;
  std::uint32_t batch = 64;
  std::uint32_t keys = 1'000'000;
  std::uint32_t seconds = 10;
};

struct Total {
  std::atomic<std::uint64_t> calls = 0;
  std::atomic<std::uint64_t> granted = 0;
  std::mutex mutex;
  std::string failure;  // of the first call that failed
};

void fail(Total& total, const Error& error) {
  const std::lock_guard lock(total.mutex);
  if (total.failure.empty()) total.failure = error.message;
}

void reserve(Store& store, const Settings& settings, Clock::time_point end, Total& total) {
  std::mt19937 random(std::random_device{}());
  std::uniform_int_distribution<std::uint32_t> any_key(0, settings.keys - 1);
  while (Clock::now() < end) {
    GateCalls calls;
    std::unordered_set<std::uint32_t> taken;
    while (taken.size() < settings.batch) {
      const std::uint32_t key = any_key(random);
      if (!taken.insert(key).second) continue;
      auto request = std::make_shared<ReserveRequest>();
      request->keys = {"http://site" + std::to_string(key) + ".example"};
      request->interval = std::chrono::seconds(10);
      calls.requests.push_back(std::move(request));
    }
    const GateAnswers answers = store.call_gate(calls);
    for (const auto& answer : answers.requests) {
      if (!answer) return fail(total, answer.error());
      if (std::holds_alternative<Granted>(answer.value())) ++total.granted;
    }
    total.calls += answers.requests.size();
  }
}

int run(const std::string& name, const Settings& settings) {
  std::vector<std::shared_ptr<Store>> stores;
  for (std::uint32_t i = 0; i < settings.clients; ++i) {
    auto store = open_store(name);
    if (!store) {
      std::fprintf(stderr, "gates: %s\n", store.error().message.c_str());
      return 2;
    }
    stores.push_back(std::move(store).value());
  }
  Total total;
  std::vector<std::thread> threads;
  const auto begin = Clock::now();
  const auto end = begin + std::chrono::seconds(settings.seconds);
  for (std::uint32_t i = 0; i < settings.clients; ++i) {
    threads.emplace_back([&, i] { reserve(*stores[i], settings, end, total); });
  }
  for (std::thread& thread : threads) thread.join();
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  if (!total.failure.empty()) {
    std::fprintf(stderr, "gates: %s\n", total.failure.c_str());
    return 1;
  }
  std::printf(
      "%.0f calls of the gate a second (%u clients, %u in a batch, %.0f %% granted)\n",
      static_cast<double>(total.calls) / seconds, settings.clients, settings.batch,
      100.0 * static_cast<double>(total.granted) / static_cast<double>(std::max<std::uint64_t>(total.calls, 1)));
  return 0;
}

}  // namespace
}  // namespace robotrules::bench

int main(int argc, char** argv) {
  using robotrules::bench::Settings;
  constexpr robotrules::bench::NumberFlag<Settings> flags[] = {{"--clients", &Settings::clients},
                                                               {"--batch", &Settings::batch},
                                                               {"--keys", &Settings::keys},
                                                               {"--seconds", &Settings::seconds}};
  Settings settings;
  const bool is_understood = read_flags(argc, argv, flags, settings) &&
                             std::ranges::all_of(flags, [&](const auto& flag) { return settings.*flag.value > 0; });
  if (!is_understood || settings.batch > settings.keys) {
    std::fprintf(stderr, "usage: robotrules_gates STORE [--clients N] [--batch N] [--keys N] [--seconds N]\n");
    return 2;
  }
  return robotrules::bench::run(argv[1], settings);
}
