// What import makes of a line or of a recorded response, and the line that export writes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <robotrules/store.hpp>

#include <robotrules/page_output.hpp>

namespace robotrules::cli {

// What a database says of itself.
struct DatabaseFacts {
  std::string agent;                   // empty: nobody's yet
  std::optional<RobotsPolicy> policy;  // null: none was set
};

struct ImportRecord {
  std::optional<DatabaseFacts> database;  // the line is of the database itself, and of no site
  bool has_lost_policy = false;           // as the fault says: what follows can't be judged as it was
  std::optional<Origin> origin;           // null: the fault says why
  RobotsRecord record;
  std::string fault;  // why it can't be taken; empty: it can
};

// What a fetch at `now` would have given.
RobotsRecord record_of(std::string body, const Origin& origin, Timestamp now);

// An object as one of line_of() writes it; what is left out is as record_of() says.
ImportRecord record_of_line(std::string_view line, Timestamp now);

// Kept as fresh from `now` on, fetched when it was recorded.
ImportRecord record_of_response(WarcRobots response, Timestamp now);

// With its end. Of a database that says nothing of itself there is no line.
std::string line_of(const DatabaseFacts& facts);
std::string line_of(const Origin& origin, const RobotsRecord& record);

}  // namespace robotrules::cli
