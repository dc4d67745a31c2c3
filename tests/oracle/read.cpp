// Bytes to lines to groups.
#include <algorithm>

#include "oracle/bytes.hpp"
#include "oracle/oracle.hpp"

namespace robotrules::oracle {
namespace {

void append_utf8(std::string& out, std::uint32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

// `bytes` without its mark. A surrogate that stands alone and an odd last byte become U+FFFD.
std::string from_utf16(std::string_view bytes, bool big_endian) {
  std::vector<std::uint32_t> units;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const std::uint32_t first = byte(bytes[i]);
    const std::uint32_t second = byte(bytes[i + 1]);
    units.push_back(big_endian ? first << 8 | second : second << 8 | first);
  }
  std::string out;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const bool high = units[i] >= 0xD800 && units[i] < 0xDC00;
    const bool low = units[i] >= 0xDC00 && units[i] < 0xE000;
    if (high && i + 1 < units.size() && units[i + 1] >= 0xDC00 && units[i + 1] < 0xE000) {
      append_utf8(out, 0x10000 + ((units[i] - 0xD800) << 10) + (units[i + 1] - 0xDC00));
      ++i;
    } else {
      append_utf8(out, high || low ? 0xFFFD : units[i]);
    }
  }
  if (bytes.size() % 2 != 0) append_utf8(out, 0xFFFD);
  return out;
}

// Bytes of the well-formed UTF-8 character at text[i], as RFC 3629 lists them; 0 where there is none.
std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto between = [&](std::size_t at, unsigned low, unsigned high) {
    return at < text.size() && byte(text[at]) >= low && byte(text[at]) <= high;
  };
  const auto tail = [&](std::size_t at) { return between(at, 0x80, 0xBF); };
  if (between(i, 0x00, 0x7F)) return 1;
  if (between(i, 0xC2, 0xDF)) return tail(i + 1) ? 2 : 0;
  if (between(i, 0xE0, 0xEF)) {
    const unsigned low = byte(text[i]) == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = byte(text[i]) == 0xED ? 0x9F : 0xBF;  // no surrogates
    return between(i + 1, low, high) && tail(i + 2) ? 3 : 0;
  }
  if (between(i, 0xF0, 0xF4)) {
    const unsigned low = byte(text[i]) == 0xF0 ? 0x90 : 0x80;
    const unsigned high = byte(text[i]) == 0xF4 ? 0x8F : 0xBF;
    return between(i + 1, low, high) && tail(i + 2) && tail(i + 3) ? 4 : 0;
  }
  return 0;
}

std::string only_utf8(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    out += text.substr(i, length);
    i += length == 0 ? 1 : length;
  }
  return out;
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') ++i;
    if (text[i] == '\r' || text[i] == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += text[i];
    }
  }
  return lines;
}

bool one_of(const std::string& key, std::initializer_list<std::string_view> names, bool prefixes) {
  return std::ranges::any_of(names,
                             [&](std::string_view name) { return prefixes ? key.starts_with(name) : key == name; });
}

Kind kind_of(std::string_view written_key, const Dialect& dialect) {
  using Keys = Dialect::Keys;
  const std::string key = lower(written_key);
  if (dialect.keys == Keys::exact || dialect.keys == Keys::ruby) {
    if (key == "user-agent" || (dialect.keys == Keys::ruby && key == "useragent")) return Kind::user_agent;
    if (key == "allow") return dialect.allow_lines ? Kind::allow : Kind::other;
    return key == "disallow" ? Kind::disallow : Kind::other;
  }
  const bool prefixes = dialect.keys == Keys::prefixes;
  if (one_of(key, {"user-agent", "useragent", "user agent"}, prefixes)) return Kind::user_agent;
  if (one_of(key, {"allow"}, prefixes)) return dialect.allow_lines ? Kind::allow : Kind::other;
  if (one_of(key, {"disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"}, prefixes)) {
    return Kind::disallow;
  }
  return Kind::other;
}

// The usual spelling of a setting's name, or nothing.
std::string setting_name(std::string_view written_key, const Dialect& dialect) {
  std::string key = lower(written_key);
  if (dialect.keys == Dialect::Keys::lenient && (key == "crawl delay" || key == "crawldelay")) key = "crawl-delay";
  if (key == "content-signals") key = "content-signal";
  return one_of(key, {"crawl-delay", "request-rate", "visit-time", "content-signal", "content-usage"}, false) ? key
                                                                                                              : "";
}

