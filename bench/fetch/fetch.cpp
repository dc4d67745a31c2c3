// fetch/*: 15,000 pages of 4 KB on 250 hosts, by `curl -Z` without robots.txt and by the agents here; delay 0. One
// iteration is the whole list; items are pages; times are of the wall clock.
#include <benchmark/benchmark.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <future>

#include <robotrules/open_store.hpp>
#include <robotrules/robot_ua.hpp>

#include "fetch/farm.hpp"
#include "fetch/programs.hpp"
#include "support/folder.hpp"

namespace robotrules::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

void count_pages(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(farm().urls.size()));
}

bool ready(benchmark::State& state) {
  if (farm().running) return true;
  state.SkipWithError(farm().why_not.c_str());
  return false;
}

void curl_parallel(benchmark::State& state) {
  if (!ready(state)) return;
  for (auto _ : state) {
    const auto begin = Clock::now();
    if (run_program({"curl", "-s", "-Z", "--parallel-max", "250", "--config", farm().list_file}) != 0) {
      return state.SkipWithError("curl failed");
    }
    state.SetIterationTime(seconds_since(begin));
  }
  count_pages(state);
}

UserAgentOptions http_options() {
  UserAgentOptions options;
  static_cast<void>(options.connection.guard.allow("127.0.0.0/8"));
  options.connection.keep_alive = 250;
  options.max_in_flight = 250;
  options.compression = false;  // as curl
  return options;
}

// Fetches the whole list and answers how many pages came.
std::size_t fetch_all(UserAgent& agent) {
  std::atomic<std::size_t> good{0};
  std::atomic<std::size_t> left{farm().urls.size()};
  std::promise<void> all;
  for (const std::string& url : farm().urls) {
    Request request;
    request.url = url;
    agent.start(std::move(request), [&](const Response& response) {
      if (response.code == 200 && response.body.size() == 4'096) ++good;
      if (--left == 0) all.set_value();
    });
  }
  all.get_future().wait();
  return good;
}

void user_agent(benchmark::State& state) {
  if (!ready(state)) return;
  for (auto _ : state) {
    UserAgent agent(http_options());
    const auto begin = Clock::now();
    if (fetch_all(agent) != farm().urls.size()) return state.SkipWithError("not every page came");
    state.SetIterationTime(seconds_since(begin));
  }
  count_pages(state);
}

void robot(benchmark::State& state, bool sqlite) {
  if (!ready(state)) return;
  const std::string path = test::new_folder_on_disk() + "/store.db";
  for (auto _ : state) {
    std::shared_ptr<RobotRules> rules;
    if (sqlite) {
      SqliteStoreOptions options;
      options.first_ever = true;
      auto store = open_sqlite_store(path, options);
      if (!store) return state.SkipWithError(store.error().message.c_str());
      rules = std::make_shared<RobotRules>(RobotRules::open(std::move(store).value(), "bench-robot").value());
    }
    RobotUAOptions options;
    options.http = http_options();
    options.pace.delay = std::chrono::milliseconds(0);
    auto agent = RobotUA::make("bench-robot/1.0", "bench@example.org", rules, options);
    const auto begin = Clock::now();
    if (fetch_all(agent.value()) != farm().urls.size()) return state.SkipWithError("not every page came");
    state.SetIterationTime(seconds_since(begin));
  }
  count_pages(state);
}

BENCHMARK(curl_parallel)->Name("fetch/curl_Z")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(user_agent)->Name("fetch/user_agent")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(robot, memory, false)->Name("fetch/robot_memory")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(robot, sqlite, true)->Name("fetch/robot_sqlite")->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace robotrules::bench
