// A quick check of patterns and paths: nearly all are already normalised.
#pragma once

#include <cstddef>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <robotrules/dialect.hpp>

#include "core/percent.hpp"

namespace robotrules::core {

// Returns true if no byte of `text` is special: byte_classes(), the plain twin, finds none of the three classes. False
// for all other texts and for some without special bytes. 16 bytes after `text` must be readable.
inline bool is_plain(const char* text, std::size_t size, Dialect::Encoding encoding) noexcept;

#if defined(__SSE2__)
namespace plain_detail {

// Marks the bytes "%", "*", "$" and those above 7F.
inline unsigned remarkable_mask(__m128i bytes) noexcept {
  const __m128i dollar_or_percent = _mm_cmpeq_epi8(_mm_or_si128(bytes, _mm_set1_epi8(1)), _mm_set1_epi8('%'));
  const __m128i star = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('*'));
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(dollar_or_percent, star), bytes)));
}

// Marks those and the bytes that a URL must not contain; percent.cpp has the same set in plain code.
inline unsigned remarkable_or_outside_mask(__m128i bytes) noexcept {
  const auto equal = [bytes](char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
  const auto either = [bytes](char bit, char c) {
    return _mm_cmpeq_epi8(_mm_or_si128(bytes, _mm_set1_epi8(bit)), _mm_set1_epi8(c));
  };
  // The comparison is signed, so bytes above 7F are also below 21.
  const __m128i low = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x21));
  const __m128i high = _mm_andnot_si128(equal('~'), _mm_cmpgt_epi8(bytes, _mm_set1_epi8('z')));
  const __m128i brackets = _mm_or_si128(either(2, '>'), either(2, '^'));
  const __m128i quotes = _mm_or_si128(equal('"'), equal('`'));
  const __m128i signs = _mm_or_si128(either(1, '%'), equal('*'));
  const __m128i all = _mm_or_si128(_mm_or_si128(_mm_or_si128(low, high), _mm_or_si128(brackets, quotes)), signs);
  return static_cast<unsigned>(_mm_movemask_epi8(all));
}

// Marks those and the brackets, which URI.pm escapes.
inline unsigned remarkable_to_uri_mask(__m128i bytes) noexcept {
  const __m128i brackets =
      _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('[')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8(']')));
  return remarkable_or_outside_mask(bytes) | static_cast<unsigned>(_mm_movemask_epi8(brackets));
}

template <class Mask>
inline bool no_byte(const char* text, std::size_t size, Mask mask) noexcept {
  for (std::size_t i = 0; i < size; i += 16) {
    const unsigned found = mask(_mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i)));
    const std::size_t rest = size - i;
    if ((rest >= 16 ? found : found & ((1u << rest) - 1)) != 0) return false;
  }
  return true;
}

}  // namespace plain_detail

inline bool is_plain(const char* text, std::size_t size, Dialect::Encoding encoding) noexcept {
  using namespace plain_detail;
  if (encoding == Dialect::Encoding::rfc9309) return no_byte(text, size, remarkable_or_outside_mask);
  if (encoding == Dialect::Encoding::uri_escape) return no_byte(text, size, remarkable_to_uri_mask);
  return no_byte(text, size, remarkable_mask);
}

// Does the same for a path, where "#" is special too.
inline bool is_plain_path(const char* text, std::size_t size, Dialect::Encoding encoding) noexcept {
  using namespace plain_detail;
  const auto or_hash = [text, size](auto mask) {
    return no_byte(text, size, [mask](__m128i bytes) {
      return mask(bytes) | static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('#'))));
    });
  };
  if (encoding == Dialect::Encoding::rfc9309) return or_hash([](__m128i o) { return remarkable_or_outside_mask(o); });
  if (encoding == Dialect::Encoding::uri_escape) return or_hash([](__m128i o) { return remarkable_to_uri_mask(o); });
  return or_hash([](__m128i o) { return remarkable_mask(o); });
}

// Returns true if `text` contains "/.". At least 17 readable zero bytes must follow `text`.
inline bool has_slash_dot(const char* text, std::size_t size) noexcept {
  __m128i found = _mm_setzero_si128();
  for (std::size_t i = 0; i < size; i += 16) {
    const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i));
    const __m128i next = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i + 1));
    found = _mm_or_si128(
        found, _mm_and_si128(_mm_cmpeq_epi8(here, _mm_set1_epi8('/')), _mm_cmpeq_epi8(next, _mm_set1_epi8('.'))));
  }
  return _mm_movemask_epi8(found) != 0;
}
#else
inline bool is_plain(const char* text, std::size_t size, Dialect::Encoding encoding) noexcept {
  const ByteClasses classes = byte_classes({text, size}, encoding, PercentSide::url);
  return !classes.change && !classes.star && !classes.dollar;
}
inline bool is_plain_path(const char* text, std::size_t size, Dialect::Encoding encoding) noexcept {
  return is_plain(text, size, encoding) && std::string_view(text, size).find('#') == std::string_view::npos;
}
inline bool has_slash_dot(const char* text, std::size_t size) noexcept {
  return std::string_view(text, size).find("/.") != std::string_view::npos;
}
#endif

}  // namespace robotrules::core
