// Finds the bytes that the scanner must look at (line ends and starts of comments), many at a time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace robotrules::core {

// The most bytes per call, and so the most positions that a call finds.
inline constexpr std::size_t mark_block = 4096;

// Writes the ascending positions of LF, CR, "#" and NUL in `data`[0, size), size <= mark_block, to `out` and returns
// their number. `out` must have room for mark_block + 8 entries; the entries after the result may be overwritten. Reads
// nothing outside `data`. The first call chooses the widest instructions of the machine.
std::size_t find_line_marks(const char* data, std::size_t size, std::uint32_t* out) noexcept;

// Does the same byte by byte. Tests compare with it, and it runs on machines without AVX2.
std::size_t find_line_marks_plain(const char* data, std::size_t size, std::uint32_t* out) noexcept;

}  // namespace robotrules::core
