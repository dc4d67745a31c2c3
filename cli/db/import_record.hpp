// The records that import reads and the lines that export writes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <robotrules/page_output.hpp>
#include <robotrules/store.hpp>

namespace robotrules::cli {

// The properties of a database.
struct DatabaseFacts {
  std::string agent;                   // empty if the database has no robot yet
  std::optional<RobotsPolicy> policy;  // null if none was set
};

struct ImportRecord {
  std::optional<DatabaseFacts> database;  // set if the line describes the database and not a site
  bool has_lost_policy = false;           // the database's policy could not be read; the fault says why
  std::optional<Origin> origin;           // null if there is a fault
  RobotsRecord record;
  std::string fault;  // why the record cannot be imported; empty if it can
};

// Returns the record that a fetch at `now` would give.
RobotsRecord record_of(std::string body, const Origin& origin, Timestamp now);

// Reads an object as written by line_of(). Missing members have the values of record_of().
ImportRecord record_of_line(std::string_view line, Timestamp now);

// Returns a record that is fresh from `now` on and was fetched when the response was recorded.
ImportRecord record_of_response(WarcRobots response, Timestamp now);

// Return a line with its line end. For a database without agent and policy the line is empty.
std::string line_of(const DatabaseFacts& facts);
std::string line_of(const Origin& origin, const RobotsRecord& record);

}  // namespace robotrules::cli
