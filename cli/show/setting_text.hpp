// Settings of a robots.txt as text for people.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include <robotrules/compare.hpp>
#include <robotrules/extensions.hpp>

#include "base/escape.hpp"

namespace robotrules::cli {

// Returns a Crawl-delay: "10 s", "0.5 s".
std::string seconds(Milliseconds delay);

// Returns a Visit-time: "1800-1900 UTC".
std::string time_of_day(const TimeOfDay& time);

// Returns a Request-rate: "1 request in 10 s, 1800-1900 UTC".
std::string request_rate(const RequestRate& rate);

// Returns "a, b and 3 more": all names if they are few, else the first of them. `name_of(x)` is the name of an element.
template <class Range, class NameOf = std::identity>
std::string first_names(const Range& names, NameOf name_of = {}) {
  constexpr std::size_t max_names = 20;  // the lines of a file can have the same names many thousand times
  const std::size_t shown = names.size() > max_names + 1 ? max_names : names.size();
  std::string list;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string_view name = name_of(names[i]);
    list += (i == 0 ? "" : ", ") + (name.empty() ? std::string("(no name)") : base::printable(name));
  }
  if (shown < names.size()) list += " and " + std::to_string(names.size() - shown) + " more";
  return list;
}

// Returns "Content-Signal for *: ai-train=no". Bytes that are not printable are escaped.
std::string setting_line(const UncomparedSetting& setting);

}  // namespace robotrules::cli
