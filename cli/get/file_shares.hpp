// How many requests at once the limit on open files allows.
#pragma once

#include <cstddef>

#include <robotrules/result.hpp>

namespace robotrules::cli {

struct FileShares {
  std::size_t concurrency = 0;  // requests at once
  std::size_t keep_alive = 0;   // connections kept for the next page of their site
  std::size_t bodies = 0;       // in temporary files
};

// Divides `available` descriptors. A request takes up to three: the sockets that it tries addresses with, or those of
// the look-up of its name. Bodies that go on in temporary files take one each, of which there are up to
// `wanted_bodies`. Some stay free for files. Error "too-few-files": not even one request has enough.
Result<FileShares> share_files(std::size_t available, std::size_t wanted, std::size_t wanted_bodies = 0);

// The same of what this process may still open, after it has raised its limit as far as it may.
Result<FileShares> share_open_files(std::size_t wanted, std::size_t wanted_bodies = 0);

}  // namespace robotrules::cli
