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

inline constexpr Flag help = Flag{"help", 'h', "", Takes::nothing, "Print a short help and exit."}.typed_only();
inline constexpr Flag robot{
    "robot", 0, "NAME", Takes::text,
    "The robot's name in robots.txt files, if it differs from the name in --agent or --agent is not given."};
inline constexpr Flag exact_agent{"exact-agent", 0, "", Takes::nothing,
                                  "Compare only the name in --agent with the file, also for a crawler that obeys other "
                                  "groups too (Googlebot-Image) or ignores \"*\" (AdsBot-Google)."};
inline constexpr Flag dialect{
    "dialect", 'D', "D", Takes::dialect, "How to read the file.", "how to read the file: google, original-1994, ..."};
inline constexpr Flag json{
    "json", 'j', "", Takes::nothing, "Print JSON, one object per line.", "print JSON, one object per line"};
inline constexpr Flag json_document{
    "json", 'j', "", Takes::nothing, "Print one JSON document.", "print one JSON document"};

// Fetching.
inline constexpr Flag policy{"policy", 'P', "NAME", Takes::policy,
                             "How to treat a site whose robots.txt cannot be fetched (default: with a database, the "
                             "policy stored in it, else rfc9309)."};
inline constexpr Flag strict{"strict", 'S', "", Takes::nothing, "The same as \"--policy strict\"."};
// How every command that fetches connects (read_connection() in cli/io/network.hpp).
inline constexpr std::array connection{
    Flag{"allow-address", 'A', "CIDR", Takes::text,
         "Also allow requests to these addresses, such as 127.0.0.0/8 or 10.1.2.3; may be repeated. By default only "
         "public Internet addresses are allowed."}
        .list(),
    Flag{"allow-port", 0, "PORT", Takes::whole_number,
         "Also allow requests to this port; may be repeated. By default 80, 443 and the ports above 1023 are allowed, "
         "except ports of other protocols and databases, such as 3306 and 6379."}
        .between(1, 65'535)
        .list(),
    Flag{"ca-file", 0, "FILE", Takes::file,
         "Trust the certificate authorities in this PEM file, and no others (default: those of the variables "
         "SSL_CERT_FILE and SSL_CERT_DIR, else the system's)."},
    Flag{"client-cert", 0, "FILE", Takes::file,
         "Your own certificate (PEM), shown to every https site that asks for one."},
    Flag{"client-key", 0, "FILE", Takes::file, "The private key of --client-cert, if it is in another file (PEM)."},
    Flag{"client-key-password", 0, "PASSWORD", Takes::text,
         "The password of this key. Other users may see it in the list of processes."}
        .secret(),
    Flag{"proxy", 'x', "URL|none", Takes::url,
         "Send all requests through this proxy, such as http://proxy:3128 or socks5h://proxy:1080; none: through no "
         "proxy (default: that of the variables http_proxy, https_proxy and all_proxy). The variable no_proxy names "
         "hosts that need no proxy.",
         "send all requests through this proxy"}
        .secret(),
    Flag{"resolve", 0, "HOST:PORT:ADDRESS", Takes::text,
         "Connect to this address for this host and port, and ask no name server; several addresses are separated by "
         "commas. May be repeated."}
        .list(Lists::lines),
    Flag{"ipv4", '4', "", Takes::nothing, "Connect to IPv4 addresses only."},
    Flag{"ipv6", '6', "", Takes::nothing, "Connect to IPv6 addresses only."}};

// Returns one list of all parts, which are flags and lists of flags.
template <class... Parts>
constexpr auto joined(const Parts&... parts) {
  const auto as_list = [](const auto& part) {
    if constexpr (requires { part.size(); }) {
      return part;
    } else {
      return std::array{part};
    }
  };
  return std::apply([](const auto&... flag) { return std::array{flag...}; }, std::tuple_cat(as_list(parts)...));
}

// Returns the same list under a heading of the help.
template <class... Parts>
constexpr auto in_group(std::string_view heading, const Parts&... parts) {
  auto list = joined(parts...);
  for (Flag& flag : list) flag.group = heading;
  return list;
}

// Returns the same list without the lines of the short help.
template <class... Parts>
constexpr auto rare(const Parts&... parts) {
  auto list = joined(parts...);
  for (Flag& flag : list) flag.brief = {};
  return list;
}

// The flags of every command.
inline constexpr auto common = in_group(
    "General",
    Flag{"color", 0, "auto|always|never", Takes::choice,
         "Whether to use colours. auto (default): on a terminal, unless NO_COLOR is set or TERM is dumb. Standard "
         "output and standard error are judged apart."},
    Flag{"config", 0, "FILE", Takes::file,
         "Read options by their long names from this TOML file: from the table that has the command's name, and from "
         "the keys above all tables, which are for every command. ROBOTRULES_* variables override the file, and flags "
         "override both."},
    help, Flag{"help-all", 0, "", Takes::nothing, "Print the help with all options and exit."}.typed_only());

// Returns the flags of a command that fetches robots.txt files only.
template <class... Parts>
constexpr auto with_network(const Parts&... own) {
  return joined(
      own...,
      in_group("Network", policy, strict, connection,
               Flag{"from", 'F', "ADDRESS", Takes::text,
                    "An e-mail address that reaches you, sent as From with every request (default: no From is sent)."},
               Flag{"timeout", 'T', "TIME", Takes::span,
                    "Time limit for one request, in seconds or as 500ms or 2m (default: 20s)."}
                   .between(0.001, 3'600)),
      common);
}

}  // namespace flags

}  // namespace robotrules::cli
