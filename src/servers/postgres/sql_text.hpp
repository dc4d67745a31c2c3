// The text of the files sql/*.sql, which embed.cmake makes a source of.
#pragma once

#include <string_view>

namespace robotrules::store::postgres {

extern const std::string_view sql_text;

}  // namespace robotrules::store::postgres
