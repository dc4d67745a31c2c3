#include "cli/flags/flag_settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>
#include <vector>

#include "base/escape.hpp"
#include "base/slips.hpp"
#include "cli/flags/config_file.hpp"
#include "cli/flags/flag_values.hpp"
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

// Flags that only the command line sets, besides the --explain of lint and the --agent of agents.
constexpr std::string_view command_line_only[] = {"help",  "help-all", "version",      "fix",
                                                  "write", "repair",   "replace-agent"};

constexpr Contradiction contradicting[] = {{"strict", "policy"}, {"json", "format"}, {"fix", "json"},
                                           {"fix", "format"},    {"robots", "db"},   {"robots-dir", "db"},
                                           {"ipv4", "ipv6"}};

constexpr Need needed[] = {{"batch", "policy", "db"}, {"batch", "strict", "db"}, {"get", "queue", "db"},
                           {"get", "job", "db"},      {"get", "retry", "db"},    {"get", "revisit", "db"}};

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

// Returns a sentence if a value does not fit, else an empty string.
std::string check_values(const Flag& flag, const std::string& name, const std::vector<std::string>& values) {
  for (const std::string& value : values) {
    const bool is_truth = value == "true" || value == "1" || value == "false" || value == "0";
    if (flag.takes == Takes::nothing && !is_truth) {
      return name + ": takes true or false, not \"" + base::printable(value) + "\"";
    }
    if (std::string error = value_error(flag, name, value); !error.empty()) return error;
  }
  return {};
}

std::vector<std::string> values_of(const Flag& flag, const std::string& text) {
  return is_list(flag) ? parts_of(text, flag.takes_commas ? '\n' : ',') : std::vector<std::string>{text};
}

// The options of a command while sources fill them in, one after the other. The first source that sets an option wins.
class Filling {
 public:
  Filling(const Command& command, Options& options) : command_(command), options_(options) {
    for (const Flag& flag : command.flags) {
      if (is_given(flag, options)) decided_.push_back(&flag);
    }
    given_ = decided_.size();
  }

  bool is_decided(const Flag& flag) const { return std::ranges::find(decided_, &flag) != decided_.end(); }

  // Takes the settings of one source. Precondition: each flag is in it once.
  void take(const std::vector<Setting>& settings) {
    const Options nearer = options_;
    for (const Setting& setting : settings) {
      if (is_decided(*setting.flag)) continue;
      decided_.push_back(setting.flag);
      if (!is_contradicted(*setting.flag, nearer)) set_flag(*setting.flag, setting.values, options_);
    }
  }

  // Takes back the settings that need an option which no source has given. Call it after the last source.
  void finish() {
    for (std::size_t i = given_; i < decided_.size(); ++i) {
      const bool is_useless = std::ranges::any_of(needed, [&](const Need& need) {
        return need.command == command_.name && need.option == decided_[i]->name &&
               std::ranges::none_of(command_.flags, [&](const Flag& other) {
                 return other.name == need.needs && is_given(other, options_);
               });
      });
      if (is_useless) std::visit([this](auto target) { options_.*target = {}; }, decided_[i]->target);
    }
  }

 private:
  bool is_contradicted(const Flag& flag, const Options& nearer) const {
    return std::ranges::any_of(command_.flags, [&](const Flag& other) {
      const auto names = std::pair(flag.name, other.name);
      const auto is_pair = [&](const auto& pair) {
        return pair == names || pair == std::pair(names.second, names.first);
      };
      return std::ranges::any_of(contradicting, is_pair) && is_given(other, nearer);
    });
  }

  const Command& command_;
  Options& options_;
  std::vector<const Flag*> decided_;
  std::size_t given_ = 0;  // the first ones, on the command line
};

// Returns a sentence if a value does not fit, else an empty string.
std::string take_variables(const Command& command, Filling& filling) {
  std::vector<Setting> settings;
  for (const Flag& flag : command.flags) {
    if (!is_setting(flag) || filling.is_decided(flag)) continue;
    const std::string name = variable_of(flag);
    const char* const text = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): no thread runs yet
    if (text == nullptr || *text == '\0') continue;
    Setting setting{&flag, values_of(flag, text)};
    if (setting.values.empty()) continue;
    std::string error = check_values(flag, name, setting.values);
    if (error.empty()) {
      settings.push_back(std::move(setting));
      continue;
    }
    const auto fits = [&](const Flag& other) { return check_values(other, name, values_of(other, text)).empty(); };
    if (!fits_other_command(command, flag.name, fits)) return error;
  }
  filling.take(settings);
  return {};
}

// Returns every option that a variable or a file may set, of all commands.
std::vector<const Flag*> all_settings() {
  std::vector<const Flag*> all;
  for (const Command& command : commands()) {
    for (const Flag& flag : command.flags) {
      if (is_setting(flag)) all.push_back(&flag);
    }
  }
  return all;
}

}  // namespace

std::span<const Contradiction> contradictions() noexcept { return contradicting; }

std::span<const Need> needs() noexcept { return needed; }

bool is_setting(const Flag& flag) {
  return std::ranges::find(command_line_only, flag.name) == std::end(command_line_only) &&
         flag.target != Flag::Target(&Options::explain_code) && flag.target != Flag::Target(&Options::crawlers);
}

bool is_list(const Flag& flag) { return std::holds_alternative<std::vector<std::string> Options::*>(flag.target); }

bool takes_settings(const Command& command) {
  return std::ranges::any_of(command.flags, [](const Flag& flag) { return flag.name == "config"; });
}

std::string variable_of(const Flag& flag) {
  std::string name(variable_prefix);
  for (const char c : flag.name) name += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  return name;
}

bool fits_other_command(const Command& command, std::string_view name, const std::function<bool(const Flag&)>& fits) {
  return std::ranges::any_of(commands(), [&](const Command& other) {
    return other.name != command.name && std::ranges::any_of(other.flags, [&](const Flag& flag) {
             return flag.name == name && is_setting(flag) && fits(flag);
           });
  });
}

std::string fill_in(const Command& command, Options& options) {
  if (!takes_settings(command)) return {};
  Filling filling(command, options);
  if (std::string error = take_variables(command, filling); !error.empty()) return error;
  if (options.config) {
    const auto file = read_config_file(command, *options.config);
    if (!file) return file.error().message;
    filling.take(file.value().own);
    filling.take(file.value().shared);
  }
  filling.finish();
  return {};
}

std::vector<std::string> find_useless_variables(const Command& command) {
  std::vector<std::string> sentences;
  if (!takes_settings(command)) return sentences;
  std::vector<std::string> known;  // of any command
  for (const Flag* flag : all_settings()) known.push_back(variable_of(*flag));
  std::vector<std::string> own, unread;
  for (const Flag& flag : command.flags) (is_setting(flag) ? own : unread).push_back(variable_of(flag));
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable(*each);
    const std::string_view name = variable.substr(0, variable.find('='));
    if (!name.starts_with(variable_prefix) || std::ranges::find(known, name) != known.end()) continue;
    const std::string_view near = nearest(name, own);
    const std::size_t max_slips = std::clamp<std::size_t>((name.size() - variable_prefix.size()) / 3, 1, 2);
    if (std::ranges::find(unread, name) != unread.end()) {
      sentences.push_back(std::string(name) + " is not read: give this option on the command line");
    } else if (!near.empty() && base::slips_between(name, near, max_slips) <= max_slips) {
      sentences.push_back(base::printable(name) + " is not an option of " + std::string(command.name) +
                          "; did you mean " + std::string(near) + "?");
    }
  }
  return sentences;
}

}  // namespace robotrules::cli
