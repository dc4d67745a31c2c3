#include "fields/loose_date.hpp"

#include <array>

#include "base/ascii.hpp"
#include "fields/http_date.hpp"

namespace robotrules::agent {
namespace {

struct Zone {
  std::string_view name;
  int hours;
};
constexpr std::array<Zone, 12> zones = {{{"GMT", 0},
                                         {"UTC", 0},
                                         {"UT", 0},
                                         {"Z", 0},
                                         {"EST", -5},
                                         {"EDT", -4},
                                         {"CST", -6},
                                         {"CDT", -5},
                                         {"MST", -7},
                                         {"MDT", -6},
                                         {"PST", -8},
                                         {"PDT", -7}}};

constexpr std::size_t max_date_bytes = 100;

class Reader {
 public:
  explicit Reader(std::string_view text) noexcept : rest_(text) {}

  bool iso() noexcept;
  bool words() noexcept;
  CivilTime time;

 private:
  std::string_view digits() noexcept {
    std::size_t size = 0;
    while (size < rest_.size() && base::is_digit(rest_[size])) ++size;
    return take(size);
  }
  std::string_view letters() noexcept {
    std::size_t size = 0;
    while (size < rest_.size() && base::is_letter(rest_[size])) ++size;
    return take(size);
  }
  std::string_view take(std::size_t size) noexcept {
    const std::string_view found = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return found;
  }
  bool take_char(char c) noexcept {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  char peek() const noexcept { return rest_.empty() ? '\0' : rest_.front(); }

  static int number(std::string_view digits) noexcept {
    int value = 0;
    for (const char c : digits) value = value * 10 + (c - '0');
    return value;
  }
  bool two_digits(int& value) noexcept {
    if (rest_.size() < 2 || !base::is_digit(rest_[0]) || !base::is_digit(rest_[1])) return false;
    value = number(take(2));
    return true;
  }

  bool iso_clock() noexcept;
  bool clock_behind(std::string_view hour) noexcept;
  bool fraction() noexcept;
  bool offset() noexcept;
  bool word() noexcept;
  bool plain_number() noexcept;

  std::string_view rest_;
  bool has_day_ = false;
  bool has_year_ = false;
  bool has_clock_ = false;
  bool has_zone_ = false;
};

// Skips a fraction of a second.
bool Reader::fraction() noexcept {
  if (peek() != '.' && peek() != ',') return true;
  take(1);
  return !digits().empty();
}

// Reads "+h", "+hh", "+hhmm" or "+hh:mm", or the same with "-".
bool Reader::offset() noexcept {
  const bool behind = peek() == '-';
  int hours = 0;
  int minutes = 0;
  take(1);
  if (has_zone_) return false;
  if (!two_digits(hours)) {
    const std::string_view digit = digits();
    if (digit.size() != 1) return false;
    hours = number(digit);
  }
  take_char(':');
  if (base::is_digit(peek()) && !two_digits(minutes)) return false;
  if (hours > 23 || minutes > 59) return false;
  has_zone_ = true;
  time.offset_minutes = (behind ? -1 : 1) * (hours * 60 + minutes);
  return true;
}

bool Reader::iso_clock() noexcept {
  if (!two_digits(time.hour)) return false;
  const bool colons = take_char(':');
  if (!two_digits(time.minute)) return false;
  if (colons ? take_char(':') : base::is_digit(peek())) {
    if (!two_digits(time.second) || !fraction()) return false;
  }
  while (take_char(' ')) {
  }
  if (rest_.empty()) return true;
  if (peek() == '+' || peek() == '-') return offset() && rest_.empty();
  return word() && rest_.empty();
}

bool Reader::iso() noexcept {
  const std::string_view first = digits();
  time.month = time.day = 1;
  if (first.size() == 8) {
    time.year = number(first.substr(0, 4));
    time.month = number(first.substr(4, 2));
    time.day = number(first.substr(6, 2));
  } else {
    if (first.size() != 4) return false;
    time.year = number(first);
    const char separator = peek();
    if (separator == '\0') return true;
    if (separator != '-' && separator != '/') return false;
    take(1);
    if (!two_digits(time.month)) return false;
    if (rest_.empty()) return true;
    if (!take_char(separator) || !two_digits(time.day)) return false;
  }
  if (rest_.empty()) return true;
  if (base::lower(peek()) != 't' && peek() != ' ') return false;
  take(1);
  while (take_char(' ')) {
  }
  return iso_clock();
}

// Reads the rest of a time of day after its hour: "15:00:00", "3:00 PM", "3 PM".
bool Reader::clock_behind(std::string_view hour) noexcept {
  if (has_clock_ || hour.size() > 2) return false;
  has_clock_ = true;
  time.hour = number(hour);
  if (!take_char(':')) return true;
  if (!two_digits(time.minute)) return false;
  return !take_char(':') || (two_digits(time.second) && fraction());
}

bool Reader::word() noexcept {
  const std::string_view name = letters();
  if (is_weekday(name)) {
    take_char('.');
    return true;
  }
  if (const int month = month_number(name); month != 0) {
    const bool first = time.month == 0;
    time.month = month;
    take_char('.');
    return first;
  }
  if (base::equals_ignore_case(name, "AM") || base::equals_ignore_case(name, "PM")) {
    if (!has_clock_ || time.hour < 1 || time.hour > 12) return false;
    time.hour = time.hour % 12 + (base::lower(name.front()) == 'p' ? 12 : 0);
    return true;
  }
  if (base::equals_ignore_case(name, "at")) return true;
  for (const Zone& zone : zones) {
    if (!base::equals_ignore_case(name, zone.name)) continue;
    if (has_zone_) return false;
    has_zone_ = true;
    time.offset_minutes = zone.hours * 60;
    // "GMT+2"
    if (zone.hours == 0 && (peek() == '+' || peek() == '-')) {
      has_zone_ = false;
      return offset();
    }
    return true;
  }
  return false;
}

bool Reader::plain_number() noexcept {
  const std::string_view found = digits();
  std::string_view behind = rest_;
  while (!behind.empty() && behind.front() == ' ') behind.remove_prefix(1);
  const bool half_day = base::starts_with_ignore_case(behind, "am") || base::starts_with_ignore_case(behind, "pm");
  if (peek() == ':' || (half_day && !has_clock_ && found.size() <= 2)) return clock_behind(found);
  if (found.size() == 4 && !has_year_) {
    has_year_ = true;
    time.year = number(found);
    return true;
  }
  if (found.size() > 2) return false;
  if (!has_day_) {
    has_day_ = true;
    time.day = number(found);
    const bool ordinal = base::starts_with_ignore_case(rest_, "st") || base::starts_with_ignore_case(rest_, "nd") ||
                         base::starts_with_ignore_case(rest_, "rd") || base::starts_with_ignore_case(rest_, "th");
    if (ordinal) take(2);
    return true;
  }
  if (has_year_ || found.size() != 2) return false;
  has_year_ = true;
  time.year = number(found) + (number(found) < 50 ? 2000 : 1900);
  return true;
}

bool Reader::words() noexcept {
  while (!rest_.empty()) {
    const char c = peek();
    const bool hyphen = c == '-' && !has_year_ && !has_clock_;  // "25-Aug-2007"
    if (base::is_space(c) || c == ',' || hyphen) {
      take(1);
    } else if (base::is_letter(c)) {
      if (!word()) return false;
    } else if (base::is_digit(c)) {
      if (!plain_number()) return false;
    } else if (has_clock_ && (c == '+' || c == '-')) {
      if (!offset()) return false;
    } else {
      return false;
    }
  }
  return has_day_ && has_year_ && time.month != 0;
}

}  // namespace

std::optional<Timestamp> parse_loose_date(std::string_view text) noexcept {
  text = base::trimmed(text);
  if (text.empty() || text.size() > max_date_bytes) return std::nullopt;
  Reader as_iso(text);
  if (as_iso.iso()) return to_timestamp(as_iso.time);
  Reader as_words(text);
  if (as_words.words()) return to_timestamp(as_words.time);
  return std::nullopt;
}

}  // namespace robotrules::agent
