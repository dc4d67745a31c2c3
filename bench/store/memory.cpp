// store/memory_*: questions to RobotRules over a store in memory that holds a million origins, and its gate.
#include <benchmark/benchmark.h>

#include <robotrules/robot_rules.hpp>

#include "corpus.hpp"
#include "store/million.hpp"

namespace robotrules::bench {
namespace {

RobotRules& million_in_memory() {
  static RobotRules rules = [] {
    MemoryStoreOptions options;
    options.limit_bytes = std::size_t{16} << 30;  // nothing is to be evicted here
    auto store = make_memory_store(options);
    static_cast<void>(store->set_agent("FooBot"));
    fill(*store, million);
    return RobotRules::open(std::move(store)).value();
  }();
  return rules;
}

// One iteration is one question; the URLs are of `origins` sites, in random order.
void allowed(benchmark::State& state, std::size_t origins) {
  const RobotRules& rules = million_in_memory();
  Random random(origins);
  // One behind the other, as in a buffer that was read: what is measured is the store.
  constexpr std::size_t longest = 64;
  const std::size_t count = std::max<std::size_t>(2 * origins, 100'000);
  std::string text;
  std::vector<std::string_view> urls;
  text.reserve(count * longest);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = text.size();
    text += origin_text(random.below(origins)) + "/shop/page" + std::to_string(i % 100) + ".html?id=7";
    urls.emplace_back(text.data() + begin, text.size() - begin);
  }
  for (const std::string_view url : urls) {
    if (rules.allowed(url) == Access::unknown) return state.SkipWithError("a site is not there");
  }
  std::size_t at = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(rules.allowed(urls[at]));
    at = at + 1 == urls.size() ? 0 : at + 1;
  }
  state.SetItemsProcessed(state.iterations());
}

void hot(benchmark::State& state) { allowed(state, 10'000); }
void all(benchmark::State& state) { allowed(state, million); }

// One iteration is a reserve and its complete, of sites in turn.
void gate(benchmark::State& state) {
  Store& store = *million_in_memory().store();
  std::vector<ReserveRequest> requests;
  for (std::size_t i = 0; i < 10'000; ++i) requests.push_back({.keys = {origin_text(i)}});
  std::size_t at = 0;
  for (auto _ : state) {
    const auto answer = store.reserve(requests[at]);
    const Granted* granted = std::get_if<Granted>(&answer.value());
    if (granted == nullptr) return state.SkipWithError("not granted");
    if (!store.complete(granted->token, {.status = 200, .retry_after = {}}))
      return state.SkipWithError("not completed");
    at = at + 1 == requests.size() ? 0 : at + 1;
  }
  state.SetItemsProcessed(state.iterations());
}

[[maybe_unused]] const auto* registered_hot = benchmark::RegisterBenchmark("store/memory_allowed_hot", hot);
[[maybe_unused]] const auto* registered_all = benchmark::RegisterBenchmark("store/memory_allowed_all", all);
[[maybe_unused]] const auto* registered_gate = benchmark::RegisterBenchmark("store/memory_gate", gate);

}  // namespace
}  // namespace robotrules::bench
