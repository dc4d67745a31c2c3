#include "cli/flags/given.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "base/ascii.hpp"
#include "base/escape.hpp"
#include "base/time_text.hpp"
#include "cli/flags/flag_choice.hpp"

namespace robotrules::cli {
namespace {

// "0.001", "3600": without an exponent or trailing zeros.
std::string shown(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

// "1ms", "1h", "36500d": the greatest unit in which it is whole.
std::string shown_span(double seconds) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  for (const Unit unit : {Unit{"d", 86'400}, Unit{"h", 3'600}, Unit{"m", 60}, Unit{"s", 1}}) {
    const double count = seconds / unit.seconds;
    if (count >= 1 && std::floor(count) == count) return shown(count) + std::string(unit.name);
  }
  return seconds == 0 ? "0" : shown(seconds * 1'000) + "ms";
}

// "host, domain or address".
std::string alternatives(const std::vector<std::string_view>& words) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    list.append(i == 0 ? "" : i + 1 == words.size() ? " or " : ", ").append(words[i]);
  }
  return list;
}

bool is_choice(const Flag& flag, std::string_view value) {
  const auto words = words_for(flag.takes, flag.placeholder);
  return std::find(words.begin(), words.end(), value) != words.end();
}

std::string accepted(const Flag& flag) {
  switch (flag.takes) {
    case Takes::size: return "a size in bytes, such as 500k, 16M, 1GiB or 10MB";
    case Takes::size_or_none: return "a size in bytes, such as 500k, 16M, 1GiB or 10MB, or none";
    case Takes::span: return "a time from " + accepted_range(flag) + ", such as 90 (seconds), 500ms, 2m or 1h";
    case Takes::number: return "a number from " + accepted_range(flag);
    case Takes::whole_number: return "a whole number from " + accepted_range(flag);
    case Takes::choice:
    case Takes::dialect:
    case Takes::dialect_or_all:
    case Takes::policy:
    case Takes::kinds: return alternatives(words_for(flag.takes, flag.placeholder));
    default: return std::string(flag.placeholder);
  }
}

std::string not_accepted(const Flag& flag, std::string_view name, std::string_view value) {
  const std::string given = flag.is_secret ? "this value" : '"' + base::printable(value) + '"';
  return std::string(name) + " does not accept " + given + "; give " + accepted(flag);
}

template <class Number>
std::optional<Number> parsed(std::string_view text) {
  Number number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

struct SizeUnit {
  std::string_view name;
  double bytes;
};
constexpr double kib = 1024;
constexpr SizeUnit size_units[] = {
    {"", 1},           {"b", 1},    {"k", kib},           {"kib", kib},           {"kb", 1e3}, {"m", kib* kib},
    {"mib", kib* kib}, {"mb", 1e6}, {"g", kib* kib* kib}, {"gib", kib* kib* kib}, {"gb", 1e9}};

// Returns null if `text` is not a size; 0 is one.
std::optional<std::uint64_t> read_size(std::string_view text) {
  constexpr double max_size = 1e15;
  double value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || !(value >= 0 && value <= max_size)) return std::nullopt;
  const std::string unit = base::lower_case(text.substr(static_cast<std::size_t>(end - text.data())));
  const auto known = std::find_if(std::begin(size_units), std::end(size_units),
                                  [&unit](const SizeUnit& one) { return one.name == unit; });
  if (known == std::end(size_units)) return std::nullopt;
  value *= known->bytes;
  return value <= max_size ? std::optional(static_cast<std::uint64_t>(std::llround(value))) : std::nullopt;
}

// Returns a number of the flag's kind and range (number or whole_number), or bad_value().
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

// Returns a time in the flag's range: "90" and "1.5" are seconds; with units it is "30d", "1h30m", "20s" or "500ms".
// Fails with bad_value().
Result<std::chrono::microseconds> span_value(const Flag& flag, std::string_view value) {
  const auto span = base::span_of_text(value);
  if (!span) return bad_value(flag, value);
  const double seconds = std::chrono::duration<double>(*span).count();
  if (!(seconds >= flag.range.min && seconds <= flag.range.max)) return bad_value(flag, value);
  return *span;
}

}  // namespace

