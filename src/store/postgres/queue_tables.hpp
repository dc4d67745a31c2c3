// The tables of the URL queues in PostgreSQL.
#pragma once

#include <vector>

namespace robotrules::store::postgres {

// The statements that make them.
std::vector<const char*> make_queue_tables();

}  // namespace robotrules::store::postgres
