#include "fetch/farm.hpp"

#include <fstream>

#include "support/server/real_server.hpp"

namespace robotrules::bench {
namespace {

std::string host(int number) { return "127.0.1." + std::to_string(number + 1); }

std::string configuration() {
  std::string text = "access_log off; keepalive_requests 100000; open_file_cache max=1000;\nserver {\n";
  for (int i = 0; i < farm_hosts; ++i) text += "  listen " + host(i) + ":{port};\n";
  return text + "  listen 127.0.0.1:{port};\n  root {folder};\n}\n";
}

test::RealServer& server() {
  static test::RealServer nginx = [] {
    test::RealServer::Files files{{"robots.txt", "User-agent: *\nDisallow: /private\n"}};
    for (int page = 0; page < farm_pages; ++page) {
      files.emplace_back("p" + std::to_string(page), std::string(4'096, static_cast<char>('a' + page % 26)));
    }
    return test::RealServer::nginx(configuration(), files);
  }();
  return nginx;
}

}  // namespace

const Farm& farm() {
  static const Farm made = [] {
    Farm farm;
    farm.running = server().running();
    if (!farm.running) {
      farm.why_not = server().why_not();
      return farm;
    }
    farm.list_file = server().folder() + "/list";
    std::ofstream list(farm.list_file);
    for (int page = 0; page < farm_pages; ++page) {
      for (int i = 0; i < farm_hosts; ++i) {
        farm.urls.push_back("http://" + host(i) + ':' + std::to_string(server().port()) + "/p" + std::to_string(page));
        list << "url = " << farm.urls.back() << "\noutput = /dev/null\n";
      }
    }
    return farm;
  }();
  return made;
}

}  // namespace robotrules::bench
