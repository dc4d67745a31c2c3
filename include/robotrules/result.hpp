// Result: a value, or what went wrong and what to do about it.
//
//     auto ua = robotrules::RobotUA::make("FooBot/1.0", "me@example.org");
//     if (!ua) return report(ua.error().message);
//     auto page = ua->get("https://example.org/");
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <robotrules/lifetimebound.hpp>

namespace robotrules {

// "Disallowed", "not found" and "wait" are answers. An Error is for what could not be done.
struct Error {
  std::string_view code;  // stable, for programs: "invalid-url"; of a literal, lives for ever
  std::string message;    // a sentence that names the subject and the remedy, for people
};

namespace result_detail {

// Write a sentence to standard error and abort the program: the error's own, or that there is none.
[[noreturn]] void end_without_value(const Error& error) noexcept;
[[noreturn]] void end_without_error() noexcept;

}  // namespace result_detail

// Shape: exactly one of the two. value(), * and -> of an error end the program, with the error's sentence on standard
// error, in every build type; so does error() of a value. Thread rule: a value type, as T is.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : held_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const noexcept { return held_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  T& value() & noexcept ROBOTRULES_LIFETIMEBOUND { return of(held_); }
  const T& value() const& noexcept ROBOTRULES_LIFETIMEBOUND { return of(held_); }
  T&& value() && noexcept ROBOTRULES_LIFETIMEBOUND { return std::move(of(held_)); }

  T& operator*() & noexcept ROBOTRULES_LIFETIMEBOUND { return of(held_); }
  const T& operator*() const& noexcept ROBOTRULES_LIFETIMEBOUND { return of(held_); }
  T&& operator*() && noexcept ROBOTRULES_LIFETIMEBOUND { return std::move(of(held_)); }

  T* operator->() noexcept ROBOTRULES_LIFETIMEBOUND { return &of(held_); }
  const T* operator->() const noexcept ROBOTRULES_LIFETIMEBOUND { return &of(held_); }

  // The value, or `fallback` in place of an error.
  template <class U>
  T value_or(U&& fallback) const& {
    return ok() ? of(held_) : static_cast<T>(std::forward<U>(fallback));
  }
  template <class U>
  T value_or(U&& fallback) && {
    return ok() ? std::move(of(held_)) : static_cast<T>(std::forward<U>(fallback));
  }

  const Error& error() const noexcept ROBOTRULES_LIFETIMEBOUND {
    if (const Error* error = std::get_if<1>(&held_)) return *error;
    result_detail::end_without_error();
  }

 private:
  template <class Held>
  static auto& of(Held& held) noexcept {
    if (auto* value = std::get_if<0>(&held)) return *value;
    result_detail::end_without_value(*std::get_if<1>(&held));
  }

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

  // For those who rely on success: ends the program on an error.
  void value() const noexcept {
    if (const Error* error = std::get_if<1>(&error_)) result_detail::end_without_value(*error);
  }
  const Error& error() const noexcept ROBOTRULES_LIFETIMEBOUND {
    if (const Error* error = std::get_if<1>(&error_)) return *error;
    result_detail::end_without_error();
  }

 private:
  std::variant<std::monostate, Error> error_;
};

}  // namespace robotrules
