// What the harnesses share: taking bytes apart, and ending the program where something must hold and does not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <robotrules/dialect.hpp>

namespace robotrules::fuzz {

// Holds in every build: a fuzzer without assertions finds crashes only.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

// Bytes taken from the front; what is missing is zero, so that every input is an input.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}

  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const auto value = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return value;
  }

  // Up to the next LF, which is taken too.
  std::string_view line() {
    const std::size_t end = rest_.find('\n');
    const std::string_view found = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return found;
  }

  bool empty() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

// A preset by the low bits; by the high bit with limits small enough to be met.
inline Dialect dialect_of(std::uint8_t choice) {
  const auto presets = Dialect::presets();
  Dialect dialect = presets[(choice & 0x1F) % presets.size()];
  // Which comes first, a line's limit or the removal of its NULs, is nobody's question: no preset has both.
  if ((choice & 0x80) != 0 && dialect.nul != Dialect::Nul::remove) {
    dialect.file_limit = 200;
    dialect.line_limit = 40;
  }
  if ((choice & 0x40) != 0) dialect.utf16 = !dialect.utf16;
  return dialect;
}

}  // namespace robotrules::fuzz
