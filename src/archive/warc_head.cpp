#include "archive/warc_head.hpp"

#include <charconv>

#include "archive/packed_file.hpp"
#include "base/ascii.hpp"

namespace robotrules::archive {
namespace {

// Some programs write URLs as "<URL>".
std::string_view without_brackets(std::string_view url) {
  return url.starts_with('<') && url.ends_with('>') ? url.substr(1, url.size() - 2) : url;
}

}  // namespace

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end == std::string_view::npos ? end : end + 1);
  text.remove_prefix(line.size());
  return line;
}

std::string take_folded_line(std::string_view& text) {
  std::string line(base::trimmed(take_line(text)));
  while (!line.empty() && (text.starts_with(' ') || text.starts_with('\t'))) {
    line.append(" ").append(base::trimmed(take_line(text)));
  }
  return line;
}

std::pair<std::string, std::string_view> named_value(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || line.starts_with(' ') || line.starts_with('\t')) return {};
  return {base::lower_case(base::trimmed(line.substr(0, colon))), base::trimmed(line.substr(colon + 1))};
}

std::optional<std::uint64_t> whole_number(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

void WarcHead::take(std::string_view line) {
  const auto [name, value] = named_value(line);
  if (name == "warc-type") type = base::lower_case(value);
  if (name == "warc-record-id") record_id = value;
  if (name == "warc-concurrent-to") concurrent_to = value;
  if (name == "warc-target-uri") target_uri = without_brackets(value);
  if (name == "warc-date") date = value;
  if (name == "warc-refers-to-target-uri") refers_to_uri = without_brackets(value);
  if (name == "warc-refers-to-date") refers_to_date = value;
  if (name == "warc-block-digest") block_digest = value;
  if (name == "warc-payload-digest") payload_digest = value;
  if (name == "content-length") length = whole_number(value);
  if (name == "warc-truncated") truncated = true;
}

bool read_head_line(PackedFile& file, std::string& line) {
  constexpr std::size_t max_bytes = std::size_t{17} << 20;  // longer than any URL that is fetched
  line.clear();
  for (int byte = file.next(); byte >= 0; byte = file.next()) {
    if (byte == '\n') {
      if (line.ends_with('\r')) line.pop_back();
      return true;
    }
    if (line.size() == max_bytes) return false;
    line += static_cast<char>(byte);
  }
  return false;
}

bool read_warc_fields(PackedFile& file, WarcHead& head) {
  std::string line;
  for (std::size_t fields = 0; fields <= WarcHead::max_fields && read_head_line(file, line); ++fields) {
    if (line.empty()) return true;
    head.take(line);
  }
  return false;
}

bool read_warc_head(PackedFile& file, WarcHead& head) {
  std::string line;
  return read_head_line(file, line) && line.starts_with("WARC/1.") && read_warc_fields(file, head) && head.length;
}

}  // namespace robotrules::archive
