// Values of the directives beyond Allow and Disallow. Everything is read byte by byte: no strtod, no locale.
#include <robotrules/extensions.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/ascii.hpp"
#include "core/structured_field.hpp"

namespace robotrules {
namespace {

constexpr std::int64_t max_delay_ms = 86'400'000;

std::string_view trim(std::string_view text) noexcept {
  while (!text.empty() && base::is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && base::is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Reads one or more digits and removes them from the front of `text`. Numbers beyond 32 bits become the largest one.
std::optional<std::uint32_t> take_number(std::string_view& text) noexcept {
  constexpr std::uint64_t largest = std::numeric_limits<std::uint32_t>::max();
  if (text.empty() || !base::is_digit(text.front())) return std::nullopt;
  std::uint64_t number = 0;
  while (!text.empty() && base::is_digit(text.front())) {
    number = std::min(largest, number * 10 + static_cast<std::uint64_t>(text.front() - '0'));
    text.remove_prefix(1);
  }
  return static_cast<std::uint32_t>(number);
}

// Reads "hhmm" and removes it from the front of `text`.
std::optional<std::uint16_t> take_clock(std::string_view& text) noexcept {
  if (text.size() < 4 || !std::all_of(text.begin(), text.begin() + 4, base::is_digit)) return std::nullopt;
  const int hours = (text[0] - '0') * 10 + (text[1] - '0');
  const int minutes = (text[2] - '0') * 10 + (text[3] - '0');
  if (hours > 23 || minutes > 59) return std::nullopt;
  text.remove_prefix(4);
  return static_cast<std::uint16_t>(hours * 60 + minutes);
}

Preference from_yes_no(std::string_view word) noexcept {
  if (base::equals_ignore_case(word, "yes")) return Preference::allowed;
  if (base::equals_ignore_case(word, "no")) return Preference::disallowed;
  return Preference::unknown;
}

}  // namespace

std::string_view to_string(Preference preference) noexcept {
  switch (preference) {
    case Preference::allowed: return "allowed";
    case Preference::disallowed: return "disallowed";
    case Preference::unknown: break;
  }
  return "unknown";
}

std::optional<Milliseconds> parse_crawl_delay(std::string_view value) noexcept {
  std::int64_t ms = 0;
  std::int64_t digit_worth = 0;  // value in ms of the next digit after the dot; 0 before the dot and after 3 places
  bool digits = false, dot = false, remainder = false;
  for (const char c : value) {
    if (c == '.' && !dot) {
      dot = true;
      digit_worth = 100;
    } else if (!base::is_digit(c)) {
      return std::nullopt;
    } else {
      digits = true;
      const std::int64_t digit = c - '0';
      if (!dot) {
        ms = std::min(max_delay_ms, ms * 10 + digit * 1000);  // capped, so that no number overflows
      } else {
        ms += digit * digit_worth;
        remainder = remainder || (digit_worth == 0 && digit != 0);
        digit_worth /= 10;
      }
    }
  }
  if (!digits) return std::nullopt;
  if (remainder) ++ms;
  return Milliseconds{std::min(max_delay_ms, ms)};
}

std::optional<TimeOfDay> parse_visit_time(std::string_view value) noexcept {
  const auto from = take_clock(value);
  if (!from) return std::nullopt;
  const std::size_t before = value.size();
  value = trim(value);
  bool separated = value.size() < before;
  if (!value.empty() && value.front() == '-') {
    value = trim(value.substr(1));
    separated = true;
  }
  const auto to = take_clock(value);
  if (!separated || !to || !value.empty()) return std::nullopt;
  return TimeOfDay{*from, *to};
}

std::optional<RequestRate> parse_request_rate(std::string_view value) noexcept {
  const auto requests = take_number(value);
  if (!requests || *requests == 0 || value.empty() || value.front() != '/') return std::nullopt;
  value.remove_prefix(1);
  const auto period = take_number(value);
  if (!period || *period == 0) return std::nullopt;
  std::int64_t unit = 1;
  if (!value.empty() && !base::is_blank(value.front())) {
    switch (base::lower(value.front())) {
      case 's': break;
      case 'm': unit = 60; break;
      case 'h': unit = 3600; break;
      default: return std::nullopt;
    }
    value.remove_prefix(1);
  }
  RequestRate rate{*requests, std::chrono::seconds{*period * unit}, std::nullopt};
  if (value.empty()) return rate;
  if (!base::is_blank(value.front())) return std::nullopt;
  value = trim(value);
  if (value.empty()) return rate;
  rate.during = parse_visit_time(value);
  if (!rate.during) return std::nullopt;
  return rate;
}

std::optional<CleanParam> parse_clean_param(std::string_view value) {
  const auto word_end = std::find_if(value.begin(), value.end(), base::is_blank);
  std::string_view names = value.substr(0, static_cast<std::size_t>(word_end - value.begin()));
  const std::string_view path = trim(value.substr(names.size()));
  if (names.empty() || names.front() == '/') return std::nullopt;
  if (std::any_of(path.begin(), path.end(), base::is_blank)) return std::nullopt;
  if (!path.empty() && path.front() != '/' && path.front() != '*') return std::nullopt;
  CleanParam result;
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find('&'));
    if (!name.empty()) result.parameters.emplace_back(name);
    names.remove_prefix(std::min(names.size(), name.size() + 1));
  }
  if (result.parameters.empty()) return std::nullopt;
  result.path = path;
  return result;
}

std::optional<ContentSignal> parse_content_signal(std::string_view value) noexcept {
  ContentSignal signal;
  bool any = false;
  while (!value.empty()) {
    const std::string_view member = value.substr(0, value.find(','));
    value.remove_prefix(std::min(value.size(), member.size() + 1));
    const std::size_t equals = member.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view key = trim(member.substr(0, equals));
    const Preference preference = from_yes_no(trim(member.substr(equals + 1)));
    if (preference == Preference::unknown) continue;
    Preference* target = base::equals_ignore_case(key, "search")     ? &signal.search
                         : base::equals_ignore_case(key, "ai-input") ? &signal.ai_input
                         : base::equals_ignore_case(key, "ai-train") ? &signal.ai_train
                                                                     : nullptr;
    if (target == nullptr) continue;
    *target = preference;
    any = true;
  }
  if (!any) return std::nullopt;
  return signal;
}

std::optional<ContentUsage> parse_content_usage(std::string_view value) noexcept {
  ContentUsage usage;
  if (!value.empty() && value.front() == '/') {
    const auto path_end = std::find_if(value.begin(), value.end(), base::is_blank);
    usage.path = value.substr(0, static_cast<std::size_t>(path_end - value.begin()));
    value.remove_prefix(usage.path.size());
  }
  value = trim(value);
  if (value.empty()) return std::nullopt;
  core::DictionaryReader reader(value);
  core::DictionaryMember member;
  while (reader.next(member)) {
    Preference* target = member.key == "train-ai" ? &usage.train_ai
                         : member.key == "ai-use" ? &usage.ai_use
                         : member.key == "search" ? &usage.search
                                                  : nullptr;
    // If a key is repeated, the last one counts, even if its value is unknown.
    if (target != nullptr) {
      *target = member.value == "y"   ? Preference::allowed
                : member.value == "n" ? Preference::disallowed
                                      : Preference::unknown;
    }
  }
  if (!reader.well_formed()) return std::nullopt;
  return usage;
}

}  // namespace robotrules
