#include "cli/flags/settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "base/escape.hpp"
#include "cli/flags/config_file.hpp"
#include "cli/flags/values.hpp"
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

void set_flag(const Flag& flag, const std::vector<std::string>& values, Options& options) {
  if (const auto* list = std::get_if<std::vector<std::string> Options::*>(&flag.target)) {
    options.** list = values;
  } else if (const auto* text = std::get_if<std::optional<std::string> Options::*>(&flag.target)) {
    options.** text = values.front();
  } else {
    options.*std::get<bool Options::*>(flag.target) = values.front() == "true" || values.front() == "1";
  }
}

namespace {

constexpr std::string_view variable_prefix = "ROBOTRULES_";

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

// Returns a sentence if a value does not fit, else an empty string.
std::string check_variable(const Flag& flag, const std::string& name, const std::vector<std::string>& values) {
  for (const std::string& value : values) {
    const bool is_truth = value == "true" || value == "1" || value == "false" || value == "0";
    if (flag.takes == Takes::nothing && !is_truth) {
      return name + ": takes true or false, not \"" + base::printable(value) + "\"";
    }
    if (std::string error = value_error(flag, name, value); !error.empty()) return error;
  }
  return {};
}

std::string fill_in_variables(const Command& command, Options& options) {
  for (const Flag& flag : command.flags) {
    if (!is_setting(flag) || is_given(flag, options)) continue;
    const std::string name = variable_of(flag);
    const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): no thread runs yet
    if (value == nullptr || *value == '\0') continue;
    const auto values = is_list(flag) ? parts_of(value, flag.is_secret ? '\n' : ',') : std::vector<std::string>{value};
    if (std::string error = check_variable(flag, name, values); !error.empty()) return error;
    set_flag(flag, values, options);
  }
  return {};
}

std::string fill_in_file(const Command& command, const std::string& path, Options& options) {
  const auto settings = read_config_file(command, path);
  if (!settings) return settings.error().message;
  for (const FileSetting& setting : settings.value()) {
    if (!is_given(*setting.flag, options)) set_flag(*setting.flag, setting.values, options);
  }
  return {};
}

}  // namespace

bool is_setting(const Flag& flag) { return flag.name != "help" && flag.name != "help-all" && flag.name != "version"; }

bool is_list(const Flag& flag) { return std::holds_alternative<std::vector<std::string> Options::*>(flag.target); }

bool takes_settings(const Command& command) {
  return std::ranges::any_of(command.flags, [](const Flag& flag) { return flag.name == "config"; });
}

std::string variable_of(const Flag& flag) {
  std::string name(variable_prefix);
  for (const char c : flag.name) name += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  return name;
}

std::string fill_in(const Command& command, Options& options) {
  if (!takes_settings(command)) return {};
  if (std::string error = fill_in_variables(command, options); !error.empty()) return error;
  return options.config ? fill_in_file(command, *options.config, options) : std::string();
}

std::vector<std::string> find_misspelt_variables(const Command& command) {
  std::vector<std::string> sentences;
  if (!takes_settings(command)) return sentences;
  std::vector<std::string> known;
  for (const Flag& flag : command.flags) {
    if (is_setting(flag)) known.push_back(variable_of(flag));
  }
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable(*each);
    const std::string_view name = variable.substr(0, variable.find('='));
    if (!name.starts_with(variable_prefix) || std::ranges::find(known, name) != known.end()) continue;
    const std::string_view near = nearest(name, known);
    const std::size_t size = name.size() - variable_prefix.size();
    if (near.empty() || edit_distance(name, near) > std::clamp<std::size_t>(size / 3, 1, 2)) continue;
    sentences.push_back(base::printable(name) + " is not an option of " + std::string(command.name) +
                        "; did you mean " + std::string(near) + "?");
  }
  return sentences;
}

}  // namespace robotrules::cli
