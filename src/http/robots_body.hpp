// The body of a success (2xx) for a robots.txt, fetched or recorded: whether it is a file.
#pragma once

#include <cstddef>
#include <string>

#include <robotrules/headers.hpp>

#include "base/visibility.hpp"

namespace robotrules::agent {

// Unpacks `body` if it is a gzip file although no Content-Encoding says so; at most `limit` bytes, and `is_cut` is set
// if there were more. Returns why the body is no robots.txt: it has an unknown coding, the gzip file is not whole, or
// the answer is a challenge (202 without a directive, or with x-amzn-waf-action). Empty: it is one. Pure.
ROBOTRULES_INTERNAL_API std::string take_robots_body(int status, const Headers& headers, std::size_t limit,
                                                     std::string& body, bool& is_cut);

}  // namespace robotrules::agent
