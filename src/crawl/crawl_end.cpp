#include "crawl/crawl_end.hpp"

#include <exception>
#include <new>
#include <string>

namespace robotrules::crawl {

void CrawlEnd::fail(const Error& error) {
  is_ending_ = true;
  std::optional<Error>& kept = error.code == "store-newer" ? leaves_with_ : error_;
  if (!kept) kept = error;
}

void CrawlEnd::abandon() noexcept {
  is_abandoned_ = is_ending_ = true;
  if (error_) return;
  try {
    try {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& thrown) {
      error_ = Error{"crawl-failed", std::string("the crawl cannot go on: ") + thrown.what()};
    }
  } catch (...) {
    error_ = std::move(out_of_memory_);
  }
}

Result<void> CrawlEnd::result() const {
  const auto& error = leaves_with_ ? leaves_with_ : error_;
  return error ? Result<void>(*error) : Result<void>();
}

}  // namespace robotrules::crawl
