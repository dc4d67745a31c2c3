#include "cli/show/setting_text.hpp"

#include "base/escape.hpp"

namespace robotrules::cli {
namespace {

std::string two_digits(unsigned number) { return std::string(number < 10 ? "0" : "") + std::to_string(number); }

}  // namespace

std::string seconds(Milliseconds delay) {
  const auto count = delay.count();
  std::string text = std::to_string(count / 1000);
  if (const auto rest = count % 1000; rest != 0) {
    std::string digits = std::to_string(1000 + rest).substr(1);
    while (digits.ends_with('0')) digits.pop_back();
    text += "." + digits;
  }
  return text + " s";
}

std::string time_of_day(const TimeOfDay& time) {
  const auto clock = [](unsigned minutes) { return two_digits(minutes / 60) + two_digits(minutes % 60); };
  return clock(time.from) + "-" + clock(time.to) + " UTC";
}

std::string request_rate(const RequestRate& rate) {
  std::string text = std::to_string(rate.requests) + (rate.requests == 1 ? " request in " : " requests in ") +
                     std::to_string(rate.period.count()) + " s";
  if (rate.during) text += ", " + time_of_day(*rate.during);
  return text;
}

std::string setting_line(const UncomparedSetting& setting) {
  const std::string names = setting.agents != nullptr ? " for " + first_names(*setting.agents) : std::string();
  return std::string(to_string(setting.kind)) + names + ": " + base::printable(setting.value);
}

}  // namespace robotrules::cli
