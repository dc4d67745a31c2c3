// The files of a WARC output with a limit on their size: NAME-00000.warc.gz, NAME-00001.warc.gz, ... They are its
// parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/page_output.hpp>

namespace robotrules::archive {

// The end of the last complete page: the number of the part that is being written, and the size of that part.
struct PartPosition {
  std::uint32_t part = 0;
  std::uint64_t size = 0;
};

inline constexpr std::uint32_t max_parts = 100'000;
inline constexpr std::uint64_t max_part_size = std::uint64_t{1} << 44;  // positions beyond it have no number

// The queue keeps one number for an output, so that one transaction sets part and size. Such a number is greater than
// the size of any file.
std::uint64_t number_of(PartPosition position) noexcept;
// Returns null for a number that is the size of a file.
std::optional<PartPosition> part_position(std::uint64_t number) noexcept;

// Returns true if an output with these options has parts.
inline bool has_parts(OutputName what, const OutputOptions& options) noexcept {
  return what.kind == OutputKind::warc && options.max_file_size > 0;
}

// Returns "pages-00002.warc.gz" for part 2 of "pages.warc.gz".
std::string part_path(const std::string& name, std::uint32_t part);

// Returns the numbers of the parts that exist, in ascending order. Fails with "output-failed".
Result<std::vector<std::uint32_t>> existing_parts(const std::string& name);

}  // namespace robotrules::archive
