#include "store/site.hpp"

#include <algorithm>

#include <robotrules/agent_name.hpp>

#include "base/ascii.hpp"

namespace robotrules::store {
namespace {

// Returns true for the text after a colon if it is a port, as in "8080" and "8080/x". Then the text before the colon is
// a host and not a scheme.
bool is_port(std::string_view text) {
  const std::string_view digits = text.substr(0, text.find_first_of("/?#"));
  return !digits.empty() && digits.size() <= 5 && digits.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

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

std::string scheme_of(std::string_view url) {
  const std::size_t colon = url.find(':');
  if (colon == std::string_view::npos || colon == 0 || !base::is_letter(url.front())) return {};
  std::string scheme;
  for (const char c : url.substr(0, colon)) {
    const bool known = base::is_letter(c) || base::is_digit(c) || c == '+' || c == '-' || c == '.';
    if (!known) return {};
    scheme += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  return is_port(url.substr(colon + 1)) ? std::string() : scheme;
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
