// Settings of a robots.txt as text for people.
#pragma once

#include <string>

#include <robotrules/compare.hpp>
#include <robotrules/extensions.hpp>

namespace robotrules::cli {

// Returns a Crawl-delay: "10 s", "0.5 s".
std::string seconds(Milliseconds delay);

// Returns a Visit-time: "1800-1900 UTC".
std::string time_of_day(const TimeOfDay& time);

// Returns a Request-rate: "1 request in 10 s, 1800-1900 UTC".
std::string request_rate(const RequestRate& rate);

// Returns "Content-Signal for *: ai-train=no". Bytes that are not printable are escaped.
std::string setting_line(const UncomparedSetting& setting);

}  // namespace robotrules::cli
