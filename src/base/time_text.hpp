// Times and spans as text.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/base.hpp>

#include "base/visibility.hpp"

namespace robotrules::base {

// Returns the time as RFC 3339 writes it, in UTC with microseconds: "2026-11-21T15:04:05.000000Z".
ROBOTRULES_INTERNAL_API std::string time_text(Timestamp time);

// Reads the form of time_text(). The fraction may be missing or shorter; digits after the sixth are ignored. Returns
// null for all other text.
ROBOTRULES_INTERNAL_API std::optional<Timestamp> time_of_text(std::string_view text);

// Reads seconds ("90", "1.5") or numbers with the units d, h, m, s and ms, the greatest unit first ("1h30m", "500ms").
// The last number may have a fraction. Returns null for all other text, and for more than 36500d.
ROBOTRULES_INTERNAL_API std::optional<std::chrono::microseconds> span_of_text(std::string_view text);

// Returns the two greatest parts of a span: "2 h 5 min", "3.2 s".
ROBOTRULES_INTERNAL_API std::string span_text(std::chrono::microseconds span);

}  // namespace robotrules::base
