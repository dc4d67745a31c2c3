// The body of a success (2xx) for a robots.txt: whether it is a file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <robotrules/headers.hpp>
#include <robotrules/robots_step.hpp>

namespace robotrules::answer {

// Turns the body into the file: decodes it if it is as received, unpacks a gzip file that no Content-Encoding
// announces, cuts it after its last whole line if it is longer than `limit` bytes, and adds a byte order mark to UTF-16
// that has only a label. Returns why the body is no file; empty: it is one.
std::string take_file(RobotsExchange& exchange, std::size_t limit);

}  // namespace robotrules::answer
