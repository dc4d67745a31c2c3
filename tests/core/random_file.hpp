// Random robots.txt files, agents and URLs for the comparison with the oracle: short lines over small vocabularies, so
// that groups meet agents and patterns meet paths often. Same seed, same files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace robotrules::test {

class RandomFile {
 public:
  explicit RandomFile(std::uint32_t seed) : random_(seed) {}

  std::size_t below(std::size_t limit) { return random_() % limit; }
  bool one_in(std::size_t n) { return below(n) == 0; }

  std::string file() {
    std::string out;
    if (one_in(12)) out += pick<5>({"\xEF\xBB\xBF", "\xEF\xBB", "\xEF", "\xEF\xEF\xBB\xBF", "\xBB\xBF"});
    const std::size_t lines = below(14);
    for (std::size_t i = 0; i < lines; ++i) {
      std::string next = line();
      if (one_in(25)) next.insert(below(next.size() + 1), 1, '\0');
      if (one_in(60)) insert_byte(next);
      if (one_in(40)) next.insert(below(next.size() + 1), "\xEF\xBB\xBF");
      out += next;
      if (i + 1 < lines || one_in(2)) out += line_end();
    }
    if (one_in(40)) out = utf16(out);
    return out;
  }

  std::string agent() {
    if (one_in(30)) return word(4);
    return pick<12>({"FooBot", "foobot", "Foo", "BarBot", "MJ12bot", "MJ", "R2D2", "FooBot-News", "*", "", "Foo Bot",
                     "FooBot/2.1"});
  }

  std::string url() {
    std::string out =
        pick<12>({"http://foo.bar/", "http://foo.bar/", "http://foo.bar/", "https://foo.bar:80/", "/", "//foo.bar/",
                  "http://foo.bar", "http://foo.bar?", "", "foo.bar/", "ftp://foo.bar/", "mailto:"});
    const std::size_t pieces = below(6);
    for (std::size_t i = 0; i < pieces; ++i) out += path_piece();
    if (one_in(12)) out += pick<3>({"#f", "#", "#/a"});
    if (one_in(60)) insert_byte(out);
    return out;
  }

 private:
  // One draw a statement: compilers order the arguments of a call differently, and the files must be the same.
  void insert_byte(std::string& text) {
    const char byte = static_cast<char>(below(256));
    text.insert(below(text.size() + 1), 1, byte);
  }

  template <std::size_t N>
  std::string pick(const std::array<std::string_view, N>& of) {
    return std::string(of[below(N)]);
  }

  std::string word(std::size_t longest) {
    std::string out;
    const std::size_t size = below(longest + 1);
    for (std::size_t i = 0; i < size; ++i) out += "ab*/$-_ 1"[below(9)];
    return out;
  }

  std::string line_end() { return pick<9>({"\n", "\n", "\n", "\r\n", "\r\n", "\r", "\n\n", "\r\r\n", "\n\r"}); }

  std::string blanks() {
    if (!one_in(4)) return "";
    return pick<6>({" ", "\t", "  ", "\v", "\f", std::string_view("\0", 1)});
  }

  std::string path_piece() {
    return pick<33>({"%0A",    "a",      "b",          "a",   "b",    "/",         "/",   "/",   "?",
                     ";",      "&a=b",   "//",         "%61", "%2F",  "%2f",       "%7E", "~",   "%2A",
                     "*",      "%24",    "$",          "%",   "%a",   "%zz",       " ",   "%20", "\xC3\xBC",
                     "%C3%BC", "%c3%bc", "index.html", "|",   ".php", "robots.txt"});
  }

  std::string pattern() {
    if (one_in(14)) return "";
    std::string out = pick<9>({"/", "/", "/", "/", "/", "*", "", "//", "http://foo.bar/"});
    const std::size_t pieces = below(6);
    for (std::size_t i = 0; i < pieces; ++i) out += one_in(4) ? "*" : path_piece();
    if (one_in(4)) out += "$";
    return out;
  }

  std::string line() {
    std::string out = blanks();
    const std::size_t kind = below(20);
    if (kind == 0) return out;
    if (kind == 1) return out + "# Disallow: /a";
    if (kind <= 6) {
      out += pick<9>({"User-agent", "User-agent", "user-agent", "USER-AGENT", "useragent", "user agent", "User-agents",
                      "User-Agent", "User–agent"});
      out += separator();
      out += one_in(20) ? word(5)
                        : pick<16>({"FooBot", "FooBot", "foobot", "*", "*", "BarBot", "Foo", "FooBot/2.1", "Foo Bot",
                                    "MJ12bot", "R2D2", "* x", "*x", "Foo*", "", "FooBot-News"});
    } else if (kind <= 13) {
      out += pick<9>({"Disallow", "Disallow", "disallow", "DISALLOW", "dissallow", "Disalow", "diasllow", "Disallowed",
                      "Dis allow"});
      out += separator();
      out += pattern();
    } else if (kind <= 17) {
      out += pick<5>({"Allow", "Allow", "allow", "ALLOW", "Allowance"});
      out += separator();
      out += pattern();
    } else {
      out += pick<8>({"Sitemap: http://foo.bar/s.xml", "Crawl-delay: 5", "garbage", ": /a", "Noindex: /a", ":", "<br>",
                      "Host: foo.bar"});
    }
    out += blanks();
    if (one_in(10)) out += pick<3>({"#x", " # x", "\t#"});
    return out;
  }

  std::string separator() { return pick<10>({": ", ": ", ": ", ":", ":", " : ", "\t:\t", " ", "\t", "::"}); }

  // The bytes of `text` as code units, which is UTF-16 of them as Latin-1; now and then broken.
  std::string utf16(const std::string& text) {
    const bool big = one_in(2);
    std::string out = big ? "\xFE\xFF" : "\xFF\xFE";
    for (const char c : text) {
      const char high = one_in(50) ? static_cast<char>(0xD8 + below(8)) : '\0';
      out += big ? high : c;
      out += big ? c : high;
    }
    if (one_in(4)) out += 'a';
    return out;
  }

  std::mt19937 random_;
};

}  // namespace robotrules::test
