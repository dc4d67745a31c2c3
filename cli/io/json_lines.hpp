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

// Sets a member to a string. If the string is not UTF-8, sets MEMBER_b64 to its bytes in Base64 too.
void set_bytes(nlohmann::ordered_json& object, const std::string& member, const std::string& bytes);

}  // namespace robotrules::cli
