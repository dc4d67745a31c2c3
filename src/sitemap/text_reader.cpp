#include "sitemap/text_reader.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace robotrules::agent {

void TextReader::append(std::string_view part) {
  if (line_.loc.empty()) {
    while (!part.empty() && base::is_space(part.front())) part.remove_prefix(1);
  }
  const std::size_t limit = max_written_bytes(entries_.options().max_url_bytes);
  const std::size_t room = limit - std::min(line_.loc.size(), limit);
  line_.loc.append(part.substr(0, room));
  if (part.size() > room && !base::trimmed(part.substr(room)).empty()) line_.loc_too_long = true;
}

Result<void> TextReader::end_line() {
  const bool blank = base::trimmed(line_.loc).empty() && !line_.loc_too_long;
  line_.place = EntryPlace::text;
  Result<void> added = blank ? Result<void>() : entries_.add(line_);
  line_.clear();
  return added;
}

Result<void> TextReader::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find_first_of("\r\n");
    append(bytes.substr(0, end));
    if (end == std::string_view::npos) return {};
    bytes.remove_prefix(end + 1);
    if (Result<void> ended = end_line(); !ended) return ended;
  }
  return {};
}

Result<void> TextReader::finish() {
  if (Result<void> ended = end_line(); !ended) return ended;
  const SitemapCounts& counts = entries_.counts;
  if (counts.entries > 0 && counts.no_url + counts.too_long == counts.entries) {
    return Error{"sitemap-unknown-format",
                 "The document is not XML, and none of its lines is a URL, so it is not a sitemap."};
  }
  return {};
}

}  // namespace robotrules::agent
