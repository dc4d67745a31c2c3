#include "servers/postgres/postgres_problems.hpp"

#include <algorithm>

#include "base/escape.hpp"
#include "servers/postgres/postgres_values.hpp"

namespace robotrules::store::postgres {
namespace {

// Returns the text as one line, without the line that says where in PostgreSQL's source the error is.
std::string one_line(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with("LOCATION:")) continue;
    if (!out.empty()) out += "; ";
    out += line;
  }
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7F') c = ' ';
  }
  return out;
}

// Returns the SQLSTATE in a message such as "FATAL:  28P01: password authentication failed"; empty: there is none.
std::string_view state_in(std::string_view text) {
  constexpr std::size_t length = 5;
  const auto is_part = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); };
  for (auto at = text.find(":  "); at != std::string_view::npos; at = text.find(":  ", at + 1)) {
    const std::string_view state = text.substr(at + 3, length);
    if (state.size() == length && std::ranges::all_of(state, is_part) && text.substr(at + 3 + length, 2) == ": ")
      return state;
  }
  return {};
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

Error unreachable(const std::string& server, std::string_view why) {
  return {"store-unreachable", "The PostgreSQL server of the store " + server + " cannot be reached (" + one_line(why) +
                                   "): check that it runs and that the network lets this machine connect to it"};
}

Error too_long(std::string_view key) {
  return {"invalid-request", "The key " + base::excerpt(key) + " has " + std::to_string(key.size()) +
                                 " bytes: a store in PostgreSQL takes keys of up to " + std::to_string(max_key)};
}

Error damaged(const std::string& server, std::string_view what) {
  return {"store-damaged", "The store " + server + " is damaged: " + std::string(what) +
                               ". Delete the row or restore the database from a backup"};
}

Error statement_error(std::string_view state, std::string_view text, const std::string& server) {
  const std::string said = one_line(text);
  const std::string_view group = state.substr(0, std::min<std::size_t>(2, state.size()));
  // A serialization failure, a deadlock.
  if (group == "40" && state != "40003") return {again_code, "The store " + server + " is busy (" + said + ")"};
  // A wait for a lock that took too long, a cancelled statement.
  if (state == "55P03" || state == "57014") {
    return {locked_code, "The PostgreSQL server of the store " + server + " has not finished in time (" + said +
                             "): try again, and look for sessions that hold locks for long"};
  }
  // Connection exceptions, operator intervention (a shutdown), too many connections, transactions that were idle for
  // too long, and a statement of which it is unknown whether it was run.
  if (group == "08" || group == "57" || state == "53300" || group == "25" || state == "40003") {
    if (state == "25006") {
      return {"store-read-only", "The PostgreSQL server of the store " + server + " accepts no changes (" + said +
                                     "): give the address of the primary server, or all addresses and "
                                     "target_session_attrs=read-write"};
    }
    return unreachable(server, said);
  }
  if (group == "28" || state == "42501") {
    return {"store-refused", "The PostgreSQL server of the store " + server + " refuses this user (" + said +
                                 "): check the user and the password, and grant the rights that a store needs "
                                 "(docs/operations.md)"};
  }
  if (group == "3D") {
    return {"store-refused", "The PostgreSQL server of the store " + server + " has no such database (" + said +
                                 "): create it, or give the name of another one"};
  }
  if (group == "53") {  // the disk, the memory, the table of locks
    return {"store-full", "The PostgreSQL server of the store " + server + " has no room (" + said +
                              "): give it more disk space or memory"};
  }
  // An undefined table or column: the tables were deleted or changed after the store was opened. Damaged files.
  if (state == "42P01" || state == "42703" || state == "XX001" || state == "XX002") return damaged(server, said);
  return {"store-io", "The PostgreSQL server of the store " + server + " reports an error (" + std::string(state) +
                          ": " + said + ")"};
}

Error connection_error(std::string_view text, const std::string& server) {
  if (const std::string_view state = state_in(text); !state.empty()) {
    auto error = statement_error(state, text, server);
    if (error.code == again_code || error.code == locked_code) return unreachable(server, text);
    return error;
  }
  if (has(text, "SSL") || has(text, "certificate")) {
    return {"store-tls", "The connection to the PostgreSQL server of the store " + server + " cannot be secured (" +
                             one_line(text) + "): check sslmode, sslrootcert and the server's certificate"};
  }
  if (has(text, "read-only") || has(text, "standby mode")) {
    return {"store-read-only", "No PostgreSQL server of the store " + server + " accepts changes (" + one_line(text) +
                                   "): wait until there is a primary server, or give its address"};
  }
  if (has(text, "no password supplied") || has(text, "authentication")) {
    return {"store-refused", "The PostgreSQL server of the store " + server + " refuses this user (" + one_line(text) +
                                 "): give the user and the password"};
  }
  return unreachable(server, text);
}

}  // namespace robotrules::store::postgres
