// A robots.txt in UTF-16 whose last rule is longer than what a robot reads.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace robotrules::test {

// Returns a file, little-endian with a byte order mark, that disallows /x. The rule "Disallow: /a\u0A05bbb...$", which
// matches no short path, crosses `limit`. U+0A05 is within the limit and has the byte of a line feed.
inline std::string long_utf16_robots(std::size_t limit) {
  std::string file = "\xFF\xFE";
  const auto add = [&](std::u16string_view text) {
    for (const char16_t unit : text) {
      file += static_cast<char>(unit & 0xFF);
      file += static_cast<char>(unit >> 8);
    }
  };
  add(u"User-agent: *\nDisallow: /x\n#");
  while (file.size() < limit - 1'000) add(u"#");
  add(u"\nDisallow: /a\u0A05");
  while (file.size() < limit + 7'000) add(u"b");
  add(u"$\n");
  return file;
}

}  // namespace robotrules::test
