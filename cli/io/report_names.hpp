// The limit of a JSON report that names the robots of each setting. All settings of a run of User-agent lines have the
// same robots, so a file of 500 KiB can ask for a report of gigabytes.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <robotrules/compare.hpp>

namespace robotrules::cli {

class ReportNames {
 public:
  static constexpr std::size_t max_bytes = std::size_t{64} << 20;

  // Add the names to those of the report. Return false if they are more than a report may have.
  bool add(std::string_view name) noexcept {
    bytes_ += name.size() + bytes_per_name;
    return fits();
  }
  bool add(const std::vector<UncomparedSetting>& settings) noexcept;

  bool fits() const noexcept { return bytes_ <= max_bytes; }

 private:
  static constexpr std::size_t bytes_per_name = 16;  // indent, quotes, comma and line end
  std::size_t bytes_ = 0;
};

// The sentence for a report that is not printed, because its names do not fit.
inline constexpr std::string_view too_many_names =
    "the report would have more than 64 MiB of names, because each setting has the names of its robots; without --json "
    "only the first of them are printed";

}  // namespace robotrules::cli
