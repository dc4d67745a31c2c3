// Heads of messages as an archive keeps them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace robotrules::archive {

// "HTTP/2" and "HTTP/3" in a request line or status line become "HTTP/1.1", which readers of archives know; what was
// spoken is said by protocol_of(). Unless `keep_secrets`, a note stands in place of the values of Authorization and
// Cookie.
std::string stored_request_head(std::string_view head, bool keep_secrets);

// Likewise; and as the body is kept without chunks, "Transfer-Encoding" becomes "X-Crawler-Transfer-Encoding" (as
// Common Crawl has it), and where no Content-Length is said `length` is, if given: octets of the body as it is kept.
std::string stored_response_head(std::string_view head, std::optional<std::uint64_t> length);

// "h2" where the status line says HTTP/2, "h3"; else empty.
std::string_view protocol_of(std::string_view response_head);

}  // namespace robotrules::archive
