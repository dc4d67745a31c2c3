#include "core/url_path.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/ascii.hpp"
#include "core/dot_segments.hpp"
#include "core/line/lexer.hpp"

namespace robotrules::core {
namespace {

// Works like Google's GetPathParamsQuery: skips two leading slashes, lets ";" begin a path, and takes "://" for the end
// of a scheme only if no path began before it.
PathSpan google_path(std::string_view url) noexcept {
  const std::size_t start = url.starts_with("//") ? 2 : 0;
  const std::size_t early = url.find_first_of("/?;", start);
  std::size_t protocol_end = url.find("://", start);
  if (early < protocol_end) protocol_end = std::string_view::npos;
  protocol_end = protocol_end == std::string_view::npos ? start : protocol_end + 3;
  const std::size_t begin = url.find_first_of("/?;", protocol_end);
  if (begin == std::string_view::npos) return {0, 0, true};
  std::size_t hash = url.find('#', start);
  if (hash < begin) return {0, 0, true};
  if (hash == std::string_view::npos) hash = url.size();
  return {begin, hash, url[begin] != '/'};
}

// RFC 3986: the path begins after the authority, or after the scheme if there is no authority.
PathSpan generic_path(std::string_view url, bool empty_path) noexcept {
  std::size_t end = url.find('#');
  if (end == std::string_view::npos) end = url.size();
  url = url.substr(0, end);
  std::size_t begin = 0;
  const std::size_t scheme = scheme_length(url);
  const std::size_t authority = scheme == 0 ? 0 : scheme + 1;
  if (url.substr(authority).starts_with("//")) {
    begin = url.find_first_of("/?", authority + 2);
    if (begin == std::string_view::npos) begin = end;
  } else if (scheme != 0 && url.substr(authority).starts_with("/")) {
    begin = authority;
  }
  const bool slash = begin == end ? !empty_path : url[begin] == '?' ? !empty_path : url[begin] != '/';
  return {begin, end, slash};
}

}  // namespace

std::size_t plain_path_begin(std::string_view url) noexcept {
  if (url.size() < 9 || std::memcmp(url.data(), "http", 4) != 0) return 0;
  std::size_t i = url[4] == 's' ? 8 : 7;
  if (std::memcmp(url.data() + i - 3, "://", 3) != 0) return 0;
#if defined(__SSE2__)
  // Looks at 16 bytes at a time while the URL has as many.
  for (; i + 16 <= url.size(); i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(url.data() + i));
    const auto equal = [bytes](char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
    const __m128i signs = _mm_or_si128(_mm_or_si128(equal('/'), equal('?')), _mm_or_si128(equal(';'), equal('#')));
    const auto found = static_cast<unsigned>(_mm_movemask_epi8(signs));
    if (found == 0) continue;
    i += static_cast<std::size_t>(std::countr_zero(found));
    return url[i] == '/' ? i : 0;
  }
#endif
  for (; i < url.size(); ++i) {
    const char c = url[i];
    if (c == '/') return i;
    if (c == '?' || c == ';' || c == '#') return 0;
  }
  return 0;
}

std::size_t scheme_length(std::string_view url) noexcept {
  if (url.empty() || !base::is_letter(url.front())) return 0;
  for (std::size_t i = 1; i < url.size(); ++i) {
    const char c = url[i];
    if (c == ':') return i;
    if (!base::is_letter(c) && !base::is_digit(c) && c != '+' && c != '-' && c != '.') return 0;
  }
  return 0;
}

bool has_other_scheme(std::string_view url) noexcept {
  const std::size_t length = scheme_length(url);
  if (length == 0) return false;
  const std::string_view scheme = url.substr(0, length);
  return !base::equals_ignore_case(scheme, "http") && !base::equals_ignore_case(scheme, "https");
}

PathSpan find_path(std::string_view url, Dialect::UrlPath style) noexcept {
  switch (style) {
    case Dialect::UrlPath::google: return google_path(url);
    case Dialect::UrlPath::uri: return generic_path(url, true);
    case Dialect::UrlPath::generic:
    case Dialect::UrlPath::resolved: break;
  }
  return generic_path(url, false);
}

}  // namespace robotrules::core
