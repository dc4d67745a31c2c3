// The pages of docs/lint, built into the command.
#pragma once

#include <string_view>

namespace robotrules::cli {

// Returns the page of a code, or an empty view if there is none.
std::string_view lint_page(std::string_view code) noexcept;

}  // namespace robotrules::cli
