// The number of simultaneous requests that the limit on open files allows.
#pragma once

#include <cstddef>
#include <optional>

#include <robotrules/result.hpp>

namespace robotrules::cli {

struct FileShares {
  std::size_t concurrency = 0;  // simultaneous requests
  std::size_t keep_alive = 0;   // idle connections kept open
  std::size_t bodies = 0;       // in temporary files
};

// Returns the number of descriptors that the process has open, or nothing if /proc cannot be read.
std::optional<std::size_t> count_open_files();

// Divides `available` descriptors. A request needs up to three: sockets to try addresses, or for the name look-up. Each
// of up to `wanted_bodies` bodies in temporary files needs one. Some stay free for files. Fails with "too-few-files" if
// not even one request is possible.
Result<FileShares> share_files(std::size_t available, std::size_t wanted, std::size_t wanted_bodies = 0);

// Raises the limit of this process as far as allowed and divides the descriptors that it may still open.
Result<FileShares> share_open_files(std::size_t wanted, std::size_t wanted_bodies = 0);

}  // namespace robotrules::cli
