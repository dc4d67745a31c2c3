// WARC 1.1 records (ISO 28500:2017), one after the other.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "archive/digest.hpp"
#include "archive/record_packer.hpp"

namespace robotrules::archive {

// Fields of a record or of its block: "Name: value" lines. What stands in a value cannot end its line.
class NamedFields {
 public:
  // Left out where the value is empty.
  NamedFields& add(std::string_view name, std::string_view value);
  const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

// A URL with its controls, blanks, "<" and ">" percent-encoded and without fragment and userinfo: fit for a head.
std::string archived_url(std::string_view url);

struct WarcRecord {
  std::string_view type;
  std::string_view content_type{};
  std::string_view date{};
  std::string_view url{};  // as archived_url() makes it; empty: none
  NamedFields more{};
  std::string_view head{};   // the block: of a message its head ...
  BodyView payload{};        // ... and its body; else all of it is in `head`
  bool has_payload = false;  // WARC-Payload-Digest is written
};

class WarcRecords {
 public:
  explicit WarcRecords(std::unique_ptr<RecordPacker> packer) : packer_(std::move(packer)) {}
  // Adds it and returns its WARC-Record-ID, in "<" and ">". Errors are those of the file and of the payload.
  Result<std::string> write(AppendFile& out, const WarcRecord& record);

 private:
  std::unique_ptr<RecordPacker> packer_;
  Digester of_block_;
  Digester of_payload_;
  RandomNames names_;
};

}  // namespace robotrules::archive
