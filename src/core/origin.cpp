// RFC 3986 section 3.2, without URLs that two programs could read as two different hosts.
#include <robotrules/url.hpp>

#include <algorithm>

#include "base/ascii.hpp"

namespace robotrules {
namespace {

// Browsers read a backslash as a slash and drop tabs, other programs do not. So an authority with one is ambiguous.
constexpr bool is_refused_in_authority(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= 0x20 || byte == 0x7F || c == '\\';
}

constexpr bool is_refused_in_host(char c) noexcept {
  return std::string_view("<>\"^`{|}%[]").find(c) != std::string_view::npos;
}

// Reads "80", "080" or "" (the default port of the scheme). Null for zero, more than 65535 and other text.
std::optional<std::uint16_t> read_port(std::string_view text, std::uint16_t default_port) noexcept {
  if (text.empty()) return default_port;
  std::uint32_t port = 0;
  for (const char c : text) {
    if (!base::is_digit(c)) return std::nullopt;
    port = port * 10 + static_cast<std::uint32_t>(c - '0');
    if (port > 65535) return std::nullopt;
  }
  if (port == 0) return std::nullopt;
  return static_cast<std::uint16_t>(port);
}

// Reads four numbers from 0 to 255 without leading zeros.
bool is_ipv4(std::string_view text) noexcept {
  for (int part = 0; part < 4; ++part) {
    std::size_t digits = 0;
    int number = 0;
    while (digits < text.size() && digits < 4 && base::is_digit(text[digits]))
      number = number * 10 + (text[digits++] - '0');
    if (digits == 0 || digits > 3 || number > 255 || (digits > 1 && text.front() == '0')) return false;
    text.remove_prefix(digits);
    if (part == 3) return text.empty();
    if (text.empty() || text.front() != '.') return false;
    text.remove_prefix(1);
  }
  return false;
}

// Reads eight groups of one to four hexadecimal digits; "::" may replace one run of zeros, and an IPv4 address the last
// two groups. Refuses a zone ("%eth0"), because it has a meaning on one machine only.
bool is_ipv6(std::string_view text) noexcept {
  int groups = 0;
  bool gap = false;
  if (text.starts_with("::")) {
    gap = true;
    text.remove_prefix(2);
  }
  while (!text.empty()) {
    std::size_t digits = 0;
    while (digits < text.size() && base::hex_value(text[digits]) >= 0) ++digits;
    if (digits < text.size() && text[digits] == '.') {
      groups += 2;
      if (!is_ipv4(text)) return false;
      break;
    }
    if (digits == 0 || digits > 4) return false;
    ++groups;
    text.remove_prefix(digits);
    if (text.empty()) break;
    if (text.starts_with("::")) {
      if (gap) return false;
      gap = true;
      text.remove_prefix(2);
    } else if (text.front() == ':' && text.size() > 1) {
      text.remove_prefix(1);
    } else {
      return false;
    }
  }
  return gap ? groups <= 7 : groups == 8;
}

}  // namespace

std::optional<Origin> Origin::of(std::string_view url) {
  const std::size_t colon = url.find(':');
  if (colon > 5) return std::nullopt;  // no colon, or the scheme is too long
  Origin origin;
  origin.scheme = base::lower_case(url.substr(0, colon));
  if (origin.scheme != "http" && origin.scheme != "https") return std::nullopt;
  url.remove_prefix(colon);
  if (!url.starts_with("://")) return std::nullopt;
  url.remove_prefix(3);

  std::string_view authority = url.substr(0, url.find_first_of("/?#"));
  if (std::any_of(authority.begin(), authority.end(), is_refused_in_authority)) return std::nullopt;
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) authority.remove_prefix(at + 1);

  std::string_view host, behind;
  if (authority.starts_with('[')) {
    const std::size_t close = authority.find(']');
    if (close == std::string_view::npos || !is_ipv6(authority.substr(1, close - 1))) return std::nullopt;
    host = authority.substr(0, close + 1);
    behind = authority.substr(close + 1);
  } else {
    host = authority.substr(0, authority.find(':'));
    behind = authority.substr(host.size());
    if (std::any_of(host.begin(), host.end(), is_refused_in_host)) return std::nullopt;
    if (host.ends_with('.')) host.remove_suffix(1);
    if (host.empty() || host.ends_with('.')) return std::nullopt;
  }
  if (!behind.empty() && behind.front() != ':') return std::nullopt;
  if (!behind.empty()) behind.remove_prefix(1);
  const auto port = read_port(behind, origin.scheme == "http" ? 80 : 443);
  if (!port) return std::nullopt;
  origin.host = base::lower_case(host);
  origin.port = *port;
  return origin;
}

std::string Origin::to_string() const {
  std::string result = scheme + "://" + host;
  if (port != (scheme == "http" ? 80 : 443)) result += ':' + std::to_string(port);
  return result;
}

}  // namespace robotrules
