// A strict reader of Prometheus' text format (version 0.0.4).
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace robotrules::test {

struct Exposition {
  std::map<std::string, std::string> types;  // of the families: "counter", "gauge", ...
  std::map<std::string, double> values;      // by name and labels, as they are written: `a_total{b="c"}`
  std::string fault;                         // the first; empty: there is none

  double value(const std::string& name) const;  // NaN: there is no such metric
};

// Every sample follows HELP and TYPE of its family, families are not mixed, no series is there twice, counters end in
// "_total", and histograms are cumulative.
Exposition read_exposition(std::string_view text);

}  // namespace robotrules::test
