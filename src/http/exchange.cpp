#include "http/exchange.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/ascii.hpp"
#include "fields/redirect.hpp"
#include "fields/retry_after.hpp"
#include "fields/status_line.hpp"
#include "http/synthetic.hpp"

namespace robotrules::agent {
namespace {

constexpr std::uint64_t ratio_counts_from = std::uint64_t{1} << 20;
constexpr std::uint64_t max_redirect_body = std::uint64_t{64} << 10;
constexpr std::size_t max_in_memory = std::size_t{1} << 20;  // bytes of a body, if a folder takes the rest

// Returns true for the fields that tell where the body ends.
bool is_framing(std::string_view name) {
  return base::equals_ignore_case(name, "Content-Length") || base::equals_ignore_case(name, "Transfer-Encoding");
}

}  // namespace

Exchange::Exchange(ExchangeSpec spec, Loop& loop, Transport& transport, std::shared_ptr<MemoryBudget> memory)
    : spec_(std::move(spec)),
      loop_(loop),
      transport_(transport),
      memory_(std::make_shared<MemoryHold>(std::move(memory))) {
  response_.method = spec_.transfer.method;
  response_.url = spec_.transfer.url;
  response_.found = std::move(spec_.found);
  if (spec_.transfer.record_heads) recording_ = std::make_unique<Recording>();
}

void Exchange::start() noexcept {
  self_ = shared_from_this();
  response_.requested_at = loop_.wall();
  begun_at_ = ended_at_ = loop_.now();
  try {
    if (spec_.transfer.connection != nullptr) {
      const auto checked = check_proxies(spec_.transfer.connection->proxy);
      if (!checked) return done({TransferError::internal, checked.error().message, {}});
    }
    id_ = transport_.start(std::move(spec_.transfer), *this);
  } catch (...) {
    threw();
    done({TransferError::internal, {}, {}});
  }
}

void Exchange::cancel() {
  if (self_ == nullptr) return;
  transport_.cancel(id_);
  const auto last = std::move(self_);
}

std::chrono::microseconds Exchange::time_taken() const {
  const auto end = under_way() ? loop_.now() : ended_at_;
  const auto stalled = stalled_since_ ? end - *stalled_since_ : std::chrono::microseconds(0);
  return end - begun_at_ - stalled_for_ - stalled;
}

void Exchange::resume() {
  if (stalled_since_) stalled_for_ += loop_.now() - *stalled_since_;
  stalled_since_.reset();
  transport_.resume(id_);
}

bool Exchange::is_ready() {
  if (!spec_.may_take || spec_.may_take()) return true;
  if (!stalled_since_) stalled_since_ = loop_.now();
  return false;
}

// Keeps the first max_in_memory bytes of a body in memory and the rest in a file.
bool Exchange::keep(std::string& in_memory, std::shared_ptr<SpoolFile>& rest, std::string_view bytes) {
  if (!spec_.spool_folder.empty() && bytes.size() > max_in_memory - in_memory.size()) {
    const std::string_view first = bytes.substr(0, max_in_memory - in_memory.size());
    in_memory.reserve(max_in_memory);
    in_memory += first;
    bytes.remove_prefix(first.size());
    if (rest == nullptr) {
      auto made = SpoolFile::make(spec_.spool_folder);
      if (!made) return refuse(source_of(made.error(), ResponseSource::internal), made.error().message);
      rest = std::move(made).value();
    }
    const auto written = rest->append(bytes);
    return written || refuse(source_of(written.error(), ResponseSource::internal), written.error().message);
  }
  const std::size_t size = in_memory.size() + bytes.size();
  if (size > in_memory.capacity() && !spec_.spool_folder.empty()) {
    in_memory.reserve(std::min(std::max(2 * in_memory.capacity(), size), max_in_memory));
  }
  in_memory += bytes;
  return true;
}

bool Exchange::record_body(std::string_view bytes) { return keep(recording_->body, recorded_rest_, bytes); }

void Exchange::count_memory() noexcept {
  std::uint64_t bytes = memory_bytes_of(response_) + 2 * head_bytes_;
  if (recording_ != nullptr) bytes += recording_->body.capacity();
  if (decoder_) bytes += decoder_->memory_bytes();
  memory_->set(bytes);
}

bool Exchange::refuse(ResponseSource why, std::string sentence) {
  refused_ = why;
  sentence_ = std::move(sentence);
  return false;
}

// Ends the transfer. The response is refused only if the body matters: a redirect or an error is what its head says.
bool Exchange::refuse_body(std::string sentence) {
  if (!head_decides()) return refuse(ResponseSource::body_refused, std::move(sentence));
  body_fault_ = std::move(sentence);
  return false;
}

bool Exchange::threw() noexcept {
  thrown_ = response_to_exception(response_.method, response_.url);
  return false;
}

bool Exchange::head_line(int status, std::string_view reason, int http_version) {
  try {
    head_bytes_ += reason.size() + 15;  // "HTTP/1.1 200 " and CRLF
    response_.code = status;
    response_.message = reason;
    response_.http_version = http_version;
    response_.headers = {};
    field_ = {};
    if (status < 100) return refuse(ResponseSource::bad_response, "the status line of the response has no status");
    if (status < 200 && ++interim_ > spec_.limits.max_interim_responses) {
      return refuse(ResponseSource::bad_response, "the server sent more than " +
                                                      std::to_string(spec_.limits.max_interim_responses) +
                                                      " interim responses (1xx)");
    }
    return true;
  } catch (...) {
    return threw();
  }
}

bool Exchange::field(std::string_view line) {
  try {
    return take_field(line);
  } catch (...) {
    return threw();
  }
}

bool Exchange::head_end() {
  try {
    return take_head_end();
  } catch (...) {
    return threw();
  }
}

bool Exchange::data(std::string_view bytes) {
  try {
    const bool on = take_data(bytes);
    count_memory();
    return on;
  } catch (...) {
    return threw();
  }
}

bool Exchange::take_field(std::string_view line) {
  head_bytes_ += line.size() + 2;
  ++fields_;
  if (head_bytes_ > spec_.limits.max_header_bytes) {
    return refuse(ResponseSource::bad_response, "the head of the response is longer than " +
                                                    std::to_string(spec_.limits.max_header_bytes) + " bytes");
  }
  if (fields_ > spec_.limits.max_header_fields) {
    return refuse(ResponseSource::bad_response,
                  "the response has more than " + std::to_string(spec_.limits.max_header_fields) + " header fields");
  }
  if (head_done_) return true;  // a trailer
  if (line.find('\0') != std::string_view::npos || line.find('\r') != std::string_view::npos) {
    return refuse(ResponseSource::bad_response, "a header field of the response contains a NUL or a stray CR");
  }
  if (!line.empty() && base::is_blank(line.front())) return take_fold(base::trimmed(line));
  keep_field();
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) {  // not a field (RFC 9112 section 5)
    return !spec_.is_robots_txt || refuse(ResponseSource::bad_response, "the head has a line that is not a field");
  }
  field_.name = base::trimmed(line.substr(0, colon));
  field_.value = base::trimmed(line.substr(colon + 1));
  if (field_.name.size() != colon && is_framing(field_.name)) {
    // libcurl ignores this field, so it and a peer could see different ends of the body.
    return refuse(ResponseSource::bad_response,
                  "the response has a blank after the name " + field_.name + ", so the end of its body is not certain");
  }
  return true;
}

