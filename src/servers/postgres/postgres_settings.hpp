// The name of a store in PostgreSQL: a connection URI of libpq, with settings of the store among its parameters.
//   schema=NAME   the schema that has the store's tables; by default "robotrules"
//   first_ever=1  a new store is the first one: no site was visited before. By default, an earlier store may have been
//                 lost, so a new one counts every site as visited when it is made
//   lease=SECONDS ServerStoreOptions::owner_lease, from 1 to 3600
//   owner=ROLE    another role that the schema and what is in it may belong to (trusted_schema.hpp); may be repeated
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <robotrules/base.hpp>

#include "servers/postgres/postgres_connection.hpp"

namespace robotrules::store::postgres {

struct Settings {
  Target target;
  std::string schema = "robotrules";
  bool first_ever = false;
  std::vector<std::string> owners{};
  std::optional<std::chrono::seconds> owner_lease{};  // null: ServerStoreOptions::owner_lease
};

// Fails with "store-name". The message contains no password.
Result<Settings> read_settings(const std::string& name);

// Returns the name of a schema as SQL: in quotes.
std::string quoted(const std::string& identifier);

}  // namespace robotrules::store::postgres
