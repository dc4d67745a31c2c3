// Registers a task once for every preset. The plain name reads as `google` does; the others have the preset's name
// behind it.
#pragma once

#include <benchmark/benchmark.h>

#include <string>

#include <robotrules/dialect.hpp>

namespace robotrules::bench {

template <class Run, class... Arguments>
bool register_for_presets(const std::string& task, Run run, const Arguments&... arguments) {
  for (const Dialect& dialect : Dialect::presets()) {
    const std::string suffix = dialect.name == "google" ? std::string() : "_" + std::string(dialect.name);
    benchmark::RegisterBenchmark((task + suffix).c_str(), run, arguments..., dialect);
  }
  return true;
}

}  // namespace robotrules::bench
