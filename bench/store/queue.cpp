// queue/*: what adding, claiming, taking and settling URLs takes, in a file and in a temporary database. The URLs are
// of 20,000 sites, in no order. ROBOTRULES_QUEUE_URLS: how many (1,000,000).
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "corpus.hpp"
#include "store/million.hpp"

namespace robotrules::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t sites = 20'000;

std::size_t urls_wanted() {
  const char* asked = std::getenv("ROBOTRULES_QUEUE_URLS");
  return asked == nullptr ? million : std::strtoull(asked, nullptr, 10);
}

std::vector<QueuedUrl> batch_of(std::size_t first, std::size_t count, Random& random) {
  std::vector<QueuedUrl> urls(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(first + i);
    urls[i].url = origin_text(random.below(sites)) + "/articles/2024/" + number + "/a-page-of-some-length?id=" + number;
  }
  return urls;
}

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// The most that this process ever had, in MB.
double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1'024;
}

template <class T>
T checked(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(result).value();
}

// One iteration is a queue filled from nothing, `batch` URLs a call; making the URLs is not timed.
void add(benchmark::State& state, const std::string& path) {
  const auto batch = static_cast<std::size_t>(state.range(0));
  for (auto _ : state) {
    for (const char* part : {"", "-wal", "-shm"}) {
      if (!path.empty()) std::filesystem::remove(path + part);
    }
    const auto queue = checked(open_url_queue(path));
    Random random(1);
    double seconds = 0;
    std::clock_t processor = 0;
    for (std::size_t first = 0; first < urls_wanted(); first += batch) {
      const auto urls = batch_of(first, std::min(batch, urls_wanted() - first), random);
      const auto begin = Clock::now();
      const std::clock_t before = std::clock();
      if (checked(queue->add(urls)).added != urls.size()) throw std::runtime_error("the queue lost URLs");
      seconds += seconds_since(begin);
      processor += std::clock() - before;
    }
    state.SetIterationTime(seconds);
    state.counters["processor_us_per_url"] =
        static_cast<double>(processor) * 1e6 / CLOCKS_PER_SEC / static_cast<double>(urls_wanted());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(urls_wanted()));
  state.counters["peak_mb"] = peak_memory();
  if (!path.empty()) {
    state.counters["bytes_per_url"] =
        static_cast<double>(std::filesystem::file_size(path)) / static_cast<double>(urls_wanted());
  }
}

const std::string& queue_path() {
  static const std::string path = bench_folder() + "/queue.db";
  return path;
}
void add_to_file(benchmark::State& state) { add(state, queue_path()); }
void add_to_temporary(benchmark::State& state) { add(state, ""); }

// What adding has left, opened anew: the first question reads the hashes.
void open_file(benchmark::State& state) {
  for (auto _ : state) {
    const auto queue = checked(open_url_queue(queue_path()));
    benchmark::DoNotOptimize(checked(queue->find("GET", "https://www.site1.example/none")));
  }
}

// All of it is asked for again, and is there.
void add_duplicates(benchmark::State& state) {
  const auto queue = checked(open_url_queue(queue_path()));
  for (auto _ : state) {
    Random random(1);
    double seconds = 0;
    for (std::size_t first = 0; first < urls_wanted(); first += 100'000) {
      const auto urls = batch_of(first, std::min<std::size_t>(100'000, urls_wanted() - first), random);
      const auto begin = Clock::now();
      if (checked(queue->add(urls)).duplicates != urls.size()) throw std::runtime_error("the queue forgot URLs");
      seconds += seconds_since(begin);
    }
    state.SetIterationTime(seconds);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(urls_wanted()));
}

// One iteration: the next URL of each of 200 sites, taken, and settled in one transaction. All sites are released when
// none is left to claim.
void take_settle(benchmark::State& state) {
  const auto queue = checked(open_url_queue(queue_path()));
  const QueueClaim claim = checked(queue->claim());
  std::vector<std::int64_t> claimed;
  std::int64_t settled_urls = 0;
  for (auto _ : state) {
    const auto page = checked(queue->claim_sites(claim, 200));
    std::vector<FinishedUrl> settled;
    for (const QueueSite& site : page) {
      claimed.push_back(site.id);
      for (const QueueItem& item : checked(queue->take(claim, site.id, {}, 1))) {
        settled.push_back({item.id, UrlState::done, {200, "", "\"0123456789abcdef\"", "", Timestamp{}, 4'096}});
      }
    }
    const OutputPosition position{"out.warc.gz", static_cast<std::uint64_t>(settled_urls)};
    auto done = queue->settle(claim, settled, position);
    if (done && page.size() < 200) done = queue->release(claim, std::exchange(claimed, {}));
    if (!done) throw std::runtime_error(done.error().message);
    settled_urls += static_cast<std::int64_t>(settled.size());
  }
  state.SetItemsProcessed(settled_urls);
}

[[maybe_unused]] const bool registered = [] {
  benchmark::RegisterBenchmark("queue/add_temporary", add_to_temporary)->Arg(100'000)->UseManualTime()->Iterations(1);
  benchmark::RegisterBenchmark("queue/add", add_to_file)
      ->Arg(10'000)
      ->Arg(100'000)
      ->Arg(1'000'000)
      ->UseManualTime()
      ->Iterations(1);
  benchmark::RegisterBenchmark("queue/add_duplicates", add_duplicates)->UseManualTime()->Iterations(1);
  benchmark::RegisterBenchmark("queue/open", open_file)->UseRealTime();
  benchmark::RegisterBenchmark("queue/take_settle", take_settle)->UseRealTime();
  return true;
}();

}  // namespace
}  // namespace robotrules::bench
