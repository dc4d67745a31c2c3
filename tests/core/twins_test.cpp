// The quick ways against their plain twins.
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/line/line_marks.hpp"
#include "core/percent.hpp"
#include "core/rules/plain_text.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

std::string random_text(std::mt19937& random, std::size_t size, std::string_view alphabet) {
  std::string text(size, 'x');
  for (char& c : text) {
    c = random() % 4 == 0 ? static_cast<char>(random() % 256) : alphabet[random() % alphabet.size()];
  }
  return text;
}

TEST(Twins, LineMarksAreFoundWhereThePlainTwinFindsThem) {
  std::mt19937 random(9309);
  for (int round = 0; round < 4'000; ++round) {
    const std::size_t size = round < 400 ? static_cast<std::size_t>(round) : random() % (core::mark_block + 1);
    const std::string text = random_text(random, size, round % 2 == 0 ? "\r\n#a:" : "abcdefgh /-:");
    const std::vector<char> exact(text.begin(), text.end());
    std::vector<std::uint32_t> quick(core::mark_block + 8);
    std::vector<std::uint32_t> plain(core::mark_block + 8);
    quick.resize(core::find_line_marks(exact.data(), size, quick.data()));
    plain.resize(core::find_line_marks_plain(exact.data(), size, plain.data()));
    ASSERT_EQ(quick, plain) << size;
  }
}

TEST(Twins, PlainTextHasNoByteOfInterest) {
  using Encoding = Dialect::Encoding;
  const std::mt19937 random(1994);
  int plain_texts = 0;
  int marked_texts = 0;
  for (const Encoding encoding : {Encoding::none, Encoding::upper_and_non_ascii, Encoding::rfc9309,
                                  Encoding::decode_but_slash, Encoding::decode_but_reserved, Encoding::uri_escape}) {
    // Every byte alone, at each place of a block.
    for (int c = 0; c < 256; ++c) {
      for (std::size_t size : {1, 15, 16, 17, 40}) {
        for (std::size_t at = 0; at < size; ++at) {
          std::string text(size, 'a');
          text[at] = static_cast<char>(c);
          const auto classes = core::byte_classes(text, encoding, core::PercentSide::url);
          const bool of_interest = classes.change || classes.star || classes.dollar;
          text.append(16, '%');  // what stands behind the text must not be looked at
          const bool plain = core::is_plain(text.data(), size, encoding);
          // Plain may be refused to a text that is (the quick look is coarser), never granted to one that is not.
          ASSERT_FALSE(plain && of_interest) << c << ' ' << size << ' ' << at;
          const bool hash = c == '#';
          ASSERT_EQ(core::is_plain_path(text.data(), size, encoding), plain && !hash) << c;
          ++(of_interest ? marked_texts : plain_texts);
        }
      }
    }
    // And what is refused is rare: letters, digits and the usual signs are plain.
    const std::string usual = "/abc/DEF-ghi_jkl.mno~pqr!stu'vwx(yz)0123456789+,;=:@&?/" + std::string(16, ' ');
    EXPECT_TRUE(core::is_plain(usual.data(), usual.size() - 16, encoding));
  }
  EXPECT_GT(plain_texts, 10'000);
  EXPECT_GT(marked_texts, 10'000);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
