// What a store trusts in its schema. Whoever owns the schema, a table, a function, an operator or a trigger there can
// run code with the rights of each user of the store. So all of them must belong to the current user, to the owner of
// the database, to a superuser or to a role that the store's name has (?owner=ROLE), and no other role may create
// objects there. Membership in a role counts for nothing: before PostgreSQL 15, a role may make any other role its
// member.
#pragma once

#include <optional>
#include <string>

#include <robotrules/base.hpp>

#include "servers/postgres/postgres_settings.hpp"
#include "servers/postgres/postgres_values.hpp"

namespace robotrules::store::postgres {

// For the rest of the transaction: names mean those of pg_catalog alone, or those of the schema. PostgreSQL looks into
// pg_catalog first, and into pg_temp last only if the path says so.
Statement use_catalog();
Statement use_schema(const std::string& schema);
std::string path_of(const std::string& schema);

// Finds what the store must not trust. Precondition: use_catalog() was run in this transaction.
Statement find_foreign(const Settings& settings);
// Returns "store-foreign" if that statement has found something.
std::optional<Error> foreign_in(const Rows& rows, const Settings& settings);

}  // namespace robotrules::store::postgres
