#include "base/userinfo.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.hpp"

namespace robotrules::base {

namespace {

// Returns the position after "https://", also if slashes are missing or turned around; 0: the text has no scheme.
std::size_t authority_begin(std::string_view url) noexcept {
  const std::size_t colon = url.find(':');
  const std::string_view scheme = url.substr(0, colon);
  const bool is_web = equals_ignore_case(scheme, "http") || equals_ignore_case(scheme, "https");
  if (colon != std::string_view::npos && is_web) return std::min(url.find_first_not_of("/\\", colon + 1), url.size());
  const std::size_t slashes = url.find("//");
  if (slashes == 0) return 2;
  const bool is_url = slashes != std::string_view::npos && url[slashes - 1] == ':' && url.find('@') > slashes;
  return is_url ? slashes + 2 : 0;
}

// Returns true for "mailto:ann@", the beginning of an address and not a name with a password.
bool begins_address(std::string_view userinfo) noexcept {
  constexpr std::array<std::string_view, 4> schemes = {"mailto", "sip", "sips", "xmpp"};
  const std::size_t colon = userinfo.find(':');
  return colon == userinfo.rfind(':') && std::any_of(schemes.begin(), schemes.end(), [&](std::string_view scheme) {
           return equals_ignore_case(scheme, userinfo.substr(0, colon));
         });
}

// Returns true if only a port stands behind the host.
bool is_host_and_port(std::string_view text) noexcept {
  const std::size_t colon = text.rfind(':');
  const std::string_view port = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  return port.find(']') != std::string_view::npos || std::all_of(port.begin(), port.end(), is_digit);
}

}  // namespace

std::string_view userinfo_of(std::string_view url) noexcept {
  const std::size_t begin = authority_begin(url);
  const std::string_view rest = url.substr(begin);
  std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  // A password may contain "/", "?" or "#", although a URL may not have it so.
  if (!is_host_and_port(authority.substr(authority.rfind('@') + 1))) authority = rest;
  const std::size_t at = authority.rfind('@');
  if (at == std::string_view::npos) return {};
  const std::string_view userinfo = authority.substr(0, at + 1);
  const bool is_other = begin == 0 && (userinfo.find(':') == std::string_view::npos || begins_address(userinfo));
  return is_other ? std::string_view() : userinfo;
}

std::string without_userinfo(std::string text, std::string_view userinfo) {
  if (userinfo.empty()) return text;
  const std::string_view before = userinfo.find(':') == std::string_view::npos ? "//" : "";
  const std::string marked = std::string(before) + std::string(userinfo);
  for (std::size_t at = 0; (at = text.find(marked, at)) != std::string::npos;) {
    text.erase(at += before.size(), userinfo.size());
  }
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

std::string without_userinfo(std::string_view url) {
  const std::string_view userinfo = userinfo_of(url);
  std::string text(url);
  if (userinfo.empty()) return text;
  text.erase(static_cast<std::size_t>(userinfo.data() - url.data()), userinfo.size());
  return without_userinfo(std::move(text), userinfo);
}

}  // namespace robotrules::base
