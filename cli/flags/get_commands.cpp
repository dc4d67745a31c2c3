// The table of get.
#include "cli/flags/tables.hpp"

namespace robotrules::cli {
namespace {

// Input and output.
constexpr Flag input{.name = "input",
                     .letter = 'i',
                     .placeholder = "FILE",
                     .takes = Takes::file,
                     .target = &Options::inputs,
                     .help =
                         "Read URLs from this file, one per line, or JSON objects with url and optionally method, "
                         "headers and priority; \"-\" is standard input. Lines that begin with # are comments, text "
                         "after a tab is ignored, and gzip and zstd are decompressed. May be repeated.",
                     .brief = "read URLs from this file, one per line"};
constexpr Flag sitemap{.name = "sitemap",
                       .placeholder = "URL",
                       .takes = Takes::url,
                       .target = &Options::sitemap_urls,
                       .help = "Fetch the URLs listed by this sitemap or index of sitemaps. May be repeated."};
constexpr Flag sitemaps{.name = "sitemaps",
                        .target = &Options::sitemaps,
                        .help =
                            "Fetch the URLs listed by the sitemaps that the robots.txt files of the operands' "
                            "sites name. If a site names none, /sitemap.xml is tried, once in a job.",
                        .brief = "fetch the URLs that the sites' sitemaps list"};
constexpr Flag sitemap_any_host{.name = "sitemap-any-host",
                                .target = &Options::sitemap_any_host,
                                .help =
                                    "Accept URLs of every host from sitemaps. By default a sitemap may list URLs "
                                    "of its own host and of the host whose robots.txt names it."};
constexpr Flag output{
    .name = "output",
    .letter = 'o',
    .placeholder = "NAME",
    .takes = Takes::file,
    .target = &Options::output,
    .help =
        "Write pages to NAME.warc, NAME.warc.gz or NAME.warc.zst (WARC 1.1), NAME.ndjson or "
        "NAME.jsonl, a folder if NAME ends with \"/\", or \"-\" for standard output, one body after the other "
        "(default).",
    .brief = "write pages to NAME.warc.gz, NAME.ndjson or NAME/"};
constexpr Flag page_log{.name = "log",
                        .letter = 'l',
                        .placeholder = "FILE",
                        .takes = Takes::file,
                        .target = &Options::log,
                        .help =
                            "Append one line of JSON per URL: its result and the reason. \"-\" is standard output, if "
                            "the pages go elsewhere. On SIGHUP or SIGUSR1 the file is opened again, for log rotation.",
                        .brief = "append one line of JSON per URL"};
constexpr Flag db{.name = "db",
                  .letter = 'b',
                  .placeholder = "PATH",
                  .takes = Takes::file,
                  .target = &Options::db,
                  .help =
                      "Store the queue, the robots.txt files and the time of each site's next request in this "
                      "database, so that the same command line continues after a stop. The database is created if "
                      "it does not exist. A store on a server (redis://HOST, postgresql://USER@HOST/DATABASE) lets "
                      "many machines crawl as one robot.",
                  .brief = "keep the queue, so that a later run continues"};
constexpr Flag queue{
    .name = "queue",
    .placeholder = "PATH",
    .takes = Takes::file,
    .target = &Options::queue,
    .help =
        "Store the queue in this database and not in that of --db: a file or postgresql://... Redis "
        "keeps no queues, so without --queue, the queue of a crawl with --db redis://... is temporary."};
constexpr Flag job{.name = "job",
                   .placeholder = "NAME",
                   .takes = Takes::text,
                   .target = &Options::job,
                   .help =
                       "The crawl in --db to begin or to go on with. A job has its own URLs, output and log, and keeps "
                       "its flags: \"get --db PATH --job NAME\" goes on with it. Default: the job that has the output, "
                       "else a new one. \"robotrules db PATH jobs\" lists the jobs."};
constexpr Flag dry_run{.name = "dry-run",
                       .letter = 'n',
                       .target = &Options::dry_run,
                       .help =
                           "Fetch only robots.txt files, and print for each site how many URLs would be fetched, "
                           "denied or left out, and how long it would take, in columns separated by tabs.",
                       .brief = "fetch no page; print how many would be fetched"};
constexpr Flag get_explain{.name = "explain",
                           .letter = 'e',
                           .target = &Options::explain,
                           .help = "For each denied URL, print immediately which rule of which robots.txt denies it.",
                           .brief = "print for each denied URL which rule denies it"};
constexpr Flag metrics{.name = "metrics",
                       .placeholder = "PORT",
                       .takes = Takes::text,
                       .target = &Options::metrics,
                       .help =
                           "Serve metrics for Prometheus at http://127.0.0.1:PORT/metrics; with ADDRESS:PORT, "
                           "also to other machines."};
constexpr Flag metrics_file{.name = "metrics-file",
                            .placeholder = "FILE",
                            .takes = Takes::file,
                            .target = &Options::metrics_file,
                            .help =
                                "Write the same metrics to this file, every 15 seconds and at the end, for the "
                                "textfile collector of node exporter, which reads NAME.prom."};
constexpr Flag quiet{
    .name = "quiet",
    .letter = 'q',
    .target = &Options::quiet,
    .help =
        "Print errors only: no progress, no warnings, and instead of the summary one line with the numbers if the exit "
        "status is 1, 3 or 4.",
    .brief = "print errors only"};

// Manners.
constexpr Flag get_agent{.name = "agent",
                         .letter = 'a',
                         .placeholder = "NAME",
                         .takes = Takes::text,
                         .target = &Options::agent,
                         .help =
                             "The User-Agent header to send, such as \"MyBot/1.0\" (default: robotrules). It contains "
                             "the robot's name in robots.txt files.",
                         .brief = "the User-Agent header, with the name of your robot"};
constexpr Flag from{.name = "from",
                    .letter = 'F',
                    .placeholder = "ADDRESS",
                    .takes = Takes::text,
                    .target = &Options::from,
                    .help = "An e-mail address that reaches you, sent as From with every request. Required.",
                    .brief = "an e-mail address that reaches you (required)"};
constexpr Flag delay{.name = "delay",
                     .letter = 'w',
                     .placeholder = "TIME",
                     .takes = Takes::span,
                     .range = {.min = 0, .max = 86'400},
                     .target = &Options::delay,
                     .help =
                         "Minimum time from the end of one request to a site to the next (default: 1s). A longer "
                         "Crawl-delay, Request-rate or Retry-After is obeyed, up to a day.",
                     .brief = "time between two requests to a site (default: 1s)"};
constexpr Flag adaptive{.name = "adaptive",
                        .placeholder = "FACTOR",
                        .takes = Takes::number,
                        .range = {.min = 0, .max = 1'000},
                        .target = &Options::adaptive,
                        .help =
                            "After each response, also wait this many times as long as it took, at most 5m (default: "
                            "0): a slow server gets more time."};
constexpr Flag pace_by{.name = "pace-by",
                       .placeholder = "host|domain|address",
                       .takes = Takes::choice,
                       .target = &Options::pace_by,
                       .help =
                           "Share one delay between all ports of a host, all hosts of a domain, or all hosts at one IP "
                           "address. By default each scheme, host and port has its own."};
constexpr Flag max_wait{.name = "max-wait",
                        .placeholder = "TIME",
                        .takes = Takes::span,
                        .range = {.min = 0, .max = 86'400},
                        .target = &Options::max_wait,
                        .help =
                            "Leave out a site, or what is left of it, if its next page would have to wait for longer "
                            "than this, because of its Crawl-delay, Request-rate, Visit-time or Retry-After (default: "
                            "1h, or --delay if that is longer)."};
constexpr Flag obey_page{.name = "obey-page",
                         .target = &Options::obey_page,
                         .help =
                             "Leave pages out of the output if they forbid being indexed or archived "
                             "(X-Robots-Tag, robots meta elements); their results are still reported. nofollow "
                             "has no effect, because links are never followed."};

// Access to pages.
constexpr Flag user{.name = "user",
                    .letter = 'u',
                    .placeholder = "SITE=NAME:PASSWORD",
                    .takes = Takes::text,
                    .target = &Options::users,
                    .help =
                        "Log in to this site, and to no other, if it asks for a password (Basic, Digest). SITE is "
                        "example.org for https, or http://example.org:8080. May be repeated. Other users may see it in "
                        "the list of processes; --netrc-file and --config hide it.",
                    .is_secret = true,
                    .takes_commas = true};
constexpr Flag netrc{
    .name = "netrc", .target = &Options::netrc, .help = "Read names and passwords of hosts from ~/.netrc."};
constexpr Flag netrc_file{
    .name = "netrc-file",
    .placeholder = "FILE",
    .takes = Takes::file,
    .target = &Options::netrc_file,
    .help =
        "Read names and passwords of hosts from this file, as ~/.netrc has them. An entry without "
        "a host (default) is not used."};
constexpr Flag cookies{
    .name = "cookies",
    .placeholder = "FILE",
    .takes = Takes::file,
    .target = &Options::cookies,
    .help =
        "Send the cookies of this file (Netscape's format, as curl and wget write it) to their sites, "
        "and those that sites set during the run. The file does not change."};
constexpr Flag header{
    .name = "header",
    .letter = 'H',
    .placeholder = "NAME: VALUE",
    .takes = Takes::text,
    .target = &Options::headers,
    .help =
        "Send this field with every page of the list, but not after a redirect to another site. May be "
        "repeated. Passwords belong in --user, --netrc-file and --cookies.",
    .is_secret = true,
    .takes_commas = true};

// Limits.
constexpr Flag concurrency{.name = "concurrency",
                           .letter = 'c',
                           .placeholder = "N",
                           .takes = Takes::whole_number,
                           .range = {.min = 1, .max = 100'000},
                           .target = &Options::concurrency,
                           .help = "Maximum number of simultaneous requests to all sites together (default: 256)."};
constexpr Flag per_host{.name = "per-host",
                        .placeholder = "N",
                        .takes = Takes::whole_number,
                        .range = {.min = 1, .max = 1'000},
                        .target = &Options::per_host,
                        .help = "Maximum number of simultaneous requests to one site (default: 1)."};
constexpr Flag rate{.name = "rate",
                    .placeholder = "N",
                    .takes = Takes::number,
                    .range = {.min = 0.001, .max = 1e6},
                    .target = &Options::rate,
                    .help = "Maximum number of URLs started per second, all sites together (default: no limit).",
                    .brief = "URLs per second, all sites together"};
constexpr Flag max_size{.name = "max-size",
                        .placeholder = "SIZE",
                        .takes = Takes::size_or_none,
                        .target = &Options::max_size,
                        .help =
                            "Cut bodies after this size (default: 1G); \"none\" cuts no body. Cut pages are counted, "
                            "and --retry fetches them again.",
                        .brief = "cut bodies after this size (default: 1G)"};
constexpr Flag memory{.name = "memory",
                      .placeholder = "SIZE",
                      .takes = Takes::size,
                      .target = &Options::memory,
                      .help =
                          "Memory limit for everything in flight (default: 256M): bodies, "
                          "decoders and unwritten pages. At the limit no request starts and transfers pause; no "
                          "page fails because of it. Bodies longer than 1 MiB continue in a temporary file next to "
                          "the output."};
constexpr Flag timeout{.name = "timeout",
                       .letter = 'T',
                       .placeholder = "TIME",
                       .takes = Takes::span,
                       .range = {.min = 0.001, .max = 3'600},
                       .target = &Options::timeout,
                       .help = "Time limit for one URL with its redirects, without polite waits (default: 60s)."};
constexpr Flag max_redirects{.name = "max-redirects",
                             .placeholder = "N",
                             .takes = Takes::whole_number,
                             .range = {.min = 0, .max = 100},
                             .target = &Options::max_redirects,
                             .help =
                                 "Maximum number of redirects to follow; each must be allowed by robots.txt and "
                                 "waits for its site's next turn (default: 7)."};
constexpr Flag tries{.name = "tries",
                     .placeholder = "N",
                     .takes = Takes::whole_number,
                     .range = {.min = 1, .max = 100},
                     .target = &Options::tries,
                     .help =
                         "Maximum number of requests for a URL if the connection fails or the server answers 429 "
                         "or 503 (default: 3)."};
constexpr Flag fail_on{
    .name = "fail-on",
    .placeholder = "denied",
    .takes = Takes::choice,
    .target = &Options::fail_on,
    .help = "Exit with status 1 if robots.txt denied a URL. By default that is no failure: the status is 0."};
constexpr Flag stop_within{.name = "stop-within",
                           .placeholder = "TIME",
                           .takes = Takes::span,
                           .range = {.min = 0, .max = 3'600},
                           .target = &Options::stop_within,
                           .help =
                               "After SIGTERM, give requests on the wire this time to end (default: 10s). Their URLs "
                               "stay in the queue."};

// Files and the queue.
constexpr Flag level{.name = "level",
                     .placeholder = "N",
                     .takes = Takes::whole_number,
                     .range = {.min = 0, .max = 19},
                     .target = &Options::level,
                     .help = "Compression level of WARC files: 0 to 9 for gzip, 1 to 19 for zstd (default: 1)."};
constexpr Flag warc_max_size{.name = "warc-max-size",
                             .placeholder = "SIZE",
                             .takes = Takes::size,
                             .target = &Options::warc_max_size,
                             .help =
                                 "Write several WARC files, NAME-00000.warc.gz, NAME-00001.warc.gz and so on: when one "
                                 "has this size, the next page begins another."};
constexpr Flag warc_header{.name = "warc-header",
                           .placeholder = "NAME=VALUE",
                           .takes = Takes::text,
                           .target = &Options::warc_headers,
                           .help =
                               "Add a field to the warcinfo record at the head of a WARC file, such as operator, "
                               "description or isPartOf. May be repeated.",
                           .takes_commas = true};
constexpr Flag dedup{.name = "dedup",
                     .target = &Options::dedup,
                     .help =
                         "Write a page whose body is identical to one of this run, or to that of its last fetch, as a "
                         "revisit record without the body (WARC)."};
constexpr Flag cdx{.name = "cdx",
                   .target = &Options::cdx,
                   .help =
                       "Write an index of the WARC file, NAME.cdxj beside NAME.warc.gz, which pywb and other tools "
                       "read."};
constexpr Flag no_bodies{.name = "no-bodies", .target = &Options::no_bodies, .help = "Leave bodies out of NDJSON."};
constexpr Flag keep_secrets{.name = "keep-secrets",
                            .target = &Options::keep_secrets,
                            .help =
                                "Store the values of Authorization and Cookie in the request records of WARC "
                                "files, which then only their owner may read. By default a note replaces the "
                                "values."};
constexpr Flag revisit{.name = "revisit",
                       .target = &Options::revisit,
                       .help =
                           "Fetch again the URLs that --db records as done, if they have changed (ETag, "
                           "Last-Modified), and those that were cut, denied or failed.",
                       .brief = "fetch URLs of --db again if they have changed"};
constexpr Flag retry{
    .name = "retry", .target = &Options::retry, .help = "Try URLs again that --db records as failed, cut or left out."};

constexpr Flag http2{
    .name = "http2",
    .target = &Options::http2,
    .help =
        "Fetch pages over HTTP/2 where a site offers it; robots.txt files and sitemaps still come over "
        "HTTP/1.1."};

constexpr auto get_flags = flags::joined(
    flags::in_group("Input and output", std::array{input, sitemap, sitemaps, sitemap_any_host, output, page_log, level,
                                                   warc_max_size, warc_header, dedup, cdx, no_bodies, keep_secrets}),
    flags::in_group("Queue", std::array{db, queue, job, revisit, retry, dry_run}),
    flags::in_group("Manners", std::array{get_agent, flags::robot, from, delay, adaptive, pace_by, per_host, max_wait,
                                          obey_page, flags::rare(flags::dialect), flags::policy, flags::strict}),
    flags::in_group("Access", std::array{user, netrc, netrc_file, cookies, header}),
    flags::in_group("Connections", flags::rare(flags::joined(flags::connection, std::array{http2}))),
    flags::in_group("Limits",
                    std::array{concurrency, rate, max_size, memory, timeout, max_redirects, tries, stop_within}),
    flags::in_group("Messages and settings", std::array{get_explain, metrics, metrics_file, quiet, fail_on}),
    flags::common);

constexpr Operand get_operands[] = {
    {.name = "URL",
     .takes = Takes::url,
     .min = 0,
     .max = any_number,
     .help = "A URL to fetch; example.org/x is https://example.org/x. --input and --sitemap add more."}};

constexpr Example get_examples[] = {
    {.line = "robotrules get --from me@example.org https://example.org/",
     .says = "Fetch a page, politely, to standard output."},
    {.line = "robotrules get -i urls.txt -o out.warc.gz --db crawl.db --agent MyBot/1.0 --from me@example.org",
     .says = "Fetch a list. After a stop, the same command line continues."},
    {.line = "robotrules get -i urls.txt -n --from me@example.org",
     .says = "What would be fetched, and how long would it take?"},
    {.line = "robotrules get --sitemaps -o site/ --from me@example.org https://example.org/",
     .says = "Fetch everything that a site's sitemaps list, as a tree of files."}};

constexpr Status get_statuses[] = {
    {.number = 0, .means = "All URLs were fetched, or robots.txt denies them. --dry-run has the status of the crawl."},
    {.number = 1,
     .means =
         "With --fail-on denied: a URL was denied, and none failed, was cut or was left out. Also if URLs are still "
         "to go, because an error ended the run."},
    {.number = 2,
     .means = "A usage or input error, a URL that cannot be read, or a database or output that cannot be used."},
    {.number = 3, .means = "A URL failed or was cut."},
    {.number = 4, .means = "A URL was left out, and none failed or was cut."},
    {.number = 130, .means = "Ended by SIGINT; with --db, the same command line continues."},
    {.number = 143, .means = "Ended by SIGTERM, in the same way."},
    {.number = 129, .means = "Ended because the terminal has gone (SIGHUP), in the same way."},
    {.number = 141, .means = "The reader of standard output has gone away."}};

}  // namespace

constinit const Command get_command{
    .name = "get",
    .summary = "fetch a list of URLs politely",
    .about =
        "Fetches every URL once, many sites at a time and one page of a site at a time. Obeys each site's robots.txt "
        "with its Crawl-delay, Request-rate and Visit-time, and does not wait for slow sites.\n\n"
        "Prints at the end how many URLs were denied, cut or failed; --log records the result of each URL.\n\n"
        "With --db the queue is stored: Ctrl-C finishes the running requests (a second Ctrl-C ends at once), and the "
        "same command line continues later. Even if the process is killed, no page in the output is lost or "
        "fetched again.\n\n"
        "A TIME is a number of seconds, or has units: 500ms, 90s, 2m, 1h30m, 1d. A SIZE is a number of bytes, or has a "
        "unit: k, M and G are powers of 1024, as are KiB, MiB and GiB; kB, MB and GB are powers of 1000.\n\n"
        "Every option can be set in a TOML file (--config) and in an environment variable: ROBOTRULES_MAX_SIZE for "
        "--max-size.",
    .flags = get_flags,
    .operands = get_operands,
    .examples = get_examples,
    .statuses = get_statuses,
    .run = run_get};

}  // namespace robotrules::cli
