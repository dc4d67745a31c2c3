// Where a run begins that goes on with an output and a log.
#pragma once

#include <cstdint>
#include <string>

#include <robotrules/result.hpp>
#include <robotrules/url_queue.hpp>

namespace robotrules::crawl {

// Position of a log that its run has ended with. Lines behind it may be those of another crawl.
inline constexpr std::uint64_t log_closed = std::uint64_t{1} << 62;

// Settles the pages that a run which was killed had written and not settled: those that a WARC or NDJSON file has, or,
// with another output, those that the log names, as a line is written after its page. A page that only the file has
// gets its line in the log. Returns how many were settled. `output` and `log` are the names under which the queue keeps
// positions; each may be empty. Errors: those of recover() and of the queue.
Result<std::uint64_t> resume(UrlQueue& queue, const std::string& output, const std::string& log);

}  // namespace robotrules::crawl
