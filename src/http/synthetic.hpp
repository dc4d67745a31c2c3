// Responses that the agent makes, not a server.
#pragma once

#include <string>
#include <string_view>

#include <robotrules/message.hpp>
#include <robotrules/seams/transport.hpp>

#include "base/visibility.hpp"

namespace robotrules::agent {

// Returns a response with the status and phrase of `source`, and "Client-Warning: Internal response" as in LWP. The
// sentence becomes its body and its warning. The userinfo of the URL is removed from all of it.
ROBOTRULES_INTERNAL_API Response synthetic_response(ResponseSource source, std::string method, std::string url,
                                                    std::string sentence);

// Returns "500 Internal error" without allocating memory.
Response response_without_memory() noexcept;
// Returns a response that describes the current exception, with `source` unless memory ran out. Call it only in a catch
// block.
Response response_to_exception(std::string_view method, std::string_view url,
                               ResponseSource source = ResponseSource::internal) noexcept;

// Returns the ResponseSource of the same name for "disk-full" and "disk-too-small", and `otherwise` for other errors.
ResponseSource source_of(const Error& error, ResponseSource otherwise) noexcept;
// Returns the reason phrase for ResponseSource::network: whether the connection failed or broke later.
std::string_view phrase_of(TransferError error) noexcept;

}  // namespace robotrules::agent
