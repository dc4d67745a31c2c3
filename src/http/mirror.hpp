// What a mirrored file remembers of where it came from: the time of Last-Modified as its own, and its ETag in an
// extended attribute where the file system has them.
#pragma once

#include <string>
#include <string_view>

#include <robotrules/headers.hpp>
#include <robotrules/message.hpp>
#include <robotrules/store.hpp>

namespace robotrules::agent {

// The name of the attribute: the file's time in nanoseconds, a space, the ETag. By the time a file that somebody has
// changed since is known, which must not ask with an ETag that is not its own.
inline constexpr const char* mirror_attribute = "user.robotrules.etag";
std::string mirror_note(Timestamp modified, std::string_view etag);

// The file's time after this response: Last-Modified, or when it came.
Timestamp modified_of(const Response& response);

// If-Modified-Since and If-None-Match for what is there; none where there is no such file.
Headers mirror_conditions(const std::string& path);

}  // namespace robotrules::agent
