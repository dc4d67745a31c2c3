// Origins as keys of hash tables.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include <robotrules/origin.hpp>

namespace robotrules::store {

struct OriginHash {
  std::size_t operator()(const Origin& origin) const noexcept {
    const std::size_t host = std::hash<std::string>{}(origin.host);
    return host ^ (origin.port * std::size_t{0x9E3779B97F4A7C15u}) ^ (origin.scheme.size() << 17);
  }
};

}  // namespace robotrules::store
