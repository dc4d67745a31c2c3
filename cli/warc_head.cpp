#include "cli/warc_head.hpp"

#include <charconv>

namespace robotrules::cli {

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

std::pair<std::string, std::string_view> named_value(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return {};
  return {lowered(trimmed(line.substr(0, colon))), trimmed(line.substr(colon + 1))};
}

std::optional<std::uint64_t> whole_number(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

void WarcHead::take(std::string_view line) {
  const auto [name, value] = named_value(line);
  if (name == "warc-type") type = lowered(value);
  if (name == "warc-target-uri")
    target_uri = value.starts_with('<') && value.ends_with('>') ? value.substr(1, value.size() - 2) : value;
  if (name == "warc-date") date = value;
  if (name == "warc-block-digest") block_digest = value;
  if (name == "content-length") length = whole_number(value);
  if (name == "warc-truncated") truncated = true;
}

}  // namespace robotrules::cli
