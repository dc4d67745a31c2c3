// Conversion to UTF-8 piece by piece, and iconv behind it.
#pragma once

#include <iconv.h>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "base/visibility.hpp"
#include "charset/charset_labels.hpp"

namespace robotrules::agent {

// A converter of iconv. It keeps the state of the conversion between the calls.
class ROBOTRULES_INTERNAL_API Converter {
 public:
  Converter(const char* to, const char* from);
  ~Converter();
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  // False: this machine lacks the converter.
  bool is_open() const noexcept;
  // Adds the text of `rest` to `out`, and removes from `rest` what was read. Returns 0, or the errno with which iconv
  // stopped early: EILSEQ at bytes that are not of the charset, EINVAL inside a character at the end. An empty `rest`
  // flushes the converter.
  int convert(std::string_view& rest, std::string& out);

 private:
  iconv_t handle_;
};

// Converts bytes of one charset to UTF-8. Bytes that are not of the charset become U+FFFD, one for each smallest unit.
// glibc accepts forms beyond U+10FFFF as UTF-8, so a text in UTF-8 needs a check of its own.
class ROBOTRULES_INTERNAL_API Utf8Stream {
 public:
  // If this machine lacks the converter, only ASCII characters are kept.
  explicit Utf8Stream(const CharsetLabel& from);

  // Adds the text of the next bytes to `out`. Stops when `out` is longer than `limit`. A character may be cut between
  // two calls.
  void write(std::string_view bytes, std::string& out, std::size_t limit = std::numeric_limits<std::size_t>::max());
  // Adds the rest. A character that is cut at the end becomes U+FFFD.
  void finish(std::string& out);
  bool has_replaced() const noexcept { return replaced_; }

 private:
  void replace(std::string& out);

  Converter converter_;
  std::size_t unit_;
  std::string begun_;  // the first bytes of a character that is not complete
  bool replaced_ = false;
};

// Returns the smallest number of bytes that a character of the charset has.
std::size_t unit_of(std::string_view charset) noexcept;

}  // namespace robotrules::agent
