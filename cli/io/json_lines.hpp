// JSON in the command's format.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace robotrules::cli {

// Returns `value` as one line with a line end. Bytes that are not UTF-8 become U+FFFD; the text is harmless for a
// terminal.
std::string json_line(const nlohmann::ordered_json& value);
// Returns the same, indented on many lines.
std::string json_document(const nlohmann::ordered_json& value);

}  // namespace robotrules::cli
