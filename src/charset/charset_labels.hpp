// The known names of charsets, and the names that iconv has for them.
#pragma once

#include <span>
#include <string_view>

#include "base/visibility.hpp"

namespace robotrules::agent {

struct CharsetLabel {
  std::string_view label;  // in lower case
  std::string_view name;   // "iso-8859-1"
  const char* iconv_name;  // its converter may read a superset: "CP932" for "shift_jis"
};

// Returns null if the label is not known. Case and blanks around it do not matter.
ROBOTRULES_INTERNAL_API const CharsetLabel* find_charset_label(std::string_view label) noexcept;
// Returns all labels, in ascending order.
std::span<const CharsetLabel> charset_labels() noexcept;

}  // namespace robotrules::agent
