#include "cli/flags/config_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

// Only the parser, in this file only: it takes long to compile.
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "base/escape.hpp"
#include "cli/flags/settings.hpp"
#include "cli/flags/values.hpp"
#include "cli/io/input.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

bool takes_string(Takes takes) {
  return takes != Takes::nothing && takes != Takes::number && takes != Takes::whole_number;
}
bool takes_fraction(Takes takes) { return takes == Takes::number || takes == Takes::span; }
bool takes_whole_number(Takes takes) {
  return takes_fraction(takes) || takes == Takes::whole_number || takes == Takes::size || takes == Takes::size_or_none;
}

std::string_view wanted_type(Takes takes) {
  switch (takes) {
    case Takes::nothing: return "true or false";
    case Takes::span: return "seconds or a string with units, such as \"500ms\"";
    case Takes::size:
    case Takes::size_or_none: return "a number of bytes or a string with a unit, such as \"10MB\"";
    case Takes::number: return "a number";
    case Takes::whole_number: return "a whole number";
    default: return "a string";
  }
}

std::string_view type_of(const toml::node& value) {
  switch (value.type()) {
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "an array";
    case toml::node_type::string: return "a string";
    case toml::node_type::integer: return "a whole number";
    case toml::node_type::floating_point: return "a fraction";
    case toml::node_type::boolean: return "true or false";
    default: return "a date or a time of day";
  }
}

std::string number_text(double number) {
  std::array<char, 400> text;  // the longest number without an exponent has 310 digits before its point
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed).ptr;
  return {text.data(), end};
}

// Returns the value as the command line has it, or null if it has another type than `takes`.
std::optional<std::string> text_of(const toml::node& value, Takes takes) {
  if (const auto* text = value.as_string(); text != nullptr && takes_string(takes)) return text->get();
  if (const auto* number = value.as_integer(); number != nullptr && takes_whole_number(takes)) {
    return std::to_string(number->get());
  }
  if (const auto* number = value.as_floating_point(); number != nullptr && takes_fraction(takes)) {
    return number_text(number->get());
  }
  if (const auto* truth = value.as_boolean(); truth != nullptr && takes == Takes::nothing) {
    return truth->get() ? "true" : "false";
  }
  return std::nullopt;
}

class ConfigFile {
 public:
  ConfigFile(const Command& command, const std::string& path)
      : command_(command), name_(input_name(path)), header_("[" + std::string(command.name) + "]") {
    for (const Flag& flag : command.flags) {
      if (is_setting(flag) && flag.name != "config") options_.push_back(flag.name);
    }
  }

  Result<std::vector<FileSetting>> read(std::string_view bytes) {
    toml::parse_result file = toml::parse(bytes);
    if (!file) {
      return error(file.error().source(), "the file is not valid TOML (" + base::printable(file.error().description()) +
                                              "); correct it there");
    }
    for (const auto& [key, value] : file.table()) {
      if (auto checked = read_table(key, value); !checked) return checked.error();
    }
    return std::move(settings_);
  }

 private:
  Error error(const toml::source_region& place, const std::string& sentence) const {
    return Error{"invalid-config", name_ + ":" + std::to_string(place.begin.line) + ":" +
                                       std::to_string(place.begin.column) + ": " + sentence};
  }

  Result<void> read_table(const toml::key& key, const toml::node& value) {
    const std::string shown = base::printable(key.str());
    const toml::table* table = value.as_table();
    if (table == nullptr && key.str() == command_.name) {
      return error(key.source(), "\"" + shown + "\" is not a table; write " + header_ + " in a line of its own");
    }
    if (table == nullptr) {
      return error(key.source(), "\"" + shown + "\" is outside of a table; write " + header_ + " in a line above it");
    }
    if (find_command(key.str()) == nullptr) {
      const bool near = !nearest(key.str(), std::array{command_.name}).empty();
      return error(key.source(), "[" + shown + "] is not a command of robotrules; " +
                                     (near ? "did you mean " + header_ + "?"
                                           : "the options of " + std::string(command_.name) + " are in " + header_));
    }
    if (key.str() != command_.name) return {};
    for (const auto& [option, given] : *table) {
      if (auto read = read_option(option, given); !read) return read;
    }
    return {};
  }

  Result<void> read_option(const toml::key& key, const toml::node& given) {
    const auto flag = std::find_if(command_.flags.begin(), command_.flags.end(),
                                   [&key](const Flag& known) { return known.name == key.str(); });
    if (std::find(options_.begin(), options_.end(), key.str()) == options_.end()) {
      const std::string_view near = nearest(key.str(), options_);
      const std::string command = "robotrules " + std::string(command_.name);
      return error(key.source(),
                   "\"" + base::printable(key.str()) + "\" is not an option of " + command + "; " +
                       (near.empty() ? command + " --help lists them" : "did you mean " + std::string(near) + "?"));
    }
    FileSetting setting{&*flag, {}};
    const toml::array* array = given.as_array();
    if (array != nullptr && !is_list(*flag)) {
      return error(given.source(), std::string(flag->name) + " takes one value, not an array");
    }
    if (array == nullptr) {
      if (auto added = add_value(setting, given); !added) return added;
    } else {
      for (const toml::node& value : *array) {
        if (auto added = add_value(setting, value); !added) return added;
      }
    }
    if (!setting.values.empty()) settings_.push_back(std::move(setting));
    return {};
  }

  Result<void> add_value(FileSetting& setting, const toml::node& value) const {
    const std::string name(setting.flag->name);
    auto text = text_of(value, setting.flag->takes);
    if (!text) {
      return error(value.source(), name + " takes " + std::string(wanted_type(setting.flag->takes)) + "; " +
                                       std::string(type_of(value)) + " was given");
    }
    if (const std::string wrong = value_error(*setting.flag, name, *text); !wrong.empty()) {
      return error(value.source(), wrong);
    }
    setting.values.push_back(std::move(*text));
    return {};
  }

  const Command& command_;
  std::string name_;
  std::string header_;  // "[get]"
  std::vector<std::string_view> options_;
  std::vector<FileSetting> settings_;
};

}  // namespace

Result<std::vector<FileSetting>> read_config_file(const Command& command, const std::string& path) {
  const FileBytes file = read_file(path);
  if (!file.ok()) return Error{"invalid-config", file.error};
  return ConfigFile(command, path).read(file.bytes);
}

}  // namespace robotrules::cli
