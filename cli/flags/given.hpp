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

#include <robotrules/result.hpp>

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
  // The value of a switch is "true" or "1", or another text for false.
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

// Parses the words after the command's name. "--" ends the flags; "-" is an operand.
Parsed parse(const Command& command, std::span<const std::string> words);

// Returns the error for the first value that its flag does not accept, as far as the table tells; else an empty string.
std::string find_wrong_value(const Given& given);

}  // namespace robotrules::cli
