// What is told of a fetched page in a line of NDJSON, and what is read back of it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/message.hpp>

#include <robotrules/page_output.hpp>
#include "archive/recover.hpp"

namespace robotrules::archive {

// Appends `{"url":"...","method":"GET","final_url":"...","status":200,"why":"server",...` without the closing brace:
// all that a log says. What is null or does not apply is left out.
void append_page_facts(std::string& out, const FetchedPage& page);

// Appends `,"headers":[["Name","value"],...]`, in their order.
void append_headers(std::string& out, const Headers& headers);

// Writes `,"body":"..."`, or `,"body_b64":"..."` where it is not UTF-8, piece by piece. Errors are those of `write` and
// of the body.
Result<void> write_body(const BodyView& body, const std::function<Result<void>(std::string_view text)>& write);

// A whole line with what an output has kept of a page that no line tells of; `recovered` is true in it.
std::string recovered_line(const RecoveredPage& page);

// Reads a line as above; null where it is none.
std::optional<RecoveredPage> read_page_line(std::string_view line);

}  // namespace robotrules::archive
