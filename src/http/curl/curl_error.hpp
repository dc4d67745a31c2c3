// The errors of libcurl as errors of a transfer.
#pragma once

#include <curl/curl.h>

#include <robotrules/seams/transport.hpp>

namespace robotrules::agent {

// Returns the error for a code of libcurl. The caller knows more about some of them, such as the address that the guard
// refused.
TransferError error_of(CURLcode code) noexcept;

}  // namespace robotrules::agent
