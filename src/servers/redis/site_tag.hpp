// The hash tag of a site: all keys of a site are in one slot of a cluster.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace robotrules::store::redis {

// Returns the registrable domain of a host; an address or a public suffix is its own.
std::string tag_of_host(const std::string& host);
// Returns the tag of a gate key: of the host in "https://HOST", "host:HOST" and "domain:DOMAIN"; another key is its
// own.
std::string tag_of_gate(const std::string& key);

// Returns the slot of a cluster for keys with that tag, which is not empty.
std::uint16_t slot_of(std::string_view tag) noexcept;
inline constexpr std::size_t slot_count = 16'384;

}  // namespace robotrules::store::redis
