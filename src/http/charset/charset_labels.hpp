// Which names of charsets are known, and iconv's for them.
#pragma once

#include <span>
#include <string_view>

namespace robotrules::agent {

struct CharsetLabel {
  std::string_view label;  // in lower case
  std::string_view name;   // "iso-8859-1"
  const char* iconv_name;  // whose converter may read a superset: "CP932" for "shift_jis"
};

// Null where the label, in any case and with blanks around it, is not known.
const CharsetLabel* find_charset_label(std::string_view label) noexcept;
// All of them, in ascending order.
std::span<const CharsetLabel> charset_labels() noexcept;

}  // namespace robotrules::agent
