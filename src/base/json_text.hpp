// Text in JSON that any terminal may show.
#pragma once

#include <string>
#include <string_view>

#include "base/visibility.hpp"

namespace robotrules::base {

// Appends `text` as a JSON string with its quotes. The result is always valid UTF-8: U+FFFD stands for each maximal
// part of a broken sequence. Controls (C0, DEL, C1) and invisible characters (U+200B, U+202E, U+FEFF, ...) become
// \uXXXX.
ROBOTRULES_INTERNAL_API void append_json(std::string& out, std::string_view text);

// Returns a JSON text, which must be UTF-8, with DEL, C1 controls and invisible characters as \uXXXX, like
// append_json().
ROBOTRULES_INTERNAL_API std::string harmless_json(std::string_view json);

}  // namespace robotrules::base
