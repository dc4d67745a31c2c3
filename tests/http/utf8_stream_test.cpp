// Conversion to UTF-8 piece by piece: the same text as in one piece, in every charset.
#include "charset/utf8_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/utf8.hpp"
#include "charset/to_utf8.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace robotrules::agent;

std::string in_pieces(std::string_view bytes, const CharsetLabel& from, std::size_t piece, bool& replaced) {
  Utf8Stream stream(from);
  std::string text;
  while (!bytes.empty()) {
    stream.write(bytes.substr(0, piece), text);
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
  stream.finish(text);
  replaced = stream.has_replaced();
  return text;
}

std::string all_bytes() {
  std::string bytes = "text ";
  for (int high = 0x80; high < 0x100; ++high) {
    bytes += static_cast<char>(high);
    bytes += static_cast<char>(high ^ 0x55);
  }
  return bytes + "\x1B$B%F\x1B(B end\x81";
}

TEST(Utf8Stream, TextIsTheSameInPieces) {
  const std::string bytes = all_bytes();
  for (const CharsetLabel& label : charset_labels()) {
    bool replaced = false;
    const std::string whole = in_pieces(bytes, label, bytes.size(), replaced);
    EXPECT_TRUE(base::is_utf8(whole)) << label.label;
    if (label.name != "utf-8") {
      EXPECT_EQ(whole, to_utf8(bytes, label.label).text) << label.label;
    }
    for (const std::size_t piece : {1u, 2u, 3u, 5u}) {
      bool replaced_in_pieces = false;
      EXPECT_EQ(in_pieces(bytes, label, piece, replaced_in_pieces), whole) << label.label << ' ' << piece;
      EXPECT_EQ(replaced_in_pieces, replaced) << label.label;
    }
  }
}

TEST(Utf8Stream, ACharacterThatIsCutAtTheEndIsReplaced) {
  bool replaced = false;
  EXPECT_EQ(in_pieces("a\x83", *find_charset_label("shift_jis"), 1, replaced), "a\uFFFD");
  EXPECT_TRUE(replaced);
  EXPECT_EQ(in_pieces("a\x83\x65", *find_charset_label("shift_jis"), 1, replaced), "a\u30c6");
  EXPECT_FALSE(replaced);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
