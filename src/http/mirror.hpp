// The origin of a mirrored file, kept with the file: Last-Modified as the time of the file, and the ETag in an extended
// attribute if the file system has such attributes.
#pragma once

#include <string>
#include <string_view>

#include <robotrules/headers.hpp>
#include <robotrules/message.hpp>
#include <robotrules/store.hpp>

namespace robotrules::agent {

// The name of the attribute. Its value is the time of the file in nanoseconds, a space, and the ETag. If a program has
// changed the file since, the times differ, and the ETag is not used.
inline constexpr const char* mirror_attribute = "user.robotrules.etag";
// Returns the value of the attribute; empty without an ETag.
std::string mirror_note(Timestamp modified, std::string_view etag);

// Returns the time for the file: Last-Modified, or the time of receipt if that is missing or in the future.
Timestamp modified_of(const Response& response);

// Returns If-Modified-Since and If-None-Match for the existing file; empty if there is no such file.
Headers mirror_conditions(const std::string& path);

}  // namespace robotrules::agent
