// fetch/get_*: the farm's list by `robotrules get`, with its queue, robots.txt files and gates in SQLite, into a WARC
// file. Beside it: fetch/curl_Z, which writes nothing, fetch/scrapy, which obeys robots.txt too and writes nothing, and
// fetch/wget and fetch/wget2, which do not read robots.txt for a list; wget writes the same kind of WARC file.
#include <benchmark/benchmark.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "fetch/farm.hpp"
#include "fetch/programs.hpp"
#include "support/folder.hpp"

namespace robotrules::bench {
namespace {

using Clock = std::chrono::steady_clock;

class Scratch {
 public:
  Scratch() : folder_(test::new_folder_on_disk()) {}
  ~Scratch() { clear(); }
  void clear() const {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  void make() const { std::filesystem::create_directories(folder_); }
  std::string operator/(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

void write_list(const std::string& path) {
  std::ofstream list(path);
  for (const std::string& url : farm().urls) list << url << '\n';
}

void run(benchmark::State& state, const Scratch& scratch, const std::vector<std::string>& words) {
  const auto begin = Clock::now();
  const int status = run_program(words);
  state.SetIterationTime(std::chrono::duration<double>(Clock::now() - begin).count());
  if (status == 127) state.SkipWithError((words.front() + " is not there").c_str());
  if (status != 0) state.SkipWithError(("exit status " + std::to_string(status)).c_str());
  scratch.clear();
}

bool ready(benchmark::State& state) {
  if (!farm().running) state.SkipWithError(farm().why_not.c_str());
  return farm().running;
}

void get(benchmark::State& state, const std::string& output) {
  if (!ready(state)) return;
  const Scratch scratch;
  for (auto _ : state) {
    scratch.make();
    write_list(scratch / "list");
    run(state, scratch,
        {ROBOTRULES_PROGRAM, "get", "--input", scratch / "list", "--output", scratch / output, "--db",
         scratch / "crawl.db", "--delay", "0", "--concurrency", "250", "--from", "bench@example.org", "--allow-address",
         "127.0.0.0/8"});
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(farm().urls.size()));
}

constexpr const char* spider = R"(import scrapy
class Farm(scrapy.Spider):
    name = "farm"
    custom_settings = {"ROBOTSTXT_OBEY": True, "CONCURRENT_REQUESTS": 250, "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
                       "LOG_ENABLED": False, "TELNETCONSOLE_ENABLED": False, "RETRY_ENABLED": False,
                       "REACTOR_THREADPOOL_MAXSIZE": 20}
    def start_requests(self):
        for line in open(self.list):
            yield scrapy.Request(line.strip(), dont_filter=True)
    async def start(self):
        for request in self.start_requests():
            yield request
    def parse(self, response):
        pass
)";

void scrapy(benchmark::State& state) {
  if (!ready(state)) return;
  const Scratch scratch;
  for (auto _ : state) {
    scratch.make();
    write_list(scratch / "list");
    std::ofstream(scratch / "farm.py") << spider;
    run(state, scratch, {"scrapy", "runspider", "-a", "list=" + (scratch / "list"), scratch / "farm.py"});
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(farm().urls.size()));
}

// `words` is a command line that reads a list of URLs. "LIST" stands for its path and "FOLDER" for a folder for pages.
void peer(benchmark::State& state, std::vector<std::string> words) {
  if (!ready(state)) return;
  const Scratch scratch;
  for (std::string& word : words) {
    if (word == "LIST") word = scratch / "list";
    if (const std::size_t at = word.find("FOLDER"); at != std::string::npos) word.replace(at, 6, scratch / "pages");
  }
  for (auto _ : state) {
    scratch.make();
    std::filesystem::create_directory(scratch / "pages");
    write_list(scratch / "list");
    run(state, scratch, words);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(farm().urls.size()));
}

void wget(benchmark::State& state) {
  peer(state, {"wget", "-q", "--warc-file=FOLDER/out", "--delete-after", "-P", "FOLDER", "-i", "LIST"});
}

void wget2(benchmark::State& state) {
  peer(state, {"wget2", "-q", "--max-threads=250", "--delete-after", "-P", "FOLDER", "-i", "LIST"});
}

BENCHMARK_CAPTURE(get, warc, "out.warc")->Name("fetch/get_warc")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(get, warc_gz, "out.warc.gz")
    ->Name("fetch/get_warc_gz")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(scrapy)->Name("fetch/scrapy")->UseManualTime()->Iterations(1)->Repetitions(1)->Unit(benchmark::kMillisecond);
BENCHMARK(wget)->Name("fetch/wget")->UseManualTime()->Iterations(1)->Repetitions(1)->Unit(benchmark::kMillisecond);
BENCHMARK(wget2)->Name("fetch/wget2")->UseManualTime()->Iterations(1)->Repetitions(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace robotrules::bench
