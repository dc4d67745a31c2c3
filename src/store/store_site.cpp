#include "store/store_site.hpp"

#include <algorithm>

#include <robotrules/rules.hpp>

#include "base/ascii.hpp"

namespace robotrules::store {
std::vector<Origin> origins_of(std::string_view site) {
  std::vector<Origin> origins;
  if (site.find("://") != std::string_view::npos) {
    if (auto origin = Origin::of(site)) origins.push_back(*std::move(origin));
    return origins;
  }
  if (site.empty() || site.find_first_of("/?#@") != std::string_view::npos) return origins;
  auto http = Origin::of("http://" + std::string(site));
  auto https = Origin::of("https://" + std::string(site));
  if (!http || !https) return origins;
  const bool secure_first = http->port == 443;
  origins.push_back(secure_first ? *https : *http);
  origins.push_back(secure_first ? *std::move(http) : *std::move(https));
  return origins;
}

std::string_view name_of(std::string_view agent) {
  if (const std::string_view name = robot_name(agent); !name.empty()) return name;
  const auto begin = std::find_if_not(agent.begin(), agent.end(), base::is_space);
  const auto end = std::find_if(begin, agent.end(), base::is_space);
  const std::string_view word =
      agent.substr(static_cast<std::size_t>(begin - agent.begin()), static_cast<std::size_t>(end - begin));
  return word.substr(0, word.find('/'));
}

}  // namespace robotrules::store
