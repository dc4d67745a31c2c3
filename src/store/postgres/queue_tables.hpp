// The tables of the URL queues in PostgreSQL.
#pragma once

#include <vector>

namespace robotrules::store::postgres {

// The statements that make them, and those that add the columns of version 3.
std::vector<const char*> make_queue_tables();
std::vector<const char*> add_found_and_digest();

}  // namespace robotrules::store::postgres
