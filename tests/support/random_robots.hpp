// Random robots.txt files, URLs and agents made of the pieces that parsers stumble over. Same seed, same files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace robotrules::test {

class RandomRobots {
 public:
  explicit RandomRobots(std::uint32_t seed) : engine_(seed) {}

  std::size_t below(std::size_t limit) { return engine_() % limit; }

  // Exactly `size` bytes.
  std::string file(std::size_t size) {
    static constexpr std::array<std::string_view, 48> pieces{"User-agent:",
                                                             "user-agent :",
                                                             "Disallow:",
                                                             "Disallow /",
                                                             "Allow:",
                                                             "Alow:",
                                                             "disalow: ",
                                                             "Sitemap: ",
                                                             "Crawl-delay:",
                                                             "Noindex:",
                                                             "*",
                                                             "**",
                                                             "$",
                                                             "FooBot",
                                                             "MJ12bot",
                                                             "Foo",
                                                             "/",
                                                             "/a",
                                                             "/a*b$",
                                                             "/index.html",
                                                             "/%7e",
                                                             "/%2F",
                                                             "%",
                                                             "%a",
                                                             "\xC3\xBC",
                                                             "\xFF",
                                                             "\xEF\xBB\xBF",
                                                             " ",
                                                             "\t",
                                                             "\v",
                                                             "#",
                                                             " # x",
                                                             "\n",
                                                             "\n",
                                                             "\n",
                                                             "\r",
                                                             "\r\n",
                                                             "\r\r\n",
                                                             "\n\n",
                                                             ":",
                                                             "0.5",
                                                             "1e309",
                                                             "-1",
                                                             "Content-Signal: search=yes",
                                                             "Content-Usage: /a ai=n",
                                                             "Request-rate: 1/10s",
                                                             "<html>",
                                                             "Visit-time: 0600-0845"};
    std::string out;
    if (below(16) == 0) out += below(2) == 0 ? "\xFF\xFE" : "\xFE\xFF";
    while (out.size() < size) {
      out += pieces[below(pieces.size())];
      if (below(24) == 0) out += '\0';
      if (below(24) == 0) out += static_cast<char>(below(256));
    }
    out.resize(size);
    return out;
  }

  std::string url(std::size_t size) {
    static constexpr std::array<std::string_view, 24> pieces{
        "http",       "https", ":",   "/", "//", "foo.example", "?",    "#", ";", "a",          "b", "ab",
        "index.html", "%7E",   "%2f", "%", "%f", "\xC3\xBC",    "\xFF", "*", "$", "robots.txt", " ", "@"};
    std::string out = below(2) == 0 ? "http://foo.example/" : "";
    while (out.size() < size) out += pieces[below(pieces.size())];
    out.resize(size);
    return out;
  }

  std::string agent() {
    static constexpr std::array<std::string_view, 8> names{"FooBot", "foobot",  "Foo",     "*",
                                                           "",       "MJ12bot", "Foo Bot", "\xC4\xB0"};
    return std::string(names[below(names.size())]);
  }

 private:
  std::mt19937 engine_;
};

}  // namespace robotrules::test
