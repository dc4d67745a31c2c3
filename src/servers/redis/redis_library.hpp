// The functions in Lua that a store keeps on each server (guard.lua, gate_row.lua, gate.lua, records.lua), as one text.
#pragma once

#include <string>
#include <string_view>

namespace robotrules::store::redis {

extern const std::string_view library_id;  // eight digits that change with the text
extern const std::string_view library_source;

// The name of a function on the server: "reserve" → "robotrules_01234567_reserve".
inline std::string function_name(std::string_view name) {
  return std::string("robotrules_").append(library_id).append("_").append(name);
}

}  // namespace robotrules::store::redis
