// The URL queue in a file.
#pragma once

#include <memory>
#include <string>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "base/visibility.hpp"
#include "queue/sqlite/known_urls.hpp"

namespace robotrules::store {

// Does what open_url_queue() does with a file.
ROBOTRULES_INTERNAL_API Result<std::unique_ptr<UrlQueue>> open_file_queue(const std::string& path,
                                                                          const std::string& job,
                                                                          const SqliteStoreOptions& options);
// The same with another hash function, for tests that need collisions.
Result<std::unique_ptr<UrlQueue>> open_hashed_queue(const std::string& path, const std::string& job,
                                                    const SqliteStoreOptions& options, UrlHash hash);

}  // namespace robotrules::store
