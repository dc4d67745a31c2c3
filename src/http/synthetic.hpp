// Responses that no server made.
#pragma once

#include <string>
#include <string_view>

#include <robotrules/message.hpp>
#include <robotrules/seams/transport.hpp>

namespace robotrules::agent {

// With the status and phrase that belong to `source`, a "Client-Warning: Internal response" as LWP's have it, and the
// sentence as its body and warning. The URL's userinfo is in none of it.
Response synthetic_response(ResponseSource source, std::string method, std::string url, std::string sentence);

// "500 Internal error" that needs no memory.
Response response_without_memory() noexcept;
// Inside a catch block: what was thrown, as a response.
Response response_to_exception(std::string_view method, std::string_view url) noexcept;

// What a transfer's error is to the caller.
ResponseSource source_of(TransferError error) noexcept;
// The reason phrase of ResponseSource::network that says how far it came.
std::string_view phrase_of(TransferError error) noexcept;

}  // namespace robotrules::agent
