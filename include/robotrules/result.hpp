// Result: a value, or what went wrong and what to do about it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace robotrules {

// "Disallowed", "not found" and "wait" are answers. An Error is for what could not be done.
struct Error {
  std::string_view code;  // stable, for programs: "invalid-url"; of a literal, lives for ever
  std::string message;    // a sentence that names the subject and the remedy, for people
};

// Shape: exactly one of the two. Precondition of value(): ok(); of error(): !ok().
// Thread rule: a value type, as T is.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : held_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const noexcept { return held_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  T& value() & noexcept { return *std::get_if<0>(&held_); }
  const T& value() const& noexcept { return *std::get_if<0>(&held_); }
  T&& value() && noexcept { return std::move(*std::get_if<0>(&held_)); }
  const Error& error() const noexcept { return *std::get_if<1>(&held_); }

 private:
  std::variant<T, Error> held_;
};

// Of what gives nothing back but may fail.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const noexcept { return error_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }
  const Error& error() const noexcept { return *std::get_if<1>(&error_); }

 private:
  std::variant<std::monostate, Error> error_;
};

}  // namespace robotrules
