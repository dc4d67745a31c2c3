
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

// Only the parser, in this file only: it takes long to compile.
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "base/escape.hpp"
#include "cli/flags/flag_settings.hpp"
#include "cli/flags/given.hpp"
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
      : command_(command), name_(input_name(path)), header_("[" + std::string(command.name) + "]") {}

  Result<ConfigSettings> read(std::string_view bytes) {
    const toml::parse_result file = toml::parse(bytes);
    if (!file) {
      return error(file.error().source(), "the file is not valid TOML (" + base::printable(file.error().description()) +
                                              "); correct it there");
    }
    for (const auto& [key, value] : file.table()) {
      const auto read = value.is_table() ? read_table(key, *value.as_table()) : read_shared(key, value);
      if (!read) return read.error();
    }
    return std::move(settings_);
  }

 private:
  Error error(const toml::source_region& place, const std::string& sentence) const {
    return Error{"invalid-config", name_ + ":" + std::to_string(place.begin.line) + ":" +
                                       std::to_string(place.begin.column) + ": " + sentence};
  }

  Result<void> read_table(const toml::key& key, const toml::table& table) {
    if (find_command(key.str()) == nullptr) {
      std::vector<std::string_view> names;
      for (const Command& command : commands()) names.push_back(command.name);
      const std::string_view near = nearest(key.str(), names);
      return error(key.source(),
                   "[" + base::printable(key.str()) + "] is not a command of robotrules; " +
                       (near.empty() ? "the options of " + std::string(command_.name) + " are in " + header_
                                     : "did you mean [" + std::string(near) + "]?"));
    }
    if (key.str() != command_.name) return {};
    for (const auto& [option, given] : table) {
      const Flag* const flag = setting_in(command_, option.str());
      if (flag == nullptr) return unknown_option(option, {&command_, 1}, "robotrules " + std::string(command_.name));
      auto setting = read_setting(*flag, given);
      if (!setting) return setting.error();
      if (!setting.value().values.empty()) settings_.own.push_back(std::move(setting).value());
    }
    return {};
  }

  // Reads a key above all tables.
  Result<void> read_shared(const toml::key& key, const toml::node& given) {
    const Flag* const own = setting_in(command_, key.str());
    const Flag* known = own;
    for (const Command& command : commands()) known = known != nullptr ? known : setting_in(command, key.str());
    if (find_command(key.str()) != nullptr && (known == nullptr || given.is_array_of_tables())) {
      const std::string name(key.str());
      return error(key.source(), "\"" + name + "\" is not a table; write [" + name + "] in a line of its own");
    }
    if (known == nullptr) return unknown_option(key, commands(), "robotrules");
    auto setting = read_setting(*known, given);
    if (!setting) {
      const auto fits = [&](const Flag& flag) { return read_setting(flag, given).ok(); };
      return fits_other_command(command_, key.str(), fits) ? Result<void>() : setting.error();
    }
    if (own != nullptr && !setting.value().values.empty()) settings_.shared.push_back(std::move(setting).value());
    return {};
  }

  // Returns the option of that name, or null if the command has none that a file may set.
  static const Flag* setting_in(const Command& command, std::string_view name) {
    const Flag* const flag = find_flag(command, name);
    return flag == nullptr || flag->is_typed_only || name == "config" ? nullptr : flag;
  }

  // `whose`: "robotrules get", or "robotrules" for a key above all tables.
  Error unknown_option(const toml::key& key, std::span<const Command> of, const std::string& whose) const {
    const std::string shown = '"' + base::printable(key.str()) + '"';
    std::vector<std::string_view> names;
    bool is_flag = false;
    for (const Command& command : of) {
      for (const Flag& flag : command.flags) {
        if (setting_in(command, flag.name) != nullptr) names.push_back(flag.name);
        is_flag = is_flag || (flag.name == key.str() && flag.name != "config");
      }
    }
    if (is_flag) return error(key.source(), shown + " cannot be set in a file; give it on the command line");
    const std::string all = of.size() == 1 ? whose : "robotrules COMMAND";
    return error(key.source(), shown + " is not an option of " + whose + "; " +
                                   suggestion(key.str(), names, all + " --help-all lists them"));
  }

  Result<Setting> read_setting(const Flag& flag, const toml::node& given) const {
    Setting setting{&flag, {}};
    const toml::array* array = given.as_array();
    if (array != nullptr && flag.lists == Lists::none) {
      return error(given.source(), std::string(flag.name) + " takes one value, not an array");
    }
    if (array == nullptr) {
      if (auto added = add_value(setting, given); !added) return added.error();
    } else {
      for (const toml::node& value : *array) {
        if (auto added = add_value(setting, value); !added) return added.error();
      }
    }
    return setting;
  }

  Result<void> add_value(Setting& setting, const toml::node& value) const {
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
  ConfigSettings settings_;
};

}  // namespace

Result<ConfigSettings> read_config_file(const Command& command, const std::string& path) {
  const FileBytes file = read_file(path);
  if (!file.ok()) return Error{"invalid-config", file.error};
  return ConfigFile(command, path).read(file.bytes);
}

}  // namespace robotrules::cli
