// How a crawl ends before all its URLs are done.
#pragma once

#include <optional>
#include <utility>

#include <robotrules/base.hpp>

namespace robotrules::crawl {

class CrawlEnd {
 public:
  // Starts no more requests. Pages under way are still written and settled.
  void stop() noexcept { is_ending_ = true; }
  // The same, with an error. "store-newer" drops no page either; after any other error, no response is taken.
  void fail(const Error& error);
  // Ends the crawl after an exception, also if there is no memory: nothing is written or settled any more. What is not
  // settled stays pending, as after the death of the process. Precondition: the exception is being handled.
  void abandon() noexcept;
  // After abandon(): the sites were given back.
  void sites_given_back() noexcept { gave_back_sites_ = true; }

  bool is_ending() const noexcept { return is_ending_; }
  bool has_failed() const noexcept { return error_.has_value(); }
  bool is_abandoned() const noexcept { return is_abandoned_; }
  bool gave_back_sites() const noexcept { return gave_back_sites_; }
  Result<void> result() const;

 private:
  bool is_ending_ = false;
  std::optional<Error> error_;
  std::optional<Error> leaves_with_;  // the error of a crawl that was stopped for it
  bool is_abandoned_ = false;
  bool gave_back_sites_ = false;
  Error out_of_memory_{"out-of-memory", "there is not enough memory to continue"};  // made while there is memory
};

}  // namespace robotrules::crawl
