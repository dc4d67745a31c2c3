// As the Python package surt makes keys (GoogleURLCanonicalizer, then IAURLCanonicalizer).
#include "archive/surt.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/hex.hpp"
#include "base/userinfo.hpp"

namespace robotrules::archive {
namespace {

bool is_alnum(char c) noexcept { return base::is_letter(c) || base::is_digit(c); }

// Decodes escapes until none is left. A decoded byte may be the last digit of another escape.
std::string unescaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  const auto last_escape = [&out] {
    return out.size() < 3 ? -1 : base::escaped_byte(std::string_view(out).substr(out.size() - 3));
  };
  for (const char c : text) {
    out += c;
    for (int byte = last_escape(); byte >= 0; byte = last_escape()) {
      out.resize(out.size() - 3);
      out += static_cast<char>(byte);
    }
  }
  return out;
}

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c > 0x20 && c < 0x7F && c != '#' && c != '%') {
      out += c;
    } else {
      base::append_percent(out, c);
    }
  }
  return out;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// Resolves "." and "..", and joins slashes.
std::string normal_path(std::string_view path) {
  std::vector<std::string_view> parts = split(path, '/');
  parts.erase(parts.begin());  // before the first slash
  std::vector<std::string_view> kept;
  for (const std::string_view part : parts) {
    if (part == ".") continue;
    if (part == ".." && !kept.empty()) {
      kept.pop_back();
    } else {
      kept.push_back(part);
    }
  }
  std::string out = "/";
  for (std::size_t i = 0; i < kept.size(); ++i) {
    out += kept[i];
    if (i + 1 < kept.size() && !kept[i].empty()) out += '/';
  }
  return out;
}

// Returns the end of "(24 letters and digits)" at `at`, or npos.
std::size_t end_of_session(std::string_view path, std::size_t at) {
  constexpr std::size_t digits = 24;
  if (at + digits + 2 > path.size() || path[at] != '(' || path[at + digits + 1] != ')') return std::string_view::npos;
  const std::string_view id = path.substr(at + 1, digits);
  return std::all_of(id.begin(), id.end(), is_alnum) ? at + digits + 2 : std::string_view::npos;
}

// Returns the end of "((a(...))+)" at `at`, or npos.
std::size_t end_of_sessions(std::string_view path, std::size_t at) {
  std::size_t end = at + 1;
  while (end < path.size() && base::is_letter(path[end])) {
    const std::size_t next = end_of_session(path, end + 1);
    if (next == std::string_view::npos) return next;
    end = next;
  }
  const bool closed = end > at + 1 && end < path.size() && path[end] == ')';
  return closed ? end + 1 : std::string_view::npos;
}

// Finds the first occurrence of a text at or after a position. The positions must not increase from call to call; then
// all calls together cost O(text).
class FirstFrom {
 public:
  FirstFrom(std::string_view text, std::string_view wanted) : text_(text), wanted_(wanted), searched_(text.size()) {}
  std::size_t operator()(std::size_t from) {
    const std::size_t begin = std::min(from, searched_);
    const std::size_t at = text_.substr(begin, searched_ - begin + wanted_.size() - 1).find(wanted_);
    if (at != std::string_view::npos) found_ = begin + at;
    searched_ = begin;
    return found_;
  }

 private:
  std::string_view text_;
  std::string_view wanted_;
  std::size_t searched_;  // the text from here on was searched
  std::size_t found_ = std::string_view::npos;
};

// Removes the session id of ASP.NET.
std::string without_path_session(std::string path) {
  for (const auto end_of : {end_of_sessions, end_of_session}) {
    FirstFrom first_aspx(path, ".aspx");
    FirstFrom first_mark(path, "?");
    for (std::size_t slash = path.rfind("/("); slash != std::string::npos; slash = path.rfind("/(", slash - 1)) {
      const std::size_t end = end_of(path, slash + 1);
      const bool ended = end != std::string::npos && end < path.size() && path[end] == '/';
      const std::size_t aspx = ended ? first_aspx(end + 2) : std::string::npos;
      if (aspx != std::string::npos && first_mark(end) > aspx) {
        path.erase(slash + 1, end - slash);
        break;
      }
      if (slash == 0) break;
    }
  }
  return path;
}

struct Session {
  std::string_view name;
  std::size_t letters;  // more of the name
  std::size_t value;    // its size
  bool digits;          // the value may have digits
};

// Returns the size of a session parameter at the beginning of `query`, or 0.
std::size_t session_at(std::string_view query, const Session& session) {
  const std::size_t name = session.name.size() + session.letters;
  const std::size_t size = name + 1 + session.value;
  if (query.size() < size || query[name] != '=' || (query.size() > size && query[size] != '&')) return 0;
  const std::string_view more = query.substr(session.name.size(), session.letters);
  const std::string_view value = query.substr(name + 1, session.value);
  const bool fits = query.starts_with(session.name) && std::all_of(more.begin(), more.end(), base::is_letter) &&
                    std::all_of(value.begin(), value.end(), session.digits ? is_alnum : base::is_letter);
  return fits ? size : 0;
}

