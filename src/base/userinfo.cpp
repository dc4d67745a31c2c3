#include "base/userinfo.hpp"

#include <algorithm>

namespace robotrules::base {

std::string_view userinfo_of(std::string_view url) noexcept {
  const std::size_t slashes = url.find("//");
  if (slashes == std::string_view::npos || (slashes > 0 && url[slashes - 1] != ':')) return {};
  const std::string_view rest = url.substr(slashes + 2);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  const std::size_t at = authority.rfind('@');
  return at == std::string_view::npos ? std::string_view() : authority.substr(0, at + 1);
}

std::string without_userinfo(std::string text, std::string_view userinfo) {
  if (userinfo.empty()) return text;
  const std::string marked = "//" + std::string(userinfo);
  for (std::size_t at = 0; (at = text.find(marked, at)) != std::string::npos;) text.erase(at += 2, userinfo.size());
  return text;
}

std::string proxy_without_userinfo(std::string_view proxy) {
  const std::size_t at = proxy.rfind('@');
  if (at == std::string_view::npos) return std::string(proxy);
  const std::size_t colon = proxy.find(':');
  const bool has_scheme = proxy.substr(std::min(colon, proxy.size())).starts_with("://");
  const std::size_t begin = has_scheme && colon < at ? colon + 3 : 0;
  return std::string(proxy.substr(0, begin)).append(proxy.substr(at + 1));
}

std::string without_userinfo(std::string_view url) { return without_userinfo(std::string(url), userinfo_of(url)); }

}  // namespace robotrules::base
