// The options of a command line.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

// The values of flags as the command line, variables and the file of --config give them, and the operands. Each command
// reads its own options from it, once. A name is that of a flag of the command, without the dashes.
class Given {
 public:
  explicit Given(const Command& command) noexcept : command_(&command) {}

  const Command& command() const noexcept { return *command_; }

  // Returns true if the flag was given; a switch: if it is on.
  bool has(std::string_view name) const { return !all(name).empty(); }
  // Returns the values of a flag that may be repeated; none if it was not given.
  const std::vector<std::string>& all(std::string_view name) const;
  // Return the only value.
  std::optional<std::string> text(std::string_view name) const;
  std::string text(std::string_view name, std::string_view otherwise) const;
  // Return the value in its final type. Precondition: find_wrong_value() has found nothing.
  std::chrono::milliseconds span(std::string_view name, std::chrono::milliseconds otherwise) const;
  double number(std::string_view name, double otherwise) const;
  std::uint64_t size(std::string_view name, std::uint64_t otherwise) const;
  // Returns bad_value() of the flag.
  Error bad(std::string_view name, std::string_view value) const;

  // Sets the values of a flag; without values, the flag was not given. If it may not be repeated, the last one counts.
  // The value of a switch is "true" or "1", which is kept as "true", or another text for false.
  void set(const Flag& flag, std::vector<std::string> values);

  std::vector<std::string> operands;

 private:
  const Flag& flag(std::string_view name) const;

  const Command* command_;
  std::map<std::string_view, std::vector<std::string>> values_;  // by the names of flags
};

// Options; or an error: a sentence that says what is wrong and, if possible, what was meant.
struct Parsed {
  Given given;
  std::string error;
};

// Parses the words after the command's name. "--" ends the flags; "-" is an operand. find_wrong_value() then checks the
// values.
Parsed parse(const Command& command, std::span<const std::string> words);

// Returns the error for the first value that its flag does not accept, as far as the table tells; else an empty string.
std::string find_wrong_value(const Given& given);

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

// Returns bytes: "10", "1.5k". Powers of 1024 are k, M and G, and KiB, MiB and GiB; powers of 1000 are kB, MB and GB.
// Case makes no difference. The greatest number for "none", if the flag accepts it. Fails with bad_value() also for 0.
Result<std::uint64_t> size_value(const Flag& flag, std::string_view value);

}  // namespace robotrules::cli
