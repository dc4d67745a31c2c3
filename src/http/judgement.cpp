#include "http/judgement.hpp"

namespace robotrules::agent {
namespace {

constexpr int proxy_authentication_required = 407;

ResponseSource source_of(TransferError error) noexcept {
  switch (error) {
    case TransferError::none: return ResponseSource::server;
    case TransferError::address: return ResponseSource::address_refused;
    case TransferError::port: return ResponseSource::port_refused;
    case TransferError::tls:
    case TransferError::certificate:
    case TransferError::no_http1: return ResponseSource::tls;
    case TransferError::timeout: return ResponseSource::timeout;
    case TransferError::protocol: return ResponseSource::bad_response;
    case TransferError::cancelled: return ResponseSource::cancelled;
    case TransferError::request_body: return ResponseSource::invalid_request;
    case TransferError::internal: return ResponseSource::internal;
    case TransferError::proxy: return ResponseSource::proxy_failed;
    case TransferError::proxy_refused: return ResponseSource::proxy_refused;
    case TransferError::resolve:
    case TransferError::unknown_name:
    case TransferError::connect:
    case TransferError::route:
    case TransferError::cut:
    case TransferError::unanswered:
    case TransferError::stopped:
    case TransferError::other: break;
  }
  return ResponseSource::network;
}

FailureCause cause_of(TransferError error) noexcept {
  switch (error) {
    case TransferError::unknown_name: return FailureCause::name_unknown;
    case TransferError::address: return FailureCause::address_refused;
    case TransferError::port: return FailureCause::port_refused;
    case TransferError::certificate: return FailureCause::certificate_not_verified;
    default: return FailureCause::none;
  }
}

Judgement failed(TransferError error) noexcept {
  const ResponseSource source = source_of(error);
  const FailureCause cause = cause_of(error);
  return {end_of(source, cause), source, cause, error};
}

// Returns the error of the proxy, or none if the exchange has reached the site. Without a tunnel, nobody can tell
// whether silence and broken connections are the proxy's or the site's, so they count as the proxy's.
TransferError error_of_proxy(const ExchangeFacts& facts) noexcept {
  if (!facts.through_proxy || facts.tunnel) return TransferError::none;
  if (facts.has_head) {
    if (facts.status == proxy_authentication_required) return TransferError::proxy;
    return facts.names_proxy && facts.status >= 400 ? TransferError::proxy_refused : TransferError::none;
  }
  switch (facts.error) {
    case TransferError::resolve:
    case TransferError::unknown_name:
    case TransferError::connect:
    case TransferError::timeout:
    case TransferError::protocol:
    case TransferError::cut:
    case TransferError::unanswered:
    case TransferError::other: return TransferError::proxy_refused;
    default: return TransferError::none;
  }
}

// A proxy may have died when it ended the connection, also in a tunnel: then the next connection to it fails, and the
// crawl waits.
bool is_unanswered(const ExchangeFacts& facts) noexcept {
  if (facts.ended_by_us) return false;
  if (facts.has_head) return facts.reused && facts.status == 408;
  if (facts.error == TransferError::unanswered) return true;
  return facts.error == TransferError::cut && facts.http_version == 0 && (facts.reused || facts.through_proxy);
}

// Returns true for errors of a body, which change nothing if the head decides.
bool is_of_body(TransferError error) noexcept {
  return error == TransferError::cut || error == TransferError::timeout || error == TransferError::protocol ||
         error == TransferError::other;
}

Judgement judge_end(const ExchangeFacts& facts) noexcept {
  const bool success = facts.status >= 200 && facts.status < 300;
  const bool head_decides = facts.has_head && !success;
  const bool has_failed = facts.error != TransferError::none && !facts.ended_by_us;
  if (const TransferError proxy = error_of_proxy(facts); proxy != TransferError::none) return failed(proxy);
  if (has_failed && !(head_decides && is_of_body(facts.error))) return failed(facts.error);
  if (!facts.has_head) return {ExchangeEnd::lasting, ResponseSource::bad_response};
  if (facts.ended_by_us || head_decides) return {};
  switch (facts.body) {
    case BodyEnd::too_soon: return failed(TransferError::cut);
    case BodyEnd::in_encoding: return {ExchangeEnd::lasting, ResponseSource::body_refused};
    case BodyEnd::uncertain:
      if (facts.is_robots_txt) return {ExchangeEnd::lasting, ResponseSource::body_refused};
      break;
    case BodyEnd::certain: break;
  }
  return {};
}

}  // namespace

OutcomeCause outcome_cause(const Judgement& judgement, bool connected, bool has_body) noexcept {
  switch (judgement.error) {
    case TransferError::connect:
    case TransferError::cut:
    case TransferError::unanswered:
    case TransferError::other: return OutcomeCause::connect;
    case TransferError::timeout:
      if (has_body) return OutcomeCause::none;
      return connected ? OutcomeCause::timeout : OutcomeCause::connect;
    case TransferError::resolve: return OutcomeCause::dns;
    case TransferError::route: return OutcomeCause::route;
    case TransferError::cancelled: return OutcomeCause::cancelled;
    default: return OutcomeCause::none;
  }
}

ExchangeEnd end_of(ResponseSource source, FailureCause cause) noexcept {
  if (cause != FailureCause::none) return ExchangeEnd::lasting;
  switch (source) {
    case ResponseSource::proxy_failed: return ExchangeEnd::proxy;
    case ResponseSource::internal:
    case ResponseSource::disk_full:
    case ResponseSource::disk_too_small:
    case ResponseSource::cancelled: return ExchangeEnd::ours;
    case ResponseSource::network:
    case ResponseSource::timeout:
    case ResponseSource::proxy_refused: return ExchangeEnd::passing;
    default: return ExchangeEnd::lasting;
  }
}

Judgement judge(const ExchangeFacts& facts) noexcept {
  Judgement judgement = judge_end(facts);
  const bool is_too_old = facts.http_version < 20 && (facts.status == 426 || facts.status == 505);
  judgement.refuses_http1 = judgement.error == TransferError::no_http1 || (!judgement.is_of_proxy() && is_too_old);
  if (is_unanswered(facts)) judgement.end = ExchangeEnd::unanswered;
  return judgement;
}

}  // namespace robotrules::agent
