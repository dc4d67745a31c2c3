// Enumerations as text on streams.
//
//     std::cout << response.source << '\n';  // "server"
//
// The operator writes to_string(value) for each enumeration of robotrules that has this function. The file that uses it
// must include <ostream>. Thread rule: a pure function. Errors: those of the stream.
#pragma once

#include <concepts>
#include <iosfwd>
#include <string_view>
#include <type_traits>

namespace robotrules {

template <class Traits, class Enum>
  requires std::is_enum_v<Enum> && requires(Enum value) {
    { to_string(value) } -> std::same_as<std::string_view>;
  }
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, Enum value) {
  return out << to_string(value);
}

}  // namespace robotrules
