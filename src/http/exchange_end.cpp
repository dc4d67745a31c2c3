// The end of an exchange: whether the response is whole, and the response that the caller gets.
#include <algorithm>
#include <optional>
#include <utility>

#include "fields/proxy_status.hpp"
#include "fields/status_line.hpp"
#include "http/exchange.hpp"
#include "http/recorded_head.hpp"
#include "http/synthetic.hpp"

namespace robotrules::agent {

// Returns false if a whole body looks the same as a cut one. Some bodies end only with the connection. A content coding
// marks the end of its body, but not if there are no bytes at all. Under TLS the server sends close_notify; without it,
// an attacker may have cut the stream (RFC 9112 section 9.8). In HTTP/2, libcurl takes the reset of a stream for its
// end.
bool Exchange::end_is_certain(const Done& how) const {
  if (end_is_said_ || !response_.is_success() || response_.code == 204) return true;
  if (decoder_) return response_.bytes_received > 0;
  if (response_.http_version >= 20) return false;
  return !response_.url.starts_with("https:") || how.close_notify;
}

// Returns true if a body of HTTP/2 ended before its Content-Length. In HTTP/1.1, libcurl reports that as an error, and
// the chunks tell the end if there are both.
bool Exchange::is_short() const {
  return response_.http_version >= 20 && content_length_ && may_have_body(response_.method == "HEAD", response_.code) &&
         response_.bytes_received < *content_length_;
}

// Adds the recording to the response that is returned, if there is a recording and anything was sent.
void Exchange::record_to(Response& to, const Done& how) {
  if (recording_ == nullptr || (how.request_head.empty() && !head_done_)) return;
  recording_->request_head = recorded_request_head(how.request_head);
  if (head_done_) recording_->response_head = how.response_head;
  recording_->peer = to.peer;
  recording_->requested_at = to.requested_at;
  if (recording_->body_is_plain && &to != &response_) {  // `to` is synthetic and has a body of its own
    recording_->body_is_plain = false;
    recording_->body = std::move(response_.body);
    recorded_rest_ = std::move(body_rest_);
  }
  recording_->body_rest = std::move(recorded_rest_);
  // The limit is on the decoded body. The recording may have all of the encoded one, which is much shorter.
  const bool has_all = response_.truncated && decoder_ && content_length_ == response_.bytes_received;
  if (beyond_limit_ || (response_.truncated && !has_all)) {
    recording_->cut = RecordingCut::length;
  } else if (has_all || met_length_) {
    recording_->cut = RecordingCut::none;
  } else if (ended_early_ || how.error == TransferError::stopped) {
    recording_->cut = RecordingCut::unspecified;
  } else if (how.error == TransferError::timeout) {
    recording_->cut = RecordingCut::time;
  } else if (how.error != TransferError::none || to.source != ResponseSource::server) {
    recording_->cut = RecordingCut::disconnect;
  }
  to.recording = std::move(recording_);
}

BodyEnd Exchange::body_end(const Done& how) const {
  if (is_short()) return BodyEnd::too_soon;
  if (decoder_ && !decoder_->whole()) return BodyEnd::in_encoding;
  return end_is_certain(how) ? BodyEnd::certain : BodyEnd::uncertain;
}

// Returns true if a proxy says with a field that it made the response, because it has none of the site (RFC 9209).
bool Exchange::names_proxy() const {
  const auto statuses = response_.headers.all("Proxy-Status");
  return response_.headers.has("X-Squid-Error") || std::any_of(statuses.begin(), statuses.end(), has_proxy_error);
}

Judgement Exchange::judgement(const Done& how) const {
  ExchangeFacts facts;
  facts.error = met_length_ ? TransferError::none : how.error;
  if (refused_ == ResponseSource::bad_response) facts.error = TransferError::protocol;
  facts.reused = how.reused;
  facts.through_proxy = !how.proxy.empty();
  facts.tunnel = how.tunnel;
  facts.http_version = response_.http_version;
  facts.has_head = head_done_;
  facts.status = head_done_ ? response_.code : 0;
  facts.names_proxy = facts.through_proxy && names_proxy();
  facts.ended_by_us = ended_early_ || !body_fault_.empty();
  facts.body = body_end(how);
  facts.is_robots_txt = spec_.is_robots_txt;
  return judge(facts);
}

// Returns the failure in words.
std::string Exchange::sentence_of(const Judgement& judgement, const Done& how) const {
  if (judgement.is_of_proxy() && head_done_) {
    return "the proxy " + how.proxy + " answers " + response_.status_line();
  }
  if (judgement.is_of_proxy()) return "the proxy " + how.proxy + ": " + how.sentence;
  if (judgement.error == TransferError::no_http1) return std::string(http1_refusal);
  if (!how.sentence.empty()) return how.sentence;
  if (!head_done_) return "the head of the response is cut short";
  if (judgement.error == TransferError::cut) {
    return "the body ended after " + std::to_string(response_.bytes_received) + " of " +
           std::to_string(content_length_.value_or(0)) + " bytes";
  }
  return decoder_ && !decoder_->whole() ? "the encoded body is cut short"
                                        : "the response does not tell where it ends, so it may be cut short";
}

// Returns the final response.
Response Exchange::ended(const Done& how) {
  response_.received_at = loop_.wall();
  response_.peer = how.peer;
  Judgement end;
  if (thrown_) {
    end.source = thrown_->source;
  } else if (end = judgement(how); refused_ != ResponseSource::server && !end.is_of_proxy()) {
    end = {.source = refused_};
  } else {
    if (end.source != ResponseSource::server) sentence_ = sentence_of(end, how);
  }
  const ResponseSource source = end.source;
  refuses_http1_ = end.refuses_http1;
  unanswered_ = end.end == ExchangeEnd::unanswered;
  if (end.is_of_proxy()) outcome_ = {};
  outcome_.cause = outcome_cause(end, how.connected, response_.bytes_received > 0);
  if (source != ResponseSource::server) {
    Response made = thrown_
                        ? *std::move(thrown_)
                        : synthetic_response(source, response_.method, response_.url, response_.url + ": " + sentence_);
    made.requested_at = response_.requested_at;
    made.received_at = response_.received_at;
    made.cause = end.cause;
    if (source == ResponseSource::network) made.message = phrase_of(end.error);
    if (end.is_of_proxy() && head_done_) {
      made.code = response_.code;
      made.message = response_.message;
    }
    made.peer = std::move(response_.peer);
    made.bytes_received = response_.bytes_received;
    // A recording would keep the room that its temporary file has.
    const bool has_no_room = source == ResponseSource::disk_full || source == ResponseSource::disk_too_small;
    if (!has_no_room && !end.is_of_proxy()) record_to(made, how);
    made.memory = std::move(memory_);
    made.memory->set(memory_bytes_of(made));
    return made;
  }
  response_.end_unknown =
      response_.http_version >= 20 && !content_length_ && !decoder_ && response_.bytes_received > 0 && !ended_early_;
  if (body_fault_.empty() && how.error != TransferError::none && !ended_early_ && !met_length_)
    body_fault_ = how.sentence;
  if (!body_fault_.empty()) response_.warning = response_.url + ": " + body_fault_;
  if (response_.truncated) response_.warning = "the body is cut at " + std::to_string(response_.body_size) + " bytes";
  record_to(response_, how);
  if (ended_early_ && !response_.truncated) {
    response_.truncated = true;
    response_.warning = "the program stopped the body after " + std::to_string(response_.body_size) + " bytes";
  }
  response_.body_rest = std::move(body_rest_);
  response_.memory = std::move(memory_);
  response_.memory->set(memory_bytes_of(response_));
  return std::move(response_);
}

}  // namespace robotrules::agent
