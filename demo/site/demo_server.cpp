#include "demo/site/demo_server.hpp"

namespace robotrules::demo {
namespace {

test::Answer plain_page(const test::SeenRequest& request) {
  return test::reply("<!DOCTYPE html>\n<title>" + request.path() + "</title>\n<p>A page of " + request.host() +
                         ".\n<a href=\"/private/diary\">not for robots</a>\n",
                     "text/html");
}

}  // namespace

DemoServer::DemoServer() {
  for (const Site& site : sites_) {
    const std::string host = site.name + ".localhost";
    server_.on(host, "/*", plain_page);
    server_.on(host, "/robots.txt", site.robots);
    for (const Special& special : site.specials) server_.on(host, special.path, special.answer);
  }
}

std::vector<std::string> DemoServer::urls() const {
  std::vector<std::string> all;
  for (const Site& site : sites_) {
    if (!site.is_listed) continue;
    for (const std::string& target : site.pages) all.push_back(url_at(site.name, port_, target));
  }
  all.push_back(url_at("nobody", closed_port_, "/"));
  return all;
}

std::vector<Asked> DemoServer::asked() const {
  std::vector<Asked> all;
  for (const test::SeenRequest& request : server_.witness().requests()) {
    all.push_back(asked_of(request, begun_));
  }
  return all;
}

}  // namespace robotrules::demo
