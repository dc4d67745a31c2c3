// The settings that the name of a store on a server may have: redis://HOST/0?prefix=foobot&first_ever=1.
// docs/operations.md describes them.
#pragma once

#include <array>
#include <string_view>

namespace robotrules::base {

inline constexpr std::array<std::string_view, 6> redis_settings = {"prefix", "first_ever", "max_record_bytes",
                                                                   "ca",     "cert",       "key"};
// All other settings in the name of a PostgreSQL database are those of libpq.
inline constexpr std::array<std::string_view, 4> postgres_settings = {"schema", "owner", "first_ever", "lease"};

}  // namespace robotrules::base
