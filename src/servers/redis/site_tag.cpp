#include "servers/redis/site_tag.hpp"

#include <robotrules/url.hpp>

#include "suffix/public_suffix.hpp"

namespace robotrules::store::redis {
namespace {

// A tag ends at the first brace.
std::string as_tag(std::string text) {
  for (char& c : text) {
    if (c == '{' || c == '}') c = '_';
  }
  return text.empty() ? "-" : text;
}

}  // namespace

std::string tag_of_host(const std::string& host) { return as_tag(suffix::registrable_domain(host)); }

std::string tag_of_gate(const std::string& key) {
  if (const auto origin = Origin::of(key)) return tag_of_host(origin->host);
  for (const std::string_view prefix : {"host:", "domain:"}) {
    if (key.starts_with(prefix)) return tag_of_host(key.substr(prefix.size()));
  }
  return as_tag(key);
}

// CRC-16/XMODEM, as the specification of Redis Cluster says.
std::uint16_t slot_of(std::string_view tag) noexcept {
  unsigned crc = 0;
  for (const char c : tag) {
    crc ^= static_cast<unsigned>(static_cast<unsigned char>(c)) << 8;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 0x8000u) != 0 ? (crc << 1) ^ 0x1021u : crc << 1;
  }
  return static_cast<std::uint16_t>((crc & 0xFFFFu) % slot_count);
}

}  // namespace robotrules::store::redis
