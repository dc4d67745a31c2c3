// Fetched pages as lines of NDJSON: written, and read back.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/message.hpp>

#include <robotrules/page_output.hpp>
#include "archive/recover.hpp"

namespace robotrules::archive {

// Appends `{"url":"...","method":"GET","final_url":"...","status":200,"why":"server",...` without the closing brace.
// This is everything that a log contains. Null and inapplicable members are left out.
void append_page_facts(std::string& out, const FetchedPage& page);

// Appends `,"headers":[["Name","value"],...]`, in their order.
void append_headers(std::string& out, const Headers& headers);

// Writes `,"body":"..."`, or `,"body_b64":"..."` if the body is not UTF-8, piece by piece. Fails as `write` and the
// body do.
Result<void> write_body(const BodyView& body, const std::function<Result<void>(std::string_view text)>& write);

// Returns a complete line for a page that is in an output but not in the log; its member `recovered` is true.
std::string recovered_line(const RecoveredPage& page);

// Reads such a line, or one of an NDJSON file; returns null for other text.
std::optional<RecoveredPage> read_page_line(std::string_view line, GiveBack give_back = GiveBack::facts);

}  // namespace robotrules::archive
