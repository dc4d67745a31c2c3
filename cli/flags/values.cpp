#include "cli/flags/values.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "base/escape.hpp"
#include "base/time_text.hpp"

namespace robotrules::cli {
namespace {

// "0.001", "3600": without an exponent or trailing zeros.
std::string shown(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string accepted(const Flag& flag) {
  const std::string range = "from " + shown(flag.range.min) + " to " + shown(flag.range.max);
  switch (flag.takes) {
    case Takes::size: return "a size in bytes, such as 500k, 16M or 1G";
    case Takes::size_or_none: return "a size in bytes, such as 500k, 16M or 1G, or none";
    case Takes::seconds: return "seconds " + range;
    case Takes::number: return "a number " + range;
    case Takes::whole_number: return "a whole number " + range;
    case Takes::span: return "a time span, such as 30d, 12h, 15m or 20s";
    default: return std::string(flag.placeholder);
  }
}

template <class Number>
std::optional<Number> parsed(std::string_view text) {
  Number number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Returns null if `text` is not a size; 0 is one.
std::optional<std::uint64_t> read_size(std::string_view text) {
  constexpr double max_size = 1e15;
  double value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || !(value >= 0 && value <= max_size)) return std::nullopt;
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  const auto is = [unit](char letter) { return unit.size() == 1 && (unit[0] | 0x20) == letter; };
  if (is('k')) value *= 1024;
  if (is('m')) value *= 1024.0 * 1024;
  if (is('g')) value *= 1024.0 * 1024 * 1024;
  if (!unit.empty() && !is('k') && !is('m') && !is('g')) return std::nullopt;
  return value <= max_size ? std::optional(static_cast<std::uint64_t>(std::llround(value))) : std::nullopt;
}

}  // namespace

Error bad_value(const Flag& flag, std::string_view value) {
  return Error{"invalid-value", "--" + std::string(flag.name) + " does not accept \"" + base::printable(value) +
                                    "\"; give " + accepted(flag)};
}

Result<double> number_value(const Flag& flag, std::string_view value) {
  std::optional<double> number;
  if (flag.takes == Takes::whole_number) {
    if (const auto whole = parsed<std::uint64_t>(value)) number = static_cast<double>(*whole);
  } else {
    number = parsed<double>(value);
  }
  if (!number || !(*number >= flag.range.min && *number <= flag.range.max)) return bad_value(flag, value);
  return *number;
}

Result<std::uint64_t> size_value(const Flag& flag, std::string_view value) {
  if (flag.takes == Takes::size_or_none && value == "none") return std::numeric_limits<std::uint64_t>::max();
  const auto size = read_size(value);
  if (!size || *size == 0) return bad_value(flag, value);
  return *size;
}

Result<std::chrono::microseconds> span_value(const Flag& flag, std::string_view value) {
  const auto span = base::span_of_text(value);
  if (!span) return bad_value(flag, value);
  return *span;
}

template <class Value>
Value ValueReader::take(Result<Value> read, Value otherwise) {
  if (read) return read.value();
  if (!error_) error_ = read.error();
  return otherwise;
}

std::chrono::milliseconds ValueReader::seconds(Member member, std::chrono::milliseconds otherwise) {
  if (!(options_.*member)) return otherwise;
  const auto read = number_value(flag_for(member), *(options_.*member));
  if (!read) return take<std::chrono::milliseconds>(read.error(), otherwise);
  return std::chrono::milliseconds(static_cast<std::int64_t>(1'000 * read.value()));
}

double ValueReader::number(Member member, double otherwise) {
  return options_.*member ? take(number_value(flag_for(member), *(options_.*member)), otherwise) : otherwise;
}

std::uint64_t ValueReader::whole_number(Member member, std::uint64_t otherwise) {
  return static_cast<std::uint64_t>(number(member, static_cast<double>(otherwise)));
}

std::uint64_t ValueReader::size(Member member, std::uint64_t otherwise) {
  return options_.*member ? take(size_value(flag_for(member), *(options_.*member)), otherwise) : otherwise;
}

}  // namespace robotrules::cli
