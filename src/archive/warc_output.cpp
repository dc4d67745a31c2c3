// Writes pages as WARC records. Each hop has a response record (a revisit record for a 304 and for a copy of a known
// payload), a request record, and a metadata record with the robots.txt decision. The metadata record of the last hop
// also has the queue's URL and its result (warc_fields.hpp): if this record is complete, the page is complete. A URL
// for which nothing was fetched has only this record. Each exchange of a robots.txt fetch also has three records; its
// metadata record says that the exchange is complete, and is not a page.
//
// A revisit record always names a response record, in this file or in one of an earlier run: the queue keeps with each
// URL where its payload is (FetchedPage::known, PageOutput::last_payload()).
#include <chrono>
#include <optional>
#include <utility>

#include "archive/digest.hpp"
#include "archive/known_payloads.hpp"
#include "archive/outputs.hpp"
#include "archive/stored_head.hpp"
#include "archive/warc_fields.hpp"
#include "archive/warc_files.hpp"
#include "archive/warc_head.hpp"
#include "archive/warc_record.hpp"
#include "base/ascii.hpp"
#include "base/time_text.hpp"
#include "fields/status_line.hpp"

namespace robotrules::archive {
namespace {

constexpr std::string_view not_modified_profile = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";
constexpr std::string_view same_payload_profile = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";

std::string_view truncated_by(RecordingCut cut) {
  switch (cut) {
    case RecordingCut::length: return "length";
    case RecordingCut::time: return "time";
    case RecordingCut::disconnect: return "disconnect";
    case RecordingCut::unspecified: return "unspecified";
    case RecordingCut::none: break;
  }
  return {};
}

// Returns the address without the port: "192.0.2.1" for "192.0.2.1:443", "2001:db8::1" for "[2001:db8::1]:443".
std::string_view address_of(std::string_view peer) {
  peer = peer.substr(0, peer.rfind(':'));
  if (!peer.starts_with('[') || !peer.ends_with(']')) return peer;
  return peer.substr(1, peer.size() - 2);
}

bool answers_head(const Recording& recording) { return recording.request_head.starts_with("HEAD "); }

// Returns false if the recorded body is or may be incomplete.
bool is_whole(const Response& hop, const Recording& recording) {
  return recording.cut == RecordingCut::none && !hop.end_unknown;
}

// Returns false if the record has, or may have, less than the page.
bool is_whole_page(const Response& hop, const Recording& recording) {
  return !hop.is_synthetic() && !hop.truncated && is_whole(hop, recording);
}

// Returns the size of the body, for Content-Length. Returns null if the message has no body, or if it may not be whole.
std::optional<std::uint64_t> length_of(const Response& hop, const Recording& recording) {
  std::string_view head = recording.response_head;
  const auto line = agent::read_status_line(base::trimmed(take_line(head)));
  const bool has_body = line && agent::may_have_body(answers_head(recording), line->status);
  if (!has_body || !is_whole(hop, recording)) return std::nullopt;
  return hop.recorded_body().size();
}

// True if the request was conditional, so a 304 confirms an earlier copy.
bool is_conditional(const Recording& recording) {
  const std::string head = base::lower_case(recording.request_head);
  return head.find("\nif-none-match:") != std::string::npos || head.find("\nif-modified-since:") != std::string::npos;
}

// The messages of an exchange, and the fields that their records share.
struct Messages {
  const Response& response;
  std::string url;
  Timestamp at{};
  std::string date = base::time_text(at);
  bool is_robots_txt = false;
  bool not_modified = false;             // a 304 that confirms an earlier copy
  std::optional<PayloadRecord> known{};  // the record of that copy; of other responses: of an earlier fetch
};

class WarcOutput final : public PageOutput {
 public:
  WarcOutput(std::unique_ptr<WarcFiles> files, Packing packing, const OutputOptions& options)
      : files_(std::move(files)), options_(options), records_(make_packer(packing, options.level.value_or(1))) {}

  Result<void> write(const FetchedPage& page) override {
    return write_whole([&] { return write_page(page); });
  }
  std::optional<PayloadRecord> last_payload() const override { return last_payload_; }
  Result<void> write_robots_txt(const Response& exchange) override {
    return write_whole([&] { return write_robots(exchange); });
  }
  Result<void> flush() override {
    const auto there = files_->file().check_place();
    return there ? files_->file().sync() : there;
  }
  Result<void> complete() override {
    const auto there = files_->file().check_place();
    return there ? files_->complete() : there;
  }
  std::uint64_t position() const noexcept override { return files_->position(); }
  std::uint64_t size() const noexcept override { return files_->size(); }
  PageNeeds needs() const noexcept override {
    return {.recording = true, .body = false, .robots_txt = true, .payload_records = true};
  }

