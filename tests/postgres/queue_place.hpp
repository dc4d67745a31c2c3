// Queues in schemas of the server that the tests share.
#pragma once

#include <string>

namespace robotrules::test {

// Returns the name of a database without a queue. `settings`: those of the name, each with "&" at its end.
std::string new_queue_place(const std::string& settings = {});
// Runs statements in it, and returns the first value of the last one.
std::string query_queue(const std::string& place, const std::string& sql);
// Returns what is wrong in its tables; empty: nothing.
std::string queue_problems(const std::string& place);
// Ends the claims of all workers, as if they had not been heard of for too long.
void end_queue_claims(const std::string& place);

}  // namespace robotrules::test
