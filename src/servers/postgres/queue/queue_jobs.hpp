// The jobs of a PostgreSQL database.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <robotrules/url_queue.hpp>

#include "servers/postgres/transaction.hpp"

namespace robotrules::store::postgres {

// Adds the job if there is none, and returns its id. Fails with "queue-claimed" while the job is being removed.
Result<std::int64_t> find_or_add_job(Pool& pool, const std::string& name);
// A statement that returns a row if the job was not removed. It is not removed before the end of the transaction.
Statement find_job(std::int64_t id);

}  // namespace robotrules::store::postgres
