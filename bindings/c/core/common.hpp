// Shared by the functions of the C ABI: checked arguments, statuses in place of exceptions, and views as C structs.
#pragma once

#include <robotrules.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <robotrules/dialect.hpp>
#include <robotrules/extensions.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/url.hpp>

// An owned text of the caller.
struct robotrules_text {
  std::string value;
};

namespace robotrules::c_abi {

// --- arguments ------------------------------------------------------------------------------------------------------

inline constexpr std::size_t max_size = SIZE_MAX / 2;

// Returns true if the pointer and the length can be a text.
constexpr bool is_text(const char* data, std::size_t size) noexcept {
  return size <= max_size && (data != nullptr || size == 0);
}

constexpr bool is_text(const robotrules_str& text) noexcept { return is_text(text.data, text.size); }

// Returns true if all names can be read.
bool are_texts(const robotrules_str* names, std::size_t count) noexcept;

// Returns the text. Precondition: is_text().
constexpr std::string_view view_of(const char* data, std::size_t size) noexcept {
  return size == 0 ? std::string_view("", 0) : std::string_view(data, size);
}

constexpr std::string_view view_of(const robotrules_str& text) noexcept { return view_of(text.data, text.size); }

// Copies a struct that the caller has filled to `to`. `first_size`: the size of the struct in the first release, which
// stays when the struct gets more members; those that the caller does not know keep their values. Returns false if the
// size is not valid, or if members that this version does not know are not zero.
template <std::size_t first_size, class Struct>
bool read_struct(const Struct* from, Struct& to) noexcept {
  static_assert(std::is_trivially_copyable_v<Struct> && first_size <= sizeof(Struct));
  constexpr std::size_t longest = 4'096;
  if (from == nullptr) return false;
  const std::size_t size = from->size;
  if (size < first_size || size > longest) return false;
  const auto* bytes = reinterpret_cast<const unsigned char*>(from);
  for (std::size_t i = sizeof(Struct); i < size; ++i) {
    if (bytes[i] != 0) return false;
  }
  std::memcpy(&to, bytes, size < sizeof(Struct) ? size : sizeof(Struct));
  return true;
}

// Returns the preset of that name, the default for an empty name, or null.
inline const Dialect* find_dialect(std::string_view name) noexcept {
  return name.empty() ? &Dialect::rfc9309() : Dialect::find(name);
}

// Returns the robot with these names. Precondition: are_texts().
AgentTokens tokens_of(const robotrules_str* names, std::size_t count, std::int32_t ignores_star);

// --- results --------------------------------------------------------------------------------------------------------

// Returns a view with a pointer that is never null.
constexpr robotrules_str str_of(std::string_view text) noexcept {
  return text.empty() ? robotrules_str{"", 0} : robotrules_str{text.data(), text.size()};
}

std::int32_t access_of(Access access) noexcept;
std::int32_t why_of(Why why) noexcept;
robotrules_rule rule_of(const std::optional<RuleLine>& rule) noexcept;
robotrules_verdict verdict_of(const Verdict& verdict) noexcept;

// Returns a verdict without an answer: "unknown".
robotrules_verdict no_verdict() noexcept;

// Returns the milliseconds of a delay; -1: there is none.
constexpr std::int64_t delay_of(const std::optional<Milliseconds>& delay) noexcept {
  return delay ? delay->count() : -1;
}

// --- statuses -------------------------------------------------------------------------------------------------------

// Calls `work` and returns its status. An exception becomes a status. In a build without exceptions, the new-handler
// decides what happens when memory runs out, and nothing else can fail.
template <class Work>
robotrules_status guarded(const Work& work) noexcept {
#if !defined(__cpp_exceptions)
  return work();
#else
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return ROBOTRULES_OUT_OF_MEMORY;
  } catch (const std::length_error&) {  // a string or vector of a size that no memory can have
    return ROBOTRULES_OUT_OF_MEMORY;
  } catch (...) {
    return ROBOTRULES_INTERNAL;
  }
#endif
}

// Returns a new handle of these parts. Throws std::bad_alloc.
template <class Handle, class... Parts>
Handle* new_handle(Parts&&... parts) {
  return new Handle{std::forward<Parts>(parts)...};
}

// Gives a new handle that contains make(). `valid`: whether the arguments are valid.
template <class Handle, class Make>
robotrules_status give(Handle** out, bool valid, const Make& make) noexcept {
  if (out == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *out = nullptr;
  if (!valid) return ROBOTRULES_INVALID_ARGUMENT;
  return guarded([&] {
    *out = new_handle<Handle>(make());
    return ROBOTRULES_OK;
  });
}

// Sets `*out` to zeros, or to the row at `index` of `rows` as `convert` makes it. `rows` is null if its handle is.
template <class Row, class Rows, class Convert>
robotrules_status give_row(Row* out, const Rows* rows, std::size_t index, const Convert& convert) noexcept {
  if (out == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *out = convert(nullptr);
  if (rows == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  if (index >= rows->size()) return ROBOTRULES_OUT_OF_RANGE;
  *out = convert(&(*rows)[index]);
  return ROBOTRULES_OK;
}

// Gives the text that `text_of` returns for the origin of a URL.
robotrules_status text_of_origin(const char* url, std::size_t url_size, std::string (*text_of)(const Origin& origin),
                                 robotrules_text** text) noexcept;

}  // namespace robotrules::c_abi
