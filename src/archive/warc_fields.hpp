// The blocks of our metadata records: written with a page, read back by recover().
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <robotrules/page_output.hpp>
#include "archive/recover.hpp"

namespace robotrules::archive {

// application/warc-fields: how long the fetch took and what led there, in the words of the standard (fetchTimeMs, via);
// what robots.txt said of the hop (robots-...); and with the `last` hop of a page what recover() needs (page-...).
std::string metadata_of(const Response& hop, const FetchedPage& page, std::string_view via, bool last);

// Null where it is no last one.
std::optional<RecoveredPage> read_metadata(std::string_view block);

}  // namespace robotrules::archive
