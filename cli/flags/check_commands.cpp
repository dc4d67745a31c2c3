// The table of check and batch: questions about URLs.
#include "cli/flags/tables.hpp"

namespace robotrules::cli {
namespace {

constexpr auto check_flags = flags::with_network(flags::joined(
    flags::in_group("Robot",
                    Flag{"agent", 'a', "NAME", Takes::text,
                         "The robot's name, or its whole User-Agent header, which is reduced to the name (default: "
                         "robotrules); may be repeated. Requests send the first one unchanged. A crawler of the list "
                         "of robotrules agents obeys the groups that the list says.",
                         "the robot (default: robotrules); may be repeated"}
                        .list(Lists::lines),
                    flags::exact_agent, flags::robot),
    flags::in_group(
        "Rules",
        Flag{"robots", 'r', "FILE|URL", Takes::file,
             "Use this robots.txt instead of the one of each site; \"-\" is standard input.",
             "use this robots.txt instead of fetching"},
        Flag{"db", 'b', "PATH", Takes::file,
             "Use the fresh robots.txt files in this database (see robotrules db) and store fetched files there. The "
             "database is created if it does not exist.",
             "keep fetched robots.txt files in this database"},
        Flag{"offline", 0, "", Takes::nothing, "Fetch nothing: a site without a fresh robots.txt in --db is unknown.",
             "fetch nothing; use only what is in --db"},
        Flag{"dialect", 'D', "D", Takes::dialect_or_all, "How to read the file.",
             "how to read the file: google, ..., or all of them"}),
    flags::in_group("Output",
                    Flag{"explain", 'e', "", Takes::nothing,
                         "Print which rule decided, its line, the reason, and the rule that it overrode.",
                         "print the rule that decided, and its line"},
                    flags::json)));
constexpr auto batch_flags = flags::joined(
    Flag{"robots-dir", 'd', "DIR", Takes::directory, "A folder of robots.txt files, each named after its host.",
         "robots.txt files, each named after its host"},
    Flag{"db", 'b', "PATH", Takes::file,
         "A database of robots.txt files (see robotrules db); a site without a fresh file in it is unknown.",
         "a database of robots.txt files"},
    Flag{"agent", 'a', "NAME", Takes::text,
         "The robot's name (default: robotrules). A whole User-Agent header is reduced to the name. Only this name is "
         "compared with the groups, also for a crawler that obeys other groups too.",
         "the robot (default: robotrules)"},
    flags::dialect, flags::policy, flags::strict, flags::common);

constexpr Operand check_operands[] = {
    {"URL", Takes::url,
     "A URL that the robot would fetch, or with --robots a path. \"https://\" and the \"/\" of a path may be left out. "
     "\"-\" reads URLs from standard input, one per line; empty lines are ignored.",
     1, any_number}};

constexpr Example check_examples[] = {
    {"robotrules check --agent FooBot https://example.org/page",
     "May FooBot fetch this page? The site's robots.txt is fetched."},
    {"robotrules check --robots robots.txt --agent FooBot https://example.org/page",
     "The same question, answered from this file."},
    {"robotrules check --robots robots.txt --explain /private/x", "Which rule decides, and on which line?"},
    {"robotrules check --robots robots.txt --agent Googlebot --agent Googlebot-Image /logo.png",
     "May each of these robots fetch it?"},
    {"robotrules check --robots robots.txt --dialect all /private/x", "Do all robots read the file alike?"},
    {"robotrules check --db rules.db --json - < urls.txt",
     "Check many URLs of many sites, print JSON, and store the fetched files."}};
constexpr Example batch_examples[] = {
    {"robotrules batch --robots-dir robots --agent FooBot < questions.ndjson > answers.ndjson",
     "Questions such as {\"url\":\"https://example.org/x\"}, answered from the file robots/example.org."},
    {"printf '%s\\n' '{\"url\":\"/x\",\"robots\":\"User-agent: *\\nDisallow: /\"}' | robotrules batch",
     "A question that contains the file."}};

constexpr Status check_statuses[] = {{0, "Every URL is allowed; with \"--dialect all\", by every dialect."},
                                     {1, "At least one URL is disallowed or unknown."},
                                     {2, "A usage or input error."}};
constexpr Status batch_statuses[] = {{0, "Every line was answered."}, {2, "A usage or input error, or a bad line."}};

}  // namespace

constinit const Command check_command{
    .name = "check",
    .summary = "may a robot fetch these URLs?",
    .about =
        "Prints one line per URL: \"allowed\", \"disallowed\" or \"unknown\", a tab, and the URL. Without --robots, "
        "the "
        "robots.txt of each URL's site is fetched. The exit status is 0 if every URL is allowed.\n\n"
        "With several robots, there is a line for each of them, which ends with a tab and its name.\n\n"
        "Each robots.txt is fetched once, many sites at a time; answers keep the order of the URLs. If a robots.txt "
        "cannot be fetched, --policy decides: by RFC 9309, status 404 allows "
        "everything, and a server error disallows everything.\n\n"
        "With \"--dialect all\", the line is followed by the answer of every dialect and the rule that decided. The "
        "line begins with \"differs\" if the dialects disagree; \"*\" marks the dialects that differ from the default.",
    .flags = check_flags,
    .operands = check_operands,
    .examples = check_examples,
    .statuses = check_statuses,
    .run = run_check};

constinit const Command batch_command{
    .name = "batch",
    .summary = "answer a stream of questions, NDJSON in and out",
    .about =
        "Reads one JSON object per line from standard input and writes the same object with the members access "
        "(\"allowed\", \"disallowed\" or \"unknown\"), line (of the deciding rule; 0 if no rule decided) and rule.\n\n"
        "If a User-Agent header was reduced to a name, the member robot contains the name.\n\n"
        "Members read: url; agent (the robot's name, or its whole User-Agent header; else --agent); dialect (else "
        "--dialect); the robots.txt as robots (text) or robots_b64 (bytes), else the file named host (else the URL's "
        "host) under --robots-dir, else the file of the URL's site (else of https and host) in the database of --db. "
        "Any other member is copied unchanged. If the file is missing, the answer is \"unknown\".\n\n"
        "Order is kept, memory is bounded, all cores work. A bad line is answered by {\"error\": ..., \"input_line\": "
        "n}; no line is skipped.",
    .flags = batch_flags,
    .examples = batch_examples,
    .statuses = batch_statuses,
    .run = run_batch};

}  // namespace robotrules::cli
