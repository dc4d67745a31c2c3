// How many requests at once the limit on open files allows.
#pragma once

#include <cstddef>

#include <robotrules/result.hpp>

namespace robotrules::cli {

struct FileShares {
  std::size_t concurrency = 0;  // requests at once
  std::size_t keep_alive = 0;   // connections kept for the next page of their site
};

// Divides `available` descriptors. A request takes up to three: the sockets that it tries addresses with, or those of
// the look-up of its name. Some stay free for files. Error "too-few-files": not even one request has enough.
Result<FileShares> share_files(std::size_t available, std::size_t wanted);

// The same of what this process may still open, after it has raised its limit as far as it may.
Result<FileShares> share_files(std::size_t wanted);

}  // namespace robotrules::cli
