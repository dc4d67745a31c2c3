// The tables of the URL queues in PostgreSQL.
#pragma once

#include <vector>

namespace robotrules::store::postgres {

// The statements that make them, and those that add the columns of versions 3 and 4.
std::vector<const char*> make_queue_tables();
std::vector<const char*> add_found_and_digest();
std::vector<const char*> add_page_url();

}  // namespace robotrules::store::postgres
