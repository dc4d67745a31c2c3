#include "fields/http_date.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include "base/ascii.hpp"

namespace robotrules::agent {
namespace {

using namespace std::chrono;

constexpr std::array<std::string_view, 12> months = {"January",   "February", "March",    "April",
                                                     "May",       "June",     "July",     "August",
                                                     "September", "October",  "November", "December"};
constexpr std::array<std::string_view, 7> weekdays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                      "Thursday", "Friday", "Saturday"};

constexpr Timestamp first_moment = sys_days(year(1) / 1 / 1);
constexpr Timestamp last_moment = sys_days(year(9999) / 12 / 31) + hours(24) - seconds(1);

bool names(std::string_view word, std::string_view full) noexcept {
  return base::equals_ignore_case(word, full) || base::equals_ignore_case(word, full.substr(0, 3));
}

// Reads a date from left to right. Each step returns false if the text has another form.
class Cursor {
 public:
  explicit Cursor(std::string_view text) noexcept : rest_(text) {}

  bool take(char c) noexcept {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool blanks() noexcept {
    const std::size_t before = rest_.size();
    while (take(' ')) {
    }
    return rest_.size() != before;
  }
  bool number(std::size_t min_digits, std::size_t max_digits, int& value) noexcept {
    std::size_t size = 0;
    value = 0;
    while (size < rest_.size() && size < max_digits && base::is_digit(rest_[size]))
      value = value * 10 + (rest_[size++] - '0');
    rest_.remove_prefix(size);
    return size >= min_digits;
  }
  std::string_view word() noexcept {
    std::size_t size = 0;
    while (size < rest_.size() && base::is_letter(rest_[size])) ++size;
    const std::string_view found = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return found;
  }
  bool month(int& value) noexcept { return (value = month_number(word())) != 0; }
  bool clock(CivilTime& time) noexcept {
    return number(2, 2, time.hour) && take(':') && number(2, 2, time.minute) && take(':') && number(2, 2, time.second);
  }
  bool gmt() noexcept {
    const std::string_view zone = word();
    return base::equals_ignore_case(zone, "GMT") || base::equals_ignore_case(zone, "UTC");
  }
  bool at_end() const noexcept { return rest_.empty(); }

 private:
  std::string_view rest_;
};

bool read_fixdate(Cursor text, CivilTime& time) noexcept {
  return is_weekday(text.word()) && text.take(',') && text.blanks() && text.number(1, 2, time.day) && text.blanks() &&
         text.month(time.month) && text.blanks() && text.number(4, 4, time.year) && text.blanks() && text.clock(time) &&
         text.blanks() && text.gmt() && text.at_end();
}

bool read_rfc850(Cursor text, CivilTime& time) noexcept {
  return is_weekday(text.word()) && text.take(',') && text.blanks() && text.number(1, 2, time.day) && text.take('-') &&
         text.month(time.month) && text.take('-') && text.number(2, 2, time.year) && text.blanks() &&
         text.clock(time) && text.blanks() && text.gmt() && text.at_end();
}

bool read_asctime(Cursor text, CivilTime& time) noexcept {
  return is_weekday(text.word()) && text.blanks() && text.month(time.month) && text.blanks() &&
         text.number(1, 2, time.day) && text.blanks() && text.clock(time) && text.blanks() &&
         text.number(4, 4, time.year) && text.at_end();
}

}  // namespace

int month_number(std::string_view name) noexcept {
  for (std::size_t i = 0; i < months.size(); ++i) {
    if (names(name, months[i])) return static_cast<int>(i) + 1;
  }
  return 0;
}

bool is_weekday(std::string_view name) noexcept {
  return std::any_of(weekdays.begin(), weekdays.end(), [&](std::string_view full) { return names(name, full); });
}

std::optional<Timestamp> to_timestamp(const CivilTime& time) noexcept {
  if (time.year < 1 || time.year > 9999 || time.month < 1 || time.day < 1) return std::nullopt;
  if (time.hour < 0 || time.hour > 23 || time.minute < 0 || time.minute > 59 || time.second < 0 || time.second > 60) {
    return std::nullopt;
  }
  const year_month_day date(year(time.year), month(static_cast<unsigned>(time.month)),
                            day(static_cast<unsigned>(time.day)));
  if (!date.ok()) return std::nullopt;
  return sys_days(date) + hours(time.hour) + minutes(time.minute - time.offset_minutes) + seconds(time.second);
}

std::optional<Timestamp> parse_http_date(std::string_view text, Timestamp now) noexcept {
  const Cursor cursor(base::trimmed(text));
  CivilTime time;
  if (read_fixdate(cursor, time) || read_asctime(cursor, time)) return to_timestamp(time);
  if (!read_rfc850(cursor, time)) return std::nullopt;
  now = std::clamp(now, first_moment, last_moment);
  const sys_days today = floor<days>(now);
  const year_month_day date(today);
  const year_month_day in_50_years = date + years(50);  // may be a 29th of February that does not exist
  const Timestamp limit =
      sys_days(in_50_years.ok() ? in_50_years : (date.year() + years(50)) / February / 28) + (now - today);
  const int century = int(date.year()) - int(date.year()) % 100;
  const int ending = time.year;
  for (const int first : {century + 100, century, century - 100}) {
    time.year = first + ending;
    const std::optional<Timestamp> found = to_timestamp(time);
    if (found && *found <= limit) return found;
  }
  return std::nullopt;
}

std::string format_http_date(Timestamp time) {
  time = std::clamp(time, first_moment, last_moment);
  const sys_days midnight = floor<days>(time);
  const year_month_day date(midnight);
  const hh_mm_ss clock(floor<seconds>(time - midnight));
  const std::string_view weekday_name = weekdays[weekday(midnight).c_encoding()];
  const std::string_view month_name = months[unsigned(date.month()) - 1];
  std::array<char, 64> text{};
  const int size =
      std::snprintf(text.data(), text.size(), "%.3s, %02u %.3s %04d %02d:%02d:%02d GMT", weekday_name.data(),
                    unsigned(date.day()), month_name.data(), int(date.year()), static_cast<int>(clock.hours().count()),
                    static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()));
  return std::string(text.data(), static_cast<std::size_t>(size));
}

}  // namespace robotrules::agent
