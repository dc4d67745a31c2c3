#include "cli/flags/given.hpp"

#include <cassert>

#include "cli/flags/flag_values.hpp"

namespace robotrules::cli {

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
  const bool is_off = flag.takes == Takes::nothing && !values.empty() && values[0] != "true" && values[0] != "1";
  if (values.empty() || is_off) {
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

}  // namespace robotrules::cli
