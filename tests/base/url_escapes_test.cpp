// The escapes of paths and queries.
#include "base/url_escapes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

namespace robotrules::base {
namespace {

// RFC 3986 sections 2.2, 2.3 and 6.2.2.
TEST(UrlEscapes, TheNormalFormOfEachByteAndOfItsEscape) {
  const std::string unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  const std::string reserved = ":/?#[]@!$&'()*+,;=";
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    std::array<char, 4> upper{};
    std::array<char, 4> lower{};
    std::snprintf(upper.data(), upper.size(), "%%%02X", byte);
    std::snprintf(lower.data(), lower.size(), "%%%02x", byte);
    const bool is_plain = unreserved.find(c) != std::string::npos;
    const std::string escape = is_plain ? std::string(1, c) : upper.data();
    EXPECT_EQ(normal_escapes(upper.data()), escape);
    EXPECT_EQ(normal_escapes(lower.data()), escape);
    const bool stays = is_plain || c == '%' || reserved.find(c) != std::string::npos;
    EXPECT_EQ(normal_escapes(std::string(1, c)), stays ? std::string(1, c) : upper.data());
  }
}

TEST(UrlEscapes, ASpaceOfTheQueryBecomesAPlus) {
  EXPECT_EQ(normal_escapes("/a b?c d? e"), "/a%20b?c+d?+e");
  EXPECT_EQ(needed_escapes("/a b?c d? e"), "/a%20b?c+d?+e");
  EXPECT_EQ(normal_escapes("/%3F a"), "/%3F%20a") << "an escaped question mark begins no query";
}

TEST(UrlEscapes, NeededAreThoseOfSpacesAndBytesOutsideAscii) {
  EXPECT_EQ(needed_escapes("/caf\xC3\xA9 %7E%c3|[]"), "/caf%c3%a9%20%7E%c3|[]");
  EXPECT_EQ(needed_escapes("/caf\xC3\xA9 %7E%c3|[]", HexDigits::capital), "/caf%C3%A9%20%7E%c3|[]");
}

// All texts of up to eight bytes over an alphabet that has the hard cases.
TEST(UrlEscapes, TheNormalFormOfANormalFormIsTheSameText) {
  const std::string alphabet = "%41f2?";
  std::string text;
  std::size_t texts = 0;
  const auto visit = [&](const auto& self, std::size_t left) -> void {
    const std::string normal = normal_escapes(text);
    if (++texts; normal_escapes(normal) != normal) ADD_FAILURE() << text << " -> " << normal;
    if (left == 0) return;
    for (const char c : alphabet) {
      text += c;
      self(self, left - 1);
      text.pop_back();
    }
  };
  visit(visit, 8);
  EXPECT_EQ(texts, 2'015'539U);
}

}  // namespace
}  // namespace robotrules::base
