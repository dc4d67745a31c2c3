// The commands of the table, defined in the *_commands.cpp files, and the flags that several of them share.
#pragma once

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
extern const Command generate_command;

namespace flags {

inline constexpr Flag help{
    .name = "help", .letter = 'h', .target = &Options::help, .help = "Print this help and exit."};
inline constexpr Flag robot{
    .name = "robot",
    .placeholder = "NAME",
    .takes = Takes::text,
    .target = &Options::robot,
    .help = "The robot's name in robots.txt files, if it differs from the name in --agent or --agent is not given."};
inline constexpr Flag dialect{.name = "dialect",
                              .letter = 'D',
                              .placeholder = "D",
                              .takes = Takes::dialect,
                              .target = &Options::dialect,
                              .help = "How to read the file."};
inline constexpr Flag json{
    .name = "json", .letter = 'j', .target = &Options::json, .help = "Print JSON, one object per line."};
inline constexpr Flag json_document{
    .name = "json", .letter = 'j', .target = &Options::json, .help = "Print one JSON document."};

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
inline constexpr Flag from{
    .name = "from",
    .letter = 'F',
    .placeholder = "ADDRESS",
    .takes = Takes::text,
    .target = &Options::from,
    .help = "An e-mail address that reaches you, sent as From with every request (default: no From is sent)."};
inline constexpr Flag timeout{
    .name = "timeout",
    .letter = 'T',
    .placeholder = "TIME",
    .takes = Takes::span,
    .range = {.min = 0.001, .max = 3'600},
    .target = &Options::timeout,
    .help = "Time limit for one request, in seconds or as 500ms or 2m, from 1ms to 1h (default: 20s)."};

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
