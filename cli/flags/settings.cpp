#include "cli/flags/settings.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/escape.hpp"
#include "cli/io/input.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {

bool is_given(const Flag& flag, const Options& options) {
  return std::visit(
      [&options](auto target) {
        const auto& value = options.*target;
        if constexpr (requires { value.has_value(); }) {
          return value.has_value();
        } else if constexpr (requires { value.empty(); }) {
          return !value.empty();
        } else {
          return value;
        }
      },
      flag.target);
}

std::string set_flag(const Flag& flag, const std::vector<std::string>& values, const std::string& where,
                     Options& options) {
  if (const auto* list = std::get_if<std::vector<std::string> Options::*>(&flag.target)) {
    options.** list = values;
    return {};
  }
  if (values.size() != 1) return where + ": takes one value, but " + std::to_string(values.size()) + " were given";
  if (const auto* text = std::get_if<std::optional<std::string> Options::*>(&flag.target)) {
    options.** text = values.front();
    return {};
  }
  const bool yes = values.front() == "true" || values.front() == "1";
  if (!yes && values.front() != "false" && values.front() != "0") {
    return where + ": takes true or false, not \"" + base::printable(values.front()) + "\"";
  }
  options.*std::get<bool Options::*>(flag.target) = yes;
  return {};
}

namespace {

bool is_setting(const Flag& flag) { return flag.name != "help" && flag.name != "version"; }

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

std::string fill_in_variables(const Command& command, Options& options) {
  for (const Flag& flag : command.flags) {
    if (!is_setting(flag) || is_given(flag, options)) continue;
    const std::string name = variable_of(flag);
    const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): no thread runs yet
    if (value == nullptr || *value == '\0') continue;
    const bool is_list = std::holds_alternative<std::vector<std::string> Options::*>(flag.target);
    auto values = is_list ? parts_of(value) : std::vector<std::string>{value};
    if (std::string error = set_flag(flag, values, name, options); !error.empty()) return error;
  }
  return {};
}

std::string fill_in_file(const Command& command, const std::string& path, Options& options) {
  const FileBytes file = read_file(path);
  if (!file.ok()) return file.error;
  std::vector<CLI::ConfigItem> items;
  try {
    std::istringstream stream(file.bytes);
    items = CLI::ConfigTOML().from_config(stream);
  } catch (const CLI::Error& error) {
    return input_name(path) + ": " + base::printable(error.what());
  }
  std::vector<std::string_view> names;
  for (const Flag& flag : command.flags) {
    if (is_setting(flag) && flag.name != "config") names.push_back(flag.name);
  }
  const Options before = options;  // it overrides the file
  for (const CLI::ConfigItem& item : items) {
    if (item.name == "++" || item.name == "--") continue;  // the begin and end of a table
    const std::string where = input_name(path) + ": " + base::printable(item.fullname());
    const auto flag = std::find_if(command.flags.begin(), command.flags.end(),
                                   [&](const Flag& known) { return known.name == item.fullname(); });
    if (flag == command.flags.end() || !is_setting(*flag) || flag->name == "config") {
      const std::string_view near = nearest(item.fullname(), names);
      return where + " is not an option" + (near.empty() ? "" : "; did you mean " + std::string(near) + "?");
    }
    if (is_given(*flag, before)) continue;
    if (std::string error = set_flag(*flag, item.inputs, where, options); !error.empty()) return error;
  }
  return {};
}

}  // namespace

std::string variable_of(const Flag& flag) {
  std::string name = "ROBOTRULES_";
  for (const char c : flag.name) name += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  return name;
}

std::string fill_in(const Command& command, Options& options) {
  const auto takes_config = [](const Flag& flag) { return flag.name == "config"; };
  if (std::none_of(command.flags.begin(), command.flags.end(), takes_config)) return {};
  if (std::string error = fill_in_variables(command, options); !error.empty()) return error;
  return options.config ? fill_in_file(command, *options.config, options) : std::string();
}

}  // namespace robotrules::cli
