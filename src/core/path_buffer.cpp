#include "core/path_buffer.hpp"

#include <cstring>

#include "core/match.hpp"
#include "core/percent.hpp"
#include "core/url_path.hpp"

namespace robotrules::core {

PathBuffer::PathBuffer(std::string_view url, const Dialect& dialect) {
  const PathSpan span = find_path(url, dialect.url_path);
  const std::string_view raw = url.substr(span.begin, span.end - span.begin);
  const std::size_t slash = span.slash_before ? 1 : 0;
  const bool change = needs_normalising(raw, dialect.url_encoding, PercentSide::url);
  char* const out = room(slash + (change ? normalised_bound(raw.size()) : raw.size()));
  if (slash != 0) *out = '/';
  std::size_t size = raw.size();
  if (change) {
    size = normalise(raw, dialect.url_encoding, PercentSide::url, false, out + slash);
  } else if (size != 0) {
    std::memcpy(out + slash, raw.data(), size);
  }
  size += slash;
  std::memset(out + size, 0, path_padding);
  path_ = {out, size};
}

char* PathBuffer::room(std::size_t size) {
  if (size + path_padding <= stack_.size()) return stack_.data();
  heap_ = std::make_unique_for_overwrite<char[]>(size + path_padding);
  return heap_.get();
}

}  // namespace robotrules::core
