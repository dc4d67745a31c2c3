#include "cli/flags/flag_settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>
#include <vector>

#include "base/escape.hpp"
#include "base/slips.hpp"
#include "cli/flags/given.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {

namespace {

constexpr std::string_view variable_prefix = "ROBOTRULES_";

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
  return flag.lists == Lists::none ? std::vector<std::string>{text} : parts_of(text, static_cast<char>(flag.lists));
}

// The options of a command while sources fill them in, one after the other. The first source that sets an option wins.
class Filling {
 public:
  explicit Filling(Given& given) : given_(given) {
    for (const Flag& flag : given.command().flags) {
      if (given.has(flag.name)) decided_.push_back(&flag);
    }
    typed_ = decided_.size();
  }

  bool is_decided(const Flag& flag) const { return std::ranges::find(decided_, &flag) != decided_.end(); }

  // Takes the settings of one source. Precondition: each flag is in it once.
  void take(const std::vector<Setting>& settings) {
    const Given nearer = given_;
    for (const Setting& setting : settings) {
      if (is_decided(*setting.flag)) continue;
      decided_.push_back(setting.flag);
      if (!is_contradicted(*setting.flag, nearer)) given_.set(*setting.flag, setting.values);
    }
  }

  // Takes back the settings that need an option which no source has given. Call it after the last source.
  void finish() {
    for (std::size_t i = typed_; i < decided_.size(); ++i) {
      const bool is_useless = std::ranges::any_of(needed, [&](const Need& need) {
        return need.command == given_.command().name && need.option == decided_[i]->name && !given_.has(need.needs);
      });
      if (is_useless) given_.set(*decided_[i], {});
    }
  }

 private:
  static bool is_contradicted(const Flag& flag, const Given& nearer) {
    return std::ranges::any_of(contradicting, [&](const Contradiction& pair) {
      if (pair.first != flag.name && pair.second != flag.name) return false;
      const std::string_view other = pair.first == flag.name ? pair.second : pair.first;
      return find_flag(nearer.command(), other) != nullptr && nearer.has(other);
    });
  }

  Given& given_;
  std::vector<const Flag*> decided_;
  std::size_t typed_ = 0;  // the first ones, on the command line
};

// Returns a sentence if a value does not fit, else an empty string.
std::string take_variables(const Command& command, Filling& filling) {
  std::vector<Setting> settings;
  for (const Flag& flag : command.flags) {
    if (flag.is_typed_only || filling.is_decided(flag)) continue;
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

}  // namespace

std::span<const Contradiction> contradictions() noexcept { return contradicting; }

std::span<const Need> needs() noexcept { return needed; }

bool takes_settings(const Command& command) { return find_flag(command, "config") != nullptr; }

std::string variable_of(const Flag& flag) {
  std::string name(variable_prefix);
  for (const char c : flag.name) name += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  return name;
}

bool fits_other_command(const Command& command, std::string_view name, const std::function<bool(const Flag&)>& fits) {
  return std::ranges::any_of(commands(), [&](const Command& other) {
    const Flag* const flag = find_flag(other, name);
    return other.name != command.name && flag != nullptr && !flag->is_typed_only && fits(*flag);
  });
}

std::string fill_in(Given& given) {
  const Command& command = given.command();
  if (!takes_settings(command)) return {};
  Filling filling(given);
  if (std::string error = take_variables(command, filling); !error.empty()) return error;
  if (const auto path = given.text("config")) {
    const auto file = read_config_file(command, *path);
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
  for (const Command& each : commands()) {
    for (const Flag& flag : each.flags) {
      if (!flag.is_typed_only) known.push_back(variable_of(flag));
    }
  }
  std::vector<std::string> own, unread;
  for (const Flag& flag : command.flags) (flag.is_typed_only ? unread : own).push_back(variable_of(flag));
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
