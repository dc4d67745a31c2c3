#include "core/rules/path_buffer.hpp"

#include <cstring>

#include "core/dot_segments.hpp"
#include "core/percent.hpp"
#include "core/rules/match.hpp"
#include "core/rules/plain_text.hpp"
#include "core/url_path.hpp"

namespace robotrules::core {

PathBuffer::PathBuffer(std::string_view url, Dialect::UrlPath style, Dialect::Encoding encoding) {
  if (take_plain(url, style, encoding)) return;
  if (style == Dialect::UrlPath::resolved) {
    take_resolved(url, encoding);
  } else {
    take_any(url, style, encoding);
  }
}

// Handles nearly every URL: absolute, without a fragment, with a path that begins with "/" and is already normalised.
bool PathBuffer::take_plain(std::string_view url, Dialect::UrlPath style, Dialect::Encoding encoding) noexcept {
  const std::size_t begin = plain_path_begin(url);
  if (begin == 0) return false;
  const std::size_t size = url.size() - begin;
  if (size + path_padding > stack_.size()) return false;
  std::memcpy(stack_.data(), url.data() + begin, size);
  std::memset(stack_.data() + size, 0, path_padding);
  const bool plain = encoding == Dialect::Encoding::none ? std::memchr(stack_.data(), '#', size) == nullptr
                                                         : is_plain_path(stack_.data(), size, encoding);
  if (!plain || (style == Dialect::UrlPath::resolved && has_slash_dot(stack_.data(), size))) return false;
  path_ = {stack_.data(), size};
  return true;
}

void PathBuffer::take_any(std::string_view url, Dialect::UrlPath style, Dialect::Encoding encoding) {
  const PathSpan span = find_path(url, style);
  const std::string_view raw = url.substr(span.begin, span.end - span.begin);
  const std::size_t slash = span.slash_before ? 1 : 0;
  const bool change = needs_normalising(raw, encoding, PercentSide::url);
  char* const out = room(slash + (change ? normalised_bound(raw.size()) : raw.size()));
  if (slash != 0) *out = '/';
  std::size_t size = raw.size();
  if (change) {
    size = normalise(raw, encoding, PercentSide::url, false, out + slash);
  } else if (size != 0) {
    std::memcpy(out + slash, raw.data(), size);
  }
  size += slash;
  std::memset(out + size, 0, path_padding);
  path_ = {out, size};
}

void PathBuffer::take_resolved(std::string_view url, Dialect::Encoding encoding) {
  const PathSpan span = find_path(url, Dialect::UrlPath::resolved);
  const std::string_view raw = url.substr(span.begin, span.end - span.begin);
  if (!may_have_dots(raw, span.slash_before)) return take_any(url, Dialect::UrlPath::resolved, encoding);
  // The path is resolved in the second part of the memory, then normalised into the first part.
  const std::size_t longest = raw.size() + 1;
  char* const out = room(normalised_bound(longest) + longest);
  char* const path = out + normalised_bound(longest);
  const std::size_t slash = span.slash_before ? 1 : 0;
  *path = '/';
  std::memcpy(path + slash, raw.data(), raw.size());
  const std::size_t resolved = resolve_dots(path, slash + raw.size());
  const std::size_t size = normalise({path, resolved}, encoding, PercentSide::url, false, out);
  std::memset(out + size, 0, path_padding);
  path_ = {out, size};
}

char* PathBuffer::room(std::size_t size) {
  if (size + path_padding <= stack_.size()) return stack_.data();
  heap_ = std::make_unique_for_overwrite<char[]>(size + path_padding);
  return heap_.get();
}

}  // namespace robotrules::core
