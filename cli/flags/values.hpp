// Typed values of flags. The table of flags holds the kind and the range of each value; errors are made from it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/result.hpp>

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

// Returns the error for a value that `flag` does not accept: code "invalid-value" and the sentence
// "--delay does not accept "soon"; give seconds from 0 to 86400".
Error bad_value(const Flag& flag, std::string_view value);

// Returns a number of the flag's kind and range (seconds, number or whole_number), or bad_value().
Result<double> number_value(const Flag& flag, std::string_view value);

// Returns bytes: "10", "1.5k", "16M", "2G", by powers of 1024; the greatest number for "none", if the flag
// accepts it. Fails with bad_value() also for 0.
Result<std::uint64_t> size_value(const Flag& flag, std::string_view value);

// Returns the span of "30d", "12h", "15m" or "20s", or bad_value().
Result<std::chrono::microseconds> span_value(const Flag& flag, std::string_view value);

// Reads one flag after the other and keeps the first error. A flag that was not given has the value `otherwise`.
class ValueReader {
 public:
  using Member = std::optional<std::string> Options::*;

  explicit ValueReader(const Options& options) noexcept : options_(options) {}

  std::chrono::milliseconds seconds(Member member, std::chrono::milliseconds otherwise);
  double number(Member member, double otherwise);
  std::uint64_t whole_number(Member member, std::uint64_t otherwise);
  std::uint64_t size(Member member, std::uint64_t otherwise);

  const std::optional<Error>& error() const noexcept { return error_; }

 private:
  template <class Value>
  Value take(Result<Value> read, Value otherwise);

  const Options& options_;
  std::optional<Error> error_;
};

}  // namespace robotrules::cli
