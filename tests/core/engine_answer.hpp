// The engine's answer in the oracle's words, so that the two can be compared member by member.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <robotrules/rules.hpp>

#include "oracle/oracle.hpp"

namespace robotrules::test {

inline oracle::Answer answer_of(const Verdict& verdict) {
  oracle::Answer answer;
  answer.access = verdict.access();
  answer.why = verdict.why();
  answer.line = verdict.line();
  if (const auto rule = verdict.rule()) answer.pattern = std::string(rule->pattern);
  if (const auto runner_up = verdict.runner_up()) answer.runner_up = runner_up->line;
  return answer;
}

// Bytes in a heap block of exactly their size: one byte read too far is an error under AddressSanitizer.
class ExactBlock {
 public:
  explicit ExactBlock(std::string_view bytes) : size_(bytes.size()), block_(new char[bytes.size()]) {
    bytes.copy(block_.get(), size_);
  }
  std::string_view view() const { return {block_.get(), size_}; }

 private:
  std::size_t size_;
  std::unique_ptr<char[]> block_;
};

// Bytes as they can stand in a message: controls and non-ASCII as \xNN.
inline std::string shown(std::string_view bytes) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte >= 0x7F) {
      out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace robotrules::test
