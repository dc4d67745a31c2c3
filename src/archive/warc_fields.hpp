// The blocks of the metadata records: written with a page, and read back by recover().
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/page_output.hpp>
#include "archive/recover.hpp"

namespace robotrules::archive {

// Returns the block of the warcinfo record.
std::string warcinfo_of(const OutputOptions& options);

// Checks the fields that the program adds to this block. Fails with "invalid-warcinfo" if a name is not a token, a
// value is empty or not UTF-8, or warcinfo_of() writes the field itself.
Result<void> check_warcinfo(const std::vector<std::pair<std::string, std::string>>& fields);

// Returns a block of application/warc-fields: how long the fetch took and which URL led there, with the names of the
// standard (fetchTimeMs, via); the robots.txt decision for the hop (robots-...); and for the `last` hop of a page, the
// fields that recover() needs (page-...).
std::string metadata_of(const Response& hop, const FetchedPage& page, std::string_view via, bool last);

// Returns the block for an exchange of a robots.txt fetch: how long it took and how it ended.
std::string metadata_of_robots(const Response& exchange);

// Returns fields with the head of a response that no record has as its block: "http-status-line", and
// "http-header-etag" for ETag, as the standard names fields of a request in a warcinfo record.
std::string fields_of_head(std::string_view response_head);

// Returns true for a block of metadata_of_robots(). Such an exchange is complete, but it is not a page of the queue.
bool is_robots_metadata(std::string_view block);

// Reads the block of a last hop; returns null for other blocks.
std::optional<RecoveredPage> read_metadata(std::string_view block);

}  // namespace robotrules::archive
