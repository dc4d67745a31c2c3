// Files of n lines, of which each family repeats one thing: what a hostile or careless file can be full of.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace robotrules::test {

// A line, with "@" for its number: "Disallow: /@".
struct LineKind {
  std::string_view name;
  std::string_view line;
};

inline constexpr LineKind line_kinds[] = {
    {"disallow", "Disallow: /@"},
    {"allow", "Allow: /a/@/"},
    {"stars", "Disallow: /*a@*b$"},
    {"escapes", "Disallow: /%7e@/\xC3\xBC"},
    {"faulty", "Disallow: @"},
    {"whole URL", "Disallow: https://a.example/@"},
    {"joined", "Disallow: /@ Disallow: /b@"},
    {"joined agent", "User-agent: a@ Disallow: /@"},
    {"joined closed agent", "User-agent: a@ Disallow: /"},
    {"faulty allow with stars", "Allow: *@.html"},
    {"index", "Allow: /@/index.html"},
    {"repeated star", "Disallow: /@**"},
    {"empty rule", "Disallow:"},
    {"everything", "Disallow: /"},
    {"crawl-delay", "Crawl-delay: 1"},
    {"faulty crawl-delay", "Crawl-delay: @"},
    {"request-rate", "Request-rate: 1/10"},
    {"visit-time", "Visit-time: 0100-0200"},
    {"noindex", "Noindex: /@"},
    {"content-usage", "Content-Usage: /@ train-ai=n"},
    {"content-signal", "Content-Signal: ai-train=no, x@=yes"},
    {"clean-param", "Clean-param: p@&q /@"},
    {"host", "Host: h@.example"},
    {"sitemap", "Sitemap: https://a.example/@.xml"},
    {"unknown", "X-Thing-@: @"},
    {"misspelt", "Disalow: /@"},
    {"comment", "# @"},
    {"no colon", "nonsense @"},
    {"blank", " "},
    {"agent", "User-agent: a@"},
    {"faulty agent", "User-agent: a b/@ (c)"},
    {"star agent", "User-agent: *@*"},
    {"same agent", "User-agent: same"},
};

struct Family {
  std::string name;
  std::string text;
};

// Returns `line` with the number in place of each "@". `end`: the line end. The number has five letters, because names
// of robots have no digits and no number must be the beginning of another one.
inline std::string numbered(std::string_view line, std::size_t number, std::string_view end = "\n") {
  std::string letters;
  for (std::size_t rest = number; letters.size() < 5; rest /= 26) letters += static_cast<char>('a' + rest % 26);
  std::string text;
  for (const char c : line) c == '@' ? text += letters : text += c;
  return text.append(end);
}

// Returns the files of some n lines. Files with another `salt` have other values in the same places.
inline std::vector<Family> families(std::size_t n, std::size_t salt = 0) {
  std::vector<Family> all;
  const auto agents = [&](std::string_view end = "\n") {
    std::string text;
    for (std::size_t i = 0; i < n / 2; ++i) text += numbered("User-agent: a@", i, end);
    return text;
  };
  for (const LineKind& kind : line_kinds) {
    const std::string name(kind.name);
    const auto lines = [&](std::size_t count, std::string_view end = "\n") {
      std::string text;
      for (std::size_t i = 0; i < count; ++i) text += numbered(kind.line, i + salt, end);
      return text;
    };
    all.push_back({"one robot, " + name, "User-agent: *\n" + lines(n)});
    all.push_back({"many robots, " + name, agents() + lines(n / 2)});
    std::string groups, runs, same;
    for (std::size_t i = 0; i < n / 2; ++i) {
      groups += numbered("User-agent: a@", i) + numbered(kind.line, i + salt) + "Disallow: /\n\n";
      runs += numbered("User-agent: a@", i) + numbered(kind.line, i + salt) + "Crawl-delay: 1\n";
      same += "User-agent: *\n" + numbered(kind.line, i + salt) + "Disallow: /x\n";
    }
    all.push_back({"many groups, " + name, groups});
    all.push_back({"many runs, " + name, runs});
    all.push_back({"many groups of one robot, " + name, same});
    all.push_back({"CR, " + name, agents("\r") + lines(n / 2, "\r")});
    std::string no_end = agents() + lines(n / 2);
    no_end.pop_back();
    all.push_back({"no line end, " + name, no_end});
  }
  const auto long_line = [&](std::string_view name, std::string_view begin, std::string_view member) {
    std::string text = "User-agent: *\nDisallow: /x\n";
    text += begin;
    for (std::size_t i = 0; i < n; ++i) text += numbered(member, i + salt, "");
    all.push_back({"one line, " + std::string(name), text + "\n"});
  };
  long_line("stars", "Disallow: /", "*@");
  long_line("directory", "Disallow: /", "@/");
  long_line("escapes", "Disallow: /", "%7E@%C3%BC");
  long_line("signals", "Content-Signal: ", "s@=yes, ");
  long_line("usages", "Content-Usage: ", "u@=y, ");
  long_line("parameters", "Clean-param: ", "p@&");
  long_line("robots", "User-agent: ", "a@, ");
  long_line("names", "User-agent: ", "a@ ");
  long_line("joined rules", "Disallow: /a", " Disallow: /@");
  long_line("joined names", "User-agent: a", " Disallow: /@");
  long_line("comment", "# ", "@ ");
  long_line("ignored codes", "# robotrules: ignore ", "code-@ ");
  long_line("no colon", "Disallow", " @");
  long_line("blanks", "Disallow: /a", "  ");
  long_line("sitemap", "Sitemap: https://a.example/", "@/");
  long_line("high bytes", "Disallow: /", "\xFF\xC3\xBC");
  long_line("invisible", "Disallow: /", "\xE2\x80\x8B@");
  long_line("digits", "Crawl-delay: ", "1");
  return all;
}

}  // namespace robotrules::test
