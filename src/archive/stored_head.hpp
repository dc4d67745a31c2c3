// The heads of messages in the form in which an archive stores them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/headers.hpp>

namespace robotrules::archive {

// Returns the head of a request. "HTTP/2" and "HTTP/3" in a request line or status line become "HTTP/1.1", which
// readers of archives know; protocol_of() returns the real protocol. Unless `keep_secrets` is set, a note replaces the
// values of Authorization and Cookie.
std::string stored_request_head(std::string_view head, bool keep_secrets);

// Returns the head of a response, changed in the same way. The body is stored without chunks, so "Transfer-Encoding"
// becomes "X-Crawler-Transfer-Encoding", as in Common Crawl. If there is no Content-Length, `length` is added as one,
// if given: the bytes of the stored body.
std::string stored_response_head(std::string_view head, std::optional<std::uint64_t> length);

// Returns the fields as the server sent them, from those that stored_response_head() made. A Content-Length that it
// added to a head of HTTP/2 or HTTP/3 stays.
Headers sent_headers(const Headers& stored);

// Returns "h2" or "h3" if the status line has HTTP/2 or HTTP/3; else empty.
std::string_view protocol_of(std::string_view response_head);

}  // namespace robotrules::archive
