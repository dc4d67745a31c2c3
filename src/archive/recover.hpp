// What a file holds that the queue does not know of, after the process that wrote it was killed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <robotrules/result.hpp>
#include <robotrules/store.hpp>
#include <robotrules/url_queue.hpp>

#include <robotrules/page_output.hpp>

namespace robotrules::archive {

struct RecoveredPage {
  std::string url;  // as the queue had it
  std::string method;
  int status = 0;
  std::string why;
  std::string etag;
  std::string last_modified;
  Timestamp at;
  std::uint64_t bytes = 0;

  bool is_from_server() const noexcept;
};

// As state_of() says it of the response (crawl.hpp).
UrlState state_of(const RecoveredPage& page) noexcept;

struct Recovered {
  std::uint64_t pages = 0;
  std::uint64_t position = 0;  // the end of the last whole page: the file's size by now
  std::uint64_t cut = 0;       // octets behind it that were cut off
};

// Goes through the file from `from`, a PageOutput::position() that the queue has kept, tells `each` of every page that
// is whole, in their order, and cuts off what stands behind the last of them: pages that were being written, and, where
// the machine lost its power, what never came to the disk (a WARC record that is not what its digest says). Of WARC and
// NDJSON files; of other outputs, and of a file that is not there, nothing.
//
// Null for `from`: the queue knows nothing of the file, so that it may be somebody else's. Its pages are told all the
// same, but nothing is cut; where it does not end with a whole record, that is the error "output-damaged".
//
// Errors: "output-shorter": the file ends before `from`, so that pages that the queue believes in are missing;
// "output-busy": another process writes it; "output-failed".
Result<Recovered> recover(const std::string& name, OutputName what, std::optional<std::uint64_t> from,
                          const std::function<void(const RecoveredPage&)>& each);

}  // namespace robotrules::archive