 private:
  // Writes all records of a page or none.
  template <class Write>
  Result<void> write_whole(Write write_records) {
    const auto begun = files_->begin_next_if_full();
    if (!begun) return begun.error();
    if (begun.value()) info_.clear();
    AppendFile& file = files_->file();
    CdxFile* const index = files_->index();
    Result<void> written;
    if (info_.empty()) written = write_info();
    if (written) written = write_records();
    if (written) written = file.commit();
    if (written) {
      payloads_.commit();
      if (index != nullptr) index->commit();
      return written;
    }
    file.take_back();
    payloads_.take_back();
    if (index != nullptr) index->take_back();
    if (file.position() == began_at_) info_.clear();  // the record is not in the file
    return written;
  }

  Result<void> write_page(const FetchedPage& page) {
    std::string_view via;
    const auto before = page.response.redirects();
    for (const auto& hop : before) {
      if (page.kept_out) break;
      if (auto done = write_hop(*hop, page, via, false); !done) return done;
      via = hop->url;
    }
    return write_hop(page.response, page, via, true);
  }

  Result<void> write_robots(const Response& exchange) {
    Messages messages{.response = exchange, .url = archived_url(exchange.url), .at = time_of(exchange)};
    messages.is_robots_txt = true;
    messages.not_modified =
        exchange.code == 304 && exchange.recording != nullptr && is_conditional(*exchange.recording);
    const auto id = write_messages(messages);
    if (!id) return id.error();
    return write_metadata(messages, id.value(), metadata_of_robots(exchange));
  }

  Result<void> write_info() {
    began_at_ = files_->file().position();
    const auto now = std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
    const std::string block = warcinfo_of(options_);
    WarcRecord record{.type = "warcinfo", .content_type = "application/warc-fields"};
    const std::string date = base::time_text(now);
    record.date = date;
    record.more.add("WARC-Filename", files_->file_name());
    record.head = block;
    auto id = records_.write(files_->file(), record);
    if (!id) return id.error();
    info_ = std::move(id).value();
    return {};
  }

  Result<void> write_hop(const Response& hop, const FetchedPage& page, std::string_view via, bool last) {
    last_payload_.reset();
    const Messages messages{.response = hop,
                            .url = archived_url(hop.url.empty() ? page.url : std::string_view(hop.url)),
                            .at = time_of(hop),
                            .not_modified = hop.code == 304 && !hop.is_synthetic() && page.why != unasked_status,
                            .known = last ? page.known : std::nullopt};
    const auto id = page.kept_out ? Result<std::string>(std::string()) : write_messages(messages);
    if (!id) return id.error();
    if (last && page.why == unasked_status) last_payload_.reset();
    return write_metadata(messages, id.value(), metadata_of(hop, page, via, last));
  }

  Result<void> write_metadata(const Messages& messages, std::string_view response_id, std::string block) {
    if (messages.not_modified && !response_id.empty())
      block += fields_of_head(messages.response.recording->response_head);
    WarcRecord record{
        .type = "metadata", .content_type = "application/warc-fields", .date = messages.date, .url = messages.url};
    record.more.add("WARC-Warcinfo-ID", info_).add("WARC-Concurrent-To", response_id);
    record.head = block;
    const auto done = records_.write(files_->file(), record);
    return done ? Result<void>() : done.error();
  }

  // Returns the WARC-Record-ID of the response; empty if there was none, and nothing was written.
  Result<std::string> write_messages(const Messages& messages) {
    const Recording* recording = messages.response.recording.get();
    if (recording == nullptr || recording->response_head.empty()) return std::string();
    auto id = write_response(messages, *recording);
    if (!id) return id;
    if (const auto done = write_request(messages, *recording, id.value()); !done) return done;
    return id;
  }

