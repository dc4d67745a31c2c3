// Numbers as text.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <robotrules/base.hpp>

namespace robotrules::cli {

// Returns "1,234,567".
std::string grouped(std::uint64_t number);
// Returns "999 B", "1.2 KiB", "45.6 MiB", by powers of 1024 up to "PiB".
std::string bytes_text(std::uint64_t bytes);
// Returns "0:07", "12:30", "1:02:33", "3 d 4:05:06".
std::string duration_text(std::chrono::seconds time);
// Returns the time in UTC, rounded up to a minute: "2026-11-21 15:04 UTC".
std::string minute_text(Timestamp time);
// Returns "0.25", "12.3", "1,234": at least two digits.
std::string rate_text(double per_second);

// Returns the parts, three spaces apart, in lines that begin with `before` and have at most `columns` characters unless
// one part is longer.
std::vector<std::string> flow(std::span<const std::string> parts, const std::string& before, std::size_t columns);

}  // namespace robotrules::cli
