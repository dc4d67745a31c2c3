// The table of the commands that read robots.txt files as a whole: show, diff, agents, lint; and of generate.
#include "cli/flags/tables.hpp"

namespace robotrules::cli {
namespace {

constexpr Flag show_agent{
    .name = "agent",
    .letter = 'a',
    .placeholder = "NAME",
    .takes = Takes::text,
    .target = &Options::agent,
    .help =
        "Show what applies to this robot: its merged rules, its delay, and the permitted uses of content. A whole "
        "User-Agent header is reduced to the robot's name. A crawler of the list of robotrules agents obeys the groups "
        "that the list says.",
    .brief = "what applies to this robot: its rules, its delay"};
constexpr Flag dialects{.name = "dialects",
                        .target = &Options::dialects,
                        .help =
                            "Compare the dialects: print each dialect's answer and the deciding line for \"/\" and "
                            "for example paths of every rule.",
                        .brief = "compare how the dialects read the file"};
constexpr Flag diff_agents{
    .name = "agent",
    .letter = 'a',
    .placeholder = "NAME",
    .takes = Takes::text,
    .target = &Options::agents,
    .help =
        "Also compare for this robot; may be repeated. Every robot that either file names, and a robot that "
        "neither file names, are always compared.",
    .brief = "also compare for this robot",
    .takes_commas = true};
constexpr Flag agents_file{.name = "agents-file",
                           .letter = 'f',
                           .placeholder = "FILE",
                           .takes = Takes::file,
                           .target = &Options::agents_file,
                           .help =
                               "Use this list of crawlers instead of the built-in list: a JSON document with the "
                               "members of data/crawlers.json.",
                           .brief = "use this list of crawlers"};

constexpr Flag agents_agent{.name = "agent",
                            .letter = 'a',
                            .placeholder = "NAME",
                            .takes = Takes::text,
                            .target = &Options::crawlers,
                            .help =
                                "Print only this crawler of the list; may be repeated. A whole User-Agent header is "
                                "reduced to the robot's name.",
                            .brief = "print only this crawler",
                            .takes_commas = true};
constexpr Flag agents_kind{
    .name = "kind",
    .placeholder = "KIND,...",
    .takes = Takes::kinds,
    .target = &Options::kinds,
    .help = "Print only crawlers of these kinds; may be repeated. With --agent, both are printed.",
    .brief = "print only crawlers of these kinds"};

constexpr Flag agents_url{.name = "url",
                          .placeholder = "URL",
                          .takes = Takes::url,
                          .target = &Options::url,
                          .help =
                              "Which crawlers may fetch this page? A URL or a path; its host is not compared "
                              "(default: the summary counts \"/\").",
                          .brief = "which crawlers may fetch this page?"};

constexpr Flag lint_format{
    .name = "format",
    .placeholder = "text|json|sarif|github",
    .takes = Takes::choice,
    .target = &Options::format,
    .help =
        "How to print the findings: text (default), json (one object per line), sarif (SARIF 2.1.0) "
        "or github (workflow commands of GitHub Actions).",
    .brief = "how to print the findings"};
constexpr Flag lint_notes{.name = "notes",
                          .target = &Options::notes,
                          .help = "Print notes too: oddities that do no harm.",
                          .brief = "print notes too: oddities that do no harm"};
constexpr Flag lint_all{.name = "all",
                        .target = &Options::all,
                        .help = "Print every finding, not only the first one with each code.",
                        .brief = "print every finding, not one for a code"};
constexpr Flag lint_only{.name = "only",
                         .placeholder = "CODE,...",
                         .takes = Takes::codes,
                         .target = &Options::only,
                         .help = "Print only findings with these codes, notes too; may be repeated.",
                         .brief = "print only findings with these codes"};
constexpr Flag lint_ignore{.name = "ignore",
                           .placeholder = "CODE,...",
                           .takes = Takes::codes,
                           .target = &Options::ignore,
                           .help = "Leave out findings with these codes; may be repeated.",
                           .brief = "leave out findings with these codes"};
constexpr Flag lint_fail_on{.name = "fail-on",
                            .placeholder = "error|warning|note",
                            .takes = Takes::choice,
                            .target = &Options::lint_fail_on,
                            .help =
                                "End with status 1 if there is a finding of this severity or a graver one: error "
                                "(default), warning or note.",
                            .brief = "the severity that makes the status 1"};
constexpr Flag lint_fix{.name = "fix",
                        .placeholder = "[=CODE,...]",
                        .takes = Takes::codes,
                        .target = &Options::fix,
                        .help =
                            "Print the changes that fix the findings as a unified diff. Only changes that alter "
                            "nothing of what robots may do are made, except for the codes that are named.",
                        .brief = "print corrections as a diff"};
constexpr Flag lint_write{.name = "write",
                          .target = &Options::write,
                          .help = "With --fix: change the files.",
                          .brief = "with --fix: change the files"};
constexpr Flag lint_explain{.name = "explain",
                            .placeholder = "CODE",
                            .takes = Takes::codes,
                            .target = &Options::explain_code,
                            .help = "Explain the findings with this code, and exit; \"codes\" lists all codes.",
                            .brief = "explain the findings with this code"};

constexpr auto show_flags =
    flags::with_network(std::array{show_agent, flags::exact_agent, flags::robot, dialects, flags::json_document});
constexpr auto diff_flags = flags::with_network(std::array{diff_agents, flags::dialect, flags::json_document});
constexpr auto agents_flags = flags::with_network(
    std::array{agents_agent, agents_kind, agents_url, agents_file, flags::dialect, flags::json_document});
constexpr auto lint_flags = flags::with_network(
    flags::joined(flags::in_group("Findings", std::array{lint_notes, lint_all, lint_only, lint_ignore, lint_explain}),
                  flags::in_group("Output", std::array{lint_format, flags::json, lint_fail_on}),
                  flags::in_group("Corrections", std::array{lint_fix, lint_write})));

constexpr Operand diff_operands[] = {
    {.name = "A", .takes = Takes::file, .help = "The old robots.txt: a file or a URL; \"-\" is standard input."},
    {.name = "B",
     .takes = Takes::file,
     .help = "The new robots.txt: a file or a URL; \"-\" is standard input, but not for both."}};
constexpr Operand lint_operands[] = {
    {.name = "FILE|URL",
     .takes = Takes::file,
     .min = 0,
     .max = any_number,
     .help = "The robots.txt; \"-\" is standard input. For a URL without a path, the site's robots.txt is fetched."}};
constexpr Operand generate_operands[] = {
    {.name = "man|bash|zsh|fish", .takes = Takes::choice, .help = "A manual page, or the completions of a shell."},
    {.name = "COMMAND",
     .takes = Takes::command,
     .min = 0,
     .help = "For man: the command that the page is about (default: robotrules itself)."}};
constexpr Operand help_operands[] = {
    {.name = "COMMAND", .takes = Takes::command, .min = 0, .help = "The command (default: robotrules itself)."}};

constexpr Example show_examples[] = {
    {.line = "robotrules show robots.txt", .says = "Groups, rules, delays, sitemaps."},
    {.line = "robotrules show --agent FooBot robots.txt", .says = "Everything that applies to FooBot."},
    {.line = "robotrules show --dialects robots.txt", .says = "Which rules do robots read in different ways?"},
    {.line = "robotrules show --json https://example.org", .says = "A site's robots.txt as a JSON document."}};
constexpr Example diff_examples[] = {
    {.line = "robotrules diff old.txt new.txt", .says = "Which robots gained or lost access, and to which paths?"},
    {.line = "robotrules diff --agent GPTBot --agent CCBot old.txt new.txt", .says = "Also compare for these robots."},
    {.line = "git show HEAD:robots.txt | robotrules diff - robots.txt", .says = "What will the next commit change?"}};
constexpr Example agents_examples[] = {
    {.line = "robotrules agents robots.txt", .says = "Which known crawlers does this file keep out?"},
    {.line = "robotrules agents --url /news/ robots.txt", .says = "Which of them may fetch this page?"},
    {.line = "robotrules agents --kind training,ai-search robots.txt", .says = "Only what concerns AI."},
    {.line = "robotrules agents --json robots.txt", .says = "The same as a JSON document."}};
constexpr Example lint_examples[] = {
    {.line = "robotrules lint robots.txt", .says = "Findings as FILE:LINE:COLUMN, the way compilers print them."},
    {.line = "robotrules lint https://example.org", .says = "Check the robots.txt of a site."},
    {.line = "robotrules lint --json */robots.txt", .says = "Check many files; print one JSON object per finding."},
    {.line = "robotrules lint --explain split-group", .says = "More about one code."},
    {.line = "robotrules lint --fix --write robots.txt", .says = "Tidy the file; no verdict changes."},
    {.line = "robotrules lint --format github --fail-on warning robots.txt", .says = "For a job of GitHub Actions."}};
constexpr Example generate_examples[] = {
    {.line = "robotrules generate man > robotrules.1", .says = "The manual page robotrules(1)."},
    {.line = "robotrules generate man get > robotrules-get.1", .says = "The manual page robotrules-get(1)."},
    {.line = "robotrules generate bash > /etc/bash_completion.d/robotrules", .says = "Completion for bash."}};

constexpr Example help_examples[] = {
    {.line = "robotrules help get", .says = "The options of get that most people need."},
    {.line = "robotrules get --help-all", .says = "All its options."}};

constexpr Status diff_statuses[] = {{.number = 0, .means = "No difference was found."},
                                    {.number = 1, .means = "The files differ in what they say to a robot."},
                                    {.number = 2, .means = "A usage or input error."}};
constexpr Status lint_statuses[] = {{.number = 0, .means = "No error was found; there may be warnings and notes."},
                                    {.number = 1, .means = "An error was found, or what --fail-on names."},
                                    {.number = 2, .means = "A usage or input error."}};

}  // namespace

constinit const Command show_command{
    .name = "show",
    .summary = "print the contents of a robots.txt",
    .about = "Prints groups, rules, delays, sitemaps and every other directive with their lines.",
    .flags = show_flags,
    .operands = one_file_operands,
    .examples = show_examples,
    .statuses = print_statuses,
    .run = run_show};

constinit const Command diff_command{
    .name = "diff",
    .summary = "compare two robots.txt files: what changed, and for which robots?",
    .about =
        "Compares the meaning of two files, not their text. For each robot whose access changed, prints an example "
        "path for each change and the rules that decided before (\"-\") and after (\"+\"). The exit status is 1 if "
        "the files differ.\n\n"
        "Also prints changed delays and added or removed sitemaps. Robots with the same changes are listed "
        "together.\n\n"
        "Both files are checked against example paths made from every rule. A reported difference is real; \"no "
        "difference\" means that no tried path differs.",
    .flags = diff_flags,
    .operands = diff_operands,
    .examples = diff_examples,
    .statuses = diff_statuses,
    .run = run_diff};

constinit const Command agents_command{
    .name = "agents",
    .summary = "which known crawlers are allowed?",
    .about =
        "Prints for each known crawler, by kind, whether it may fetch everything (\"everywhere\"), something "
        "(\"partly\") or nothing (\"nowhere\") of the site, and which group decides.\n\n"
        "/robots.txt itself does not count. With --url, prints whether it may fetch that page, and which rule decides. "
        "A summary counts the "
        "crawlers of each kind that may fetch the page or \"/\".\n\n"
        "The list of crawlers is built in. It also knows which crawlers obey the group of another name or ignore "
        "\"*\", "
        "and which may ignore robots.txt.",
    .flags = agents_flags,
    .operands = one_file_operands,
    .examples = agents_examples,
    .statuses = print_statuses,
    .run = run_agents};

constinit const Command lint_command{
    .name = "lint",
    .summary = "find mistakes in a robots.txt",
    .about =
        "Prints \"FILE:LINE:COLUMN: SEVERITY: MESSAGE [CODE]\" per finding, and below it how to fix it. "
        "The exit status is 1 if there is an error.\n\n"
        "Consequences for the whole site come first, then errors and warnings. Of several findings with one code, "
        "the first is printed, with the lines of the others. The number of findings goes to standard error.\n\n"
        "A comment in the file silences findings: \"# robotrules: ignore CODE\" those of its line, or of the next line "
        "if it is alone on its line; \"# robotrules: ignore-file CODE\" those of the whole file.",
    .flags = lint_flags,
    .operands = lint_operands,
    .examples = lint_examples,
    .statuses = lint_statuses,
    .run = run_lint};

constinit const Command generate_command{
    .name = "generate",
    .summary = "print a manual page or a shell's completions",
    .about = "Prints a manual page (man) or shell completions (bash, zsh, fish), made from the table of flags.",
    .flags = flags::common,
    .operands = generate_operands,
    .examples = generate_examples,
    .statuses = print_statuses,
    .hidden = true,
    .run = run_generate};

constinit const Command help_command{.name = "help",
                                     .summary = "explain a command",
                                     .about = "Prints the short help of a command, as robotrules COMMAND --help does.",
                                     .flags = flags::common,
                                     .operands = help_operands,
                                     .examples = help_examples,
                                     .statuses = print_statuses,
                                     .run = run_help};

}  // namespace robotrules::cli
