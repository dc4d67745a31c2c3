// The table of flags. The parser, --help, the manual page, the completions and the errors for bad values are all made
// from it: a new flag needs an entry in a *_commands.cpp file here and a member of Options.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace robotrules::cli {

// The command line as text. A flag that was not given is null or false.
struct Options {
  std::optional<std::string> robots;
  std::optional<std::string> robots_dir;
  std::optional<std::string> db;
  std::optional<std::string> queue;
  std::optional<std::string> agent;
  std::optional<std::string> robot;
  std::vector<std::string> agents;    // for commands that accept several --agent
  std::vector<std::string> crawlers;  // the --agent of agents
  std::vector<std::string> kinds;
  bool exact_agent = false;
  std::optional<std::string> url;
  std::optional<std::string> agents_file;
  std::optional<std::string> dialect;
  bool dialects = false;
  bool explain = false;
  bool json = false;
  std::optional<std::string> policy;
  bool strict = false;
  bool replace_agent = false;
  std::vector<std::string> allow_address;
  std::vector<std::string> allow_port;
  std::optional<std::string> ca_file;
  std::optional<std::string> client_cert;
  std::optional<std::string> client_key;
  std::optional<std::string> client_key_password;
  std::optional<std::string> proxy;
  std::vector<std::string> resolve;
  bool ipv4 = false;
  bool ipv6 = false;
  std::optional<std::string> from;
  std::optional<std::string> timeout;
  bool offline = false;
  std::vector<std::string> inputs;  // from here to `metrics_file`: get only
  std::vector<std::string> sitemap_urls;
  bool sitemaps = false;
  bool sitemap_any_host = false;
  std::optional<std::string> output;
  std::optional<std::string> log;
  std::optional<std::string> job;
  std::optional<std::string> state;
  std::vector<std::string> users;
  bool netrc = false;
  std::optional<std::string> netrc_file;
  std::optional<std::string> cookies;
  std::vector<std::string> headers;
  std::optional<std::string> delay;
  std::optional<std::string> adaptive;
  std::optional<std::string> pace_by;
  bool http2 = false;
  std::optional<std::string> concurrency;
  std::optional<std::string> per_host;
  std::optional<std::string> rate;
  std::optional<std::string> max_size;
  std::optional<std::string> memory;
  std::optional<std::string> max_redirects;
  std::optional<std::string> max_wait;
  std::optional<std::string> tries;
  std::optional<std::string> stop_within;
  std::optional<std::string> fail_on;
  std::optional<std::string> lint_fail_on;
  std::optional<std::string> level;
  std::optional<std::string> warc_max_size;
  std::vector<std::string> warc_headers;
  bool dedup = false;
  bool cdx = false;
  bool no_bodies = false;
  bool keep_secrets = false;
  bool revisit = false;
  bool retry = false;
  bool obey_page = false;
  bool dry_run = false;
  bool quiet = false;
  std::optional<std::string> metrics;
  std::optional<std::string> metrics_file;
  std::optional<std::string> config;
  std::optional<std::string> color;
  std::optional<std::string> format;  // from here to `explain_code`: lint only
  std::vector<std::string> only;
  std::vector<std::string> ignore;
  bool notes = false;
  bool all = false;
  std::optional<std::string> fix;  // "true": given without a value
  bool write = false;
  std::optional<std::string> explain_code;
  std::optional<std::string> older_than;
  bool http = false;
  bool path = false;  // from here to `port`: page only
  std::optional<std::string> port;
  bool repair = false;
  bool help = false;
  bool help_all = false;
  bool version = false;
  std::vector<std::string> operands;
};

// The kind of a value. Completions offer candidates for it, and flag_values.hpp reads it or says what is accepted.
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

struct Flag {
  using Target =
      std::variant<bool Options::*, std::optional<std::string> Options::*, std::vector<std::string> Options::*>;

  std::string_view name;              // without the dashes
  char letter = 0;                    // the short form; 0 if there is none
  std::string_view placeholder = {};  // "FILE"; empty for a switch; "[=CODE]": the value may be left out
  Takes takes = Takes::nothing;
  Range range = {};  // for number and whole_number, and for span in seconds
  Target target;
  std::string_view help;        // sentences; full_help() adds ranges, and the names of dialects and policies
  std::string_view brief = {};  // its line in the short help; empty: only --help-all lists it
  // The value may contain a password: no error shows it, and no job keeps it.
  bool is_secret = false;
  // Values may contain commas, so line breaks separate those of a list in a variable.
  bool takes_commas = false;
  std::string_view group = {};  // the heading above it in the help; empty: "Options"
};

struct Operand {
  std::string_view name;
  Takes takes = Takes::text;
  std::size_t min = 1;
  std::size_t max = 1;
  std::string_view help;
};
inline constexpr std::size_t any_number = static_cast<std::size_t>(-1);

// A task of a command that the word after the first operand names: "ls" in "robotrules db PATH ls".
struct Action {
  std::string_view name;
  std::string_view argument = {};  // required after the action; empty if no argument is allowed
  Takes takes = Takes::text;       // the argument
  std::string_view brief;          // its line in the short help
  std::string_view help;           // sentences
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
  int (*run)(const Options&) = nullptr;
};

// Returns every command, in the order of --help.
std::span<const Command> commands() noexcept;
// Returns `robotrules` without a command.
const Command& program() noexcept;
// Returns null if no command has that name.
const Command* find_command(std::string_view name) noexcept;
// Returns the flag that fills this member of Options. Flags of several commands that share a typed value share its kind
// and range. Precondition: there is one.
const Flag& flag_for(const Flag::Target& target) noexcept;

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

// Run a command and return its exit status.
int run_check(const Options& options);
int run_batch(const Options& options);
int run_show(const Options& options);
int run_diff(const Options& options);
int run_agents(const Options& options);
int run_lint(const Options& options);
int run_db(const Options& options);
int run_page(const Options& options);
int run_get(const Options& options);
int run_generate(const Options& options);
int run_help(const Options& options);

}  // namespace robotrules::cli
