// The demo's sites on a scripted server: loopback, a free port.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "demo/site/asked.hpp"
#include "demo/site/sites.hpp"
#include "support/server/server.hpp"

namespace robotrules::demo {

class DemoServer {
 public:
  DemoServer();

  std::uint16_t port() const { return port_; }
  const std::vector<Site>& sites() const { return sites_; }
  // All that is listed, site by site; one of them where nobody listens.
  std::vector<std::string> urls() const;
  // An index of sitemaps that names more.
  std::string sitemap() const { return url_at("maps", port_, "/sitemaps.xml"); }
  // What was asked until now.
  std::vector<Asked> asked() const;

 private:
  test::Moment begun_ = test::Moment::now();
  test::ScriptedServer server_;
  std::uint16_t port_ = server_.listen();
  std::uint16_t closed_port_ = server_.refuse();
  std::vector<Site> sites_ = demo::sites(port_);
};

}  // namespace robotrules::demo
