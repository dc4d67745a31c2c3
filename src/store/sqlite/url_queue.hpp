// A URL queue with a given hash function, for tests that need collisions.
#pragma once

#include <memory>
#include <string>

#include <robotrules/url_queue.hpp>

#include "store/sqlite/known_urls.hpp"

namespace robotrules::store {

Result<std::unique_ptr<UrlQueue>> open_hashed_queue(const std::string& path, const std::string& job,
                                                    const SqliteStoreOptions& options, UrlHash hash);

}  // namespace robotrules::store
