// The table of db.
#include "cli/flags/tables.hpp"

namespace robotrules::cli {
namespace {

constexpr auto db_flags = flags::joined(
    Flag{"agent", 'a', "NAME", Takes::text,
         "import: the robot that the database belongs to (default: the stored name). Another name than the stored one "
         "is refused unless --replace-agent is given.",
         "import: the robot that the database belongs to"},
    Flag{"replace-agent", 0, "", Takes::nothing,
         "import: replace the stored name by that of --agent; this deletes all records and visits in the database."}
        .typed_only(),
    flags::policy, flags::strict,
    Flag{"older-than", 0, "TIME", Takes::span,
         "prune: delete entries that expired, or were last visited, longer ago than this: 30d, 1h30m, 15m, 20s "
         "(default: 30d).",
         "prune: delete what is older (default: 30d)"}
        .between(0, 36'500 * 86'400.0),
    Flag{"http", 'p', "", Takes::nothing,
         "import: treat the files of a folder as those of http origins instead of https."},
    Flag{"repair", 'R', "", Takes::nothing,
         "check: create a new file from the readable contents of a damaged one, and move that aside.",
         "check: make a new file of what can be read"}
        .typed_only(),
    Flag{"job", 0, "NAME", Takes::text,
         "queue: the job, if the database has several; \"jobs\" lists them. queue rm always needs it.",
         "queue: the job, if there are several"},
    Flag{"state", 0, "pending|done|denied|failed|parked|cut", Takes::choice,
         "queue ls and export: only the URLs in this state; parked URLs were left out."}
        .checked_by_command(),
    flags::json, flags::common);

constexpr Operand db_operands[] = {
    {"PATH", Takes::file,
     "The database: a file, or sqlite:FILE. import creates it, and so do robotrules get --db and check --db."},
    {"ACTION", Takes::text, "One of the actions below."},
    {"ARGUMENT", Takes::text, "What the action needs.", 0, any_number}};

constexpr Action db_actions[] = {
    {"ls", "", Takes::text, "list every origin with its state", "List every origin with its state."},
    {"show", "ORIGIN", Takes::text, "print what is known about an origin",
     "Print everything that is known about the origin, with its robots.txt."},
    {"why", "URL", Takes::text, "when may this URL be fetched, and why then?",
     "Say whether the URL may be fetched, which rule decides that, when it may be fetched next, and what it must wait "
     "for."},
    {"import", "DIR|FILE", Takes::file, "import a folder, NDJSON or WARC files",
     "Import a folder of files named by host, NDJSON as written by export (\"-\": standard input), or a WARC file. "
     "NDJSON and WARC files may be compressed by gzip or zstd. Creates the database."},
    {"export", "", Takes::text, "print all records as NDJSON", "Print all records as NDJSON."},
    {"forget", "ORIGIN", Takes::text, "forget a robots.txt, so that it is fetched again",
     "Delete the origin's robots.txt and its server's requests to wait, so that it is fetched again."},
    {"prune", "", Takes::text, "delete what expired long ago",
     "Delete everything that has been neither fresh nor visited for --older-than."},
    {"check", "", Takes::text, "look for damage",
     "Check the whole file and print one line per problem; --repair repairs it."},
    {"stats", "", Takes::text, "print the robot, the policy and the size",
     "Print the robot, the policy, and how much the database contains."},
    {"jobs", "", Takes::text, "list the crawls of get",
     "List the crawls of robotrules get, with the number of URLs in each state."},
    {"queue", "ls|export|rm", Takes::choice, "print or remove the URLs of a crawl",
     "ls and export print the URLs of a job (--job) as lines or as NDJSON; rm removes a job and its URLs, but not its "
     "output; with URLs (queue rm URL...), only these."}};

constexpr Example db_examples[] = {
    {"robotrules db rules.db import robots/", "Create a database from a folder of files named by host."},
    {"robotrules db rules.db why https://example.org/page", "When may I next fetch this page, and why then?"},
    {"robotrules db rules.db forget https://example.org",
     "Let this site be fetched again, although it asked for hours without requests."},
    {"robotrules db rules.db export | gzip > rules.ndjson.gz", "Make a copy that another machine can import."},
    {"robotrules db crawl.db queue ls --job mine --state failed", "Which URLs of a crawl failed, and why?"},
    {"robotrules db crawl.db queue export --job mine --state failed | robotrules get -i - "
     "-o again.warc --from me@example.org",
     "Fetch the URLs that failed into another file."},
    {"robotrules db crawl.db queue rm --job mine", "Remove a crawl from the database; its files stay."},
    {"robotrules db rules.db check --repair", "Save the readable contents of a damaged file."}};

constexpr Status db_statuses[] = {
    {0, "Done; for why: the URL may be fetched now."},
    {1,
     "For why: the URL may not be fetched now. For show and forget: the database has no such origin. For "
     "check: problems were found. For import: some entries were skipped."},
    {2, "A usage or input error, or a database that cannot be used."}};

}  // namespace

constinit const Command db_command_table{
    .name = "db",
    .summary = "inspect and maintain a database of rules",
    .about =
        "A database stores the robots.txt files of many sites, how often and when each site was visited, and how "
        "long to wait before the next request. It is an SQLite file that many processes may use at once, or a store "
        "on a server: redis://HOST or postgresql://USER@HOST/DATABASE.",
    .flags = db_flags,
    .operands = db_operands,
    .actions = db_actions,
    .examples = db_examples,
    .statuses = db_statuses,
    .run = run_db};

}  // namespace robotrules::cli
