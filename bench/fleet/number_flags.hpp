// The flags of the programs in this folder: each has a whole number.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <system_error>

namespace robotrules::bench {

template <class Settings>
struct NumberFlag {
  std::string_view name;
  std::uint32_t Settings::* value;
};

// Reads pairs such as "--batch 64" from argv[2] on. Returns false if argv[1] is missing, a flag is not known, or its
// value is not a number.
template <class Settings, std::size_t count>
bool read_flags(int argc, char** argv, const NumberFlag<Settings> (&flags)[count], Settings& settings) {
  if (argc < 2 || argc % 2 != 0) return false;
  for (int i = 2; i < argc; i += 2) {
    const std::string_view value = argv[i + 1];
    const auto* const flag = std::ranges::find(flags, std::string_view(argv[i]), &NumberFlag<Settings>::name);
    if (flag == std::end(flags)) return false;
    const auto read = std::from_chars(value.data(), value.data() + value.size(), settings.*flag->value);
    if (read.ec != std::errc() || read.ptr != value.data() + value.size()) return false;
  }
  return true;
}

}  // namespace robotrules::bench
