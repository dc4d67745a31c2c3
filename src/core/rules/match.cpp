#include "core/rules/match.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace robotrules::core {
namespace {

constexpr std::size_t npos = std::string_view::npos;

// A segment of at most so many bytes is tried at sixteen places at once; one of at most so many by Knuth, Morris and
// Pratt with a table on the stack; a longer one by memmem, which searches two ways and is as linear as they are.
constexpr std::size_t tiny_segment = 32;  // is compared at each place where it may end
constexpr std::size_t short_segment = 64;
constexpr std::size_t medium_segment = 256;

// The first place of `segment` whose end `may_end` likes.
template <class Steps, class MayEnd>
std::size_t find_medium(std::string_view path, std::size_t from, std::string_view segment, Steps& steps,
                        MayEnd may_end) noexcept {
  std::array<std::uint8_t, medium_segment> borders;  // of the segment's first bytes: how many begin it and end it
  borders[0] = 0;
  for (std::size_t i = 1, border = 0; i < segment.size(); ++i) {
    while (border != 0 && segment[i] != segment[border]) border = borders[border - 1];
    if (segment[i] == segment[border]) ++border;
    borders[i] = static_cast<std::uint8_t>(border);
  }
  steps.add(segment.size() + (path.size() - from));
  std::size_t same = 0;
  for (std::size_t i = from; i < path.size(); ++i) {
    while (same != 0 && path[i] != segment[same]) same = borders[same - 1];
    if (path[i] == segment[same]) ++same;
    if (same < segment.size()) continue;
    if (may_end(i + 1)) return i + 1 - same;
    same = borders[same - 1];
  }
  return npos;
}

#if defined(__SSE2__)
inline unsigned equal_mask(const char* data, char byte) noexcept {
  const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(data));
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8(byte))));
}
#endif

// The first place of `segment` (not empty) in `path` at or behind `from`. Sixteen places are tried at a time, byte by
// byte of the segment, until none is left: there is no candidate whose check could be made dear. The first byte comes
// first, then the last that differs from it, which empties most blocks.
template <class Steps>
std::size_t find_segment(std::string_view path, std::size_t from, std::string_view segment, Steps& steps) noexcept {
  if (path.size() - from < segment.size()) return npos;
  if (segment.size() > short_segment && segment.size() <= medium_segment) {
    return find_medium(path, from, segment, steps, [](std::size_t) { return true; });
  }
  if (segment.size() > medium_segment) {
    const void* found = memmem(path.data() + from, path.size() - from, segment.data(), segment.size());
    steps.add((path.size() - from + segment.size()) / 16 + 1);
    return found == nullptr ? npos : static_cast<std::size_t>(static_cast<const char*>(found) - path.data());
  }
#if defined(__SSE2__)
  std::size_t other = segment.size() - 1;
  while (other > 1 && segment[other] == segment[0]) --other;
  const std::size_t last = path.size() - segment.size();
  steps.add(segment.size() / 16 + 1);
  for (std::size_t i = from; i <= last; i += 16) {
    const char* const data = path.data() + i;
    unsigned places = equal_mask(data, segment[0]) & equal_mask(data + other, segment[other]);
    steps.add(1);
    for (std::size_t k = 1; places != 0 && k < segment.size(); ++k) {
      places &= equal_mask(data + k, segment[k]);
      steps.add(1);
    }
    if (places == 0) continue;
    const std::size_t found = i + static_cast<std::size_t>(std::countr_zero(places));
    return found <= last ? found : npos;
  }
  return npos;
#else
  const std::size_t found = path.find(segment, from);
  steps.add(((found == npos ? path.size() : found) - from) / 16 + 1);
  return found;
#endif
}

// The same where no "*" goes past a line feed: the place must lie on the line of `from`, before its end.
template <class Steps>
std::size_t find_on_line(std::string_view path, std::size_t from, std::string_view segment, Steps& steps) noexcept {
  const std::size_t line_end = std::min(path.find('\n', from), path.size());
  const std::size_t own = segment.find('\n');
  steps.add((line_end - from) / 16 + 1);
  if (own == npos) return find_segment(path.substr(0, line_end), from, segment, steps);
  // A segment with a line feed of its own has one place: where that is the line's.
  if (line_end - from < own || path.size() - (line_end - own) < segment.size()) return npos;
  const std::size_t place = line_end - own;
  steps.add(segment.size() / 16 + 1);
  return equal_padded(path.data() + place, segment.data(), segment.size()) ? place : npos;
}

// The last segment of an anchored pattern behind a "*".
template <class Steps>
bool match_last(std::string_view path, std::size_t from, std::string_view segment, Dialect::Dollar dollar,
                Steps& steps) noexcept {
  if (segment.empty()) return true;
  steps.add(segment.size() / 16 + 1);
  if (path.size() - from < segment.size()) return false;
  if (equal_padded(path.data() + path.size() - segment.size(), segment.data(), segment.size())) return true;
  if (dollar != Dialect::Dollar::end_or_query) return false;
  // Before a "?" too: every "?" is a place where the segment may end. Where comparing it at each would cost more than
  // going through the path once, its places are looked for.
  if (segment.size() > tiny_segment && segment.size() <= medium_segment) {
    const auto before_query = [path](std::size_t end) { return end < path.size() && path[end] == '?'; };
    return find_medium(path, from, segment, steps, before_query) != npos;
  }
  for (std::size_t query = path.find('?', from + segment.size()); query != npos; query = path.find('?', query + 1)) {
    steps.add(segment.size() / 16 + 1);
    if (equal_padded(path.data() + query - segment.size(), segment.data(), segment.size())) return true;
  }
  return false;
}

template <class Steps>
bool match_last_on_line(std::string_view path, std::size_t from, std::string_view segment, PathEnds ends,
                        Steps& steps) noexcept {
  const std::size_t line_end = std::min(path.find('\n', from), path.size());
  if (segment.find('\n') == npos) return match_last(path.substr(0, line_end), from, segment, ends.dollar, steps);
  const std::size_t place = find_on_line(path, from, segment, steps);
  return place != npos && is_end(path, place + segment.size(), true, ends);
}

}  // namespace

template <class Steps>
bool match_pattern(std::string_view pattern, bool anchored, PathEnds ends, std::string_view path,
                   Steps& steps) noexcept {
  std::size_t star = pattern.find('*');
  const std::string_view head = pattern.substr(0, star);
  steps.add(head.size() / 16 + 1);
  if (head.size() > path.size() || !equal_padded(path.data(), head.data(), head.size())) return false;
  std::size_t at = head.size();
  if (star == npos) return is_end(path, at, anchored, ends);

  while (true) {
    std::size_t begin = star + 1;
    while (begin < pattern.size() && pattern[begin] == '*') ++begin;
    steps.add((begin - star) / 16);
    star = pattern.find('*', begin);
    const std::string_view segment = pattern.substr(begin, star - begin);
    if (star == npos && anchored) {
      return ends.lines ? match_last_on_line(path, at, segment, ends, steps)
                        : match_last(path, at, segment, ends.dollar, steps);
    }
    if (segment.empty()) return true;
    at = ends.lines ? find_on_line(path, at, segment, steps) : find_segment(path, at, segment, steps);
    if (at == npos) return false;
    at += segment.size();
    if (star == npos) return true;
  }
}

template bool match_pattern<NoSteps>(std::string_view, bool, PathEnds, std::string_view, NoSteps&) noexcept;
template bool match_pattern<CountedSteps>(std::string_view, bool, PathEnds, std::string_view, CountedSteps&) noexcept;

}  // namespace robotrules::core
