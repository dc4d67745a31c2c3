// Fills a store with the rows that a crawl of many sites leaves: one of the gate for each site and, with --records 1,
// its robots.txt. bench/fleet/memory.py divides what the server's memory grew by.
//
//     robotrules_fill redis://127.0.0.1:7000?first_ever=1 --sites 1000000 [--records 1] [--batch N]
//
// Each site is visited once: its key is reserved in one call of Store::call_gate(), and its end is reported in the
// next. The records are the files of the benchmarks' corpus in turn (bench/corpus.hpp). Prints the number of sites that
// were visited: on a busy machine an answer may come too late.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <robotrules/open_store.hpp>

#include "corpus.hpp"
#include "fleet/number_flags.hpp"

namespace robotrules::bench {
namespace {

struct Settings {
  std::uint32_t sites = 100'000;
  std::uint32_t records = 0;
  std::uint32_t batch = 256;
};

// As long as the names of real sites are: 28 to 31 bytes.
std::string name_of(std::uint32_t site) { return "https://www.site" + std::to_string(site) + ".example"; }

int fail(const Error& error) {
  std::fprintf(stderr, "fill: %s\n", error.message.c_str());
  return 1;
}

int visit(Store& store, const Settings& settings) {
  std::uint32_t visited = 0;
  GateCalls calls;
  for (std::uint32_t site = 0; site < settings.sites || !calls.ends.empty();) {
    for (std::uint32_t i = 0; i < settings.batch && site < settings.sites; ++i, ++site) {
      auto request = std::make_shared<ReserveRequest>();
      request->keys = {name_of(site)};
      request->interval = std::chrono::seconds(10);
      calls.requests.push_back(std::move(request));
    }
    const GateAnswers answers = store.call_gate(calls);
    for (const auto& end : answers.ends) {
      if (!end && !is_passing(end.error())) return fail(end.error());
    }
    calls = {};
    for (const auto& answer : answers.requests) {
      if (!answer && is_passing(answer.error())) continue;
      if (!answer) return fail(answer.error());
      ++visited;
      const auto* const granted = std::get_if<Granted>(&answer.value());
      if (granted == nullptr) return fail({"not-granted", "A site was visited before: take a new store"});
      calls.ends.push_back({granted->token, Outcome{.status = 200, .retry_after = {}}});
    }
  }
  std::printf("%u\n", visited);
  return 0;
}

int put_records(Store& store, const Settings& settings) {
  const auto& files = corpus().files;
  std::vector<std::shared_ptr<const std::string>> bodies;
  for (const File& file : files) bodies.push_back(std::make_shared<const std::string>(file.text));
  for (std::uint32_t site = 0; site < settings.sites;) {
    std::vector<std::pair<Origin, RobotsRecord>> records;
    for (std::uint32_t i = 0; i < settings.batch && site < settings.sites; ++i, ++site) {
      RobotsRecord record;
      record.body = bodies[site % bodies.size()];
      record.url = name_of(site) + "/robots.txt";
      record.status = 200;
      record.fetched_at = store.now();
      record.fresh_until = record.fetched_at + std::chrono::hours(24);
      records.emplace_back(*Origin::of(name_of(site)), std::move(record));
    }
    if (auto put = store.put_all(std::move(records)); !put) return fail(put.error());
  }
  std::printf("%u\n", settings.sites);
  return 0;
}

int run(const std::string& name, const Settings& settings) {
  auto store = open_store(name);
  if (!store) return fail(store.error());
  return settings.records != 0 ? put_records(*store.value(), settings) : visit(*store.value(), settings);
}

}  // namespace
}  // namespace robotrules::bench

int main(int argc, char** argv) {
  using robotrules::bench::Settings;
  constexpr robotrules::bench::NumberFlag<Settings> flags[] = {
      {"--sites", &Settings::sites}, {"--records", &Settings::records}, {"--batch", &Settings::batch}};
  Settings settings;
  if (!read_flags(argc, argv, flags, settings) || settings.batch == 0) {
    std::fprintf(stderr, "usage: robotrules_fill STORE [--sites N] [--records 1] [--batch N]\n");
    return 2;
  }
  return robotrules::bench::run(argv[1], settings);
}
