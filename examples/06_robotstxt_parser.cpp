// What the README of robotstxt-parser shows, in C++: one robots.txt, and URLs, paths and queries to ask it about.
#include <iostream>

#include <robotrules/compat/robotstxt.hpp>

int main() {
  using robotrules::Access;
  const auto robots = robotrules::robotstxt_parser::parse(
      "User-agent: Google\n"
      "User-agent: Crawler\n"
      "Disallow: /index.html\n"
      "Disallow: /h%65llo/\n"
      "Disallow: /*.pdf$\n"
      "Sitemap: http://example.com/sitemap.xml\n",
      "Crawler");

  if (robots.allowed("/index.html") == Access::allowed) {
    std::cout << "get /index.html\n";
  } else if (robots.allowed("/index.php") == Access::allowed) {
    std::cout << "get /index.php\n";
  }
  for (const char* urlish : {"http://www.example.com/", "https://example.com/home?action=fire#joking", "/hello/",
                             "/paper.pdf?download", "?q=robots"}) {
    std::cout << to_string(robots.allowed(urlish)) << ' ' << urlish << '\n';
  }
  for (const auto& sitemap : robots.sitemaps()) std::cout << "sitemap " << sitemap << '\n';
}
