#include "answers/strict_warc.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <set>

#include "input.hpp"

namespace robotrules::fuzz {
namespace {

constexpr std::string_view line_end = "\r\n";

std::string lower(std::string_view text) {
  std::string plain(text);
  for (char& c : plain) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return plain;
}

std::string sha1(std::string_view bytes) {
  std::array<unsigned char, 20> digest;
  unsigned size = 0;
  require(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha1(), nullptr) == 1 && size == 20,
          "SHA-1");
  std::string text = "sha1:";
  for (std::size_t bit = 0; bit < 160; bit += 5) {
    unsigned value = 0;
    for (std::size_t at = bit; at < bit + 5; ++at) value = value << 1U | (digest[at / 8] >> (7U - at % 8) & 1U);
    text += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[value];
  }
  return text;
}

std::string_view line_of(std::string_view& text) {
  const std::size_t end = text.find(line_end);
  require(end != std::string_view::npos, "a line of a WARC record ends in CRLF");
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + line_end.size());
  return line;
}

void add_field(StrictRecord& record, std::string_view line) {
  const std::size_t colon = line.find(": ");
  require(colon != std::string_view::npos && colon > 0, "a field has a name and a value");
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = line.substr(colon + 2);
  const auto is_token = [](char c) {
    return c > ' ' && c < 0x7F && std::string_view("()<>@,;:\\\"/[]?={}").find(c) == std::string_view::npos;
  };
  require(std::all_of(name.begin(), name.end(), is_token), "a field's name is a token");
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  require(std::none_of(value.begin(), value.end(), is_control), "a field's value is one line of text");
  require(record.fields.emplace(lower(name), value).second, "no field is given twice");
}

bool is_date(std::string_view text) {
  constexpr std::string_view form = "dddd-dd-ddTdd:dd:dd";
  if (text.size() < form.size() + 1 || text.back() != 'Z') return false;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t at = 0; at < form.size(); ++at) {
    if (form[at] == 'd' ? !is_digit(text[at]) : text[at] != form[at]) return false;
  }
  const std::string_view fraction = text.substr(form.size(), text.size() - form.size() - 1);
  return fraction.empty() || (fraction.front() == '.' && fraction.size() > 1 && fraction.size() < 11 &&
                              std::all_of(fraction.begin() + 1, fraction.end(), is_digit));
}

std::size_t length_in(std::string_view text) {
  std::uint64_t length = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), length);
  require(!text.empty() && read.ec == std::errc{} && read.ptr == text.data() + text.size(), "a length is a number");
  return length;
}

StrictRecord take_record(std::string_view& rest) {
  StrictRecord record;
  require(line_of(rest) == "WARC/1.1", "a record begins with its version");
  for (std::string_view line = line_of(rest); !line.empty(); line = line_of(rest)) add_field(record, line);
  const std::size_t length = length_in(record.field("content-length"));
  require(length + 4 <= rest.size() && rest.substr(length, 4) == "\r\n\r\n", "two empty lines end a record");
  record.block = rest.substr(0, length);
  rest.remove_prefix(length + 4);
  record.type = record.field("warc-type");
  require(is_date(record.field("warc-date")), "a date is a date");
  require(record.field("warc-block-digest") == sha1(record.block), "the block is what was digested");
  return record;
}

void require_known(const StrictRecord& record, const std::set<std::string>& ids) {
  const bool known = record.type == "warcinfo" || record.type == "response" || record.type == "revisit" ||
                     record.type == "request" || record.type == "metadata";
  require(known, "a record is of a known type");
  for (const char* name : {"warc-warcinfo-id", "warc-concurrent-to"}) {
    const std::string id = record.field(name);
    require(id.empty() || ids.contains(id), "what a record names stands before it");
  }
  const std::string url = record.field("warc-target-uri");
  require((record.type == "warcinfo") == url.empty(), "a record of an exchange has its URL");
  const auto is_graphic = [](char c) { return static_cast<unsigned char>(c) > 0x20 && c != 0x7F; };
  require(std::all_of(url.begin(), url.end(), is_graphic), "a URL has no blanks");
  const std::string payload = record.field("warc-payload-digest");
  require((record.type == "response") == !payload.empty(), "a response has a payload");
  require(payload.empty() || payload == sha1(message_in(record.block).body), "which is what was digested");
}

}  // namespace

std::string StrictRecord::field(const std::string& name) const {
  const auto found = fields.find(name);
  return found == fields.end() ? std::string() : found->second;
}

std::vector<StrictRecord> read_strictly(std::string_view plain) {
  std::vector<StrictRecord> records;
  std::set<std::string> ids;
  while (!plain.empty()) {
    records.push_back(take_record(plain));
    const std::string id = records.back().field("warc-record-id");
    require(id.starts_with("<urn:uuid:") && id.size() == 47 && id.ends_with('>'), "a record's name is a UUID");
    require(ids.insert(id).second, "no two records have one name");
    require_known(records.back(), ids);
  }
  return records;
}

StrictMessage message_in(std::string_view block) {
  for (std::size_t at = 0; at < block.size();) {
    const std::size_t end = block.find('\n', at);
    require(end != std::string_view::npos, "the head of a message has an end");
    const std::string_view line = block.substr(at, end - at);
    at = end + 1;
    if (line.empty() || line == "\r") return {block.substr(0, at), block.substr(at)};
  }
  require(false, "the head of a message ends with an empty line");
  return {};
}

void require_framing(const StrictMessage& message) {
  std::string_view head = message.head;
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find('\n'));
    head.remove_prefix(std::min(line.size() + 1, head.size()));
    const std::string name = lower(line.substr(0, line.find(':')));
    require(name != "transfer-encoding", "a body that is kept without chunks does not say that it has them");
    if (name != "content-length") continue;
    std::string_view value = line.substr(line.find(':') + 1);
    value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
    value = value.substr(0, value.find_last_not_of(" \t\r") + 1);
    value = value.substr(0, value.find(','));  // the same number again
    require(length_in(value.substr(0, value.find_last_not_of(" \t") + 1)) == message.body.size(),
            "a body is as long as its head says");
  }
}

}  // namespace robotrules::fuzz
