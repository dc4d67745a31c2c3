// Packed forms of values in tables and on servers: compressed bodies, holds, owners, redirect hops, lists of texts,
// numbers and times.
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

// Appends a text with its length, so that it may contain any bytes: "4:name".
ROBOTRULES_INTERNAL_API void append_text(std::string& out, std::string_view text);
// Takes such a text from the beginning of `bytes`. Returns null if there is none.
ROBOTRULES_INTERNAL_API std::optional<std::string_view> take_text(std::string_view& bytes);

// Return the number, or the time in microseconds since 1970, that is the whole text. Null: it is not one, or it is out
// of range.
ROBOTRULES_INTERNAL_API std::optional<std::int64_t> number_in(std::string_view text) noexcept;
ROBOTRULES_INTERNAL_API std::optional<Timestamp> time_in(std::string_view text) noexcept;

ROBOTRULES_INTERNAL_API std::string pack_hops(
    const std::vector<std::string>& hops);  // one line for each; URLs contain no line ends
ROBOTRULES_INTERNAL_API std::vector<std::string> unpack_hops(std::string_view text);

}  // namespace robotrules::store
