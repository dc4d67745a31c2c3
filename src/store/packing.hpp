// Packed forms of values in the file: compressed bodies, holds, owners and redirect hops.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/visibility.hpp"
#include "store/gate_row.hpp"

namespace robotrules::store {

// Returns the SHA-256 (32 bytes), so that no site can make a robots.txt that is taken for that of another site.
ROBOTRULES_INTERNAL_API std::string content_hash(std::string_view bytes);

struct Packed {
  std::int64_t coding = 0;  // 0: not compressed, 1: zstd
  std::string bytes;
};
ROBOTRULES_INTERNAL_API Packed pack_body(std::string_view body);
// Returns null if pack_body() did not make these bytes from `size` bytes.
ROBOTRULES_INTERNAL_API std::optional<std::string> unpack_body(std::int64_t coding, std::string_view bytes,
                                                               std::int64_t size);

// Returns an empty string if the owner is unknown.
ROBOTRULES_INTERNAL_API std::string pack_owner(const Process& owner);
ROBOTRULES_INTERNAL_API std::optional<Process> unpack_owner(std::string_view bytes);

// unpack_holds() also reads holds of files before version 4, which have no owners.
ROBOTRULES_INTERNAL_API std::string pack_holds(const std::vector<Hold>& holds);
ROBOTRULES_INTERNAL_API std::optional<std::vector<Hold>> unpack_holds(std::string_view bytes);

ROBOTRULES_INTERNAL_API std::string pack_hops(
    const std::vector<std::string>& hops);  // one line for each; URLs contain no line ends
ROBOTRULES_INTERNAL_API std::vector<std::string> unpack_hops(std::string_view text);

}  // namespace robotrules::store
