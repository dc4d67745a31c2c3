// Typed values of flags. The table of flags holds the kind and the range of each value; errors are made from it.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include <robotrules/result.hpp>

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

// Returns "0 to 1d", "1 to 100" or "" if the flag takes no number and no time.
std::string accepted_range(const Flag& flag);

// Returns the error for a value that `flag` does not accept: code "invalid-value" and the sentence
// "--delay does not accept "soon"; give a time from 0 to 1d, such as 90 (seconds), 500ms, 2m or 1h". A value that may
// contain a password is not in it.
Error bad_value(const Flag& flag, std::string_view value);

// Returns "--delay needs a value; give a time from 0 to 1d, such as 90 (seconds), 500ms, 2m or 1h".
std::string missing_value(const Flag& flag);

// Returns an empty string if `flag` accepts the value, as far as the table tells, else a sentence that begins with
// `name`: the name of the variable or of the key that has the value.
std::string value_error(const Flag& flag, std::string_view name, std::string_view value);

// Fails with bad_value() if `flag` does not accept the value, which is a number, a size, a time or one of some words.
Result<void> check_value(const Flag& flag, std::string_view value);

// Returns a number of the flag's kind and range (number or whole_number), or bad_value().
Result<double> number_value(const Flag& flag, std::string_view value);

// Returns bytes: "10", "1.5k". Powers of 1024 are k, M and G, and KiB, MiB and GiB; powers of 1000 are kB, MB and GB.
// Case makes no difference. The greatest number for "none", if the flag accepts it. Fails with bad_value() also for 0.
Result<std::uint64_t> size_value(const Flag& flag, std::string_view value);

// Returns a time in the flag's range: "90" and "1.5" are seconds; with units it is "30d", "1h30m", "20s" or "500ms".
// Fails with bad_value().
Result<std::chrono::microseconds> span_value(const Flag& flag, std::string_view value);

}  // namespace robotrules::cli
