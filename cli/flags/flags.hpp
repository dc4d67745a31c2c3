// The one table of flags. The parser, --help, the man page and the shells' completions are all made from it: a new
// flag is a line in flags.cpp and a member of Options.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace robotrules::cli {

// What was typed. A flag that was not given is null or false.
struct Options {
  std::optional<std::string> robots;
  std::optional<std::string> robots_dir;
  std::optional<std::string> db;
  std::optional<std::string> agent;
  std::optional<std::string> robot;
  std::vector<std::string> agents;  // where --agent may be given again and again
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
  std::optional<std::string> from;
  std::optional<std::string> timeout;
  bool offline = false;
  std::vector<std::string> inputs;  // what is from here to `config` is of get
  std::vector<std::string> sitemap_urls;
  bool sitemaps = false;
  bool sitemap_any_host = false;
  std::optional<std::string> output;
  std::optional<std::string> log;
  std::optional<std::string> delay;
  std::optional<std::string> concurrency;
  std::optional<std::string> per_host;
  std::optional<std::string> rate;
  std::optional<std::string> max_size;
  std::optional<std::string> memory;
  std::optional<std::string> max_redirects;
  std::optional<std::string> max_wait;
  std::optional<std::string> tries;
  std::optional<std::string> level;
  bool no_bodies = false;
  bool keep_secrets = false;
  bool revisit = false;
  bool retry = false;
  bool obey_page = false;
  bool dry_run = false;
  bool quiet = false;
  std::optional<std::string> metrics;
  std::optional<std::string> config;
  std::optional<std::string> older_than;
  bool http = false;
  bool repair = false;
  bool help = false;
  bool version = false;
  std::vector<std::string> operands;
};

// What a flag or an operand takes; the completions offer it.
enum class Takes { nothing, text, file, directory, dialect, dialect_or_all, policy, url, shell };

struct Flag {
  std::string_view name;         // without the dashes
  char letter;                   // the short form; 0 for none
  std::string_view placeholder;  // "FILE"; empty for a switch
  Takes takes;
  std::variant<bool Options::*, std::optional<std::string> Options::*, std::vector<std::string> Options::*> target;
  std::string_view help;  // sentences; what can be named is added where it takes a dialect or a policy
};

struct Operand {
  std::string_view name;
  Takes takes;
  std::size_t least;
  std::size_t most;
  std::string_view help;
};
inline constexpr std::size_t any_number = static_cast<std::size_t>(-1);

struct Example {
  std::string_view line;
  std::string_view says;
};

struct Status {
  int number;
  std::string_view means;
};

struct Command {
  std::string_view name;
  std::string_view summary;  // half a line
  std::string_view about;    // paragraphs, parted by empty lines
  std::span<const Flag> flags;
  std::span<const Operand> operands;
  std::span<const Example> examples;
  std::span<const Status> statuses;
  bool hidden;
  int (*run)(const Options&);
};

// Every command, in the order of the help; and what `robotrules` alone takes.
std::span<const Command> commands() noexcept;
const Command& program() noexcept;
const Command* find_command(std::string_view name) noexcept;

// `flag.help`, with what can be given where that is a list.
std::string full_help(const Flag& flag);

// "robotrules check [--robots FILE|URL] ... URL..."
std::string usage_line(const Command& command);

// The commands: one file each.
int run_check(const Options& options);
int run_batch(const Options& options);
int run_show(const Options& options);
int run_diff(const Options& options);
int run_agents(const Options& options);
int run_lint(const Options& options);
int run_db(const Options& options);
int run_get(const Options& options);
int run_generate(const Options& options);

}  // namespace robotrules::cli
