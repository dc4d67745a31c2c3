// What import makes of a line or of a recorded response, and the line that export writes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <robotrules/store.hpp>

#include "cli/db/warc.hpp"

namespace robotrules::cli {

struct ImportRecord {
  std::optional<Origin> origin;  // null: the fault says why
  RobotsRecord record;
  std::string fault;  // why it can't be taken; empty: it can
};

// What a fetch at `now` would have given.
RobotsRecord record_of(std::string body, const Origin& origin, Timestamp now);

// An object as line_of() writes it; what is left out is as record_of() says.
ImportRecord record_of_line(std::string_view line, Timestamp now);

// Kept as fresh from `now` on, fetched when it was recorded.
ImportRecord record_of_response(WarcRobots response, Timestamp now);

// With its end.
std::string line_of(const Origin& origin, const RobotsRecord& record);

}  // namespace robotrules::cli
