// Numbers for people.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace robotrules::cli {

// "1,234,567"
std::string grouped(std::uint64_t number);
// "999 B", "1.2 KiB", "45.6 MiB", by powers of 1024 up to "PiB".
std::string octets_text(std::uint64_t octets);
// "0:07", "12:30", "1:02:33", "3 d 4:05:06".
std::string duration_text(std::chrono::seconds time);
// "0.25", "12.3", "1,234"; two figures or more.
std::string rate_text(double a_second);

// The parts, three spaces apart, in lines that begin with `before` and are no longer than `columns`, as long as each
// part is short enough for that.
std::vector<std::string> flow(std::span<const std::string> parts, const std::string& before, std::size_t columns);

}  // namespace robotrules::cli