  Result<std::string> write_response(const Messages& messages, const Recording& recording) {
    const Response& response = messages.response;
    std::string digest;
    std::optional<PayloadRecord> original;  // null: the record has the payload itself
    if (messages.not_modified) {
      original = messages.known.value_or(PayloadRecord{.url = messages.url, .date = {}, .digest = {}});
      if (original->digest != empty_payload_digest) digest = original->digest;
    } else if (may_be_copy(messages, recording)) {
      auto found = records_.digest_of(response.recorded_body());
      if (!found) return found;
      digest = std::move(found).value();
      original = original_of(digest, messages);
    }
    // A revisit without a block has head and payload of the record that it names (WARC 1.1, "server-not-modified").
    // With the head of the 304 in it, programs replay an empty page; with the digest of an empty payload, pywb looks
    // for no record and fails. The metadata record has that head.
    const std::string head =
        messages.not_modified ? "" : stored_response_head(recording.response_head, length_of(response, recording));
    WarcRecord record{.type = original ? "revisit" : "response",
                      .content_type = messages.not_modified ? "" : "application/http;msgtype=response",
                      .date = messages.date,
                      .url = messages.url};
    record.more.add("WARC-Warcinfo-ID", info_).add("WARC-IP-Address", address_of(recording.peer));
    record.more.add("WARC-Protocol", protocol_of(recording.response_head));
    if (original)
      refer_to(*original, messages.not_modified, record);
    else
      record.more.add("WARC-Truncated", truncated_by(recording.cut));
    record.head = head;
    record.payload_digest = digest;
    if (!original) record.payload = response.recorded_body();
    record.has_payload = !original;
    const std::uint64_t begin = files_->file().end();
    auto id = records_.write(files_->file(), record);
    if (!id) return id;
    if (files_->index() != nullptr) index(messages, recording, record, begin);
    if (messages.not_modified) {
      last_payload_ = messages.known;
    } else if (original) {
      last_payload_ = original;
    } else if (is_whole_page(response, recording)) {
      last_payload_ = PayloadRecord{messages.url, messages.at, records_.payload_digest()};
    }
    if (!messages.not_modified && !digest.empty()) payloads_.add(*last_payload_);
    return id;
  }

  // Adds the fields that make the record a revisit. Only a record with the head of a response is truncated.
  static void refer_to(const PayloadRecord& original, bool not_modified, WarcRecord& record) {
    record.more.add("WARC-Truncated", not_modified ? "" : "length");
    record.more.add("WARC-Profile", not_modified ? not_modified_profile : same_payload_profile);
    record.more.add("WARC-Refers-To-Target-URI", original.url);
    if (original.date != Timestamp{}) record.more.add("WARC-Refers-To-Date", base::time_text(original.date));
  }

  // Returns the response record with this payload: of this run, or of an earlier fetch of the page.
  std::optional<PayloadRecord> original_of(const std::string& digest, const Messages& messages) {
    auto written = payloads_.find(digest);
    return written || !messages.known || messages.known->digest != digest ? written : messages.known;
  }

  void index(const Messages& messages, const Recording& recording, const WarcRecord& record, std::uint64_t begin) {
    CdxRecord line{.url = messages.url,
                   .date = messages.date,
                   .digest = records_.payload_digest(),
                   .revisit = record.type == "revisit",
                   .answers_head = answers_head(recording),
                   .status = {},
                   .mime = {},
                   .offset = begin,
                   .length = files_->file().end() - begin};
    read_head_for_cdx(record.head, line);
    files_->index()->add(std::move(line));
  }

  // Bodies of robots.txt files stay complete, because `db import` reads them from their own records.
  bool may_be_copy(const Messages& messages, const Recording& recording) const {
    const Response& response = messages.response;
    return options_.dedup && !messages.is_robots_txt && !messages.url.ends_with("/robots.txt") &&
           response.code == 200 && is_whole_page(response, recording) && response.recorded_body().size() > 0;
  }

  Result<std::string> write_request(const Messages& messages, const Recording& recording,
                                    std::string_view response_id) {
    const std::string head = stored_request_head(recording.request_head, options_.keep_secrets);
    WarcRecord record{.type = "request",
                      .content_type = "application/http;msgtype=request",
                      .date = messages.date,
                      .url = messages.url};
    record.more.add("WARC-Warcinfo-ID", info_).add("WARC-IP-Address", address_of(recording.peer));
    record.more.add("WARC-Concurrent-To", response_id);
    record.head = head;
    return records_.write(files_->file(), record);
  }

  static Timestamp time_of(const Response& response) {
    if (response.recording != nullptr) return response.recording->requested_at;
    return response.requested_at != Timestamp{} ? response.requested_at : now();
  }
  static Timestamp now() {
    return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
  }

  std::unique_ptr<WarcFiles> files_;
  OutputOptions options_;
  WarcRecords records_;
  KnownPayloads payloads_;
  std::string info_;  // WARC-Record-ID of the warcinfo record; empty: not yet written to this file
  std::uint64_t began_at_ = 0;
  std::optional<PayloadRecord> last_payload_;
};

}  // namespace

Result<std::unique_ptr<PageOutput>> open_warc(const std::string& path, Packing packing, const OutputOptions& options) {
  if (auto checked = check_warcinfo(options.warcinfo); !checked) return checked.error();
  auto files = WarcFiles::open(path, packing, options);
  if (!files) return files.error();
  return std::unique_ptr<PageOutput>(std::make_unique<WarcOutput>(std::move(files).value(), packing, options));
}

}  // namespace robotrules::archive
