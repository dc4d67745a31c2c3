// rules/one_agent: Rules::compile over every file for one agent; the bytes are not needed afterwards. One iteration is
// one pass.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>

#include "corpus.hpp"
#include "presets.hpp"

namespace robotrules::bench {
namespace {

constexpr std::string_view agent = "Googlebot";

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

// Octets of the Allow and Disallow lines that hold for the agent, from the name to the line end.
std::size_t rule_octets(const RobotsTxt& file) {
  std::size_t own = 0;
  std::size_t others = 0;
  bool has_own = false;
  for (const Group& group : file.groups()) {
    std::size_t octets = 0;
    for (const Directive& rule : group.rules) octets += rule.value_column - rule.column + rule.value.size() + 1;
    bool named = false;
    bool star = false;
    for (const Directive& line : group.agents) {
      named = named || equal_ignoring_case(leading_product_token(line.value), agent);
      star = star || line.value.starts_with('*');
    }
    has_own = has_own || named;
    if (named) own += octets;
    if (star) others += octets;
  }
  return has_own ? own : others;
}

struct Memory {
  double overall = 0;  // heap bytes an octet of the rules' lines, over all files
  double worst = 0;    // of one file with at least 4,096 octets of rules
  double fixed = 0;    // heap bytes of Rules without a rule, on average
};

Memory memory_of(const Dialect& dialect) {
  Memory memory;
  std::size_t held = 0;
  std::size_t read = 0;
  std::size_t empty_held = 0;
  std::size_t empty_count = 0;
  for (const auto& file : corpus().files) {
    const std::size_t bytes = Rules::compile(file.text, agent, dialect, file.url).memory_bytes();
    const std::size_t octets = rule_octets(RobotsTxt::parse(file.text, dialect, file.url));
    if (octets == 0) {
      empty_held += bytes;
      ++empty_count;
      continue;
    }
    held += bytes;
    read += octets;
    if (octets >= 4096) memory.worst = std::max(memory.worst, static_cast<double>(bytes) / static_cast<double>(octets));
  }
  memory.overall = static_cast<double>(held) / static_cast<double>(std::max<std::size_t>(read, 1));
  memory.fixed = static_cast<double>(empty_held) / static_cast<double>(std::max<std::size_t>(empty_count, 1));
  return memory;
}

const Memory& measured(const Dialect& dialect) {
  static std::map<std::string_view, Memory> kept;
  const auto found = kept.find(dialect.name);
  return found != kept.end() ? found->second : kept.emplace(dialect.name, memory_of(dialect)).first->second;
}

void one_agent(benchmark::State& state, const Dialect& dialect) {
  const Memory& memory = measured(dialect);
  for (auto _ : state) {
    std::size_t rules = 0;
    for (const auto& file : corpus().files) rules += Rules::compile(file.text, agent, dialect, file.url).size();
    benchmark::DoNotOptimize(rules);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(corpus().bytes) * state.iterations());
  state.counters["memory_per_rule_byte"] = memory.overall;
  state.counters["memory_per_rule_byte_worst"] = memory.worst;
  state.counters["memory_without_rules"] = memory.fixed;
}

[[maybe_unused]] const bool registered = register_for_presets("rules/one_agent", one_agent);

}  // namespace
}  // namespace robotrules::bench
