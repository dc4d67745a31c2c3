// The table of get.
#include "cli/flags/tables.hpp"

namespace robotrules::cli {
namespace {

constexpr auto get_flags = flags::joined(
    flags::in_group(
        "Input and output",
        Flag{"input", 'i', "FILE", Takes::file,
             "Read URLs from this file, one per line, or JSON objects with url and optionally method, headers and "
             "priority; \"-\" is standard input. Lines that begin with # are comments, text after a tab is ignored, "
             "and gzip and zstd are decompressed. May be repeated.",
             "read URLs from this file, one per line"}
            .list(),
        Flag{"sitemap", 0, "URL", Takes::url,
             "Fetch the URLs listed by this sitemap or index of sitemaps. May be repeated."}
            .list(),
        Flag{"sitemaps", 0, "", Takes::nothing,
             "Fetch the URLs listed by the sitemaps that the robots.txt files of the operands' sites name. If a site "
             "names none, /sitemap.xml is tried, once in a job.",
             "fetch the URLs that the sites' sitemaps list"},
        Flag{"sitemap-any-host", 0, "", Takes::nothing,
             "Accept URLs of every host from sitemaps. By default a sitemap may list URLs of its own host and of the "
             "host whose robots.txt names it."},
        Flag{"output", 'o', "NAME", Takes::file,
             "Write pages to NAME.warc, NAME.warc.gz or NAME.warc.zst (WARC 1.1), NAME.ndjson or NAME.jsonl, a folder "
             "if NAME ends with \"/\", or \"-\" for standard output, one body after the other (default).",
             "write pages to NAME.warc.gz, NAME.ndjson or NAME/"},
        Flag{"log", 'l', "FILE", Takes::file,
             "Append one line of JSON per URL: its result and the reason. \"-\" is standard output, if the pages go "
             "elsewhere. On SIGHUP or SIGUSR1 the file is opened again, for log rotation.",
             "append one line of JSON per URL"},
        Flag{"level", 0, "N", Takes::whole_number,
             "Compression level of WARC files: 0 to 9 for gzip, 1 to 19 for zstd (default: 1)."}
            .between(0, 19),
        Flag{"warc-max-size", 0, "SIZE", Takes::size,
             "Write several WARC files, NAME-00000.warc.gz, NAME-00001.warc.gz and so on: when one has this size, the "
             "next page begins another."},
        Flag{"warc-header", 0, "NAME=VALUE", Takes::text,
             "Add a field to the warcinfo record at the head of a WARC file, such as operator, description or "
             "isPartOf. May be repeated."}
            .list(Lists::lines),
        Flag{"dedup", 0, "", Takes::nothing,
             "Write a page whose body is identical to one of this run, or to that of its last fetch, as a revisit "
             "record without the body (WARC)."},
        Flag{"cdx", 0, "", Takes::nothing,
             "Write an index of the WARC file, NAME.cdxj beside NAME.warc.gz, which pywb and other tools read."},
        Flag{"no-bodies", 0, "", Takes::nothing, "Leave bodies out of NDJSON."},
        Flag{"keep-secrets", 0, "", Takes::nothing,
             "Store the values of Authorization and Cookie in the request records of WARC files, which then only their "
             "owner may read. By default a note replaces the values."}),
    flags::in_group(
        "Queue",
        Flag{"db", 'b', "PATH", Takes::file,
             "Store the queue, the robots.txt files and the time of each site's next request in this database, so that "
             "the same command line continues after a stop. The database is created if it does not exist. A store on a "
             "server (redis://HOST, postgresql://USER@HOST/DATABASE) lets many machines crawl as one robot.",
             "keep the queue, so that a later run continues"},
        Flag{"queue", 0, "PATH", Takes::file,
             "Store the queue in this database and not in that of --db: a file or postgresql://... Redis keeps no "
             "queues, so without --queue, the queue of a crawl with --db redis://... is temporary."},
        Flag{"job", 0, "NAME", Takes::text,
             "The crawl in --db to begin or to go on with. A job has its own URLs, output and log, and keeps its "
             "flags: \"get --db PATH --job NAME\" goes on with it. Default: the job that has the output, else a new "
             "one. \"robotrules db PATH jobs\" lists the jobs."},
        Flag{"revisit", 0, "", Takes::nothing,
             "Fetch again the URLs that --db records as done, if they have changed (ETag, Last-Modified), and those "
             "that were cut, denied or failed.",
             "fetch URLs of --db again if they have changed"},
        Flag{"retry", 0, "", Takes::nothing, "Try URLs again that --db records as failed, cut or left out."},
        Flag{"dry-run", 'n', "", Takes::nothing,
             "Fetch only robots.txt files, and print for each site how many URLs would be fetched, denied or left out, "
             "and how long it would take, in columns separated by tabs.",
             "fetch no page; print how many would be fetched"}),
    flags::in_group(
        "Manners",
        Flag{"agent", 'a', "NAME", Takes::text,
             "The User-Agent header to send, such as \"MyBot/1.0\" (default: robotrules). It contains the robot's name "
             "in robots.txt files.",
             "the User-Agent header, with the name of your robot"},
        flags::robot,
        Flag{"from", 'F', "ADDRESS", Takes::text,
             "An e-mail address that reaches you, sent as From with every request. Required.",
             "an e-mail address that reaches you (required)"},
        Flag{"delay", 'w', "TIME", Takes::span,
             "Minimum time from the end of one request to a site to the next (default: 1s). A longer Crawl-delay, "
             "Request-rate or Retry-After is obeyed, up to a day.",
             "time between two requests to a site (default: 1s)"}
            .between(0, 86'400),
        Flag{"adaptive", 0, "FACTOR", Takes::number,
             "After each response, also wait this many times as long as it took, at most 5m (default: 0): a slow "
             "server gets more time."}
            .between(0, 1'000),
        Flag{"pace-by", 0, "host|domain|address", Takes::choice,
             "Share one delay between all ports of a host, all hosts of a domain, or all hosts at one IP address. By "
             "default each scheme, host and port has its own."},
        Flag{"per-host", 0, "N", Takes::whole_number,
             "Maximum number of simultaneous requests to one site (default: 1)."}
            .between(1, 1'000),
        Flag{"max-wait", 0, "TIME", Takes::span,
             "Leave out a site, or what is left of it, if its next page would have to wait for longer than this, "
             "because of its Crawl-delay, Request-rate, Visit-time or Retry-After (default: 1h, or --delay if that is "
             "longer)."}
            .between(0, 86'400),
        Flag{"obey-page", 0, "", Takes::nothing,
             "Leave pages out of the output if they forbid being indexed or archived (X-Robots-Tag, robots meta "
             "elements); their results are still reported. nofollow has no effect, because links are never followed."},
        flags::rare(flags::dialect), flags::policy, flags::strict),
    flags::in_group("Access",
                    Flag{"user", 'u', "SITE=NAME:PASSWORD", Takes::text,
                         "Log in to this site, and to no other, if it asks for a password (Basic, Digest). SITE is "
                         "example.org for https, or http://example.org:8080. May be repeated. Other users may see it "
                         "in the list of processes; --netrc-file and --config hide it."}
                        .list(Lists::lines)
                        .secret(),
                    Flag{"netrc", 0, "", Takes::nothing, "Read names and passwords of hosts from ~/.netrc."},
                    Flag{"netrc-file", 0, "FILE", Takes::file,
                         "Read names and passwords of hosts from this file, as ~/.netrc has them. An entry without a "
                         "host (default) is not used."},
                    Flag{"cookies", 0, "FILE", Takes::file,
                         "Send the cookies of this file (Netscape's format, as curl and wget write it) to their sites, "
                         "and those that sites set during the run. The file does not change."},
                    Flag{"header", 'H', "NAME: VALUE", Takes::text,
                         "Send this field with every page of the list, but not after a redirect to another site. May "
                         "be repeated. Passwords belong in --user, --netrc-file and --cookies."}
                        .list(Lists::lines)
                        .secret()),
    flags::in_group(
        "Connections",
        flags::rare(flags::joined(flags::connection, Flag{"http2", 0, "", Takes::nothing,
                                                          "Fetch pages over HTTP/2 where a site offers it; robots.txt "
                                                          "files and sitemaps still come over HTTP/1.1."}))),
    flags::in_group(
        "Limits",
        Flag{"concurrency", 'c', "N", Takes::whole_number,
             "Maximum number of simultaneous requests to all sites together (default: 256)."}
            .between(1, 100'000),
        Flag{"rate", 0, "N", Takes::number,
             "Maximum number of URLs started per second, all sites together (default: no limit).",
             "URLs per second, all sites together"}
            .between(0.001, 1e6),
        Flag{"max-size", 0, "SIZE", Takes::size_or_none,
             "Cut bodies after this size (default: 1G); \"none\" cuts no body. Cut pages are counted, and --retry "
             "fetches them again.",
             "cut bodies after this size (default: 1G)"},
        Flag{"memory", 0, "SIZE", Takes::size,
             "Memory limit for everything in flight (default: 256M): bodies, decoders and unwritten pages. At the "
             "limit no request starts and transfers pause; no page fails because of it. Bodies longer than 1 MiB "
             "continue in a temporary file next to the output."},
        Flag{"timeout", 'T', "TIME", Takes::span,
             "Time limit for one URL with its redirects, without polite waits (default: 60s)."}
            .between(0.001, 3'600),
        Flag{"max-redirects", 0, "N", Takes::whole_number,
             "Maximum number of redirects to follow; each must be allowed by robots.txt and waits for its site's next "
             "turn (default: 7)."}
            .between(0, 100),
        Flag{"tries", 0, "N", Takes::whole_number,
             "Maximum number of requests for a URL if the connection fails or the server answers 429 or 503 (default: "
             "3)."}
            .between(1, 100),
        Flag{"stop-within", 0, "TIME", Takes::span,
             "After SIGTERM, give requests on the wire this time to end (default: 10s). Their URLs stay in the queue."}
            .between(0, 3'600)),
    flags::in_group(
        "Messages and settings",
        Flag{"explain", 'e', "", Takes::nothing,
             "For each denied URL, print immediately which rule of which robots.txt denies it.",
             "print for each denied URL which rule denies it"},
        Flag{"metrics", 0, "PORT", Takes::text,
             "Serve metrics for Prometheus at http://127.0.0.1:PORT/metrics; with ADDRESS:PORT, also to other "
             "machines."},
        Flag{"metrics-file", 0, "FILE", Takes::file,
             "Write the same metrics to this file, every 15 seconds and at the end, for the textfile collector of node "
             "exporter, which reads NAME.prom."},
        Flag{"quiet", 'q', "", Takes::nothing,
             "Print errors only: no progress, no warnings, and instead of the summary one line with the numbers if the "
             "exit status is 1, 3 or 4.",
             "print errors only"},
        Flag{"fail-on", 0, "denied", Takes::choice,
             "Exit with status 1 if robots.txt denied a URL. By default that is no failure: the status is 0."}),
    flags::common);

constexpr Operand get_operands[] = {
    {"URL", Takes::url, "A URL to fetch; example.org/x is https://example.org/x. --input and --sitemap add more.", 0,
     any_number}};

constexpr Example get_examples[] = {
    {"robotrules get --from me@example.org https://example.org/", "Fetch a page, politely, to standard output."},
    {"robotrules get -i urls.txt -o out.warc.gz --db crawl.db --agent MyBot/1.0 --from me@example.org",
     "Fetch a list. After a stop, the same command line continues."},
    {"robotrules get -i urls.txt -n --from me@example.org", "What would be fetched, and how long would it take?"},
    {"robotrules get --sitemaps -o site/ --from me@example.org https://example.org/",
     "Fetch everything that a site's sitemaps list, as a tree of files."}};

constexpr Status get_statuses[] = {
    {0, "All URLs were fetched, or robots.txt denies them. --dry-run has the status of the crawl."},
    {1,
     "With --fail-on denied: a URL was denied, and none failed, was cut or was left out. Also if URLs are still "
     "to go, because an error ended the run."},
    {2, "A usage or input error, a URL that cannot be read, or a database or output that cannot be used."},
    {3, "A URL failed or was cut."},
    {4, "A URL was left out, and none failed or was cut."},
    {130, "Ended by SIGINT; with --db, the same command line continues."},
    {143, "Ended by SIGTERM, in the same way."},
    {129, "Ended because the terminal has gone (SIGHUP), in the same way."},
    {141, "The reader of standard output has gone away."}};

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
