// Colours of the command's text. JSON, and columns that other programs read, have none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <robotrules/rules.hpp>

namespace robotrules::cli {

// The role of a piece of text. Each role has a colour that can be read on light and on dark backgrounds.
enum class Style : std::uint8_t {
  heading,  // bold
  aside,    // dim: labels, codes, remedies
  good,     // green: allowed, added
  bad,      // red: disallowed, removed, errors
  mixed,    // magenta: partly, unknown, warnings
  note,     // cyan: notes
};

// Returns the style of an answer.
Style style_of(Access access) noexcept;

// The colours of one stream. Any thread may use it.
class Paint {
 public:
  explicit constexpr Paint(bool has_colours = false) noexcept : has_colours_(has_colours) {}
  bool has_colours() const noexcept { return has_colours_; }
  // Returns the text in the colour of its style, or unchanged if the stream has no colours.
  std::string operator()(Style style, std::string_view text) const;

 private:
  bool has_colours_;
};

// Decides which of standard output and standard error have colours. `when` is the value of --color: "always", "never",
// or "auto": a terminal has colours, unless NO_COLOR is set or TERM says "dumb" or nothing; CLICOLOR_FORCE stands for a
// terminal. Thread rule: call it before starting threads.
void choose_colours(std::string_view when);

// Return the paint of standard output and of standard error. Before choose_colours(), they have no colours.
const Paint& results_paint() noexcept;
const Paint& messages_paint() noexcept;

// Returns the number of bytes without those that Paint adds.
std::size_t plain_size(std::string_view text) noexcept;

// Returns a unified diff with the colours of its lines.
std::string painted_diff(const Paint& paint, std::string_view diff);

}  // namespace robotrules::cli
