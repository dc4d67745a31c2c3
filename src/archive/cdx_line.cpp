#include "archive/cdx_line.hpp"

#include "archive/surt.hpp"
#include "archive/warc_head.hpp"
#include "base/ascii.hpp"
#include "base/json_text.hpp"

namespace robotrules::archive {
namespace {

// Returns the first 14 digits of a time: "20261121150405" for "2026-11-21T15:04:05.123456Z".
std::string digits_of(std::string_view date) {
  constexpr std::size_t wanted = 14;
  std::string digits;
  for (const char c : date) {
    if (c >= '0' && c <= '9' && digits.size() < wanted) digits += c;
  }
  digits.resize(wanted, '0');
  return digits;
}

void add(std::string& line, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  line += line.ends_with('{') ? "\"" : ", \"";
  line.append(name).append("\": ");
  base::append_json(line, value);
}

std::string end_of_line(std::string_view file) {
  std::string end = "{";
  add(end, "filename", file);
  return ", " + end.substr(1) + '}';
}

// Returns the number in `"name": "NUMBER"` at the end of `line`, and removes both.
std::optional<std::uint64_t> take_number(std::string_view& line, std::string_view name) {
  const std::string begin = ", \"" + std::string(name) + "\": \"";
  const std::size_t at = line.rfind(begin);
  if (at == std::string_view::npos || !line.ends_with('"')) return std::nullopt;
  const std::size_t from = at + begin.size();
  const auto number = from < line.size() ? whole_number(line.substr(from, line.size() - from - 1)) : std::nullopt;
  line = line.substr(0, at);
  return number;
}

}  // namespace

void read_head_for_cdx(std::string_view head, CdxRecord& into) {
  const std::size_t blank = head.find(' ');
  if (!head.starts_with("HTTP/") || blank == std::string_view::npos) return;
  const std::string_view status = head.substr(blank + 1, 3);
  if (whole_number(status)) into.status = status;
  take_line(head);
  while (!head.empty()) {
    const std::string line = take_folded_line(head);
    if (line.empty()) return;
    const auto [name, value] = named_value(line);
    if (name == "content-type") into.mime = base::trimmed(value.substr(0, value.find(';')));
  }
}

std::string cdx_line(const CdxRecord& record, std::string_view file) {
  std::string line = surt_of(record.url) + ' ' + digits_of(record.date) + " {";
  add(line, "url", record.url);
  add(line, "mime", record.revisit ? "warc/revisit" : record.mime);
  add(line, "status", record.status);
  add(line, "digest", record.digest);
  add(line, "length", std::to_string(record.length));
  add(line, "offset", std::to_string(record.offset));
  return line + end_of_line(file) + '\n';
}

bool is_foreign_cdx_line(std::string_view line, std::string_view file) {
  // After a power failure, NULs stand in place of data that never reached the disk.
  if (line.find('\0') != std::string_view::npos) return false;
  return line.starts_with('!') ||
         (line.ends_with("\"}") && line.find(" {\"") != std::string_view::npos && !line.ends_with(end_of_line(file)));
}

std::optional<std::uint64_t> end_in_cdx_line(std::string_view line, std::string_view file) {
  const std::string end = end_of_line(file);
  if (!line.ends_with(end) || line.find('\0') != std::string_view::npos || line.find(" {\"url\": ") > line.size()) {
    return std::nullopt;
  }
  line.remove_suffix(end.size());
  const auto offset = take_number(line, "offset");
  const auto length = take_number(line, "length");
  if (!offset || !length || *offset > UINT64_MAX - *length) return std::nullopt;
  return *offset + *length;
}

}  // namespace robotrules::archive
