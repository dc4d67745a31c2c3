// The name under which a response would be saved.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace robotrules::agent {

// All of them answer a name without a folder: UTF-8, no "/" or "\", no control character, not empty, ".", or "..", at
// most 255 octets; or null.

// "filename*" before "filename" of Content-Disposition (RFC 6266); words that are encoded as in mail (RFC 2047) are
// decoded, as LWP does.
std::optional<std::string> disposition_filename(std::string_view field);

// The last segment of the URL's path, decoded.
std::optional<std::string> url_filename(std::string_view url);

// As HTTP::Response->filename: by Content-Disposition, Content-Location, the URL. Empty views are fields that are not
// there.
std::optional<std::string> response_filename(std::string_view content_disposition, std::string_view content_location,
                                             std::string_view url);

}  // namespace robotrules::agent
