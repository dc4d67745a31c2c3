// Which handler answers which request; server.hpp says the order. Any thread. For the scripted server's own sources
// alone.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "support/server/reply.hpp"

namespace robotrules::test {

class Routes {
 public:
  void add(std::string_view host, std::string_view path, Handler handler);
  void clear();
  std::optional<Handler> find(const SeenRequest& request) const;

 private:
  struct Host {
    std::map<std::string, Handler, std::less<>> whole;       // targets and paths
    std::map<std::string, Handler, std::less<>> beginnings;  // without their star
  };
  static const Handler* find_in(const Host& host, const std::string& target, const std::string& path);

  mutable std::mutex mutex_;
  std::map<std::string, Host, std::less<>> hosts_;
};

}  // namespace robotrules::test
