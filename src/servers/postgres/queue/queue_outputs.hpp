// The table queue_output: which job an output belongs to, and up to which position it is complete.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/url_queue.hpp>

#include "servers/postgres/transaction.hpp"

namespace robotrules::store::postgres {

// Returns the position of an output of the job on this machine, or null if the job has none of that name.
Result<std::optional<std::uint64_t>> find_output_position(Pool& pool, std::int64_t job, std::string_view name);
// A statement that returns the job that has the output. check_output_owner() reads its rows, and fails with
// "output-taken" if it is another job. `shown`: the name of the store.
Statement find_output_owner(const std::string& name);
Result<void> check_output_owner(const Rows& rows, std::int64_t job, const std::string& name, const std::string& shown);
// A statement that sets the position.
Statement keep_output(std::int64_t job, const OutputPosition& output);

}  // namespace robotrules::store::postgres