Line read_line(std::string text, std::uint32_t number, const Dialect& dialect) {
  Line line;
  line.number = number;
  if (dialect.line_limit != 0 && text.size() > dialect.line_limit) text.resize(dialect.line_limit);
  if (dialect.nul == Dialect::Nul::ends_line) text = text.substr(0, text.find('\0'));
  const bool nul_is_space = dialect.nul == Dialect::Nul::trim;
  if (trim(text, nul_is_space).empty()) {
    line.kind = Kind::blank;
    return line;
  }
  if (trim(text, nul_is_space).front() == '#') {
    line.kind = Kind::comment;
    return line;
  }
  if (dialect.comment == Dialect::Comment::anywhere) text.resize(std::min(text.size(), text.find('#')));
  text = trim(text, nul_is_space);

  std::size_t separator = text.find(':');
  if (separator == std::string::npos) {
    if (!dialect.missing_colon) return line;
    separator = text.find_first_of(" \t");
    if (separator == std::string::npos) return line;
    const std::size_t second_word = text.find_first_not_of(" \t", separator);
    if (second_word == std::string::npos) return line;
    if (text.find_first_of(" \t", second_word) != std::string::npos) return line;
  }
  const std::string key = trim(text.substr(0, separator), nul_is_space);
  if (key.empty()) return line;
  line.value = trim(text.substr(separator + 1), nul_is_space);
  if (dialect.comment == Dialect::Comment::after_space) {
    for (std::size_t i = 1; i < line.value.size(); ++i) {
      if (line.value[i] == '#' && is_space(line.value[i - 1], nul_is_space)) {
        line.value = trim(line.value.substr(0, i), nul_is_space);
        break;
      }
    }
  }
  line.kind = kind_of(key, dialect);
  if (line.kind != Kind::other) return line;
  line.name = setting_name(key, dialect);
  if (!line.name.empty()) line.kind = Kind::setting;
  return line;
}

std::vector<GroupOfLines> group(const std::vector<Line>& lines, const Dialect& dialect) {
  std::vector<GroupOfLines> groups;
  bool open = false;       // the last group takes further lines
  bool any_agent = false;  // a User-agent line was seen
  bool other = false;      // behind the last group's agents stands a line of another kind
  std::vector<Line> run;   // the nearest User-agent lines of the last group
  bool run_over = false;   // a rule or a setting stands behind them
  for (const Line& line : lines) {
    switch (line.kind) {
      case Kind::blank:
        if (dialect.blank_line_ends_group) open = false;
        break;
      case Kind::user_agent:
        any_agent = true;
        if (open && !groups.back().rules.empty() && dialect.agent_after_rule_starts_group) open = false;
        if (open && other && dialect.other_line_ends_agents && dialect.agent_after_rule_starts_group) open = false;
        if (open && groups.back().agents.empty()) open = false;  // those rules had no agent, and get none now
        if (!open) groups.emplace_back();
        if (!open || run_over) run.clear();
        run.push_back(line);
        run_over = false;
        open = true;
        other = false;
        groups.back().agents.push_back(line);
        break;
      case Kind::allow:
      case Kind::disallow: {
        run_over = true;
        if (!open) {
          if (any_agent || dialect.orphan_rules == Dialect::OrphanRules::ignore) break;
          groups.emplace_back();
          run.clear();
          open = true;
        }
        const Access access = line.kind == Kind::allow ? Access::allowed : Access::disallowed;
        groups.back().rules.push_back({access, line.number, line.value});
        break;
      }
      case Kind::setting:
        if (open) groups.back().settings.push_back({line, run});
        run_over = true;
        other = true;
        break;
      case Kind::other: other = true; break;
      case Kind::comment:
      case Kind::nothing: break;
    }
  }
  return groups;
}

}  // namespace

std::string text_of(std::string_view bytes, const Dialect& dialect) {
  std::string text(bytes);
  if (dialect.utf16 && bytes.starts_with("\xFF\xFE")) text = from_utf16(bytes.substr(2), false);
  if (dialect.utf16 && bytes.starts_with("\xFE\xFF")) text = from_utf16(bytes.substr(2), true);
  if (dialect.drop_invalid_utf8) text = only_utf8(text);
  // Before lines are counted, so that UTF-16 without transcoding has the lines that an editor shows.
  if (dialect.nul == Dialect::Nul::remove) std::erase(text, '\0');
  if (dialect.file_limit != 0 && text.size() > dialect.file_limit) {
    const char next = text[dialect.file_limit];
    text.resize(dialect.file_limit);
    const bool whole = next == '\n' || next == '\r';  // the last line ends right at the limit
    while (!whole && !text.empty() && text.back() != '\n' && text.back() != '\r') text.pop_back();
  }
  return text;
}

File read(std::string_view bytes, const Dialect& dialect) {
  std::string text = text_of(bytes, dialect);
  if (dialect.byte_order_mark == Dialect::ByteOrderMark::skip_partial) {
    std::size_t known = 0;
    while (known < 3 && known < text.size() && text[known] == "\xEF\xBB\xBF"[known]) ++known;
    text.erase(0, known);
  }
  File file;
  std::uint32_t number = 0;
  for (std::string& line : split_lines(text)) file.lines.push_back(read_line(std::move(line), ++number, dialect));
  file.groups = group(file.lines, dialect);
  return file;
}

}  // namespace robotrules::oracle
