// Writes pages as WARC records. Each hop has a response record (a revisit record for a 304), a request record, and a
// metadata record with the robots.txt decision. The metadata record of the last hop also has the queue's URL and its
// result (warc_fields.hpp): if this record is complete, the page is complete. A URL for which nothing was fetched has
// only this record.
#include <chrono>
#include <vector>

#include <robotrules/version.hpp>

#include "archive/append_file.hpp"
#include "archive/outputs.hpp"
#include "archive/stored_head.hpp"
#include "archive/warc_fields.hpp"
#include "archive/warc_record.hpp"
#include "base/time_text.hpp"

namespace robotrules::archive {
namespace {

constexpr std::string_view revisit_profile = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";
constexpr std::string_view conforms_to =
    "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/";

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

// Returns the size of the body, for Content-Length. Returns null if the message has no body or the body is incomplete.
std::optional<std::uint64_t> length_of(const Response& hop, const Recording& recording) {
  const std::uint64_t size = hop.recorded_body().size();
  const bool has_none = recording.request_head.starts_with("HEAD ") ||
                        recording.response_head.find(" 304") == recording.response_head.find(' ') ||
                        recording.response_head.find(" 204") == recording.response_head.find(' ');
  if (has_none || recording.cut != RecordingCut::none) return std::nullopt;
  return size;
}

class WarcOutput final : public PageOutput {
 public:
  WarcOutput(std::unique_ptr<AppendFile> file, std::string name, Packing packing, const OutputOptions& options)
      : file_(std::move(file)),
        name_(std::move(name)),
        options_(options),
        records_(make_packer(packing, options.level.value_or(1))) {}

  Result<void> write(const FetchedPage& page) override {
    auto written = write_records(page);
    if (written) written = file_->commit();
    if (written) return written;
    file_->take_back();
    if (file_->position() == began_at_) info_.clear();  // the record is not in the file
    return written;
  }
  Result<void> flush() override { return file_->sync(); }
  std::uint64_t position() const noexcept override { return file_->position(); }
  PageNeeds needs() const noexcept override { return {.recording = true, .body = false}; }

 private:
  Result<void> write_records(const FetchedPage& page) {
    if (info_.empty()) {
      if (auto done = write_info(); !done) return done;
    }
    std::string_view via;
    const auto before = page.response.redirects();
    for (const auto& hop : before) {
      if (page.kept_out) break;
      if (auto done = write_hop(*hop, page, via, false); !done) return done;
      via = hop->url;
    }
    return write_hop(page.response, page, via, true);
  }

  Result<void> write_info() {
    began_at_ = file_->position();
    const auto now = std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
    NamedFields block;
    block.add("software", "robotrules/" ROBOTRULES_VERSION).add("format", "WARC File Format 1.1");
    block.add("conformsTo", conforms_to).add("robots", options_.policy);
    block.add("http-header-user-agent", options_.agent).add("http-header-from", options_.from);
    WarcRecord record{.type = "warcinfo", .content_type = "application/warc-fields"};
    const std::string date = base::time_text(now);
    record.date = date;
    record.more.add("WARC-Filename", name_);
    record.head = block.text();
    auto id = records_.write(*file_, record);
    if (!id) return id.error();
    info_ = std::move(id).value();
    return {};
  }

  Result<void> write_hop(const Response& hop, const FetchedPage& page, std::string_view via, bool last) {
    const std::string url = archived_url(hop.url.empty() ? page.url : std::string_view(hop.url));
    const bool sent = !page.kept_out && hop.recording != nullptr && !hop.recording->response_head.empty();
    const std::string date = base::time_text(hop.recording != nullptr          ? hop.recording->requested_at
                                             : hop.requested_at != Timestamp{} ? hop.requested_at
                                                                               : now());
    std::string response_id;
    if (sent) {
      auto id = write_response(hop, page, url, date);
      if (!id) return id.error();
      response_id = std::move(id).value();
      if (const auto done = write_request(*hop.recording, url, date, response_id); !done) return done.error();
    }
    const std::string block = metadata_of(hop, page, via, last);
    WarcRecord record{.type = "metadata", .content_type = "application/warc-fields", .date = date, .url = url};
    record.more.add("WARC-Warcinfo-ID", info_).add("WARC-Concurrent-To", response_id);
    record.head = block;
    const auto done = records_.write(*file_, record);
    return done ? Result<void>() : done.error();
  }

  Result<std::string> write_response(const Response& hop, const FetchedPage& page, std::string_view url,
                                     std::string_view date) {
    const Recording& recording = *hop.recording;
    const bool revisit = hop.code == 304 && !hop.is_synthetic() && page.why != unasked_status;
    const std::string head = stored_response_head(recording.response_head, length_of(hop, recording));
    WarcRecord record{.type = revisit ? "revisit" : "response",
                      .content_type = "application/http;msgtype=response",
                      .date = date,
                      .url = url};
    record.more.add("WARC-Warcinfo-ID", info_).add("WARC-IP-Address", address_of(recording.peer));
    record.more.add("WARC-Protocol", protocol_of(recording.response_head));
    record.more.add("WARC-Truncated", truncated_by(recording.cut));
    if (revisit) {
      record.more.add("WARC-Profile", revisit_profile).add("WARC-Refers-To-Target-URI", url);
      if (page.known_since) record.more.add("WARC-Refers-To-Date", base::time_text(*page.known_since));
    }
    record.head = head;
    record.payload = hop.recorded_body();
    record.has_payload = !revisit;
    return records_.write(*file_, record);
  }

  Result<std::string> write_request(const Recording& recording, std::string_view url, std::string_view date,
                                    std::string_view response_id) {
    const std::string head = stored_request_head(recording.request_head, options_.keep_secrets);
    WarcRecord record{.type = "request", .content_type = "application/http;msgtype=request", .date = date, .url = url};
    record.more.add("WARC-Warcinfo-ID", info_).add("WARC-IP-Address", address_of(recording.peer));
    record.more.add("WARC-Concurrent-To", response_id);
    record.head = head;
    return records_.write(*file_, record);
  }

  static Timestamp now() {
    return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
  }

  std::unique_ptr<AppendFile> file_;
  std::string name_;
  OutputOptions options_;
  WarcRecords records_;
  std::string info_;  // WARC-Record-ID of the warcinfo record; empty: not written yet
  std::uint64_t began_at_ = 0;
};

}  // namespace

Result<std::unique_ptr<PageOutput>> open_warc(const std::string& path, Packing packing, const OutputOptions& options) {
  auto file = AppendFile::open(path, options.keep_secrets ? Readers::owner : Readers::anyone);
  if (!file) return file.error();
  const std::string name = path.substr(path.rfind('/') + 1);
  return std::unique_ptr<PageOutput>(std::make_unique<WarcOutput>(std::move(file).value(), name, packing, options));
}

}  // namespace robotrules::archive
