#include "core/line/line_marks.hpp"

#include <bit>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define ROBOTRULES_HAS_AVX2 1
#endif

namespace robotrules::core {

std::size_t find_line_marks_plain(const char* data, std::size_t size, std::uint32_t* out) noexcept {
  std::size_t count = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const char c = data[i];
    if (c == '\n' || c == '\r' || c == '#' || c == '\0') out[count++] = static_cast<std::uint32_t>(i);
  }
  return count;
}

#ifdef ROBOTRULES_HAS_AVX2
namespace {

__attribute__((target("avx2"))) inline std::uint32_t marks_of_32(const char* data) noexcept {
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(data));
  const __m256i lf = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\n'));
  const __m256i cr = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\r'));
  const __m256i hash = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('#'));
  const __m256i nul = _mm256_cmpeq_epi8(bytes, _mm256_setzero_si256());
  return static_cast<std::uint32_t>(
      _mm256_movemask_epi8(_mm256_or_si256(_mm256_or_si256(lf, cr), _mm256_or_si256(hash, nul))));
}

// Always writes four positions: most blocks of 64 bytes have two, and a needless store that is overwritten later costs
// less than a wrongly predicted branch.
__attribute__((target("avx2,bmi"))) inline std::uint32_t* write_positions(std::uint64_t bits, std::uint32_t base,
                                                                          std::uint32_t* out) noexcept {
  const int count = std::popcount(bits);
  for (int i = 0; i < 4; ++i) {
    out[i] = base + static_cast<std::uint32_t>(std::countr_zero(bits));
    bits &= bits - 1;
  }
  for (int i = 4; i < count; ++i) {
    out[i] = base + static_cast<std::uint32_t>(std::countr_zero(bits));
    bits &= bits - 1;
  }
  return out + count;
}

__attribute__((target("avx2,bmi"))) std::size_t find_line_marks_avx2(const char* data, std::size_t size,
                                                                     std::uint32_t* out) noexcept {
  std::uint32_t* const first = out;
  std::size_t i = 0;
  for (; i + 64 <= size; i += 64) {
    const std::uint64_t bits = marks_of_32(data + i) | (std::uint64_t{marks_of_32(data + i + 32)} << 32);
    if (bits != 0) out = write_positions(bits, static_cast<std::uint32_t>(i), out);
  }
  if (i < size) {
    char tail[64];
    std::memset(tail, 'x', sizeof tail);
    std::memcpy(tail, data + i, size - i);
    const std::uint64_t bits = marks_of_32(tail) | (std::uint64_t{marks_of_32(tail + 32)} << 32);
    if (bits != 0) out = write_positions(bits, static_cast<std::uint32_t>(i), out);
  }
  return static_cast<std::size_t>(out - first);
}

using Finder = std::size_t (*)(const char*, std::size_t, std::uint32_t*) noexcept;

Finder choose() noexcept {
  __builtin_cpu_init();
  const bool wide = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0;
  return wide ? find_line_marks_avx2 : find_line_marks_plain;
}

}  // namespace

std::size_t find_line_marks(const char* data, std::size_t size, std::uint32_t* out) noexcept {
  static const Finder finder = choose();
  return finder(data, size, out);
}
#else
std::size_t find_line_marks(const char* data, std::size_t size, std::uint32_t* out) noexcept {
  return find_line_marks_plain(data, size, out);
}
#endif

}  // namespace robotrules::core
