// Directives beyond Allow and Disallow, as typed values.
//
// Every function reads the value of one directive (the text behind the colon, trimmed, without its comment), is total,
// free of the locale, and answers null where the value is not of its form: such a line is reported and otherwise
// ignored. None of them ever changes whether a URL may be fetched.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace robotrules {

using Milliseconds = std::chrono::milliseconds;

// Crawl-delay: seconds as a plain decimal number ("10", "0.5", ".5"), rounded up to the millisecond and capped at
// 86,400 s. Null for a sign, exponent, hexadecimal, NaN, infinity, unit or any octet but ASCII digits and one dot.
std::optional<Milliseconds> parse_crawl_delay(std::string_view value) noexcept;

// A span of the day in minutes after midnight UTC; `from` > `to` runs over midnight. `to` is included.
struct TimeOfDay {
  std::uint16_t from = 0;  // 0..1439
  std::uint16_t to = 0;    // 0..1439
  friend bool operator==(const TimeOfDay&, const TimeOfDay&) = default;
};

// Visit-time: "0600-0845" (UTC; blanks around the hyphen and a blank in its stead are accepted).
std::optional<TimeOfDay> parse_visit_time(std::string_view value) noexcept;

// Request-rate: `requests` documents in `period`; "1/10s", "100/15m", "1/2h", a bare "1/60" counts seconds; an
// optional span of the day, "1/10s 1800-1900".
struct RequestRate {
  std::uint32_t requests = 0;
  std::chrono::seconds period{0};
  std::optional<TimeOfDay> during;
  friend bool operator==(const RequestRate&, const RequestRate&) = default;
};
std::optional<RequestRate> parse_request_rate(std::string_view value) noexcept;

// Clean-param (Yandex): "ref&sid /some_dir/get_book.pl": parameters that do not change the page, under a path prefix
// (empty: everywhere).
struct CleanParam {
  std::vector<std::string> parameters;
  std::string path;
  friend bool operator==(const CleanParam&, const CleanParam&) = default;
};
std::optional<CleanParam> parse_clean_param(std::string_view value);

// What a site says of a use. `unknown`: it says nothing.
enum class Preference : std::uint8_t { unknown, allowed, disallowed };
std::string_view to_string(Preference preference) noexcept;

// Content-Signal (Cloudflare, 2025): "search=yes, ai-input=no, ai-train=no". Keys in any case; unknown keys are passed
// over; of a key given twice the last counts. Null where not one known key is well formed.
struct ContentSignal {
  Preference search = Preference::unknown;
  Preference ai_input = Preference::unknown;
  Preference ai_train = Preference::unknown;
  friend bool operator==(const ContentSignal&, const ContentSignal&) = default;
};
std::optional<ContentSignal> parse_content_signal(std::string_view value) noexcept;

// Content-Usage (draft-ietf-aipref-attach): an optional path pattern that begins with "/", then a dictionary of RFC
// 9651 with the values y and n: "/private/ train-ai=n, search=y". `path` is a view into `value`, empty where left out.
struct ContentUsage {
  std::string_view path;
  Preference train_ai = Preference::unknown;
  Preference ai_use = Preference::unknown;
  Preference search = Preference::unknown;
  friend bool operator==(const ContentUsage&, const ContentUsage&) = default;
};
std::optional<ContentUsage> parse_content_usage(std::string_view value) noexcept;

// What Content-Usage and Content-Signal say of one URL: two vocabularies, kept apart. The draft's `path` is the
// pattern that decided (a view that lives as long as the Rules it came from).
struct Usage {
  ContentUsage content_usage;
  ContentSignal content_signal;
  friend bool operator==(const Usage&, const Usage&) = default;
};

}  // namespace robotrules
