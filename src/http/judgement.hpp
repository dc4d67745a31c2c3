// What the end of an exchange means. Only judge() decides it, for every kind of file and every transport.
#pragma once

#include <cstdint>
#include <string_view>

#include <robotrules/message.hpp>
#include <robotrules/seams/transport.hpp>
#include <robotrules/store.hpp>

#include "base/visibility.hpp"

namespace robotrules::agent {

// How the body of a response ended.
enum class BodyEnd : std::uint8_t {
  certain,      // by a length, chunks, a content coding or close_notify, or it has none
  uncertain,    // by the end of the connection or of an HTTP/2 stream, which looks the same as a broken connection
  too_soon,     // before its Content-Length
  in_encoding,  // inside its content coding
};

// The facts about an exchange that has ended.
struct ExchangeFacts {
  TransferError error = TransferError::none;  // as the transport reports it
  bool reused = false;                        // the request went over a connection that an earlier one had used
  bool through_proxy = false;                 // a proxy carries the exchange
  bool tunnel = false;                        // the proxy had connected to the site, so the answers are the site's
  bool has_head = false;                      // the final head is complete
  int status = 0;                             // of the final head; 0: none
  int http_version = 0;                       // as in Response; 0: not even a status line came
  bool names_proxy = false;                   // a field of that head says that a proxy made it
  bool ended_by_us = false;                   // a callback ended it, or the body reached its limit
  BodyEnd body = BodyEnd::certain;
  bool is_robots_txt = false;  // needs a certain end
};

// The cause of the end, and what follows from it.
enum class ExchangeEnd : std::uint8_t {
  answer,      // the site answered
  unanswered,  // the server may not have seen the request, or did not treat it: ask once more on a new connection
  passing,     // a later request may succeed
  lasting,     // repeating the request soon cannot succeed
  ours,        // this process or this machine is the cause, and no site
  proxy,       // the proxy is the cause, and no site
};

// The reason of a failure if the server does not serve HTTP/1.1.
inline constexpr std::string_view http1_refusal =
    "the server refuses HTTP/1.1: ConnectionOptions::http2 (--http2) asks for HTTP/2";

struct Judgement {
  ExchangeEnd end = ExchangeEnd::answer;
  ResponseSource source = ResponseSource::server;
  FailureCause cause = FailureCause::none;
  // The error of the transfer, or the one that its answer shows; none if `source` is server or the body is refused.
  TransferError error = TransferError::none;

  bool refuses_http1 = false;  // the server does not serve HTTP/1.1, which was asked for

  // Returns true if a proxy ended the exchange: nothing of it may be recorded as the site's.
  bool is_of_proxy() const noexcept {
    return source == ResponseSource::proxy_failed || source == ResponseSource::proxy_refused;
  }
};

// Returns why the site gave no answer, for its gate. None: it gave one, or it is not the cause.
// A time limit that was reached before there was a connection is a connection that could not be made.
// `has_body`: a part of the body came, so a time limit shows that the site answers slowly.
OutcomeCause outcome_cause(const Judgement& judgement, bool connected, bool has_body) noexcept;

// Returns what follows from a failure without a response of the site.
ROBOTRULES_INTERNAL_API ExchangeEnd end_of(ResponseSource source, FailureCause cause) noexcept;

// Thread rule: any thread.
Judgement judge(const ExchangeFacts& facts) noexcept;

}  // namespace robotrules::agent
