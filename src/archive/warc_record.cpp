#include "archive/warc_record.hpp"

#include "base/hex.hpp"
#include "base/userinfo.hpp"

namespace robotrules::archive {

NamedFields& NamedFields::add(std::string_view name, std::string_view value) {
  if (value.empty()) return *this;
  text_.append(name).append(": ");
  for (const char c : value) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    text_ += control ? ' ' : c;
  }
  text_ += "\r\n";
  return *this;
}

std::string archived_url(std::string_view url) {
  std::string out;
  for (const char c : base::without_userinfo(url.substr(0, url.find('#')))) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte != 0x7F && c != '<' && c != '>') {
      out += c;
    } else {
      base::append_percent(out, c);
    }
  }
  return out;
}

Result<std::string> WarcRecords::digest_of(const BodyView& payload) {
  of_payload_.begin();
  const auto read = payload.for_each_piece([this](std::string_view piece) -> Result<void> {
    of_payload_.add(piece);
    return {};
  });
  return read ? Result<std::string>(of_payload_.end()) : read.error();
}

Result<std::string> WarcRecords::write(AppendFile& out, const WarcRecord& record) {
  of_block_.begin();
  of_block_.add(record.head);
  const bool find_digest = record.has_payload && record.payload_digest.empty();
  if (find_digest) of_payload_.begin();
  const auto read = record.payload.for_each_piece([&](std::string_view piece) -> Result<void> {
    of_block_.add(piece);
    if (find_digest) of_payload_.add(piece);
    return {};
  });
  if (!read) return read.error();
  std::string id = '<' + names_.next() + '>';
  NamedFields head;
  head.add("WARC-Type", record.type).add("WARC-Record-ID", id).add("WARC-Date", record.date);
  head.add("WARC-Target-URI", record.url);
  std::string text = "WARC/1.1\r\n" + head.text() + record.more.text();
  NamedFields tail;
  tail.add("WARC-Block-Digest", of_block_.end());
  payload_digest_ = find_digest ? of_payload_.end() : std::string(record.payload_digest);
  tail.add("WARC-Payload-Digest", payload_digest_);
  tail.add("Content-Type", record.content_type);
  tail.add("Content-Length", std::to_string(record.head.size() + record.payload.size()));
  text.append(tail.text()).append("\r\n").append(record.head);
  if (auto packed = packer_->pack(out, text, record.payload, "\r\n\r\n"); !packed) return packed.error();
  return id;
}

}  // namespace robotrules::archive
