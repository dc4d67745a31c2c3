// Writing to a descriptor.
#pragma once

#include <string_view>

namespace robotrules::archive {

// Writes `bytes`, also after interruptions, and waits while a non-blocking descriptor is full. Removes the
// written part from `bytes`. Returns 0, or the errno of the failure.
int write_all(int descriptor, std::string_view& bytes) noexcept;

}  // namespace robotrules::archive
