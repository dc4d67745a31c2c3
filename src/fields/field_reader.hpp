// A lenient reader for the parts of header fields (RFC 9110 section 5.6). It reaches the end of any text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/visibility.hpp"

namespace robotrules::agent {

class ROBOTRULES_INTERNAL_API FieldReader {
 public:
  explicit FieldReader(std::string_view text) noexcept : text_(text) {}

  bool at_end() const noexcept { return at_ >= text_.size(); }
  char peek() const noexcept { return at_end() ? '\0' : text_[at_]; }
  void skip_blanks() noexcept;
  bool take(char c) noexcept;
  // Reads up to the next character of `stops` or the end. Returns the text without blanks around it.
  std::string_view until(std::string_view stops) noexcept;
  // Reads the quoted string that starts here. Returns it without quotes and backslashes. A string that is not closed
  // ends with the text.
  std::string quoted();
  // Reads a quoted string if one starts here, else until(stops).
  std::string value(std::string_view stops);
  // Reads up to the next `c` outside quoted strings, or the end. Returns the text without blanks around it.
  std::string_view segment(char c) noexcept;

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// A parameter. `name` is in lower case. A missing value is null, an empty value is "".
struct Parameter {
  std::string name;
  std::optional<std::string> value;
};

// Reads the parameters after a value: "; name=value; name", up to a character of `stops` or the end, at most
// max_parameters. A repeated name is listed again.
inline constexpr std::size_t max_parameters = 64;
ROBOTRULES_INTERNAL_API std::vector<Parameter> read_parameters(FieldReader& reader, std::string_view stops = {});
// Returns the value of the first parameter with this name and a value, or null.
ROBOTRULES_INTERNAL_API const std::string* find_parameter(const std::vector<Parameter>& parameters,
                                                          std::string_view name) noexcept;

// Decodes "%41" to "A". A sign without two hexadecimal digits after it stays. In the quoted words of mail the sign is
// "=".
ROBOTRULES_INTERNAL_API std::string percent_decoded(std::string_view text, char sign = '%');

}  // namespace robotrules::agent
