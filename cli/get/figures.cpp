#include "cli/get/figures.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "base/time_text.hpp"

namespace robotrules::cli {
namespace {

std::string with_places(double number, int places) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", places, number);
  return text.data();
}

}  // namespace

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1'024) return std::to_string(bytes) + " B";
  constexpr std::array units{"KiB", "MiB", "GiB", "TiB", "PiB"};
  double number = static_cast<double>(bytes) / 1'024;
  std::size_t unit = 0;
  while (number >= 1'023.95 && unit + 1 < units.size()) {
    number /= 1'024;
    ++unit;
  }
  return with_places(number, 1) + ' ' + units[unit];
}

std::string duration_text(std::chrono::seconds time) {
  const std::int64_t all = time.count() < 0 ? 0 : time.count();
  const std::int64_t days = all / 86'400;
  const std::int64_t hours = all / 3'600 % 24;
  std::array<char, 64> text{};
  if (days > 0 || hours > 0) {
    std::snprintf(text.data(), text.size(), "%d:%02d:%02d", static_cast<int>(hours), static_cast<int>(all / 60 % 60),
                  static_cast<int>(all % 60));
  } else {
    std::snprintf(text.data(), text.size(), "%d:%02d", static_cast<int>(all / 60), static_cast<int>(all % 60));
  }
  return (days > 0 ? grouped(static_cast<std::uint64_t>(days)) + " d " : "") + text.data();
}

std::string minute_text(Timestamp time) {
  std::string text = base::time_text(std::chrono::ceil<std::chrono::minutes>(time));
  text.resize(std::string_view("2026-11-21T15:04").size());
  text[text.find('T')] = ' ';
  return text + " UTC";
}

std::string rate_text(double per_second) {
  if (!(per_second > 0)) return "0";
  if (per_second < 0.9995) return with_places(per_second, 2);
  if (per_second < 99.95) return with_places(per_second, 1);
  return grouped(static_cast<std::uint64_t>(std::llround(std::min(per_second, 1e15))));
}

std::vector<std::string> flow(std::span<const std::string> parts, const std::string& before, std::size_t columns) {
  std::vector<std::string> lines;
  for (const std::string& part : parts) {
    if (!lines.empty() && lines.back().size() + 3 + part.size() <= columns) {
      lines.back().append("   ").append(part);
    } else {
      lines.push_back(before + part);
    }
  }
  return lines;
}

}  // namespace robotrules::cli
