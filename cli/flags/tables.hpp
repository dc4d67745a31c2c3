// The commands of the table, defined in the *_commands.cpp files, and the flags that several of them share.
#pragma once

#include <array>
#include <tuple>

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

extern const Command check_command;
extern const Command batch_command;
extern const Command show_command;
extern const Command diff_command;
extern const Command agents_command;
extern const Command lint_command;
extern const Command get_command;
extern const Command db_command_table;
extern const Command page_command;
extern const Command generate_command;
extern const Command help_command;

namespace flags {

inline constexpr Flag help{
    .name = "help", .letter = 'h', .target = &Options::help, .help = "Print a short help and exit."};
inline constexpr Flag help_all{
    .name = "help-all", .target = &Options::help_all, .help = "Print the help with all options and exit."};
inline constexpr Flag color{
    .name = "color",
    .placeholder = "auto|always|never",
    .takes = Takes::choice,
    .target = &Options::color,
    .help =
        "Whether to use colours. auto (default): on a terminal, unless NO_COLOR is set or TERM is dumb. Standard "
        "output and standard error are judged apart."};
inline constexpr Flag config{
    .name = "config",
    .placeholder = "FILE",
    .takes = Takes::file,
    .target = &Options::config,
    .help =
        "Read options by their long names from this TOML file: from the table that has the command's name, and from "
        "the keys above all tables, which are for every command. ROBOTRULES_* variables override the file, and flags "
        "override both."};
inline constexpr Flag robot{
    .name = "robot",
    .placeholder = "NAME",
    .takes = Takes::text,
    .target = &Options::robot,
    .help = "The robot's name in robots.txt files, if it differs from the name in --agent or --agent is not given."};
inline constexpr Flag exact_agent{
    .name = "exact-agent",
    .target = &Options::exact_agent,
    .help =
        "Compare only the name in --agent with the file, also for a crawler that obeys other groups too "
        "(Googlebot-Image) or ignores \"*\" (AdsBot-Google)."};
inline constexpr Flag dialect{.name = "dialect",
                              .letter = 'D',
                              .placeholder = "D",
                              .takes = Takes::dialect,
                              .target = &Options::dialect,
                              .help = "How to read the file.",
                              .brief = "how to read the file: google, original-1994, ..."};
inline constexpr Flag json{.name = "json",
                           .letter = 'j',
                           .target = &Options::json,
                           .help = "Print JSON, one object per line.",
                           .brief = "print JSON, one object per line"};
inline constexpr Flag json_document{.name = "json",
                                    .letter = 'j',
                                    .target = &Options::json,
                                    .help = "Print one JSON document.",
                                    .brief = "print one JSON document"};

// Fetching.
inline constexpr Flag policy{
    .name = "policy",
    .letter = 'P',
    .placeholder = "NAME",
    .takes = Takes::policy,
    .target = &Options::policy,
    .help =
        "How to treat a site whose robots.txt cannot be fetched (default: with a database, the policy stored in "
        "it, else rfc9309)."};
inline constexpr Flag strict{
    .name = "strict", .letter = 'S', .target = &Options::strict, .help = "The same as \"--policy strict\"."};
inline constexpr Flag allow_address{
    .name = "allow-address",
    .letter = 'A',
    .placeholder = "CIDR",
    .takes = Takes::text,
    .target = &Options::allow_address,
    .help =
        "Also allow requests to these addresses, such as 127.0.0.0/8 or 10.1.2.3; may be repeated. By default only "
        "public Internet addresses are allowed."};
inline constexpr Flag allow_port{
    .name = "allow-port",
    .placeholder = "PORT",
    .takes = Takes::whole_number,
    .range = {.min = 1, .max = 65'535},
    .target = &Options::allow_port,
    .help =
        "Also allow requests to this port; may be repeated. By default 80, 443 and the ports above 1023 are "
        "allowed, except ports of other protocols and databases, such as 3306 and 6379."};
inline constexpr Flag ca_file{
    .name = "ca-file",
    .placeholder = "FILE",
    .takes = Takes::file,
    .target = &Options::ca_file,
    .help =
        "Trust the certificate authorities in this PEM file, and no others (default: those of the variables "
        "SSL_CERT_FILE and SSL_CERT_DIR, else the system's)."};
inline constexpr Flag client_cert{.name = "client-cert",
                                  .placeholder = "FILE",
                                  .takes = Takes::file,
                                  .target = &Options::client_cert,
                                  .help = "Your own certificate (PEM), shown to every https site that asks for one."};
inline constexpr Flag client_key{.name = "client-key",
                                 .placeholder = "FILE",
                                 .takes = Takes::file,
                                 .target = &Options::client_key,
                                 .help = "The private key of --client-cert, if it is in another file (PEM)."};
inline constexpr Flag client_key_password{
    .name = "client-key-password",
    .placeholder = "PASSWORD",
    .takes = Takes::text,
    .target = &Options::client_key_password,
    .help = "The password of this key. Other users may see it in the list of processes.",
    .is_secret = true};
inline constexpr Flag proxy{
    .name = "proxy",
    .letter = 'x',
    .placeholder = "URL|none",
    .takes = Takes::url,
    .target = &Options::proxy,
    .help =
        "Send all requests through this proxy, such as http://proxy:3128 or socks5h://proxy:1080; none: through no "
        "proxy (default: that of the variables http_proxy, https_proxy and all_proxy). The variable no_proxy names "
        "hosts that need no proxy.",
    .brief = "send all requests through this proxy",
    .is_secret = true};
inline constexpr Flag resolve{
    .name = "resolve",
    .placeholder = "HOST:PORT:ADDRESS",
    .takes = Takes::text,
    .target = &Options::resolve,
    .help =
        "Connect to this address for this host and port, and ask no name server; several addresses are separated by "
        "commas. May be repeated.",
    .takes_commas = true};
inline constexpr Flag ipv4{
    .name = "ipv4", .letter = '4', .target = &Options::ipv4, .help = "Connect to IPv4 addresses only."};
inline constexpr Flag ipv6{
    .name = "ipv6", .letter = '6', .target = &Options::ipv6, .help = "Connect to IPv6 addresses only."};
inline constexpr Flag from{
    .name = "from",
    .letter = 'F',
    .placeholder = "ADDRESS",
    .takes = Takes::text,
    .target = &Options::from,
    .help = "An e-mail address that reaches you, sent as From with every request (default: no From is sent)."};
inline constexpr Flag timeout{.name = "timeout",
                              .letter = 'T',
                              .placeholder = "TIME",
                              .takes = Takes::span,
                              .range = {.min = 0.001, .max = 3'600},
                              .target = &Options::timeout,
                              .help = "Time limit for one request, in seconds or as 500ms or 2m (default: 20s)."};

// How every command that fetches connects (cli/io/connection.hpp).
inline constexpr std::array connection{allow_address,       allow_port, ca_file, client_cert, client_key,
                                       client_key_password, proxy,      resolve, ipv4,        ipv6};

// Returns the flags of all lists, in their order.
template <std::size_t... Size>
constexpr auto joined(const std::array<Flag, Size>&... lists) {
  return std::apply([](const auto&... flag) { return std::array{flag...}; }, std::tuple_cat(lists...));
}

// Returns the flags under a heading of the help.
template <std::size_t Size>
constexpr auto in_group(std::string_view heading, std::array<Flag, Size> list) {
  for (Flag& flag : list) flag.group = heading;
  return list;
}

// The flags of every command.
inline constexpr auto common = in_group("General", std::array{color, config, help, help_all});

// Returns flags that the short help of a command leaves out.
template <std::size_t Size>
constexpr auto rare(std::array<Flag, Size> list) {
  for (Flag& flag : list) flag.brief = {};
  return list;
}
constexpr Flag rare(Flag flag) { return rare(std::array{flag})[0]; }

// Returns the flags of a command that fetches robots.txt files only.
template <std::size_t Size>
constexpr auto with_network(const std::array<Flag, Size>& own) {
  return joined(own, in_group("Network", joined(std::array{policy, strict}, connection, std::array{from, timeout})),
                common);
}

}  // namespace flags

// Exit statuses of commands that only print.
inline constexpr Status print_statuses[] = {{.number = 0, .means = "Done."},
                                            {.number = 2, .means = "A usage or input error."}};

// Operands of commands that read one robots.txt.
inline constexpr Operand one_file_operands[] = {
    {.name = "FILE|URL",
     .takes = Takes::file,
     .help = "The robots.txt; \"-\" is standard input. For a URL without a path, the site's robots.txt is fetched."}};

}  // namespace robotrules::cli
