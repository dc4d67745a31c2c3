#include "servers/postgres/sql.hpp"

#include <array>
#include <map>
#include <span>

#include "queue/queue_columns.hpp"
#include "servers/postgres/queue/postgres_queue_rows.hpp"
#include "servers/postgres/record_rows.hpp"
#include "servers/postgres/sql_text.hpp"
#include "store/gate_columns.hpp"
#include "store/record_columns.hpp"

namespace robotrules::store::postgres {
namespace {

// The current time of the server in microseconds since 1970. It is read when the statement runs, so in a statement
// after the one that locks rows it is later than the lock.
constexpr const char* now = "(extract(epoch FROM pg_catalog.clock_timestamp()) OPERATOR(pg_catalog.*) 1000000)::bigint";
// The start of the server. A server that starts from a backup, and a standby server that becomes the primary one, may
// lack the last changes; both have another start than the server before.
constexpr const char* server_start =
    "(extract(epoch FROM pg_catalog.pg_postmaster_start_time()) OPERATOR(pg_catalog.*) 1000000)::bigint";

const std::map<std::string_view, std::string_view>& texts() {
  static const std::map<std::string_view, std::string_view> all{
      {"now", now},
      {"server_start", server_start},
      {"lock_space", "1383031412"},  // of advisory locks
      {"robots", robots_columns},
      {"item", item_columns},
      {"site", "id, origin, pending, rank"},
      {"counts", count_columns},
      {"reopened", "job = $1 AND id > $2 AND id <= $3 AND (1::bigint << state::int) & $4 <> 0 AND at < $5"},
  };
  return all;
}

const std::map<std::string_view, std::span<const SqlColumn>>& lists() {
  static const std::map<std::string_view, std::span<const SqlColumn>> all{{"gate", gate_columns},
                                                                          {"record", record_columns},
                                                                          {"body", body_columns},
                                                                          {"new_url", hashed_url_columns},
                                                                          {"result", result_columns}};
  return all;
}

std::string types_of(std::span<const SqlColumn> columns) {
  std::string list;
  for (const SqlColumn& column : columns)
    list.append(list.empty() ? "" : ", ").append(column.kind == ValueKind::number ? "bigint[]" : "bytea[]");
  return list;
}

// True for a worker whose lease has ended at the time `time`, null: the server's. The time in which the server was not
// there does not count; a scripted clock knows nothing of its start.
std::string lapsed(const std::string& time, const std::string& lease) {
  return "(ends_at <= coalesce(" + time + ", " + now + ") AND (" + time + " IS NOT NULL OR " + server_start + " + " +
         lease + " <= " + now + "))";
}

// Returns what stands for the text in braces.
std::string meaning_of(std::string_view text) {
  if (const auto known = texts().find(text); known != texts().end()) return std::string(known->second);
  const std::size_t space = text.find(' ');
  const std::string_view rest = space == std::string_view::npos ? std::string_view() : text.substr(space + 1);
  if (text.starts_with("lapsed ")) {
    const std::size_t end = rest.find(' ');
    return lapsed(std::string(rest.substr(0, end)), std::string(rest.substr(end + 1)));
  }
  const std::span<const SqlColumn> columns = lists().at(text.substr(0, space));
  if (rest.empty()) return names_of(columns);
  if (rest == "$") return places_of(columns, '$');
  if (rest == "[]") return types_of(columns);
  if (rest == "+ 1") return "$" + std::to_string(columns.size() + 1);
  return assignments_of(columns, rest.substr(2));
}

std::string expanded(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    out += meaning_of(text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
  return out;
}

// Reads the statements. A line "-- name(types)" begins one, and a ";" at the end of a line ends it.
std::vector<NamedSql> read_all(std::string_view text) {
  std::vector<NamedSql> all;
  NamedSql next;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.starts_with("--")) {
      const std::size_t open = line.find('(');
      const std::size_t close = line.find(')');
      const bool begins = next.name.empty() && open != std::string_view::npos && close != std::string_view::npos &&
                          line.substr(3, open - 3).find(' ') == std::string_view::npos;
      if (begins) next = {std::string(line.substr(3, open - 3)), expanded(line.substr(open + 1, close - open - 1)), {}};
    } else if (!next.name.empty() && !line.empty()) {
      const bool ends = line.ends_with(';');
      next.text.append(next.text.empty() ? "" : "\n").append(expanded(line.substr(0, line.size() - (ends ? 1 : 0))));
      if (ends) all.push_back(std::exchange(next, {}));
    }
  }
  return all;
}

}  // namespace

const std::vector<NamedSql>& all_sql() {
  static const auto& all =
      *new std::vector<NamedSql>(read_all(sql_text));  // never destroyed: threads may use it at exit
  return all;
}

const std::string& sql(std::string_view name) {
  static const auto& by_name = *[] {
    auto* made = new std::map<std::string_view, const std::string*>();
    for (const NamedSql& one : all_sql()) made->emplace(one.name, &one.text);
    return made;
  }();
  return *by_name.at(name);
}

}  // namespace robotrules::store::postgres
