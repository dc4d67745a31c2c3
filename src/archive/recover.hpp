// Finds the pages in an output that the queue does not know, because the process that wrote them was killed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <robotrules/base.hpp>
#include <robotrules/message.hpp>
#include <robotrules/store.hpp>
#include <robotrules/url_queue.hpp>

#include <robotrules/page_output.hpp>

#include "archive/warc_parts.hpp"

namespace robotrules::archive {

struct RecoveredPage {
  std::string url;  // as in the queue
  std::string method;
  int status = 0;
  std::string why;
  std::string etag;
  std::string last_modified;
  Timestamp requested_at;  // of the last hop
  Timestamp at;            // when it was received
  std::uint64_t bytes = 0;
  bool truncated = false;
  std::optional<PayloadRecord> payload{};  // PageOutput::last_payload()
  // Status, headers and whole body, as the output contains them. Null: GiveBack::facts was asked for, the body is not
  // complete in the output, or it is longer than max_given_back.
  std::shared_ptr<const Response> response{};

  bool is_from_server() const noexcept;
};

inline constexpr std::size_t max_given_back = std::size_t{64} << 20;  // bytes of a body

// Returns the same as state_of() for the response (crawl.hpp).
UrlState state_of(const RecoveredPage& page) noexcept;

// Returns RecoveredPage::response; null if the page has none that on_page could get (kept_out_by_page, body_cut).
std::shared_ptr<const Response> response_of(const RecoveredPage& page, std::string final_url, std::string message,
                                            Headers headers, std::string body);

enum class GiveBack : std::uint8_t { facts, responses };

struct Recovered {
  std::uint64_t pages = 0;
  // End of the last complete page or robots.txt exchange, which is now the size of the file; or number_of() a part and
  // this size.
  std::uint64_t position = 0;
  std::uint64_t cut = 0;  // bytes after it that were removed
};

// Reads the file from `from`, a PageOutput::position() that the queue stored, and calls `each` for every complete page
// in order. Then removes everything after the last complete page or robots.txt exchange: pages that were being written,
// and, if the machine lost power, data that never reached the disk (a WARC record that does not match its digest).
// Reads WARC and NDJSON files; does nothing for other outputs. A missing file counts as empty.
//
// If `from` is null, the queue knows nothing of the file, so the file may belong to another crawl. `each` is called in
// the same way, but nothing is removed; if the file does not end with a complete record, this fails with
// "output-damaged".
//
// Fails with "output-shorter" if the file ends before `from`, so that pages of the queue are missing; with
// "output-busy" if another process writes the file; with "output-failed" otherwise.
Result<Recovered> recover(const std::string& name, OutputName what, std::optional<std::uint64_t> from,
                          const std::function<void(const RecoveredPage&)>& each, GiveBack give_back = GiveBack::facts);

// The same for the parts of a WARC output (warc_parts.hpp): reads the part of `from` and those after it. Only the last
// part can end with an incomplete page; if another one does, this fails with "output-damaged" and removes nothing.
// Parts before `from` may be missing. If `from` is null, reads the last part.
Result<Recovered> recover_parts(const std::string& name, Packing packing, std::optional<PartPosition> from,
                                const std::function<void(const RecoveredPage&)>& each,
                                GiveBack give_back = GiveBack::facts);

}  // namespace robotrules::archive
