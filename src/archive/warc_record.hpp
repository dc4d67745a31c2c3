// WARC 1.1 records (ISO 28500:2017), one after the other.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "archive/digest.hpp"
#include "archive/record_packer.hpp"

namespace robotrules::archive {

// Fields of a record or of its block: lines "Name: value". A value never ends its line: control characters in it are
// replaced.
class NamedFields {
 public:
  // Adds a field. A field with an empty value is left out.
  NamedFields& add(std::string_view name, std::string_view value);
  const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

// Returns the URL in a form for heads: control characters, blanks, "<" and ">" are percent-encoded; fragment and
// userinfo are removed.
std::string archived_url(std::string_view url);

struct WarcRecord {
  std::string_view type;
  std::string_view content_type{};
  std::string_view date{};
  std::string_view url{};  // as archived_url() makes it; empty: none
  NamedFields more{};
  std::string_view head{};            // the block, or the head of the message in it
  BodyView payload{};                 // the body of that message; otherwise `head` is the whole block
  bool has_payload = false;           // WARC-Payload-Digest is written
  std::string_view payload_digest{};  // if it is known already; also for a record without the payload
};

class WarcRecords {
 public:
  explicit WarcRecords(std::unique_ptr<RecordPacker> packer) : packer_(std::move(packer)) {}
  // Returns the digest of a payload. Fails as the payload does.
  Result<std::string> digest_of(const BodyView& payload);
  // Adds the record and returns its WARC-Record-ID, in "<" and ">". Fails as the file and the payload do.
  Result<std::string> write(AppendFile& out, const WarcRecord& record);
  // Returns the WARC-Payload-Digest of the last record; empty if it has none.
  const std::string& payload_digest() const noexcept { return payload_digest_; }

 private:
  std::unique_ptr<RecordPacker> packer_;
  Digester of_block_;
  Digester of_payload_;
  std::string payload_digest_;
  RandomNames names_;
};

}  // namespace robotrules::archive
