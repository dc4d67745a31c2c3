#include "cli/flags/flags.hpp"

#include <robotrules/dialect.hpp>
#include <robotrules/robots_policy.hpp>

namespace robotrules::cli {
namespace {

// --- flags ------------------------------------------------------------------------------------------------------

constexpr Flag help{"help", 'h', "", Takes::nothing, &Options::help, "Print this help and exit."};
constexpr Flag version{"version",
                       'V',
                       "",
                       Takes::nothing,
                       &Options::version,
                       "Print the version, and that of libcurl as it is loaded, and exit."};
constexpr Flag robots{
    "robots",         'r',
    "FILE|URL",       Takes::file,
    &Options::robots, "The robots.txt to ask, in place of that of each site; \"-\" is standard input."};
constexpr Flag robots_dir{"robots-dir",
                          'd',
                          "DIR",
                          Takes::directory,
                          &Options::robots_dir,
                          "A folder of robots.txt files, each named after its host."};
constexpr Flag db{
    "db",
    'b',
    "PATH",
    Takes::file,
    &Options::db,
    "A database of robots.txt files (see robotrules db); a site of which none is fresh there is unknown."};
constexpr Flag check_db{"db",
                        'b',
                        "PATH",
                        Takes::file,
                        &Options::db,
                        "Use the robots.txt files that are fresh in this database (see robotrules db), and keep there "
                        "what is fetched. It is made where there is none."};
constexpr Flag agent{
    "agent",         'a',
    "NAME",          Takes::text,
    &Options::agent, "The robot's name (default: robotrules). A whole User-Agent header is reduced to it."};
constexpr Flag check_agent{"agent",
                           'a',
                           "NAME",
                           Takes::text,
                           &Options::agent,
                           "The robot's name, or its whole User-Agent header, which is reduced to the name (default: "
                           "robotrules). It is sent as it is given with what is fetched."};
constexpr Flag robot{
    "robot",         0,
    "NAME",          Takes::text,
    &Options::robot, "The name that robot has in robots.txt files, where --agent does not say it or says another."};
constexpr Flag show_agent{"agent",
                          'a',
                          "NAME",
                          Takes::text,
                          &Options::agent,
                          "Show what holds for this robot: its rules merged, its delay, what its content may be used "
                          "for. A whole User-Agent header is reduced to the robot's name."};
constexpr Flag dialect{"dialect", 'D', "D", Takes::dialect, &Options::dialect, "How the file is read."};
constexpr Flag dialect_or_all{"dialect", 'D', "D", Takes::dialect_or_all, &Options::dialect, "How the file is read."};
constexpr Flag dialects{"dialects",
                        'd',
                        "",
                        Takes::nothing,
                        &Options::dialects,
                        "Put the dialects side by side: for \"/\" and for example paths of every rule, the answer of "
                        "each with the line that decided."};
constexpr Flag diff_agents{"agent",
                           'a',
                           "NAME",
                           Takes::text,
                           &Options::agents,
                           "Compare for this robot too; may be given again. Every robot that either file names, and "
                           "one that none names, are compared in any case."};
constexpr Flag agents_file{"agents-file",
                           'f',
                           "FILE",
                           Takes::file,
                           &Options::agents_file,
                           "The crawlers to ask for, in place of the list inside the command: a JSON document of the "
                           "form of data/crawlers.json."};
constexpr Flag explain{"explain",
                       'e',
                       "",
                       Takes::nothing,
                       &Options::explain,
                       "Say which rule decided, where it stands, why, and which rule it beat."};
constexpr Flag json{"json", 'j', "", Takes::nothing, &Options::json, "Print JSON, one object a line."};
constexpr Flag json_document{"json", 'j', "", Takes::nothing, &Options::json, "Print one JSON document."};

constexpr Flag db_agent{"agent",
                        'a',
                        "NAME",
                        Takes::text,
                        &Options::agent,
                        "import: the robot whose database it is; refused when another name is kept, unless "
                        "--replace-agent is given (default: the name that is kept)."};
constexpr Flag replace_agent{"replace-agent",
                             0,
                             "",
                             Takes::nothing,
                             &Options::replace_agent,
                             "import: let the name of --agent replace another one; the records and visits that the "
                             "database has are cleared."};

// Of what goes on the network.
constexpr Flag policy{
    "policy",
    'P',
    "NAME",
    Takes::policy,
    &Options::policy,
    "How to treat a site whose robots.txt cannot be fetched (default: with a database, the policy that it "
    "keeps, else rfc9309)."};
constexpr Flag strict{"strict", 'S', "", Takes::nothing, &Options::strict, "The same as \"--policy strict\"."};
constexpr Flag allow_address{"allow-address",
                             'A',
                             "CIDR",
                             Takes::text,
                             &Options::allow_address,
                             "Let requests go to these addresses too, such as 127.0.0.0/8 or 10.1.2.3; may be given "
                             "again. Only addresses of the public Internet are asked otherwise."};
constexpr Flag allow_port{"allow-port",
                          0,
                          "PORT",
                          Takes::text,
                          &Options::allow_port,
                          "Let requests go to this port too; may be given again. Otherwise 80, 443 and those above "
                          "1023 are asked, but for those of other protocols and databases, such as 3306 and 6379."};
constexpr Flag from{
    "from",         'F',
    "ADDRESS",      Takes::text,
    &Options::from, "An e-mail address that reaches you, sent as From with every request (default: none is sent)."};
constexpr Flag timeout{"timeout",         'T',
                       "SECONDS",         Takes::text,
                       &Options::timeout, "How long one request may take, from 0.001 to 3600 (default: 20)."};
constexpr Flag offline{"offline",
                       'o',
                       "",
                       Takes::nothing,
                       &Options::offline,
                       "Fetch nothing: a site of which --db has no fresh robots.txt is unknown."};

constexpr Flag older_than{"older-than",
                          'o',
                          "SPAN",
                          Takes::text,
                          &Options::older_than,
                          "prune: forget what has not been fresh or visited for so long; 30d, 12h, 15m, 20s (default: "
                          "30d)."};
constexpr Flag http{"http",
                    'p',
                    "",
                    Takes::nothing,
                    &Options::http,
                    "import: the files of a folder are of http origins, "
                    "not https."};
constexpr Flag repair{"repair",
                      'R',
                      "",
                      Takes::nothing,
                      &Options::repair,
                      "check: move a damaged file aside and make a new one of what can be read in it."};

// Of get.
constexpr Flag input{"input",
                     'i',
                     "FILE",
                     Takes::file,
                     &Options::inputs,
                     "Read URLs from this file, one a line, or JSON objects with url and perhaps method, "
                     "headers and priority; \"-\" is standard input. May be given again."};
constexpr Flag sitemap{"sitemap",
                       0,
                       "URL",
                       Takes::url,
                       &Options::sitemap_urls,
                       "Fetch what this sitemap, or index of sitemaps, lists. May be given again."};
constexpr Flag sitemaps{"sitemaps",
                        0,
                        "",
                        Takes::nothing,
                        &Options::sitemaps,
                        "Fetch what the sitemaps list that the robots.txt files of the operands' sites name."};
constexpr Flag sitemap_any_host{"sitemap-any-host",
                                0,
                                "",
                                Takes::nothing,
                                &Options::sitemap_any_host,
                                "Fetch what sitemaps list of every host. Otherwise a sitemap may list URLs of its own "
                                "host, and of the host whose robots.txt names it."};
constexpr Flag output{"output",
                      'o',
                      "NAME",
                      Takes::file,
                      &Options::output,
                      "Where pages go: NAME.warc, NAME.warc.gz or NAME.warc.zst (WARC 1.1), NAME.ndjson, "
                      "a folder with \"/\" at its end, or \"-\", standard output, bodies one behind the "
                      "other (default)."};
constexpr Flag page_log{"log",       'l',           "FILE",
                        Takes::file, &Options::log, "Append a line of JSON for each URL: what became of it, and why."};
constexpr Flag get_db{"db",
                      'b',
                      "PATH",
                      Takes::file,
                      &Options::db,
                      "Keep the queue, the robots.txt files and when each site may be asked in this "
                      "database, so that the same command line goes on where it stopped. Made where there is "
                      "none."};
constexpr Flag get_agent{"agent",
                         'a',
                         "NAME",
                         Takes::text,
                         &Options::agent,
                         "The User-Agent header to send, such as \"MyBot/1.0\" (default: robotrules). The robot's "
                         "name in robots.txt files is found in it."};
constexpr Flag get_from{
    "from",         'F',
    "ADDRESS",      Takes::text,
    &Options::from, "An e-mail address that reaches you, sent as From with every request. Required."};
constexpr Flag delay{"delay",
                     'w',
                     "SECONDS",
                     Takes::text,
                     &Options::delay,
                     "From the end of one request of a site to the next, at least (default: 1). A longer Crawl-delay "
                     "holds, and what a server asks for with Retry-After."};
constexpr Flag concurrency{"concurrency",
                           'c',
                           "N",
                           Takes::text,
                           &Options::concurrency,
                           "Requests at once, of all sites together (default: 256)."};
constexpr Flag per_host{
    "per-host", 0, "N", Takes::text, &Options::per_host, "Requests at once of one site (default: 1)."};
constexpr Flag rate{
    "rate", 0, "N", Takes::text, &Options::rate, "URLs begun a second, of all sites together (default: any)."};
constexpr Flag max_size{"max-size",
                        0,
                        "SIZE",
                        Takes::text,
                        &Options::max_size,
                        "Octets of a body after which it is cut, such as 500k or 1G (default: 16M)."};
constexpr Flag memory{"memory",
                      0,
                      "SIZE",
                      Takes::text,
                      &Options::memory,
                      "Memory for everything in flight, such as 64M or 1G (default: 256M): bodies, decoders and pages "
                      "that wait to be written. At the limit nothing new begins and transfers pause; no page fails "
                      "for it. A body beyond 1 MiB goes on in a temporary file beside the output."};
constexpr Flag get_timeout{
    "timeout",
    'T',
    "SECONDS",
    Takes::text,
    &Options::timeout,
    "How long one URL may take with its redirects, waits of politeness not counted, from 0.001 to "
    "3600 (default: 60)."};
constexpr Flag max_redirects{"max-redirects",
                             0,
                             "N",
                             Takes::text,
                             &Options::max_redirects,
                             "Redirects that are followed, each through robots.txt and the site's gate (default: 7)."};
constexpr Flag max_wait{"max-wait",         0,
                        "SECONDS",          Takes::text,
                        &Options::max_wait, "A site that is to be left alone for longer is left out (default: 3600)."};
constexpr Flag tries{
    "tries",
    0,
    "N",
    Takes::text,
    &Options::tries,
    "How often a URL is asked for where the connection fails, or the server answers 429 or 503 (default: "
    "3)."};
constexpr Flag level{"level",
                     0,
                     "N",
                     Takes::text,
                     &Options::level,
                     "How hard to compress WARC files: 0 to 9 for gzip, 1 to 19 for zstd (default: 1)."};
constexpr Flag no_bodies{"no-bodies", 0, "", Takes::nothing, &Options::no_bodies, "Leave bodies out of NDJSON."};
constexpr Flag keep_secrets{
    "keep-secrets",
    0,
    "",
    Takes::nothing,
    &Options::keep_secrets,
    "Keep the values of Authorization and Cookie in the request records of WARC files, which only their owner may read "
    "then; otherwise a note stands in their place."};
constexpr Flag revisit{"revisit",
                       0,
                       "",
                       Takes::nothing,
                       &Options::revisit,
                       "Fetch again what --db says is done, where it has changed (ETag, Last-Modified)."};
constexpr Flag retry{
    "retry", 0, "", Takes::nothing, &Options::retry, "Try again what --db says has failed or was left out."};
constexpr Flag obey_page{
    "obey-page",
    0,
    "",
    Takes::nothing,
    &Options::obey_page,
    "Keep pages out of the output that forbid to be indexed or archived (X-Robots-Tag, robots meta "
    "elements); what became of them is still told. Links are not followed in any case, so that nofollow means nothing "
    "here."};
constexpr Flag dry_run{
    "dry-run",
    'n',
    "",
    Takes::nothing,
    &Options::dry_run,
    "Fetch robots.txt files only, and say of each site what would be fetched, what is denied or left out, and how long "
    "it would take, in columns with tabs between them."};
constexpr Flag get_explain{"explain",
                           'e',
                           "",
                           Takes::nothing,
                           &Options::explain,
                           "Say of each URL that is denied by which rule of which robots.txt, as it comes."};
constexpr Flag metrics{
    "metrics",
    0,
    "PORT",
    Takes::text,
    &Options::metrics,
    "Serve counters for Prometheus at http://127.0.0.1:PORT/metrics; ADDRESS:PORT serves others too."};
constexpr Flag quiet{"quiet", 'q', "", Takes::nothing, &Options::quiet, "No progress and no summary: errors alone."};
constexpr Flag config{
    "config",
    0,
    "FILE",
    Takes::file,
    &Options::config,
    "Take options from this TOML file, by their long names. Those of ROBOTRULES_* variables go before "
    "these, and flags before both."};

constexpr Flag program_flags[] = {help, version};
constexpr Flag check_flags[] = {robots, check_db, check_agent,   robot,      offline, dialect_or_all, explain, json,
                                policy, strict,   allow_address, allow_port, from,    timeout,        help};
constexpr Flag batch_flags[] = {robots_dir, db, agent, dialect, policy, strict, help};
constexpr Flag show_flags[] = {show_agent,    robot,      dialects, json_document, policy, strict,
                               allow_address, allow_port, from,     timeout,       help};
constexpr Flag diff_flags[] = {diff_agents,   dialect,    json_document, policy,  strict,
                               allow_address, allow_port, from,          timeout, help};
constexpr Flag agents_flags[] = {agents_file,   dialect,    json_document, policy,  strict,
                                 allow_address, allow_port, from,          timeout, help};
constexpr Flag lint_flags[] = {json, policy, strict, allow_address, allow_port, from, timeout, help};
constexpr Flag db_flags[] = {db_agent, replace_agent, policy, strict, older_than, http, repair, json, help};
constexpr Flag generate_flags[] = {help};
constexpr Flag get_flags[] = {
    input,    sitemap, sitemaps,      sitemap_any_host, output,       page_log,    get_db,  get_agent,   robot,
    get_from, delay,   concurrency,   per_host,         rate,         max_size,    memory,  get_timeout, max_redirects,
    max_wait, tries,   level,         no_bodies,        keep_secrets, revisit,     retry,   obey_page,   dialect,
    policy,   strict,  allow_address, allow_port,       dry_run,      get_explain, metrics, quiet,       config,
    help};

// --- operands ---------------------------------------------------------------------------------------------------

constexpr Operand check_operands[] = {
    {"URL", Takes::url, 1, any_number,
     "What the robot would like to fetch: absolute, or with --robots path and query beginning with \"/\". \"-\" reads "
     "URLs from standard input, one a line; empty lines are passed over."}};
constexpr Operand show_operands[] = {
    {"FILE|URL", Takes::file, 1, 1,
     "The robots.txt; \"-\" is standard input. Of a URL without a path, the site's robots.txt."}};
constexpr Operand diff_operands[] = {
    {"A", Takes::file, 1, 1, "The robots.txt as it was: a file or a URL; \"-\" is standard input."},
    {"B", Takes::file, 1, 1, "The robots.txt as it is now; \"-\" is standard input, but not for both."}};
constexpr Operand lint_operands[] = {
    {"FILE|URL", Takes::file, 1, any_number,
     "The robots.txt; \"-\" is standard input. Of a URL without a path, the site's robots.txt."}};
constexpr Operand db_operands[] = {
    {"PATH", Takes::file, 1, 1,
     "The database: a file, or sqlite:FILE. Only import (and robotrules check --db) makes one that is not there."},
    {"ACTION", Takes::text, 1, 1,
     "ls (every origin with its state), show ORIGIN, why URL (when may it be fetched, and because of what), import "
     "DIR|FILE, export (NDJSON), forget ORIGIN (its robots.txt and what its server asked for, so that it is asked "
     "again), prune, check, stats."},
    {"ARGUMENT", Takes::file, 0, 1,
     "Of import: a folder of files named by host, NDJSON as export writes it (\"-\": standard input), or a WARC file, "
     "plain or gzip."}};
constexpr Operand get_operands[] = {
    {"URL", Takes::url, 0, any_number, "What is to be fetched; more of it comes from --input and --sitemap."}};
constexpr Operand generate_operands[] = {{"WHAT", Takes::shell, 1, 1, "One of man, bash, zsh, fish."}};

// --- examples and exit statuses ---------------------------------------------------------------------------------

constexpr Example program_examples[] = {
    {"robotrules check --agent FooBot https://example.org/page", "May FooBot fetch this page?"},
    {"robotrules lint robots.txt", "What is wrong with this file?"},
    {"robotrules check --help", "More about one command."}};
constexpr Example check_examples[] = {
    {"robotrules check --agent FooBot https://example.org/page",
     "May FooBot fetch this page? The site's robots.txt is fetched."},
    {"robotrules check --robots robots.txt --agent FooBot https://example.org/page", "The same by this file."},
    {"robotrules check --robots robots.txt --explain /private/x", "Which rule says so, and on which line?"},
    {"robotrules check --robots robots.txt --dialect all /private/x", "Do all robots read it alike?"},
    {"robotrules check --db rules.db --json - < urls.txt",
     "Many URLs of many sites, answers for a program; what is fetched is kept."}};
constexpr Example batch_examples[] = {
    {"robotrules batch --robots-dir robots --agent FooBot < questions.ndjson > answers.ndjson",
     "Questions such as {\"url\":\"https://example.org/x\"}, about the file robots/example.org."},
    {"printf '%s\\n' '{\"url\":\"/x\",\"robots\":\"User-agent: *\\nDisallow: /\"}' | robotrules batch",
     "The file inside the question."}};
constexpr Example show_examples[] = {
    {"robotrules show robots.txt", "Groups, rules, delays, sitemaps."},
    {"robotrules show --agent FooBot robots.txt", "What holds for FooBot."},
    {"robotrules show --dialects robots.txt", "Which of its rules do robots read in different ways?"},
    {"robotrules show --json https://example.org", "A site's robots.txt as a document for a program."}};
constexpr Example diff_examples[] = {
    {"robotrules diff old.txt new.txt", "Who may fetch what now that could not before, and the reverse?"},
    {"robotrules diff --agent GPTBot --agent CCBot old.txt new.txt", "For these robots too."},
    {"git show HEAD:robots.txt | robotrules diff - robots.txt", "What will the next commit change?"}};
constexpr Example agents_examples[] = {
    {"robotrules agents robots.txt", "Which known crawlers does this file keep out?"},
    {"robotrules agents --json robots.txt", "The same as a document for a program."}};
constexpr Example lint_examples[] = {
    {"robotrules lint robots.txt", "Findings as FILE:LINE:COLUMN, the way compilers print them."},
    {"robotrules lint https://example.org", "What is wrong with a site's?"},
    {"robotrules lint --json */robots.txt", "Many files, a JSON object a finding."}};
constexpr Example db_examples[] = {
    {"robotrules db rules.db import robots/", "Begin a database with a folder of files named by host."},
    {"robotrules db rules.db why https://example.org/page", "When may I next fetch this page, and because of what?"},
    {"robotrules db rules.db forget https://example.org",
     "Ask this site again, although it asked to be left alone for hours."},
    {"robotrules db rules.db export | gzip > rules.ndjson.gz", "A copy that another machine can import."},
    {"robotrules db rules.db check --repair", "Save what can be read of a damaged file."}};
constexpr Example get_examples[] = {
    {"robotrules get --from me@example.org https://example.org/", "Fetch a page, politely, to standard output."},
    {"robotrules get -i urls.txt -o out.warc.gz --db crawl.db --agent MyBot/1.0 --from me@example.org",
     "Fetch a list. Stopped, even by kill -9, the same line goes on with it."},
    {"robotrules get -i urls.txt -n --from me@example.org", "What would be fetched, and how long would it take?"},
    {"robotrules get --sitemaps -o site/ --from me@example.org https://example.org/",
     "All that a site's sitemaps list, as a tree of files."}};
constexpr Example generate_examples[] = {
    {"robotrules generate man > robotrules.1", "The manual page."},
    {"robotrules generate bash > /etc/bash_completion.d/robotrules", "Completion for bash."}};

constexpr Status program_statuses[] = {{0, "Done."},
                                       {2, "A usage error; of every command, also if its results cannot be written."},
                                       {141, "Of every command: the reader of standard output has gone away."}};
constexpr Status check_statuses[] = {{0, "Every URL is allowed; with \"--dialect all\", by every dialect."},
                                     {1, "At least one is not, or is unknown."},
                                     {2, "A usage or input error."}};
constexpr Status batch_statuses[] = {{0, "Every line was answered."}, {2, "A usage or input error, or a bad line."}};
constexpr Status show_statuses[] = {{0, "Done."}, {2, "A usage or input error."}};
constexpr Status diff_statuses[] = {{0, "No difference was found."},
                                    {1, "The files differ in what they say to a robot."},
                                    {2, "A usage or input error."}};
constexpr Status db_statuses[] = {{0, "Done; of why: it may be fetched now."},
                                  {1,
                                   "Of why: not now. Of show and forget: nothing is known. Of check: problems. Of "
                                   "import: something was passed over."},
                                  {2, "A usage or input error, or a database that can't be used."}};
constexpr Status get_statuses[] = {{0, "All was fetched; with --dry-run, may be."},
                                   {1, "Something was denied or failed; counts are on standard error."},
                                   {2, "A usage or input error, or a database or output that can't be used."},
                                   {130, "Interrupted; with --db, the same command line goes on."}};
constexpr Status lint_statuses[] = {{0, "No error was found; there may be warnings and notes."},
                                    {1, "An error was found."},
                                    {2, "A usage or input error."}};

// --- commands ---------------------------------------------------------------------------------------------------

constexpr Command all_commands[] = {
    {"check", "may a robot fetch these URLs?",
     "Prints a line a URL: \"allowed\", \"disallowed\" or \"unknown\", a tab, and the URL.\n\n"
     "Without --robots the robots.txt of each URL's site is fetched, once, and many sites at a time; answers keep the "
     "order of the URLs. What can't be had is judged by --policy: RFC 9309 takes 404 for leave to fetch everything, "
     "and "
     "a server that fails for none.\n\n"
     "With \"--dialect all\" the line is followed by the answer of every dialect with the rule it followed, and begins "
     "with \"differs\" where they part; \"*\" marks those that part from the default one.",
     check_flags, check_operands, check_examples, check_statuses, false, run_check},
    {"batch",
     "answer a stream of questions, NDJSON in and out",
     "Reads a JSON object a line from standard input and writes the same object with the members access (\"allowed\", "
     "\"disallowed\" or \"unknown\"), line (of the deciding rule; 0 where none decided) and rule; and with robot, the "
     "name that a User-Agent header "
     "was reduced to.\n\n"
     "Members read: url; agent (the robot's name, or its whole User-Agent header; else --agent); dialect (else "
     "--dialect); the robots.txt as robots (text) or "
     "robots_b64 (bytes), else the file named host (else the URL's host) under --robots-dir, else that of the URL's "
     "site (else of https and host) in the database of --db. Any other member is "
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
    {"diff", "what did a change of robots.txt change, and for whom?",
     "Compares what two files say, not how they are written: for each robot whose access changed, an example path for "
     "each change, and the rules that decided before (\"-\") and after (\"+\"); changed delays; sitemaps that came or "
     "went. Robots whose changes are the same stand together.\n\n"
     "Both files are asked for example paths made of every rule. A difference that is reported is real; \"no "
     "difference\" means: none at any path that was tried.",
     diff_flags, diff_operands, diff_examples, diff_statuses, false, run_diff},
    {"agents", "which known crawlers may come in?",
     "Prints for each known crawler, by purpose, whether it may fetch everything (\"everywhere\"), something "
     "(\"partly\") or nothing (\"nowhere\") of the site, and which group says so. /robots.txt itself does not count. "
     "The list of crawlers is inside the command.",
     agents_flags, show_operands, agents_examples, show_statuses, false, run_agents},
    {"lint", "find what is wrong with a robots.txt",
     "Prints \"FILE:LINE:COLUMN: SEVERITY: MESSAGE [CODE]\" a finding, and below it what to do. A count goes to "
     "standard error.",
     lint_flags, lint_operands, lint_examples, lint_statuses, false, run_lint},
    {"get", "fetch a list of URLs politely",
     "Fetches every URL once, many sites at a time and one page of a site at a time: by its robots.txt, at its pace, "
     "and "
     "without waiting for the slow ones. What is denied or fails is told at the end, and with --log of each URL.\n\n"
     "With --db the queue is kept: Ctrl-C finishes what is on the wire (again: ends at once), and the same command "
     "line "
     "goes on later. Killed at any moment, no page that was fetched is lost or fetched again.\n\n"
     "Every option can stand in a TOML file (--config) and in a variable, ROBOTRULES_MAX_SIZE for --max-size.",
     get_flags, get_operands, get_examples, get_statuses, false, run_get},
    {"db", "look into a database of rules and tend it",
     "A database keeps the robots.txt files of many sites, how often and when they were visited, and how long to stay "
     "away from them. It is one SQLite file that many processes may use at once.",
     db_flags, db_operands, db_examples, db_statuses, false, run_db},
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
  if (flag.takes != Takes::dialect && flag.takes != Takes::dialect_or_all && flag.takes != Takes::policy) return text;
  text += " One of ";
  bool first = true;
  if (flag.takes == Takes::policy) {
    for (const RobotsPolicy* preset : RobotsPolicy::presets()) {
      text.append(first ? "" : ", ").append(preset->name).append(first ? " (default)" : "");
      first = false;
    }
    return text + ".";
  }
  for (const Dialect& preset : Dialect::presets()) {
    text.append(first ? "" : ", ").append(preset.name).append(first ? " (default)" : "");
    first = false;
  }
  if (flag.takes == Takes::dialect_or_all) text += "; or all, to see them side by side";
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
    line += std::holds_alternative<std::vector<std::string> Options::*>(flag.target) ? "]..." : "]";
  }
  for (const Operand& operand : command.operands) {
    line.append(operand.least == 0 ? " [" : " ").append(operand.name).append(operand.most == any_number ? "..." : "");
    if (operand.least == 0) line += ']';
  }
  return line;
}

}  // namespace robotrules::cli
