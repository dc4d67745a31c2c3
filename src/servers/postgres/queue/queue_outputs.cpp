#include "servers/postgres/queue/queue_outputs.hpp"

#include <algorithm>

#include "base/escape.hpp"
#include "servers/postgres/machine.hpp"
#include "servers/postgres/sql.hpp"
#include "store/gate_row.hpp"

namespace robotrules::store::postgres {

Result<std::optional<std::uint64_t>> find_output_position(Pool& pool, std::int64_t job, std::string_view name) {
  const auto answers = pool.read({{sql("find_output"), {this_machine(), name, job}}});
  if (!answers) return answers.error();
  const Rows& rows = answers.value().front();
  if (rows.size() == 0) return std::optional<std::uint64_t>();
  if (rows.number(0, 0) < 0) return damaged(pool.shown(), "the position of an output");
  return std::optional(static_cast<std::uint64_t>(rows.number(0, 0)));
}

Statement find_output_owner(const std::string& name) { return {sql("find_output_owner"), {this_machine(), name}}; }

Result<void> check_output_owner(const Rows& rows, std::int64_t job, const std::string& name, const std::string& shown) {
  if (rows.size() == 0 || rows.number(0, 0) == job) return {};
  return Error{"output-taken", base::printable(name) + " belongs to the job " + base::excerpt(rows.bytes(0, 1)) +
                                   " of the store " + shown + ": go on with that job, or give another output"};
}

Statement keep_output(std::int64_t job, const OutputPosition& output) {
  const auto position = static_cast<std::int64_t>(std::min<std::uint64_t>(output.position, max_count));
  return {sql("keep_output"), {this_machine(), output.name, job, position}};
}

}  // namespace robotrules::store::postgres