// Returns the size of "cfid=...&cftoken=..." at `at`, or 0.
std::size_t cold_fusion_at(std::string_view query, std::size_t at, FirstFrom& first_ampersand) {
  constexpr std::string_view id_field = "cfid=";
  constexpr std::string_view token_field = "&cftoken=";
  if (!query.substr(at).starts_with(id_field)) return 0;
  const std::size_t end = first_ampersand(at);
  if (end == std::string_view::npos || end == at + id_field.size()) return 0;
  if (!query.substr(end).starts_with(token_field)) return 0;
  const std::size_t value = end + token_field.size();
  const std::size_t past = std::min(query.find('&', value), query.size());
  return past > value ? past - at : 0;
}

// Removes the last session, and the "&" after it. `size_at` returns the size of a session at a position, or 0.
template <class SizeAt>
void remove_last(std::string& query, SizeAt size_at) {
  for (std::size_t at = query.size(); at-- > 0;) {
    const std::size_t size = size_at(at);
    if (size == 0) continue;
    query.erase(at, size + (at + size < query.size() ? 1 : 0));
    return;
  }
}

// Precondition: the query is in lower case.
std::string without_query_session(std::string query) {
  for (const Session& session : {Session{"jsessionid", 0, 32, true}, Session{"phpsessid", 0, 32, true},
                                 Session{"sid", 0, 32, true}, Session{"aspsessionid", 8, 24, false}}) {
    remove_last(query, [&](std::size_t at) { return session_at(std::string_view(query).substr(at), session); });
  }
  FirstFrom first_ampersand(query, "&");
  remove_last(query, [&](std::size_t at) { return cold_fusion_at(query, at, first_ampersand); });
  return query;
}

std::string sorted_query(const std::string& query) {
  if (query.size() <= 1) return query;
  std::vector<std::pair<std::string_view, std::optional<std::string_view>>> fields;
  for (const std::string_view field : split(query, '&')) {
    const std::size_t equals = field.find('=');
    if (equals == std::string_view::npos)
      fields.emplace_back(field, std::nullopt);
    else
      fields.emplace_back(field.substr(0, equals), field.substr(equals + 1));
  }
  std::sort(fields.begin(), fields.end());
  std::string out;
  for (const auto& [name, value] : fields) {
    out += name;
    if (value) out.append("=").append(*value);
    out += '&';
  }
  out.pop_back();
  return out;
}

// Returns "com,example" for "www.example.com".
std::string reversed_host(std::string_view given) {
  std::string host;
  for (std::size_t i = 0; i < given.size(); ++i) {
    host += base::lower(given[i]);
    if (given.substr(i, 2) == "..") ++i;
  }
  const std::size_t begin_at = std::min(host.find_first_not_of('.'), host.size());
  std::string_view name = std::string_view(host).substr(begin_at, host.find_last_not_of('.') + 1 - begin_at);
  if (name.starts_with("www")) {
    const std::size_t dot = name.find_first_not_of("0123456789", 3);
    if (dot != std::string_view::npos && name[dot] == '.') name.remove_prefix(dot + 1);
  }
  std::vector<std::string_view> labels = split(name, '.');
  std::string out;
  for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
    if (!out.empty()) out += ',';
    out += *label;
  }
  return out;
}

}  // namespace

std::string surt_of(std::string_view given) {
  const std::string whole = base::without_userinfo(given.substr(0, given.find('#')));
  std::string_view url = whole;
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return std::string(url);
  const std::string_view default_port = url.starts_with("https") ? "443" : "80";
  url.remove_prefix(scheme + 3);
  const std::size_t host_end = std::min(url.find_first_of("/?"), url.size());
  std::string_view host = url.substr(0, host_end);
  url.remove_prefix(host_end);
  std::string_view port;
  const std::size_t colon = host.rfind(':');
  if (colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos) {
    port = host.substr(colon + 1);
    host = host.substr(0, colon);
  }
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  std::string key = reversed_host(host);
  if (!port.empty() && port != default_port) key.append(":").append(port);
  key += ')';

  const std::size_t mark = url.find('?');
  std::string path = base::lower_case(escaped(normal_path(unescaped(url.substr(0, mark)))));
  path = without_path_session(std::move(path));
  if (path.size() > 1 && path.ends_with('/')) path.pop_back();
  key += path;
  if (mark == std::string_view::npos) return key;
  const std::string query =
      sorted_query(without_query_session(base::lower_case(escaped(unescaped(url.substr(mark + 1))))));
  return query.empty() ? key : key + '?' + query;
}

}  // namespace robotrules::archive
