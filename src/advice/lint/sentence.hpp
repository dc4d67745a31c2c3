// Sentences of findings: a template whose places "{}" are filled with texts, quoted texts and numbers.
//
//     findings.add(code, line, 1, {"{} is already named in line {}.", {quote(name), 7}}, "Delete one of the two
//     lines.");
//
// A call site only lists the parts. One function, filled(), puts them together, which keeps the many messages small in
// WebAssembly. The compiler checks that a template has as many places as there are parts.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <robotrules/base.hpp>

namespace robotrules::advice {

// Returns `text` in quotes, safe for every terminal and log: controls, bidirectional marks and bytes that are not UTF-8
// become \xNN. "..." replaces all after 80 bytes.
std::string quoted(std::string_view text);

// A text that a sentence shows as quoted() does.
struct Quote {
  std::string_view text;
};
inline Quote quote(std::string_view text ROBOTRULES_LIFETIMEBOUND) noexcept { return {text}; }

// What fills a place of a template: a view of a text, of a text to quote, or a number.
class Part {
 public:
  Part(const char* text) noexcept : Part(std::string_view(text)) {}
  Part(const std::string& text ROBOTRULES_LIFETIMEBOUND) noexcept : Part(std::string_view(text)) {}
  Part(std::string_view text) noexcept : data_(text.data()), number_(text.size()) {}
  Part(Quote quote) noexcept : Part(quote.text) { kind_ = Kind::quote; }
  template <std::unsigned_integral Number>
    requires(sizeof(Number) >= 4 && sizeof(Number) <= sizeof(std::size_t))  // no bool, no char
  Part(Number number) noexcept : number_(number), kind_(Kind::number) {}

  void append_to(std::string& out) const;

 private:
  enum class Kind : std::uint8_t { text, quote, number };

  const char* data_ = nullptr;
  std::size_t number_;  // or the size of the text
  Kind kind_ = Kind::text;
};

void places_and_parts_differ();  // has no body: a call of it does not compile in a constant

// A template with `Places` places.
template <std::size_t Places>
class Template {
 public:
  consteval Template(const char* text) : text_(text) {
    std::size_t places = 0;
    for (std::size_t at = text_.find("{}"); at != text_.npos; at = text_.find("{}", at + 2)) ++places;
    if (places != Places) places_and_parts_differ();
  }
  std::string_view text() const noexcept { return text_; }

 private:
  std::string_view text_;
};

// A view of a sentence. It is an argument of a function: what it shows lives to the end of the call.
class Sentence {
 public:
  // A text without places.
  Sentence(const char* text) noexcept : text_(text) {}
  Sentence(std::string_view text) noexcept : text_(text) {}
  Sentence(const std::string& text ROBOTRULES_LIFETIMEBOUND) noexcept : text_(text) {}

  template <std::size_t N>
  Sentence(std::type_identity_t<Template<N>> text, const Part (&parts ROBOTRULES_LIFETIMEBOUND)[N]) noexcept
      : text_(text.text()), parts_(parts) {}

  std::string_view pattern() const noexcept { return text_; }
  std::span<const Part> parts() const noexcept { return parts_; }

 private:
  std::string_view text_;
  std::span<const Part> parts_;
};

// Returns the sentence with all places filled.
std::string filled(const Sentence& sentence);

}  // namespace robotrules::advice
