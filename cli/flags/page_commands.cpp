// The table of the command page.
#include "cli/flags/tables.hpp"

namespace robotrules::cli {
namespace {

constexpr Flag path{.name = "path",
                    .target = &Options::path,
                    .help = "Print the path of the page's file and exit. A browser can also open the file itself.",
                    .brief = "print the path of the page's file and exit"};
constexpr Flag port{.name = "port",
                    .placeholder = "PORT",
                    .takes = Takes::whole_number,
                    .range = {.min = 1, .max = 65'535},
                    .target = &Options::port,
                    .help = "Listen on this port of 127.0.0.1 (default: a free one).",
                    .brief = "listen on this port (default: a free one)"};

constexpr auto page_flags = flags::joined(std::array{path, port}, flags::common);

constexpr Example page_examples[] = {
    {.line = "robotrules page", .says = "Serve the page, and print its address."},
    {.line = "robotrules page --port 8321", .says = "The same at an address that stays the same."},
    {.line = "xdg-open \"$(robotrules page --path)\"", .says = "Open the page's file in a browser, without a server."}};

constexpr Status page_statuses[] = {
    {.number = 0, .means = "The path was printed, or the server was ended with Ctrl-C or SIGTERM."},
    {.number = 2, .means = "The page is not installed, the port is in use, or a usage error."}};

}  // namespace

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
