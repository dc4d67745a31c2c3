// Sorting a text file that may be larger than the memory.
#pragma once

#include <cstddef>
#include <string>

#include <robotrules/base.hpp>

namespace robotrules::archive {

// Sorts the lines of a file by their bytes. Lines of at most `max_bytes` are in memory at once; the others are in
// temporary files beside it. The new file replaces the old one when it is complete and on the disk. Fails with
// "output-failed"; then the file is as before.
Result<void> sort_lines(const std::string& path, std::size_t max_bytes = std::size_t{64} << 20);

}  // namespace robotrules::archive
