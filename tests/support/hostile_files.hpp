// Hostile robots.txt files and URLs: shapes that made other parsers slow. Made here, the same at every run.
#pragma once

#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace robotrules::hostile {

inline constexpr std::size_t file_bytes = 512'000;   // what RFC 9309 readers must take
inline constexpr std::size_t max_url_bytes = 8'192;  // the longest URL that agent and service accept

inline std::string repeat(std::string_view text, std::size_t times) {
  std::string out;
  out.reserve(text.size() * times);
  while (times-- > 0) out += text;
  return out;
}

inline std::string hex(std::size_t number, int width = 1) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%0*zx", width, number);
  return buffer;
}

// "User-agent: *" and then as many whole lines of `line(i)` as `limit` bytes hold.
template <typename Line>
std::string fill(Line line, std::size_t limit = file_bytes) {
  std::string out = "User-agent: *\n";
  for (std::size_t i = 0;; ++i) {
    const std::string next = line(i);
    if (out.size() + next.size() > limit) return out;
    out += next;
  }
}

// "/*a*a*a...b$" with `stars` stars, and the path of `bytes` times "a" that almost matches it.
inline std::string wildcard_bomb(std::size_t stars) { return "/" + repeat("*a", stars) + "b$"; }
inline std::string near_miss(std::size_t bytes) { return "/" + std::string(bytes, 'a'); }

struct Shape {
  std::string name;
  std::function<std::string()> robots;  // made when asked for: together they are many megabytes
};

// The letters of the first seven are those under which the shapes were tried on other parsers.
inline std::vector<Shape> shapes() {
  static const std::string a500(500, 'a');
  std::vector<Shape> all;
  all.push_back({"C2", [] {
                   return fill([n = 0](std::size_t) mutable {  // few rules of many stars
                     return ++n > 31 ? std::string(file_bytes, 'x') : "Allow:/" + repeat("*a", 8'180) + "*b\n";
                   });
                 }});
  all.push_back({"D2", [] { return fill([](std::size_t) { return std::string("Allow:*a*b\n"); }); }});
  all.push_back({"J2", [] { return fill([](std::size_t i) { return "Disallow:*aaaaaaaaa" + hex(i) + "\n"; }); }});
  all.push_back({"J3", [] { return fill([](std::size_t i) { return "Disallow:*" + a500 + "b" + hex(i) + "\n"; }); }});
  all.push_back({"E1", [] { return fill([](std::size_t i) { return "Disallow: /p" + hex(i, 6) + "\n"; }); }});
  all.push_back(
      {"F2", [] { return fill([](std::size_t i) { return "User-agent: FooBot\nDisallow: /x" + hex(i) + "\n"; }); }});
  all.push_back({"G2", [] { return "User-agent: *\nDisallow: /" + std::string(500'000, '*') + "x\n"; }});
  // Ours: what an index of literals, and a search for the pieces between stars, may be weak against.
  all.push_back(
      {"prefix_chain", [] { return fill([](std::size_t i) { return "Disallow:/" + std::string(i, 'a') + "\n"; }); }});
  all.push_back({"long_prefix", [] {
                   return fill([](std::size_t i) { return "Disallow:/" + std::string(240, 'a') + hex(i) + "\n"; });
                 }});
  all.push_back(
      {"piece_tail", [] { return fill([](std::size_t i) { return "Disallow:*b" + a500 + hex(i) + "\n"; }); }});
  // Against "abab...": every second byte begins a candidate, refused early (short) or only after a long comparison.
  all.push_back({"candidates_6", [] { return fill([](std::size_t i) { return "Allow:*a" + hex(i, 4) + "b\n"; }); }});
  all.push_back({"candidates_16",
                 [] { return fill([](std::size_t i) { return "Allow:*" + repeat("ab", 5) + hex(i, 4) + "ab\n"; }); }});
  all.push_back({"candidates_120",
                 [] { return fill([](std::size_t i) { return "Allow:*" + repeat("ab", 57) + hex(i, 4) + "ab\n"; }); }});
  all.push_back({"candidates_250", [] {
                   return fill([](std::size_t i) { return "Allow:*" + repeat("ab", 122) + hex(i, 4) + "ab\n"; });
                 }});
  all.push_back({"anchored", [] { return fill([](std::size_t i) { return "Disallow:*a" + hex(i) + "$\n"; }); }});
  all.push_back({"star_each", [] { return fill([](std::size_t i) { return "Disallow:/a*" + hex(i, 5) + "*a\n"; }); }});
  all.push_back({"one_line", [] { return "User-agent: *\nDisallow: /" + std::string(file_bytes - 40, 'a') + "*b\n"; }});
  all.push_back(
      {"same_rule", [] { return fill([](std::size_t) { return std::string("Allow:/a*a\nDisallow:/a*a\n"); }); }});
  all.push_back({"escapes", [] { return fill([](std::size_t i) { return "Disallow:*%61%7E%ff" + hex(i) + "\n"; }); }});
  return all;
}

// URLs of 8,192 bytes, each the near miss of some shape.
inline std::vector<std::string> urls() {
  const std::string site = "https://example.com/";
  std::vector<std::string> all;
  for (const char* piece : {"a", "ab", "aaaaaaaaab", "%61", "a%ff~"}) {
    std::string url = site;
    while (url.size() < max_url_bytes) url += piece;
    url.resize(max_url_bytes);
    all.push_back(url);
  }
  // The same with every byte of the patterns in them: a set of the bytes that are there refuses nothing.
  const std::string bytes = "/x_fedcba9876543210%FF%7E~";
  for (const char* piece : {"a", "ab"}) {
    std::string url = site;
    while (url.size() < max_url_bytes) url += piece;
    all.push_back(url.substr(0, max_url_bytes - bytes.size()) + bytes);
  }
  all.push_back(site + "p" + std::string(max_url_bytes - site.size() - 1, '0'));
  all.push_back(site + std::string(max_url_bytes - site.size() - 1, 'a') + "b");
  return all;
}

}  // namespace robotrules::hostile
