// The name under which a response would be saved.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace robotrules::agent {

// All functions return a name without a folder, or null. The name is UTF-8, without "/", "\" and control characters,
// not empty, not "." or "..", and at most 255 bytes long.

// Returns "filename*" of Content-Disposition, or else "filename" (RFC 6266). Words that are encoded as in mail (RFC
// 2047) are decoded, as LWP does.
std::optional<std::string> disposition_filename(std::string_view field);

// Returns the last segment of the URL's path, decoded.
std::optional<std::string> url_filename(std::string_view url);

// Returns the name from Content-Disposition, Content-Location or the URL, as HTTP::Response->filename. An empty view
// means that the field is missing.
std::optional<std::string> response_filename(std::string_view content_disposition, std::string_view content_location,
                                             std::string_view url);

}  // namespace robotrules::agent
