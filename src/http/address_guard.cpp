#include <robotrules/user_agent.hpp>

#include <arpa/inet.h>
#include <algorithm>
#include <array>
#include <charconv>

namespace robotrules {
namespace {

using AddressBytes = std::array<unsigned char, 16>;

struct Range {
  AddressBytes bytes;
  unsigned bits;
};

constexpr Range v4(unsigned char a, unsigned char b, unsigned char c, unsigned char d, unsigned bits) {
  return {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, a, b, c, d}, 96 + bits};
}

// The addresses of IANA's special-purpose registries (RFC 6890), as of 2026, that are not globally reachable. The last
// entry is a public address that reaches the machine's own host in Azure (WireServer).
constexpr Range refused_v4[] = {
    v4(0, 0, 0, 0, 8),      v4(10, 0, 0, 0, 8),     v4(100, 64, 0, 0, 10), v4(127, 0, 0, 0, 8),
    v4(169, 254, 0, 0, 16), v4(172, 16, 0, 0, 12),  v4(192, 0, 0, 0, 24),  v4(192, 0, 2, 0, 24),
    v4(192, 88, 99, 0, 24), v4(192, 168, 0, 0, 16), v4(198, 18, 0, 0, 15), v4(198, 51, 100, 0, 24),
    v4(203, 0, 113, 0, 24), v4(224, 0, 0, 0, 4),    v4(240, 0, 0, 0, 4),   v4(168, 63, 129, 16, 32),
};
// In IPv6, only 2000::/3 is publicly assigned. These are its ranges for special purposes.
constexpr Range refused_v6[] = {
    {{0x20, 0x01, 0x00}, 23},        // protocol assignments, Teredo among them
    {{0x20, 0x01, 0x0D, 0xB8}, 32},  // documentation
    {{0x3F, 0xFF}, 20},              // documentation
};
constexpr Range global_v6 = {{0x20}, 3};
// IPv6 networks whose addresses contain an IPv4 address. The IPv4 address decides.
constexpr Range mapped = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF}, 96};
constexpr Range translated = {{0x00, 0x64, 0xFF, 0x9B}, 96};
constexpr Range sixtofour = {{0x20, 0x02}, 16};

bool within(const AddressBytes& address, const unsigned char* network, unsigned bits) {
  const unsigned whole = bits / 8;
  if (!std::equal(network, network + whole, address.begin())) return false;
  const unsigned rest = bits % 8;
  if (rest == 0) return true;
  const auto mask = static_cast<unsigned char>(0xFF << (8 - rest));
  return (address[whole] & mask) == (network[whole] & mask);
}
bool within(const AddressBytes& address, const Range& range) { return within(address, range.bytes.data(), range.bits); }

bool is_public(const AddressBytes& address) {
  if (within(address, mapped)) {
    return std::none_of(std::begin(refused_v4), std::end(refused_v4),
                        [&](const Range& range) { return within(address, range); });
  }
  AddressBytes inner{};
  inner[10] = inner[11] = 0xFF;
  if (within(address, translated)) {
    std::copy(address.begin() + 12, address.end(), inner.begin() + 12);
    return is_public(inner);
  }
  if (within(address, sixtofour)) {
    std::copy(address.begin() + 2, address.begin() + 6, inner.begin() + 12);
    return is_public(inner);
  }
  return within(address, global_v6) && std::none_of(std::begin(refused_v6), std::end(refused_v6),
                                                    [&](const Range& range) { return within(address, range); });
}

// Returns the first address of the network of `address` with a prefix of `bits` bits.
AddressBytes first_of(AddressBytes address, unsigned bits) {
  for (unsigned bit = bits; bit < 128; ++bit) address[bit / 8] &= static_cast<unsigned char>(~(0x80U >> bit % 8));
  return address;
}

std::string text_of(const AddressBytes& address, bool v4) {
  char text[INET6_ADDRSTRLEN] = {};
  inet_ntop(v4 ? AF_INET : AF_INET6, address.data() + (v4 ? 12 : 0), text, sizeof text);
  return text;
}

// Writes an IPv6 address unchanged, and an IPv4 address as its IPv4-mapped IPv6 address. Returns false for other sizes.
bool widen(std::string_view bytes, AddressBytes& address) {
  address = {};
  if (bytes.size() == 16) {
    std::copy(bytes.begin(), bytes.end(), address.begin());
    return true;
  }
  if (bytes.size() != 4) return false;
  address[10] = address[11] = 0xFF;
  std::copy(bytes.begin(), bytes.end(), address.begin() + 12);
  return true;
}

}  // namespace

Result<void> AddressGuard::allow(std::string_view network) {
  const Error bad{"invalid-network", "\"" + std::string(network) +
                                         "\" is not a network: write an address and the length of its prefix, "
                                         "such as 127.0.0.0/8 or fd00::/8"};
  const std::size_t slash = network.find('/');
  const std::string text(network.substr(0, slash));
  char bytes[16];
  const bool v4_text = inet_pton(AF_INET, text.c_str(), bytes) == 1;
  if (!v4_text && inet_pton(AF_INET6, text.c_str(), bytes) != 1) return bad;
  const unsigned max_bits = v4_text ? 32 : 128;
  unsigned bits = max_bits;
  if (slash != std::string_view::npos) {
    const std::string_view number = network.substr(slash + 1);
    const auto read = std::from_chars(number.data(), number.data() + number.size(), bits);
    if (read.ec != std::errc{} || read.ptr != number.data() + number.size() || bits > max_bits) return bad;
  }
  AddressBytes address;
  widen({bytes, v4_text ? std::size_t{4} : std::size_t{16}}, address);
  if (v4_text) bits += 96;
  if (const AddressBytes first = first_of(address, bits); first != address) {
    const std::string written(network.substr(0, slash));
    return Error{"invalid-network", "\"" + std::string(network) + "\" has bits set after its prefix: write \"" +
                                        text_of(first, v4_text) + std::string(network.substr(slash)) +
                                        "\" for the network, or \"" + written + "\" for the one address"};
  }
  allowed_.push_back({std::string(address.begin(), address.end()), bits});
  return {};
}

bool AddressGuard::permits(std::string_view address) const noexcept {
  AddressBytes wide;
  if (!widen(address, wide)) return false;
  if (all_ || is_public(wide)) return true;
  return std::any_of(allowed_.begin(), allowed_.end(), [&](const Network& network) {
    return within(wide, reinterpret_cast<const unsigned char*>(network.bytes.data()), network.bits);
  });
}

}  // namespace robotrules
