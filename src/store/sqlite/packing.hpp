// Bytes as the file keeps them: bodies compressed, holds and hops packed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/gate_row.hpp"

namespace robotrules::store {

// SHA-256, 32 bytes: whoever writes a robots.txt must not be able to make one that passes for another's.
std::string content_hash(std::string_view bytes);

struct Packed {
  std::int64_t coding = 0;  // 0: as it is, 1: zstd
  std::string bytes;
};
Packed pack_body(std::string_view body);
// Null where the bytes are not what pack_body() made of `size` bytes.
std::optional<std::string> unpack_body(std::int64_t coding, std::string_view bytes, std::int64_t size);

// Empty where nobody knows the owner.
std::string pack_owner(const Process& owner);
std::optional<Process> unpack_owner(std::string_view bytes);

// In files before version 4 holds have no owners; such are read too.
std::string pack_holds(const std::vector<Hold>& holds);
std::optional<std::vector<Hold>> unpack_holds(std::string_view bytes);

std::string pack_hops(const std::vector<std::string>& hops);  // a line each; URLs hold no line ends
std::vector<std::string> unpack_hops(std::string_view text);

}  // namespace robotrules::store
