// An HTTP response as an archive stores it, read back.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <robotrules/headers.hpp>

namespace robotrules::archive {

struct RecordedResponse {
  int status = 0;
  std::string message;
  Headers headers;      // a folded field is one line
  std::string body;     // decoded
  bool is_cut = false;  // the body is longer than the limit
  // Why the body could not be read; empty: it was read, or the head decides (a status that is no success).
  std::string fault;
  bool has_odd_line = false;  // the head has a line that is not a field
};

// Reads the block of a response record, and at most `max_body` bytes of the decoded body. Recorders keep a body as it
// was received, or without its chunks or its coding though the fields still name them.
RecordedResponse read_recorded_response(std::string_view block, std::size_t max_body, bool answers_head = false);

}  // namespace robotrules::archive
