// The table of flags. The parser, --help, the manual page, the completions and the errors for bad values are all made
// from it: a new flag needs an entry in a *_commands.cpp file here, and a line where its command reads its options.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace robotrules::cli {

class Given;

// The kind of a value. Completions offer candidates for it, and Given reads it.
enum class Takes {
  nothing,  // a switch
  text,
  file,
  directory,
  url,
  dialect,
  dialect_or_all,
  policy,
  command,
  codes,         // of lint's findings, separated by commas
  kinds,         // of crawlers, separated by commas
  size,          // bytes: "500k", "16M", "1GiB", "10MB"
  size_or_none,  // the same, or "none": no limit
  span,          // a time within a range: seconds ("90"), or with units ("500ms", "1h30m")
  number,        // within a range
  whole_number,  // within a range
  choice,        // one of the words of the placeholder, which "|" separates
};

// The smallest and the largest accepted number.
struct Range {
  double min = 0;
  double max = 0;
};

// Whether a flag may be repeated. The text separates its values in a variable.
enum class Lists : char { none, commas = ',', lines = '\n' };

struct Flag {
  std::string_view name;         // without the dashes
  char letter = 0;               // the short form; 0 if there is none
  std::string_view placeholder;  // "FILE"; empty for a switch; "[=CODE]": the value may be left out
  Takes takes = Takes::nothing;
  std::string_view help;        // sentences; full_help() adds ranges, and the names of dialects and policies
  std::string_view brief = {};  // its line in the short help; empty: only --help-all lists it
  Range range = {};             // for number and whole_number, and for span in seconds
  Lists lists = Lists::none;
  // The value may contain a password: no error shows it, and no job keeps it.
  bool is_secret = false;
  // No variable and no file sets flags that change files or delete something, and those that ask for help.
  bool is_typed_only = false;
  // The command says what is wrong with a value of the command line.
  bool is_checked_by_command = false;
  std::string_view group = {};  // the heading above it in the help; empty: "Options"

  constexpr Flag between(double min, double max) const { return with(&Flag::range, Range{min, max}); }
  constexpr Flag list(Lists how = Lists::commas) const { return with(&Flag::lists, how); }
  constexpr Flag secret() const { return with(&Flag::is_secret, true); }
  constexpr Flag typed_only() const { return with(&Flag::is_typed_only, true); }
  constexpr Flag checked_by_command() const { return with(&Flag::is_checked_by_command, true); }

 private:
  template <class Value>
  constexpr Flag with(Value Flag::* member, Value value) const {
    Flag changed = *this;
    changed.*member = value;
    return changed;
  }
};

struct Operand {
  std::string_view name;
  Takes takes = Takes::text;
  std::string_view help;
  std::size_t min = 1;
  std::size_t max = 1;
};
inline constexpr std::size_t any_number = static_cast<std::size_t>(-1);

// A task of a command that the word after the first operand names: "ls" in "robotrules db PATH ls".
struct Action {
  std::string_view name;
  std::string_view argument;  // required after the action; empty if no argument is allowed
  Takes takes = Takes::text;  // the argument
  std::string_view brief;     // its line in the short help
  std::string_view help;      // sentences
};

struct Example {
  std::string_view line;
  std::string_view says;
};

struct Status {
  int number = 0;
  std::string_view means;
};

struct Command {
  std::string_view name;
  std::string_view summary;  // half a line
  std::string_view about;    // paragraphs, separated by empty lines; the short help has the first one
  std::span<const Flag> flags;
  std::span<const Operand> operands = {};
  std::span<const Action> actions = {};  // the words that the operand ACTION accepts
  std::span<const Example> examples;
  std::span<const Status> statuses;
  bool hidden = false;  // not listed by --help
  int (*run)(const Given&) = nullptr;
};

// Returns every command, in the order of --help.
std::span<const Command> commands() noexcept;
// Returns `robotrules` without a command.
const Command& program() noexcept;
// Returns null if no command has that name.
const Command* find_command(std::string_view name) noexcept;
// Returns null if the command has no flag of that name.
const Flag* find_flag(const Command& command, std::string_view name) noexcept;

// Returns `flag.help` and the accepted range of a number or a time, or the names of dialects, policies or kinds of
// crawlers.
std::string full_help(const Flag& flag);

// Returns the heading above the flag in the help and in the manual page.
std::string_view heading_of(const Flag& flag);

// Returns true if the value may be left out. A value must follow "=", because the next word may be an operand.
bool value_is_optional(const Flag& flag) noexcept;

// Returns "--robots FILE|URL", "--strict" or "--fix[=CODE]".
std::string with_placeholder(const Flag& flag);

// Returns the words that a value of this kind may be, or an empty list. Those of a choice are in the placeholder of its
// flag, or in the name of its operand. The first dialect and the first policy are the default.
std::vector<std::string_view> words_for(Takes takes, std::string_view placeholder = {});

// Returns true if a value of this kind may be several words with commas between them.
constexpr bool is_word_list(Takes takes) noexcept { return takes == Takes::codes || takes == Takes::kinds; }

// Returns the names of the actions of a command.
std::vector<std::string_view> action_names(const Command& command);

// Returns "robotrules check [OPTION]... URL...".
std::string usage_line(const Command& command);

// Each reads the options of its command, runs it and returns its exit status.
int run_check(const Given& given);
int run_batch(const Given& given);
int run_show(const Given& given);
int run_diff(const Given& given);
int run_agents(const Given& given);
int run_lint(const Given& given);
int run_db(const Given& given);
int run_page(const Given& given);
int run_get(const Given& given);
int run_generate(const Given& given);
int run_help(const Given& given);

}  // namespace robotrules::cli