const Flag& Given::flag(std::string_view name) const {
  const Flag* const flag = find_flag(*command_, name);
  assert(flag != nullptr);
  return *flag;
}

const std::vector<std::string>& Given::all(std::string_view name) const {
  static const std::vector<std::string> none;
  assert(find_flag(*command_, name) != nullptr);
  const auto found = values_.find(name);
  return found == values_.end() ? none : found->second;
}

std::optional<std::string> Given::text(std::string_view name) const {
  return has(name) ? std::optional(all(name).back()) : std::nullopt;
}

std::string Given::text(std::string_view name, std::string_view otherwise) const {
  return has(name) ? all(name).back() : std::string(otherwise);
}

std::chrono::milliseconds Given::span(std::string_view name, std::chrono::milliseconds otherwise) const {
  if (!has(name)) return otherwise;
  return std::chrono::duration_cast<std::chrono::milliseconds>(span_value(flag(name), all(name).back()).value());
}

double Given::number(std::string_view name, double otherwise) const {
  return has(name) ? number_value(flag(name), all(name).back()).value() : otherwise;
}

std::uint64_t Given::size(std::string_view name, std::uint64_t otherwise) const {
  return has(name) ? size_value(flag(name), all(name).back()).value() : otherwise;
}

Error Given::bad(std::string_view name, std::string_view value) const { return bad_value(flag(name), value); }

void Given::set(const Flag& flag, std::vector<std::string> values) {
  if (flag.lists == Lists::none && values.size() > 1) values.erase(values.begin(), values.end() - 1);
  if (flag.takes == Takes::nothing && !values.empty()) {
    const bool is_on = values[0] == "true" || values[0] == "1";
    values = is_on ? std::vector<std::string>{"true"} : std::vector<std::string>();
  }
  if (values.empty()) {
    values_.erase(flag.name);
  } else {
    values_[flag.name] = std::move(values);
  }
}

std::string find_wrong_value(const Given& given) {
  for (const Flag& flag : given.command().flags) {
    if (flag.is_checked_by_command) continue;
    for (const std::string& value : given.all(flag.name)) {
      if (auto checked = check_value(flag, value); !checked) return checked.error().message;
    }
  }
  return {};
}

std::string accepted_range(const Flag& flag) {
  const auto [min, max] = flag.range;
  switch (flag.takes) {
    case Takes::span: return shown_span(min) + " to " + shown_span(max);
    case Takes::number:
    case Takes::whole_number: return shown(min) + " to " + shown(max);
    default: return {};
  }
}

Error bad_value(const Flag& flag, std::string_view value) {
  return Error{"invalid-value", not_accepted(flag, "--" + std::string(flag.name), value)};
}

std::string missing_value(const Flag& flag) {
  return "--" + std::string(flag.name) + " needs a value; give " + accepted(flag);
}

Result<void> check_value(const Flag& flag, std::string_view value) {
  const auto checked = [&](bool is_accepted) { return is_accepted ? Result<void>() : bad_value(flag, value); };
  switch (flag.takes) {
    case Takes::size:
    case Takes::size_or_none: return checked(size_value(flag, value).ok());
    case Takes::span: return checked(span_value(flag, value).ok());
    case Takes::number:
    case Takes::whole_number: return checked(number_value(flag, value).ok());
    case Takes::choice: return checked(is_choice(flag, value));
    default: return {};
  }
}

std::string value_error(const Flag& flag, std::string_view name, std::string_view value) {
  if (!check_value(flag, value)) return not_accepted(flag, name, value);
  const auto error_in = [name](const auto& choice) {
    return choice ? std::string() : std::string(name) + ": " + choice.error().message;
  };
  if (flag.takes == Takes::policy) return error_in(choose_policy(std::string(value), false));
  const bool is_dialect =
      flag.takes == Takes::dialect || (flag.takes == Takes::dialect_or_all && value != all_dialects);
  return is_dialect ? error_in(choose_dialect(std::string(value))) : std::string();
}

Result<std::uint64_t> size_value(const Flag& flag, std::string_view value) {
  if (flag.takes == Takes::size_or_none && value == "none") return std::numeric_limits<std::uint64_t>::max();
  const auto size = read_size(value);
  if (!size || *size == 0) return bad_value(flag, value);
  return *size;
}

}  // namespace robotrules::cli
