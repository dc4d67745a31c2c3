// The table of the commands that read robots.txt files as a whole: show, diff, agents, lint; and of page, generate and
// help.
#include "cli/flags/tables.hpp"

namespace robotrules::cli {
namespace {

// Exit statuses of commands that only print.
constexpr Status print_statuses[] = {{0, "Done."}, {2, "A usage or input error."}};

// Operands of commands that read one robots.txt.
constexpr Operand one_file_operands[] = {
    {"FILE|URL", Takes::file,
     "The robots.txt; \"-\" is standard input. For a URL without a path, the site's robots.txt is fetched."}};

constexpr auto show_flags =
    flags::with_network(Flag{"agent", 'a', "NAME", Takes::text,
                             "Show what applies to this robot: its merged rules, its delay, and the permitted uses of "
                             "content. A whole User-Agent header is reduced to the robot's name. A crawler of the list "
                             "of robotrules agents obeys the groups that the list says.",
                             "what applies to this robot: its rules, its delay"},
                        flags::exact_agent, flags::robot,
                        Flag{"dialects", 0, "", Takes::nothing,
                             "Compare the dialects: print each dialect's answer and the deciding line for \"/\" and "
                             "for example paths of every rule.",
                             "compare how the dialects read the file"},
                        flags::json_document);
constexpr auto diff_flags =
    flags::with_network(Flag{"agent", 'a', "NAME", Takes::text,
                             "Also compare for this robot; may be repeated. Every robot that either file names, and a "
                             "robot that neither file names, are always compared.",
                             "also compare for this robot"}
                            .list(Lists::lines),
                        flags::dialect, flags::json_document);
constexpr auto agents_flags =
    flags::with_network(Flag{"agent", 'a', "NAME", Takes::text,
                             "Print only this crawler of the list; may be repeated. A whole User-Agent header is "
                             "reduced to the robot's name.",
                             "print only this crawler"}
                            .list(Lists::lines)
                            .typed_only(),
                        Flag{"kind", 0, "KIND,...", Takes::kinds,
                             "Print only crawlers of these kinds; may be repeated. With --agent, both are printed.",
                             "print only crawlers of these kinds"}
                            .list(),
                        Flag{"url", 0, "URL", Takes::url,
                             "Which crawlers may fetch this page? A URL or a path; its host is not compared (default: "
                             "the summary counts \"/\").",
                             "which crawlers may fetch this page?"},
                        Flag{"agents-file", 'f', "FILE", Takes::file,
                             "Use this list of crawlers instead of the built-in list: a JSON document with the members "
                             "of data/crawlers.json.",
                             "use this list of crawlers"},
                        flags::dialect, flags::json_document);
constexpr auto lint_flags = flags::with_network(flags::joined(
    flags::in_group(
        "Findings",
        Flag{"notes", 0, "", Takes::nothing, "Print notes too: oddities that do no harm.",
             "print notes too: oddities that do no harm"},
        Flag{"all", 0, "", Takes::nothing, "Print every finding, not only the first one with each code.",
             "print every finding, not one for a code"},
        Flag{"only", 0, "CODE,...", Takes::codes, "Print only findings with these codes, notes too; may be repeated.",
             "print only findings with these codes"}
            .list(),
        Flag{"ignore", 0, "CODE,...", Takes::codes, "Leave out findings with these codes; may be repeated.",
             "leave out findings with these codes"}
            .list(),
        Flag{"explain", 0, "CODE", Takes::codes,
             "Explain the findings with this code, and exit; \"codes\" lists all codes.",
             "explain the findings with this code"}
            .typed_only()),
    flags::in_group("Output",
                    Flag{"format", 0, "text|json|sarif|github", Takes::choice,
                         "How to print the findings: text (default), json (one object per line), sarif (SARIF 2.1.0) "
                         "or github (workflow commands of GitHub Actions).",
                         "how to print the findings"},
                    flags::json,
                    Flag{"fail-on", 0, "error|warning|note", Takes::choice,
                         "End with status 1 if there is a finding of this severity or a graver one: error (default), "
                         "warning or note.",
                         "the severity that makes the status 1"}),
    flags::in_group(
        "Corrections",
        Flag{"fix", 0, "[=CODE,...]", Takes::codes,
             "Print the changes that fix the findings as a unified diff. Only changes that alter nothing of what "
             "robots may do are made, except for the codes that are named.",
             "print corrections as a diff"}
            .typed_only(),
        Flag{"write", 0, "", Takes::nothing, "With --fix: change the files.", "with --fix: change the files"}
            .typed_only())));

constexpr Operand diff_operands[] = {
    {"A", Takes::file, "The old robots.txt: a file or a URL; \"-\" is standard input."},
    {"B", Takes::file, "The new robots.txt: a file or a URL; \"-\" is standard input, but not for both."}};
constexpr Operand lint_operands[] = {
    {"FILE|URL", Takes::file,
     "The robots.txt; \"-\" is standard input. For a URL without a path, the site's robots.txt is fetched.", 0,
     any_number}};
constexpr Operand generate_operands[] = {
    {"man|bash|zsh|fish", Takes::choice, "A manual page, or the completions of a shell."},
    {"COMMAND", Takes::command, "For man: the command that the page is about (default: robotrules itself).", 0}};
constexpr Operand help_operands[] = {{"COMMAND", Takes::command, "The command (default: robotrules itself).", 0}};

constexpr Example show_examples[] = {
    {"robotrules show robots.txt", "Groups, rules, delays, sitemaps."},
    {"robotrules show --agent FooBot robots.txt", "Everything that applies to FooBot."},
    {"robotrules show --dialects robots.txt", "Which rules do robots read in different ways?"},
    {"robotrules show --json https://example.org", "A site's robots.txt as a JSON document."}};
constexpr Example diff_examples[] = {
    {"robotrules diff old.txt new.txt", "Which robots gained or lost access, and to which paths?"},
    {"robotrules diff --agent GPTBot --agent CCBot old.txt new.txt", "Also compare for these robots."},
    {"git show HEAD:robots.txt | robotrules diff - robots.txt", "What will the next commit change?"}};
constexpr Example agents_examples[] = {
    {"robotrules agents robots.txt", "Which known crawlers does this file keep out?"},
    {"robotrules agents --url /news/ robots.txt", "Which of them may fetch this page?"},
    {"robotrules agents --kind training,ai-search robots.txt", "Only what concerns AI."},
    {"robotrules agents --json robots.txt", "The same as a JSON document."}};
constexpr Example lint_examples[] = {
    {"robotrules lint robots.txt", "Findings as FILE:LINE:COLUMN, the way compilers print them."},
    {"robotrules lint https://example.org", "Check the robots.txt of a site."},
    {"robotrules lint --json */robots.txt", "Check many files; print one JSON object per finding."},
    {"robotrules lint --explain split-group", "More about one code."},
    {"robotrules lint --fix --write robots.txt", "Tidy the file; no verdict changes."},
    {"robotrules lint --format github --fail-on warning robots.txt", "For a job of GitHub Actions."}};
constexpr Example generate_examples[] = {
    {"robotrules generate man > robotrules.1", "The manual page robotrules(1)."},
    {"robotrules generate man get > robotrules-get.1", "The manual page robotrules-get(1)."},
    {"robotrules generate bash > /etc/bash_completion.d/robotrules", "Completion for bash."}};

constexpr Example help_examples[] = {{"robotrules help get", "The options of get that most people need."},
                                     {"robotrules get --help-all", "All its options."}};

constexpr Status diff_statuses[] = {{0, "No difference was found."},
                                    {1, "The files differ in what they say to a robot."},
                                    {2, "A usage or input error."}};
constexpr Status lint_statuses[] = {{0, "No error was found; there may be warnings and notes."},
                                    {1, "An error was found, or what --fail-on names."},
                                    {2, "A usage or input error."}};

constexpr auto page_flags = flags::joined(
    Flag{"path", 0, "", Takes::nothing,
         "Print the path of the page's file and exit. A browser can also open the file itself.",
         "print the path of the page's file and exit"},
    Flag{"port", 0, "PORT", Takes::whole_number, "Listen on this port of 127.0.0.1 (default: a free one).",
         "listen on this port (default: a free one)"}
        .between(1, 65'535),
    flags::common);

constexpr Example page_examples[] = {
    {"robotrules page", "Serve the page, and print its address."},
    {"robotrules page --port 8321", "The same at an address that stays the same."},
    {"xdg-open \"$(robotrules page --path)\"", "Open the page's file in a browser, without a server."}};

constexpr Status page_statuses[] = {{0, "The path was printed, or the server was ended with Ctrl-C or SIGTERM."},
                                    {2, "The page is not installed, the port is in use, or a usage error."}};

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

constinit const Command page_command{
    .name = "page",
    .summary = "try a robots.txt in a browser",
    .about =
        "Serves a page on a free port of 127.0.0.1 and prints its address. On the page you can edit a robots.txt, ask "
        "which robot may fetch which URL, and see which line decides.\n\n"
        "The page computes all answers itself. Nothing that is typed is sent anywhere, also not to this server, which "
        "only answers GET and HEAD for the page.",
    .flags = page_flags,
    .examples = page_examples,
    .statuses = page_statuses,
    .run = run_page};

}  // namespace robotrules::cli
