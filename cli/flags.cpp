#include "cli/flags.hpp"

#include <robotrules/dialect.hpp>

namespace robotrules::cli {
namespace {

// --- flags ------------------------------------------------------------------------------------------------------

constexpr Flag help{"help", 'h', "", Takes::nothing, &Options::help, "Print this help and exit."};
constexpr Flag version{"version", 'V', "", Takes::nothing, &Options::version, "Print the version and exit."};
constexpr Flag robots{"robots",         'r',
                      "FILE|URL",       Takes::file,
                      &Options::robots, "The robots.txt to read; \"-\" is standard input. A URL is not fetched yet."};
constexpr Flag robots_dir{"robots-dir",
                          'd',
                          "DIR",
                          Takes::directory,
                          &Options::robots_dir,
                          "A folder of robots.txt files, each named after its host."};
constexpr Flag agent{
    "agent",         'a',
    "NAME",          Takes::text,
    &Options::agent, "The robot's product token (default: robotrules). A whole User-Agent header is reduced to it."};
constexpr Flag show_agent{"agent",
                          'a',
                          "NAME",
                          Takes::text,
                          &Options::agent,
                          "Show what holds for this robot: its rules merged, its delay, what its content may be used "
                          "for. A whole User-Agent header is reduced to its product token."};
constexpr Flag dialect{"dialect", 'D', "D", Takes::dialect, &Options::dialect, "How the file is read."};
constexpr Flag explain{"explain",
                       'e',
                       "",
                       Takes::nothing,
                       &Options::explain,
                       "Say which rule decided, where it stands, why, and which rule it beat."};
constexpr Flag json{"json", 'j', "", Takes::nothing, &Options::json, "Print JSON, one object a line."};
constexpr Flag json_document{"json", 'j', "", Takes::nothing, &Options::json, "Print one JSON document."};

constexpr Flag program_flags[] = {help, version};
constexpr Flag check_flags[] = {robots, agent, dialect, explain, json, help};
constexpr Flag batch_flags[] = {robots_dir, agent, dialect, help};
constexpr Flag show_flags[] = {show_agent, json_document, help};
constexpr Flag lint_flags[] = {json, help};
constexpr Flag generate_flags[] = {help};

// --- operands ---------------------------------------------------------------------------------------------------

constexpr Operand check_operands[] = {
    {"URL", Takes::url, 1, any_number,
     "What the robot would like to fetch: absolute, or path and query beginning with \"/\". \"-\" reads URLs from "
     "standard input, one a line; empty lines are passed over."}};
constexpr Operand show_operands[] = {
    {"FILE|URL", Takes::file, 1, 1, "The robots.txt; \"-\" is standard input. A URL is not fetched yet."}};
constexpr Operand lint_operands[] = {
    {"FILE|URL", Takes::file, 1, any_number, "The robots.txt; \"-\" is standard input. A URL is not fetched yet."}};
constexpr Operand generate_operands[] = {{"WHAT", Takes::shell, 1, 1, "One of man, bash, zsh, fish."}};

// --- examples and exit statuses ---------------------------------------------------------------------------------

constexpr Example program_examples[] = {
    {"robotrules check --robots robots.txt --agent FooBot https://example.org/page", "May FooBot fetch this page?"},
    {"robotrules lint robots.txt", "What is wrong with this file?"},
    {"robotrules check --help", "More about one command."}};
constexpr Example check_examples[] = {
    {"robotrules check --robots robots.txt --agent FooBot https://example.org/page", "May FooBot fetch this page?"},
    {"robotrules check --robots robots.txt --explain /private/x", "Which rule says so, and on which line?"},
    {"robotrules check --robots robots.txt --json - < urls.txt", "Many URLs, answers for a program."}};
constexpr Example batch_examples[] = {
    {"robotrules batch --robots-dir robots --agent FooBot < questions.ndjson > answers.ndjson",
     "Questions such as {\"url\":\"https://example.org/x\"}, about the file robots/example.org."},
    {"printf '%s\\n' '{\"url\":\"/x\",\"robots\":\"User-agent: *\\nDisallow: /\"}' | robotrules batch",
     "The file inside the question."}};
constexpr Example show_examples[] = {
    {"robotrules show robots.txt", "Groups, rules, delays, sitemaps."},
    {"robotrules show --agent FooBot robots.txt", "What holds for FooBot."},
    {"curl -fsSL https://example.org/robots.txt | robotrules show --json -", "The same as a document for a program."}};
constexpr Example lint_examples[] = {
    {"robotrules lint robots.txt", "Findings as FILE:LINE:COLUMN, the way compilers print them."},
    {"robotrules lint --json */robots.txt", "Many files, a JSON object a finding."}};
constexpr Example generate_examples[] = {
    {"robotrules generate man > robotrules.1", "The manual page."},
    {"robotrules generate bash > /etc/bash_completion.d/robotrules", "Completion for bash."}};

constexpr Status program_statuses[] = {{0, "Done."}, {2, "A usage error."}};
constexpr Status check_statuses[] = {
    {0, "Every URL is allowed."}, {1, "At least one is not."}, {2, "A usage or input error."}};
constexpr Status batch_statuses[] = {{0, "Every line was answered."}, {2, "A usage or input error, or a bad line."}};
constexpr Status show_statuses[] = {{0, "Done."}, {2, "A usage or input error."}};
constexpr Status lint_statuses[] = {{0, "No error was found; there may be warnings and notes."},
                                    {1, "An error was found."},
                                    {2, "A usage or input error."}};

// --- commands ---------------------------------------------------------------------------------------------------

constexpr Command all_commands[] = {
    {"check", "may a robot fetch these URLs?",
     "Prints a line a URL: \"allowed\" or \"disallowed\", a tab, and the URL.", check_flags, check_operands,
     check_examples, check_statuses, false, run_check},
    {"batch",
     "answer a stream of questions, NDJSON in and out",
     "Reads a JSON object a line from standard input and writes the same object with the members access (\"allowed\", "
     "\"disallowed\" or \"unknown\"), line (of the deciding rule; 0 where none decided) and rule.\n\n"
     "Members read: url; agent (a product token, taken as it stands; else --agent); dialect (else --dialect); the "
     "robots.txt as robots (text) or "
     "robots_b64 (bytes), else the file named host (else the URL's host) under --robots-dir. Any other member is "
     "carried through. A missing file answers \"unknown\".\n\n"
     "Order is kept, memory is bounded, all cores work. A bad line gives {\"error\": ..., \"input_line\": n} in its "
     "place; nothing is skipped.",
     batch_flags,
     {},
     batch_examples,
     batch_statuses,
     false,
     run_batch},
    {"show", "print what a robots.txt says",
     "Prints groups, rules, delays, sitemaps and every other directive with their lines.", show_flags, show_operands,
     show_examples, show_statuses, false, run_show},
    {"lint", "find what is wrong with a robots.txt",
     "Prints \"FILE:LINE:COLUMN: SEVERITY: MESSAGE [CODE]\" a finding, and below it what to do. A count goes to "
     "standard error.",
     lint_flags, lint_operands, lint_examples, lint_statuses, false, run_lint},
    {"generate", "print the manual page or a shell's completions",
     "Prints what is made from the table of flags: the manual page (man) or completions (bash, zsh, fish).",
     generate_flags, generate_operands, generate_examples, show_statuses, true, run_generate},
};

constexpr Command program_itself{
    "",
    "read, match and explain robots.txt",
    "Results go to standard output, everything else to standard error. Colours are used on a terminal only, and not "
    "where NO_COLOR is set.",
    program_flags,
    {},
    program_examples,
    program_statuses,
    false,
    nullptr};

}  // namespace

std::span<const Command> commands() noexcept { return all_commands; }
const Command& program() noexcept { return program_itself; }

const Command* find_command(std::string_view name) noexcept {
  for (const Command& command : all_commands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

std::string full_help(const Flag& flag) {
  std::string text(flag.help);
  if (flag.takes != Takes::dialect) return text;
  text += " One of ";
  bool first = true;
  for (const Dialect& preset : Dialect::presets()) {
    text.append(first ? "" : ", ").append(preset.name).append(first ? " (default)" : "");
    first = false;
  }
  return text + ".";
}

std::string usage_line(const Command& command) {
  std::string line = "robotrules";
  if (command.name.empty()) return line + " COMMAND [OPTION]...";
  line.append(" ").append(command.name);
  for (const Flag& flag : command.flags) {
    if (flag.name == "help") continue;
    line.append(" [--").append(flag.name);
    if (!flag.placeholder.empty()) line.append(" ").append(flag.placeholder);
    line += ']';
  }
  for (const Operand& operand : command.operands) {
    line.append(" ").append(operand.name).append(operand.most == any_number ? "..." : "");
  }
  return line;
}

}  // namespace robotrules::cli
