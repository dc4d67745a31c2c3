// Responses that no server made.
#pragma once

#include <string>

#include <robotrules/response.hpp>
#include <robotrules/transport.hpp>

namespace robotrules::agent {

// With the status and phrase that belong to `source`, a "Client-Warning: Internal response" as LWP's have it, and the
// sentence as its body and warning.
Response synthetic_response(ResponseSource source, std::string method, std::string url, std::string sentence);

// What a transfer's error is to the caller.
ResponseSource source_of(TransferError error) noexcept;

}  // namespace robotrules::agent
