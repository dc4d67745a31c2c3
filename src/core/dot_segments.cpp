#include "core/dot_segments.hpp"

#include <algorithm>
#include <cstring>

#include <robotrules/url.hpp>

#include "core/url_path.hpp"

namespace robotrules {
namespace core {

unsigned dots_of(std::string_view segment) noexcept {
  unsigned dots = 0;
  while (!segment.empty()) {
    const bool plain = segment.front() == '.';
    if (!plain && !segment.starts_with("%2e") && !segment.starts_with("%2E")) return 0;
    if (++dots > 2) return 0;
    segment.remove_prefix(plain ? 1 : 3);
  }
  return dots;
}

bool may_have_dots(std::string_view path, bool slash_before) noexcept {
  const auto begins_with_dot = [](std::string_view text) { return text.starts_with('.') || text.starts_with("%2"); };
  if (slash_before && begins_with_dot(path)) return true;
  for (std::size_t i = path.find('/'); i != std::string_view::npos; i = path.find('/', i + 1)) {
    if (begins_with_dot(path.substr(i + 1))) return true;
  }
  return false;
}

std::size_t resolve_dots(char* path, std::size_t size) noexcept {
  const std::string_view all(path, size);
  const std::size_t end = std::min(all.find('?'), size);
  std::size_t out = 0;
  for (std::size_t at = 0; at < end;) {
    const std::size_t next = std::min(all.substr(0, end).find('/', at + 1), end);
    const unsigned dots = dots_of(all.substr(at + 1, next - at - 1));
    if (dots == 0) {
      std::memmove(path + out, path + at, next - at);
      out += next - at;
    } else {
      if (dots == 2) {
        while (out > 0) {
          --out;
          if (path[out] == '/') break;
        }
      }
      if (next == end) path[out++] = '/';
    }
    at = next;
  }
  std::memmove(path + out, path + end, size - end);
  return out + (size - end);
}

}  // namespace core

std::string resolve_dot_segments(std::string_view url) {
  const core::PathSpan span = core::find_path(url, Dialect::UrlPath::resolved);
  const std::string_view path = url.substr(span.begin, span.end - span.begin);
  if (!path.starts_with('/') || !core::may_have_dots(path, false)) return std::string(url);
  std::string resolved(url.substr(0, span.end));
  resolved.resize(span.begin + core::resolve_dots(resolved.data() + span.begin, path.size()));
  return resolved.append(url.substr(span.end));
}

}  // namespace robotrules
