// Robotstxt.get and Robotstxt.get_allowed? of robotstxt-parser in C++, over an open connection. A handler answers in
// place of the sites, so that it goes nowhere.
#include <iostream>

#include <robotrules/compat/robotstxt.hpp>
#include <robotrules/user_agent.hpp>

namespace {

robotrules::HandlerAnswer answer(robotrules::HandlerCall& call) {
  robotrules::Response response;
  const bool closed = call.request->url.starts_with("https://closed.example/");
  response.code = closed ? 403 : 200;
  response.message = closed ? "Forbidden" : "OK";
  if (!closed) response.body = "User-agent: Crawler\nDisallow: /search\nSitemap: https://open.example/sitemap.xml\n";
  return {.go_on = true, .response = response, .request = {}};
}

}  // namespace

int main() {
  robotrules::UserAgent connection;
  connection.add_handler(robotrules::Phase::request_send, answer);

  // Of the source only scheme, host and port count.
  const auto robots = robotrules::robotstxt_parser::get(connection, "https://open.example/any/page", "Crawler");
  if (!robots) {
    std::cerr << robots.error().message << '\n';
    return 2;
  }
  for (const char* urlish : {"/index.html", "/search?q=robots", "https://open.example/search/"}) {
    std::cout << to_string(robots.value().allowed(urlish)) << ' ' << urlish << '\n';
  }
  for (const auto& sitemap : robots.value().sitemaps()) std::cout << "sitemap " << sitemap << '\n';

  // 401 and 403 close a site; every other failure opens it.
  for (const char* url : {"https://open.example/", "https://closed.example/", "not a URL"}) {
    std::cout << to_string(robotrules::robotstxt_parser::get_allowed(connection, url, "Crawler")) << ' ' << url << '\n';
  }
}
