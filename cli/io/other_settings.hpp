// The settings of a robots.txt that no verdict depends on: preferences such as Content-Signal, and others.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <robotrules/robots_txt.hpp>

namespace robotrules::cli {

// Returns true if compare() does not compare lines of this kind, although robots may obey them.
bool is_uncompared(DirectiveKind kind) noexcept;

// A line that compare() does not compare. Two files with equal lines say the same, wherever the lines are.
struct OtherSetting {
  DirectiveKind kind;
  std::string value;
  std::set<std::string> agents;  // in lower case; empty: the line holds for the whole site
  std::uint32_t line = 0;
  std::string name;
};

// Returns these settings in file order.
std::vector<OtherSetting> uncompared_settings(const RobotsTxt& file);

// Returns those of `from` that `file` does not have for each of their robots.
std::vector<OtherSetting> missing_settings(const std::vector<OtherSetting>& from,
                                           const std::vector<OtherSetting>& file);

// Returns "Content-Signal for *: ai-train=no". Bytes that are not printable are escaped.
std::string setting_line(const OtherSetting& setting);

}  // namespace robotrules::cli
