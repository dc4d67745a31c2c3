// JSON as the command writes it.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace robotrules::cli {

// `value` in one line, with its line end; what is no UTF-8 becomes U+FFFD, and nothing in it can harm a terminal.
std::string json_line(const nlohmann::ordered_json& value);
// The same over many lines, for people.
std::string json_document(const nlohmann::ordered_json& value);

}  // namespace robotrules::cli
