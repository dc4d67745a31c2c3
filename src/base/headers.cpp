#include <robotrules/headers.hpp>

#include <algorithm>

#include "base/ascii.hpp"

namespace robotrules {

void Headers::set(std::string_view name, std::string_view value) {
  remove(name);
  add(name, value);
}

std::size_t Headers::remove(std::string_view name) {
  return std::erase_if(fields_, [&](const HeaderField& field) { return base::equals_ignore_case(field.name, name); });
}

std::optional<std::string_view> Headers::get(std::string_view name) const noexcept {
  for (const HeaderField& field : fields_) {
    if (base::equals_ignore_case(field.name, name)) return field.value;
  }
  return std::nullopt;
}

std::vector<std::string_view> Headers::all(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const HeaderField& field : fields_) {
    if (base::equals_ignore_case(field.name, name)) values.push_back(field.value);
  }
  return values;
}

bool Headers::is_sendable() const noexcept {
  const auto bad = [](char c) { return base::is_control(c) && c != '\t'; };
  return std::all_of(fields_.begin(), fields_.end(), [&](const HeaderField& field) {
    return !field.name.empty() && std::all_of(field.name.begin(), field.name.end(), base::is_token_octet) &&
           std::none_of(field.value.begin(), field.value.end(), bad);
  });
}

}  // namespace robotrules
