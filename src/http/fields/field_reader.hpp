// The pieces that header fields are made of (RFC 9110 section 5.6), read leniently: whatever the octets, a reader gets
// to the end of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace robotrules::agent {

class FieldReader {
 public:
  explicit FieldReader(std::string_view text) noexcept : text_(text) {}

  bool at_end() const noexcept { return at_ >= text_.size(); }
  char peek() const noexcept { return at_end() ? '\0' : text_[at_]; }
  void skip_blanks() noexcept;
  bool take(char c) noexcept;
  // Up to the next of `stops` or the end, without blanks around it.
  std::string_view until(std::string_view stops) noexcept;
  // The quoted string that begins here, without its quotes and backslashes. One that is not closed ends with the text.
  std::string quoted();
  // A quoted string where one begins here, or else until(stops).
  std::string value(std::string_view stops);
  // Up to the next `c` that is in no quoted string, or the end, without blanks around it.
  std::string_view segment(char c) noexcept;

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// `name` in lower case. No value at all is told from an empty one.
struct Parameter {
  std::string name;
  std::optional<std::string> value;
};

// What follows a value: "; name=value; name" up to one of `stops` or the end, at most max_parameters. A name that comes
// again is there again.
inline constexpr std::size_t max_parameters = 64;
std::vector<Parameter> read_parameters(FieldReader& reader, std::string_view stops = {});
// The first of that name with a value, or null.
const std::string* find_parameter(const std::vector<Parameter>& parameters, std::string_view name) noexcept;

// charset'language'percent-encoded (RFC 8187), as UTF-8. Null where it is not of that form or the charset is neither
// UTF-8 nor ISO-8859-1.
std::optional<std::string> decode_extended(std::string_view value);

// "%41" → "A"; a sign that is followed by anything else stays. In mail's quoted words the sign is "=".
std::string percent_decoded(std::string_view text, char sign = '%');

}  // namespace robotrules::agent
