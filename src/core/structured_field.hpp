// The dictionary of RFC 9651 (structured fields), read member by member without building anything.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/visibility.hpp"

namespace robotrules::core {

// Views into the text. `value` is the bare item as written ("n", "\"text\"", "(a b)"), empty for a key alone, which
// means true. Parameters are checked and left out.
struct DictionaryMember {
  std::string_view key;
  std::string_view value;
};

// A dictionary with a fault is invalid as a whole: if well_formed() is false at the end, ignore all its members.
class ROBOTRULES_INTERNAL_API DictionaryReader {
 public:
  explicit DictionaryReader(std::string_view text) noexcept;

  // Reads the next member. Returns false at the end and at the first fault.
  bool next(DictionaryMember& member) noexcept;

  bool well_formed() const noexcept { return !failed_; }
  std::size_t position() const noexcept { return at_; }  // of the fault, or of the next member

 private:
  bool fail() noexcept;
  bool peek(char c) const noexcept { return at_ < text_.size() && text_[at_] == c; }
  bool take(char c) noexcept;
  void skip_spaces() noexcept;
  void skip_blanks() noexcept;
  bool key(std::string_view& key) noexcept;
  bool parameters() noexcept;
  bool item_or_list() noexcept;
  bool inner_list() noexcept;
  bool bare_item() noexcept;
  bool number() noexcept;
  bool quoted() noexcept;
  bool token() noexcept;
  bool binary() noexcept;
  bool boolean() noexcept;
  bool display_string() noexcept;

  std::string_view text_;
  std::size_t at_ = 0;
  bool first_ = true;
  bool failed_ = false;
};

}  // namespace robotrules::core
