// A hash function for origins.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include <robotrules/url.hpp>

namespace robotrules::store {

struct OriginHash {
  // This is not noexcept, so that libstdc++ stores the hash in each node and does not compute it again at each step.
  std::size_t operator()(const Origin& origin) const {
    const std::size_t host = std::hash<std::string>{}(origin.host);
    return host ^ (origin.port * std::size_t{0x9E3779B97F4A7C15u}) ^ (origin.scheme.size() << 17);
  }
};

}  // namespace robotrules::store
