// Used by every header: marks of declarations, Timestamp, enumerations as text on streams, and Result: a value, or an
// Error that says what went wrong and what to do about it.
//
//     auto ua = robotrules::RobotUA::make("FooBot/1.0", "me@example.org");
//     if (!ua) return report(ua.error().message);
//     auto page = ua->get("https://example.org/");
//     std::cout << page.source << '\n';  // "server"
//
// Thread rule: value types and pure functions; a Result has the thread rule of its value.
// Errors: the program must check a Result before it asks for the value or for the error. Asking for the wrong one
// writes a sentence to standard error and ends the program with std::abort(), in every build type.
#pragma once

#include <chrono>
#include <concepts>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

// ROBOTRULES_API: a mark for what the shared libraries export.
//
//     class ROBOTRULES_API Rules { ... };
//
// The libraries are compiled with hidden visibility, so a declaration without the mark cannot be linked from outside.
// Marked are the functions and classes of the public headers whose code is in a library, and classes with virtual
// functions. Structs of plain data, enums and templates do not need it. Programs never need it.
#if defined(__GNUC__)
#define ROBOTRULES_API __attribute__((visibility("default")))
#else
#define ROBOTRULES_API
#endif

// ROBOTRULES_LIFETIMEBOUND: a mark for functions whose result points into their object.
//
//     std::string_view text() const noexcept ROBOTRULES_LIFETIMEBOUND;
//     std::string_view lost = robotrules::RobotsTxt::parse(body).text();  // clang and MSVC warn
//
// Clang and MSVC warn if such a result outlives its object. For other compilers the mark is empty.
#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(clang::lifetimebound)
#define ROBOTRULES_LIFETIMEBOUND [[clang::lifetimebound]]
#elif __has_cpp_attribute(msvc::lifetimebound)
#define ROBOTRULES_LIFETIMEBOUND [[msvc::lifetimebound]]
#endif
#endif
#if !defined(ROBOTRULES_LIFETIMEBOUND)
#define ROBOTRULES_LIFETIMEBOUND
#endif

namespace robotrules {

// Microseconds since 1970-01-01 00:00 UTC.
using Timestamp = std::chrono::sys_time<std::chrono::microseconds>;

// Writes an enumeration of robotrules that has a function to_string(). The file that uses it must include <ostream>.
template <class Traits, class Enum>
  requires std::is_enum_v<Enum> && requires(Enum value) {
    { to_string(value) } -> std::same_as<std::string_view>;
  }
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, Enum value) {
  return out << to_string(value);
}

// The reason why a function could not do its work. Answers such as "disallowed", "not found" and "wait" are not errors.
struct Error {
  std::string_view code;  // stable, for programs: "invalid-url"; a view of a literal, always valid
  std::string message;    // for people: a sentence that names the subject and the remedy
};

// Error::code if a file cannot grow, because its disk or the user's quota is full. The same call works when there is
// room again.
inline constexpr std::string_view disk_full_code = "disk-full";

namespace result_detail {

// Write a sentence to standard error and abort the program. The first one writes the error's message and code.
[[noreturn]] ROBOTRULES_API void end_without_value(const Error& error) noexcept;
[[noreturn]] ROBOTRULES_API void end_without_error() noexcept;

}  // namespace result_detail

// Either a value or an error. value(), * and -> end the program if it is an error; error() ends it if it is a value.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : held_(std::in_place_index<1>, std::move(error)) {}

  // Return true if there is a value.
  bool ok() const noexcept { return held_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  // Return the value. If there is an error, write its message to standard error and end the program.
  T& value() & noexcept ROBOTRULES_LIFETIMEBOUND { return of(held_); }
  const T& value() const& noexcept ROBOTRULES_LIFETIMEBOUND { return of(held_); }
  // For a temporary Result, returns a value and not a reference: `for (auto& site : store.sites().value())` is safe.
  T value() && { return std::move(of(held_)); }

  T& operator*() & noexcept ROBOTRULES_LIFETIMEBOUND { return of(held_); }
  const T& operator*() const& noexcept ROBOTRULES_LIFETIMEBOUND { return of(held_); }
  T operator*() && { return std::move(of(held_)); }

  T* operator->() noexcept ROBOTRULES_LIFETIMEBOUND { return &of(held_); }
  const T* operator->() const noexcept ROBOTRULES_LIFETIMEBOUND { return &of(held_); }

  // Return the value, or `fallback` if there is an error.
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

// The result of a function that returns nothing but may fail.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const noexcept { return error_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  // If there is an error, writes its message to standard error and ends the program. So call it only where a failure is
  // impossible, or in a program that may end.
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
