// The tables of a store in PostgreSQL, their version, and the table meta.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/open_store.hpp>

#include "servers/postgres/transaction.hpp"

namespace robotrules::store::postgres {

inline constexpr std::size_t schema_version = 5;

// Connects to the server with that name, and makes the tables or upgrades older ones. Fails as open_store() does.
Result<std::shared_ptr<Pool>> open_database(const std::string& name, const ServerStoreOptions& options,
                                            Plans plans = Plans::fresh);

// Statements that read and set a value of the table meta. The answer of the first has no row if there is no such value.
Statement read_meta(std::string_view name);
Statement set_meta(std::string_view name, std::string_view value);
// Returns the value that read_meta() has found; empty: there is none.
std::string meta_in(const Rows& rows);
// Returns the version of the tables that read_meta("version") has found. Fails with "store-newer" or "store-foreign".
Result<std::size_t> known_version(const Pool& pool, const Rows& rows);

}  // namespace robotrules::store::postgres
