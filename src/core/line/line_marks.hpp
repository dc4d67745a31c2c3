// Where lines end and comments begin: the octets that the scanner must look at, found many at a time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace robotrules::core {

// Octets looked at in one call, and so positions answered at most.
inline constexpr std::size_t mark_block = 4096;

// Writes to `out` the ascending positions of LF, CR, "#" and NUL in `data`[0, size), size <= mark_block, and answers
// how many there are. `out` has room for mark_block + 8 entries; those behind the answer may be overwritten. Reads
// nothing outside `data`. Chooses the widest instructions of the machine at the first call.
std::size_t find_line_marks(const char* data, std::size_t size, std::uint32_t* out) noexcept;

// The same, octet by octet: the plain twin that tests compare with and that runs where AVX2 is missing.
std::size_t find_line_marks_plain(const char* data, std::size_t size, std::uint32_t* out) noexcept;

}  // namespace robotrules::core
