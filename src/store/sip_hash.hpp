// SipHash-2-4 (Aumasson and Bernstein, 2012), a hash of 64 bits. Without the key, collisions cannot be found.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/visibility.hpp"

namespace robotrules::store {

using SipKey = std::array<std::uint64_t, 2>;

ROBOTRULES_INTERNAL_API std::uint64_t sip_hash(const SipKey& key, std::string_view bytes) noexcept;

}  // namespace robotrules::store
