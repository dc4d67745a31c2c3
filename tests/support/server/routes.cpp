#include "support/server/routes.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace robotrules::test {
namespace {

// "a.test:81" → "a.test", "[::1]:81" → "[::1]"
std::string without_port(const std::string& host) {
  const std::size_t colon = host.rfind(':');
  if (colon == std::string::npos || host.find(']', colon) != std::string::npos) return host;
  return host.substr(0, colon);
}

}  // namespace

void Routes::add(std::string_view host, std::string_view path, Handler handler) {
  std::string key(host);
  std::transform(key.begin(), key.end(), key.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  const std::lock_guard lock(mutex_);
  Host& routes = hosts_[key];
  if (path.ends_with('*') && path != "*") {
    routes.beginnings.insert_or_assign(std::string(path.substr(0, path.size() - 1)), std::move(handler));
  } else {
    routes.whole.insert_or_assign(std::string(path), std::move(handler));
  }
}

void Routes::clear() {
  const std::lock_guard lock(mutex_);
  hosts_.clear();
}

std::optional<Handler> Routes::find(const SeenRequest& request) const {
  const std::string host = request.host();
  const std::string path = request.path();
  const std::size_t query = request.target.find('?');
  const std::string target = query == std::string::npos ? path : path + request.target.substr(query);
  const std::lock_guard lock(mutex_);
  for (const std::string& name : std::array<std::string, 3>{host, without_port(host), ""}) {
    const auto found = hosts_.find(name);
    if (found == hosts_.end()) continue;
    if (const Handler* handler = find_in(found->second, target, path)) return *handler;
  }
  return std::nullopt;
}

const Handler* Routes::find_in(const Host& host, const std::string& target, const std::string& path) {
  for (const std::string* key : {&target, &path}) {
    const auto found = host.whole.find(*key);
    if (found != host.whole.end()) return &found->second;
  }
  const Handler* best = nullptr;  // in the order of the map a longer beginning comes behind its own beginnings
  for (const auto& [beginning, handler] : host.beginnings) {
    if (target.starts_with(beginning)) best = &handler;
  }
  return best;
}

}  // namespace robotrules::test
