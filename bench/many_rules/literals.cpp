// many_rules/N: one file of N literal rules, 16,384 URLs that hit and miss rules anywhere in it. One iteration is one
// question. The cost must not grow with N.
#include <benchmark/benchmark.h>

#include <array>
#include <utility>

#include "corpus.hpp"
#include "presets.hpp"

namespace robotrules::bench {
namespace {

constexpr std::size_t url_count = 16'384;
constexpr std::array sections{"catalog", "product", "search", "user", "archive", "forum/thread", "news", "static/js"};

std::string pattern(Random& random) {
  std::string out = "/";
  out += random.of(sections);
  out += '/';
  for (std::size_t n = 6 + random.below(14); n > 0; --n) out += static_cast<char>('a' + random.below(26));
  if (random.below(3) == 0) out += '/';
  if (random.below(6) == 0) out += std::to_string(random.below(100'000));
  return out;
}

void many_rules(benchmark::State& state, std::size_t count, Dialect dialect) {
  dialect.file_limit = 0;  // 100,000 rules are more than half a megabyte
  Random random(count);
  std::vector<std::string> patterns;
  std::string file = "User-agent: *\n";
  for (std::size_t i = 0; i < count; ++i) {
    patterns.push_back(pattern(random));
    const bool allow = random.below(5) == 0 && dialect.allow_lines;
    file += (allow ? "Allow: " : "Disallow: ") + patterns.back() + "\n";
  }
  const Rules rules = Rules::compile(file, "FooBot", dialect);
  std::vector<std::string> urls;
  std::size_t hits = 0;
  for (std::size_t i = 0; i < url_count; ++i) {
    std::string path = random.of(patterns);
    if (i % 2 == 0) {
      path.resize(path.size() - 3);  // short of the rule: a near miss unless another rule is a prefix of it
      path += "_/index.html";
    } else {
      path += "page.html?id=7";
    }
    urls.push_back("https://www.example.com" + path);
    hits += rules.check(urls.back()).line() > 0;
  }
  if (rules.size() != count || hits < url_count / 2 || hits > url_count * 3 / 4) {
    state.SkipWithError("the file is not what it should be");
    return;
  }
  std::size_t at = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(rules.check(urls[at]).access());
    at = (at + 1) % url_count;
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["memory_per_rule_byte"] = static_cast<double>(rules.memory_bytes()) / static_cast<double>(file.size());
}

[[maybe_unused]] const bool registered = [] {
  for (const std::size_t count : {100, 1'000, 10'000, 100'000}) {
    register_for_presets("many_rules/" + std::to_string(count), many_rules, count);
  }
  return true;
}();

}  // namespace
}  // namespace robotrules::bench