// Continues the last field: a fold of its value is a blank (RFC 9112 section 5.2). The fold of a line that is not a
// field is skipped with it. libcurl reads only the first line of a field.
bool Exchange::take_fold(std::string_view more) {
  if (field_.name.empty()) return true;
  if (is_framing(field_.name)) {
    return refuse(ResponseSource::bad_response,
                  "the response has a " + field_.name + " of several lines, so the end of its body is not certain");
  }
  if (!field_.value.empty() && !more.empty()) field_.value += ' ';
  field_.value += more;
  return true;
}

// Adds the field whose lines have all come.
void Exchange::keep_field() {
  if (!field_.name.empty()) response_.headers.add(field_.name, field_.value);
  field_ = {};
}

// Refuses heads that do not tell clearly where the body ends (RFC 9112 section 6.3). The server and a proxy between
// could otherwise read different messages.
bool Exchange::check_framing() {
  std::optional<std::uint64_t>& length = content_length_;
  length.reset();
  for (const std::string_view field : response_.headers.all("Content-Length")) {
    std::string_view rest = field;
    for (bool more = true; more;) {
      const std::size_t comma = rest.find(',');
      const std::string_view said = base::trimmed(rest.substr(0, comma));
      std::uint64_t number = 0;
      const auto read = std::from_chars(said.data(), said.data() + said.size(), number);
      if (read.ec != std::errc{} || read.ptr != said.data() + said.size() || number > INT64_MAX) {
        return refuse(ResponseSource::bad_response, "the response has a Content-Length that is not a number of bytes");
      }
      if (length && *length != number) {
        return refuse(ResponseSource::bad_response, "the response has two different values of Content-Length");
      }
      length = number;
      more = comma != std::string_view::npos;
      if (more) rest.remove_prefix(comma + 1);
    }
  }
  auto transfer = response_.headers.all("Transfer-Encoding");
  is_identity_ =
      std::erase_if(transfer, [](std::string_view coding) { return base::equals_ignore_case(coding, "identity"); }) > 0;
  if (transfer.size() > 1 || (transfer.size() == 1 && !base::equals_ignore_case(transfer.front(), "chunked"))) {
    return refuse(ResponseSource::bad_response, "the response has a Transfer-Encoding other than one \"chunked\"");
  }
  end_is_said_ = length || !transfer.empty();
  return true;
}

