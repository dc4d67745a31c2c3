// Recording: what went over the wire for one response, octet by octet; for archives.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <robotrules/body.hpp>
#include <robotrules/gate.hpp>

namespace robotrules {

// Why a recorded response ends before its end.
enum class RecordingCut : std::uint8_t {
  none,
  length,       // at a limit on its size
  time,         // at a deadline
  disconnect,   // the connection ended
  unspecified,  // a handler, or a body that is not encoded as it says
};

// Of one exchange: each redirect and each answered challenge has its own, along Response::previous. Asked for by
// Request::record. Heads end with their empty line; with HTTP/2, which has none, they are those that libcurl makes of
// its frames, with CRLF line ends.
// Thread rule: never changed once it is there.
struct Recording {
  std::string request_head;   // with the request line; the request's body is not kept
  std::string response_head;  // the last one: not that of an interim response (1xx); empty: none came whole
  // Of the response, as it came: with its content coding, without chunks. Empty where `body_is_plain`.
  std::string body;
  std::shared_ptr<const SpoolFile> body_rest;  // as Response::body_rest
  bool body_is_plain = false;  // nothing was encoded, and Response::body, unless a handler changed it, is what came
  RecordingCut cut = RecordingCut::none;
  std::string peer;  // "192.0.2.1:443", "[2001:db8::1]:443"; empty: unknown
  Timestamp requested_at;
};

}  // namespace robotrules
