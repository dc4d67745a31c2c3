#include "base/time_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>

namespace robotrules::base {

using std::chrono::microseconds;

std::string time_text(Timestamp time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%06dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return text;
}

std::optional<Timestamp> time_of_text(std::string_view text) {
  constexpr std::string_view form = "dddd-dd-ddTdd:dd:dd";
  if (text.size() < form.size() + 1 || text.back() != 'Z') return std::nullopt;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (form[i] == 'd' ? !digit : text[i] != form[i]) return std::nullopt;
  }
  const auto number = [text](std::size_t at, std::size_t size) {
    int value = 0;
    std::from_chars(text.data() + at, text.data() + at + size, value);
    return value;
  };
  microseconds fraction{0};
  const std::string_view rest = text.substr(form.size(), text.size() - form.size() - 1);
  if (!rest.empty()) {
    if (rest.front() != '.' || rest.size() < 2 || rest.size() > 10) return std::nullopt;
    std::int64_t unit = 100'000;
    for (const char c : rest.substr(1)) {
      if (c < '0' || c > '9') return std::nullopt;
      fraction += microseconds((c - '0') * unit);
      unit /= 10;
    }
  }
  const std::chrono::year_month_day date{std::chrono::year(number(0, 4)),
                                         std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                         std::chrono::day(static_cast<unsigned>(number(8, 2)))};
  if (!date.ok() || number(11, 2) > 23 || number(14, 2) > 59 || number(17, 2) > 60) return std::nullopt;
  const Timestamp time = std::chrono::sys_days(date) + std::chrono::hours(number(11, 2)) +
                         std::chrono::minutes(number(14, 2)) + std::chrono::seconds(number(17, 2)) + fraction;
  // A leap second (:60) counts as the first second of the next minute. Years after 9999 do not have four digits.
  constexpr std::chrono::sys_days end{std::chrono::year(10'000) / 1 / 1};
  return time < end ? std::optional(time) : std::nullopt;
}

std::optional<microseconds> span_of_text(std::string_view text) {
  struct Unit {
    std::string_view name;
    double in_microseconds;
  };
  constexpr Unit units[] = {{"d", 864e8}, {"h", 36e8}, {"m", 6e7}, {"s", 1e6}, {"ms", 1e3}};
  constexpr double max_span = 36'500 * 864e8;
  constexpr std::string_view digits = "0123456789";
  const auto skip = [text](std::string_view chars, std::size_t at) {
    return std::min(text.find_first_not_of(chars, at), text.size());
  };

  double span = 0;
  const Unit* next = std::begin(units);  // each unit may be given once
  std::size_t at = 0;
  do {
    const std::size_t begin = at;
    bool fraction = false;
    at = skip(digits, begin);
    if (at == begin) return std::nullopt;
    if (text.substr(at).starts_with('.')) {
      const std::size_t point = at;
      at = skip(digits, point + 1);
      if (at == point + 1) return std::nullopt;
      fraction = true;
    }
    double number = 0;
    if (std::from_chars(text.data() + begin, text.data() + at, number).ec != std::errc()) return std::nullopt;

    const std::size_t unit_begin = at;
    at = std::min(text.find_first_of(digits, unit_begin), text.size());
    const std::string_view name = text.substr(unit_begin, at - unit_begin);
    const bool plain_seconds = name.empty() && begin == 0;
    const Unit* unit =
        std::find_if(next, std::end(units), [&](const Unit& one) { return one.name == (plain_seconds ? "s" : name); });
    if (unit == std::end(units) || (fraction && at < text.size())) return std::nullopt;
    span += number * unit->in_microseconds;
    next = unit + 1;
  } while (at < text.size());
  if (span > max_span) return std::nullopt;
  return microseconds(std::llround(span));
}

std::string span_text(microseconds span) {
  const std::int64_t seconds = span.count() / 1'000'000;
  const auto two = [](std::int64_t a, const char* a_unit, std::int64_t b, const char* b_unit) {
    std::string text = std::to_string(a) + a_unit;
    if (b != 0) text += " " + std::to_string(b) + b_unit;
    return text;
  };
  if (seconds >= 86'400) return two(seconds / 86'400, " d", seconds % 86'400 / 3'600, " h");
  if (seconds >= 3'600) return two(seconds / 3'600, " h", seconds % 3'600 / 60, " min");
  if (seconds >= 60) return two(seconds / 60, " min", seconds % 60, " s");
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", static_cast<double>(span.count()) / 1e6);
  return text;
}

}  // namespace robotrules::base