bool Exchange::take_head_end() {
  if (head_bytes_ > spec_.limits.max_header_bytes) return take_field({});
  if (response_.code == 101) {
    return refuse(ResponseSource::bad_response,
                  "the server switched to another protocol (101) without a request to do so");
  }
  if (response_.code < 200) return true;
  keep_field();
  head_done_ = true;
  outcome_.status = response_.code;
  outcome_.retry_after = retry_after_of(response_.headers, loop_.wall());
  if (!check_framing()) return false;
  const codec::Codings codings = codec::codings_of(response_.headers.all("Content-Encoding"));
  const bool is_too_deep = codings.formats.size() > codec::max_codings;
  if (is_too_deep && !head_decides()) return refuse_body("the body was encoded more than twice");
  if (!codings.known && spec_.strict_codings && !head_decides()) {
    return refuse_body("the body has a content coding that was not requested");
  }
  const bool has_body = may_have_body(response_.method == "HEAD", response_.code);
  if (codings.known && !is_too_deep && !codings.formats.empty() && has_body) decoder_.emplace(codings.formats);
  if (spec_.head && !spec_.head(response_)) {
    ended_early_ = true;
    return false;
  }
  // If the body is kept as received, the recording shares it.
  if (recording_ != nullptr) recording_->body_is_plain = !decoder_ && spec_.keep_body;
  return !meets_length();
}

bool Exchange::meets_length() {
  met_length_ = is_identity_ && content_length_ && response_.bytes_received == *content_length_;
  return met_length_;
}

bool Exchange::take_data(std::string_view bytes) {
  if (is_identity_ && content_length_) bytes = bytes.substr(0, *content_length_ - response_.bytes_received);
  response_.bytes_received += bytes.size();
  return take_piece(bytes) && !meets_length();
}

bool Exchange::take_piece(std::string_view bytes) {
  if (response_.bytes_received > spec_.limits.max_wire_bytes) {
    beyond_limit_ = true;
    return refuse_body("the body is longer than " + std::to_string(spec_.limits.max_wire_bytes) + " bytes");
  }
  if (spec_.follows && is_redirect_status(response_.code) && response_.bytes_received > max_redirect_body) {
    beyond_limit_ = true;
    return refuse_body("no more than " + std::to_string(max_redirect_body) + " bytes of a redirect are read");
  }
  if (!decoder_) return decoded(bytes);
  if (recording_ != nullptr && !record_body(bytes)) return false;
  switch (decoder_->write(bytes, [this](std::string_view piece) { return decoded(piece); })) {
    case codec::ContentDecoder::Outcome::taken: return true;
    case codec::ContentDecoder::Outcome::stopped: return false;
    case codec::ContentDecoder::Outcome::damaged: break;
  }
  return refuse_body("the body is not encoded as its Content-Encoding says");
}

bool Exchange::decoded(std::string_view bytes) {
  const bool cut = bytes.size() > spec_.max_body - response_.body_size;
  if (cut) bytes = bytes.substr(0, spec_.max_body - response_.body_size);
  response_.body_size += bytes.size();
  const std::uint64_t ratio = spec_.limits.max_ratio;
  if (decoder_ && ratio > 0 && response_.body_size > ratio_counts_from &&
      response_.body_size / ratio + (response_.body_size % ratio != 0 ? 1 : 0) > response_.bytes_received) {
    beyond_limit_ = true;
    return refuse_body("the body grows more than " + std::to_string(spec_.limits.max_ratio) +
                       " times when it is decoded");
  }
  if (spec_.keep_body && !keep(response_.body, body_rest_, bytes)) return false;
  const bool record = recording_ != nullptr && !decoder_ && !recording_->body_is_plain;
  if (record && !record_body(bytes)) return false;
  if (spec_.data && !bytes.empty() && !spec_.data(bytes)) {
    ended_early_ = true;
    return false;
  }
  if (!cut) return true;
  ended_early_ = true;
  response_.truncated = true;
  return false;
}

void Exchange::done(const Done& how) {
  ended_at_ = loop_.now();
  const auto last = std::move(self_);
  Response response;
  try {
    response = ended(how);
  } catch (...) {
    response = response_to_exception(response_.method, response_.url);
  }
  decoder_.reset();
  if (spec_.done) spec_.done(std::move(response));
}

}  // namespace robotrules::agent
