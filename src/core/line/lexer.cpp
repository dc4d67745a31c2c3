#include "core/line/lexer.hpp"

#include <array>
#include <cstring>

#include "base/ascii.hpp"

namespace robotrules::core {
namespace {

using Keys = Dialect::Keys;
using Nul = Dialect::Nul;

struct Name {
  std::string_view spelling;
  DirectiveKind kind;
  bool lenient;               // not the usual spelling
  bool by_prefix;             // matched as a prefix with Keys::prefixes
  bool lenient_only = false;  // accepted only with Keys::lenient
};

// The order matters only for Keys::prefixes: Google tries user-agent, allow, disallow and sitemap in turn. The
// misspellings are those that Google's parser accepts.
constexpr std::array names = {
    Name{"user-agent", DirectiveKind::user_agent, false, true},
    Name{"useragent", DirectiveKind::user_agent, true, true},
    Name{"user agent", DirectiveKind::user_agent, true, true},
    Name{"allow", DirectiveKind::allow, false, true},
    Name{"disallow", DirectiveKind::disallow, false, true},
    Name{"dissallow", DirectiveKind::disallow, true, true},
    Name{"dissalow", DirectiveKind::disallow, true, true},
    Name{"disalow", DirectiveKind::disallow, true, true},
    Name{"diasllow", DirectiveKind::disallow, true, true},
    Name{"disallaw", DirectiveKind::disallow, true, true},
    Name{"sitemap", DirectiveKind::sitemap, false, true},
    Name{"site-map", DirectiveKind::sitemap, true, true},
    Name{"site map", DirectiveKind::sitemap, true, false, true},
    Name{"sitemaps", DirectiveKind::sitemap, true, false, true},
    Name{"crawl-delay", DirectiveKind::crawl_delay, false, false},
    Name{"crawl delay", DirectiveKind::crawl_delay, true, false, true},
    Name{"crawldelay", DirectiveKind::crawl_delay, true, false, true},
    Name{"request-rate", DirectiveKind::request_rate, false, false},
    Name{"visit-time", DirectiveKind::visit_time, false, false},
    Name{"host", DirectiveKind::host, false, false},
    Name{"clean-param", DirectiveKind::clean_param, false, false},
    Name{"noindex", DirectiveKind::noindex, false, false},
    Name{"content-signal", DirectiveKind::content_signal, false, false},
    Name{"content-signals", DirectiveKind::content_signal, false, false},
    Name{"content-usage", DirectiveKind::content_usage, false, false},
};

struct Trimmer {
  bool nul;
  bool operator()(char c) const noexcept { return base::is_space(c) || (nul && c == '\0'); }
};

std::string_view trim(std::string_view text, Trimmer blank) noexcept {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

const Name* find_name(std::string_view key, const Dialect& dialect) noexcept {
  for (const Name& name : names) {
    if (base::lower(key.front()) != name.spelling.front()) continue;
    const bool prefix = dialect.keys == Keys::prefixes && name.by_prefix;
    if (prefix ? !base::starts_with_ignore_case(key, name.spelling) : !base::equals_ignore_case(key, name.spelling))
      continue;
    if (name.lenient && dialect.keys == Keys::exact) continue;
    if (name.lenient_only && dialect.keys != Keys::lenient) continue;
    if (name.lenient && dialect.keys == Keys::ruby && name.spelling != "useragent") continue;
    if (name.kind == DirectiveKind::allow && !dialect.allow_lines) continue;
    return &name;
  }
  return nullptr;
}

constexpr auto initials = [] {
  std::array<bool, 256> set{};
  for (const Name& name : names) {
    set[static_cast<unsigned char>(name.spelling.front())] = true;
    set[static_cast<unsigned char>(name.spelling.front() - 'a' + 'A')] = true;
  }
  return set;
}();

bool begins_a_name(char c) noexcept { return initials[static_cast<unsigned char>(c)]; }

// Returns the offset of the first " " or tab from `from` on, or the size.
std::size_t find_blank(std::string_view text, std::size_t from) noexcept {
  while (from < text.size() && text[from] != ' ' && text[from] != '\t') ++from;
  return from;
}

// Returns the offset of the comment, or the size. The caller trims the white space between a value and "#".
std::size_t comment_begin(std::string_view text, Dialect::Comment comment) noexcept {
  if (comment == Dialect::Comment::anywhere) {
    const std::size_t hash = text.find('#');
    return hash == std::string_view::npos ? text.size() : hash;
  }
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '#' && base::is_space(text[i - 1])) return i;
  }
  return text.size();
}

}  // namespace

LineSpan line_at(std::string_view text, std::size_t begin) noexcept {
  std::size_t end = begin;
  while (end < text.size() && text[end] != '\n' && text[end] != '\r') ++end;
  std::size_t next = end;
  if (next < text.size()) next += text[next] == '\r' && next + 1 < text.size() && text[next + 1] == '\n' ? 2 : 1;
  return {begin, end, next};
}

LexedLine lex_line(std::string_view line, const Dialect& dialect) noexcept {
  const Trimmer blank{dialect.nul == Nul::trim};
  if (dialect.line_limit != 0) line = line.substr(0, dialect.line_limit);
  if (dialect.nul == Nul::ends_line) line = line.substr(0, line.find('\0'));
  line = trim(line, blank);
  if (!line.empty() && line.front() == '#') {
    LexedLine lexed;
    lexed.form = LexedLine::Form::comment_only;
    return lexed;
  }
  if (dialect.comment == Dialect::Comment::anywhere) line = line.substr(0, comment_begin(line, dialect.comment));
  return lex_content(line, dialect);
}

LexedLine lex_content(std::string_view line, const Dialect& dialect) noexcept {
  LexedLine lexed;
  const Trimmer blank{dialect.nul == Nul::trim};
  line = trim(line, blank);
  if (line.empty()) return lexed;
  lexed.form = LexedLine::Form::malformed;

  const Name* name = nullptr;
  std::size_t separator = line.find(':');
  if (separator == std::string_view::npos) {
    // White space replaces the colon only between exactly two words, and the first must be a name.
    if (!dialect.missing_colon || !begins_a_name(line.front())) return lexed;
    separator = find_blank(line, 0);
    if (separator == line.size()) return lexed;
    std::size_t second = separator;
    while (line[second] == ' ' || line[second] == '\t') ++second;
    if (find_blank(line, second) != line.size()) return lexed;
    lexed.missing_colon = true;
  }
  const std::string_view key = trim(line.substr(0, separator), blank);
  if (key.empty()) return lexed;
  if (begins_a_name(key.front())) name = find_name(key, dialect);
  if (name == nullptr && lexed.missing_colon) return lexed;

  std::string_view value = trim(line.substr(separator + 1), blank);
  if (dialect.comment == Dialect::Comment::after_space) {
    value = trim(value.substr(0, comment_begin(value, dialect.comment)), blank);
  }
  lexed.form = LexedLine::Form::directive;
  lexed.name = key;
  lexed.value = value;
  if (name != nullptr) {
    lexed.kind = name->kind;
    lexed.lenient_name = name->lenient || key.size() != name->spelling.size();
  }
  return lexed;
}

}  // namespace robotrules::core
