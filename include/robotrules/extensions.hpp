// Values of the directives beyond Allow and Disallow, and the functions that read them.
//
//     auto delay = robotrules::parse_crawl_delay("0.5");         // 500 ms
//     auto rate = robotrules::parse_request_rate("1/10s");       // 1 request in 10 s
//     auto signal = robotrules::parse_content_signal("search=yes, ai-train=no");
//     if (signal && signal->ai_train == robotrules::Preference::disallowed) leave_out();
//
// Each function takes the value of one directive: the text after the colon, without its comment and without white space
// at both ends. If a function cannot read the value of a line, the diagnostics report the line, and it has no other
// effect. No directive here ever changes whether a URL may be fetched.
//
// Thread rule: pure functions of value types; they do not depend on the locale.
// Errors: null if the value does not have the form of its directive. Only std::bad_alloc is thrown.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>

namespace robotrules {

using Milliseconds = std::chrono::milliseconds;

// Returns the seconds of a Crawl-delay ("10", "0.5", ".5"), rounded up to the millisecond and at most 86,400 s. Returns
// null unless the value consists of ASCII digits and at most one dot. Signs, exponents, units, hexadecimal digits, NaN
// and infinity are not accepted.
ROBOTRULES_API std::optional<Milliseconds> parse_crawl_delay(std::string_view value) noexcept;

// A span of the day, in minutes after midnight UTC. `to` is included. If `from` > `to`, the span goes over midnight.
struct TimeOfDay {
  std::uint16_t from = 0;  // 0..1439
  std::uint16_t to = 0;    // 0..1439
  friend bool operator==(const TimeOfDay&, const TimeOfDay&) = default;
};

// Returns the span of a Visit-time: "0600-0845" (UTC). Blanks may surround or replace the hyphen.
ROBOTRULES_API std::optional<TimeOfDay> parse_visit_time(std::string_view value) noexcept;

// Request-rate: at most `requests` documents in each `period`.
struct RequestRate {
  std::uint32_t requests = 0;
  std::chrono::seconds period{0};
  std::optional<TimeOfDay> during;  // the time of day when the rate applies; null: always
  friend bool operator==(const RequestRate&, const RequestRate&) = default;
};

// Returns the rate of a Request-rate: "1/10s", "100/15m", "1/2h", "1/60" (in seconds), or with a span of the day
// "1/10s 1800-1900".
ROBOTRULES_API std::optional<RequestRate> parse_request_rate(std::string_view value) noexcept;

// Clean-param (Yandex): query parameters that do not change a page.
struct CleanParam {
  std::vector<std::string> parameters;
  std::string path;  // pattern of the paths where this applies, as in a rule; empty: every path
  friend bool operator==(const CleanParam&, const CleanParam&) = default;
};

// Returns the parameters and the path of a Clean-param: "ref&sid /some_dir/get_book.pl".
ROBOTRULES_API std::optional<CleanParam> parse_clean_param(std::string_view value);

// A site's preference about one use of its pages. `unknown`: the site states none.
enum class Preference : std::uint8_t { unknown, allowed, disallowed };
ROBOTRULES_API std::string_view to_string(Preference preference) noexcept;

// Content-Signal (Cloudflare, 2025).
struct ContentSignal {
  Preference search = Preference::unknown;
  Preference ai_input = Preference::unknown;
  Preference ai_train = Preference::unknown;
  friend bool operator==(const ContentSignal&, const ContentSignal&) = default;
};

// Returns the preferences of a Content-Signal: "search=yes, ai-input=no, ai-train=no". The case of keys and values is
// ignored, and so are unknown keys. If a key is repeated, the last one counts. Returns null if no known key has the
// value "yes" or "no".
ROBOTRULES_API std::optional<ContentSignal> parse_content_signal(std::string_view value) noexcept;

// Content-Usage (draft-ietf-aipref-attach).
struct ContentUsage {
  std::string_view path;  // pattern of the paths where this applies, as in a rule; empty: every path
  Preference train_ai = Preference::unknown;
  Preference ai_use = Preference::unknown;
  Preference search = Preference::unknown;
  friend bool operator==(const ContentUsage&, const ContentUsage&) = default;
};

// Returns the path and the preferences of a Content-Usage: "/private/ train-ai=n, search=y". The value is a
// dictionary of RFC 9651 with the values y and n. A path pattern that begins with "/" may come before it.
// Lifetime: `path` is a view of `value`.
ROBOTRULES_API std::optional<ContentUsage> parse_content_usage(std::string_view value) noexcept;

// The preferences of Content-Usage and Content-Signal lines for one URL. The two vocabularies are kept apart. Here
// `content_usage.path` is the pattern that decided; it is valid while the Rules it came from, or a copy of them, live.
struct Usage {
  ContentUsage content_usage;
  ContentSignal content_signal;
  friend bool operator==(const Usage&, const Usage&) = default;
};

}  // namespace robotrules
