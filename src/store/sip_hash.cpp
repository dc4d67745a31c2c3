#include "store/sip_hash.hpp"

#include <bit>
#include <cstddef>

namespace robotrules::store {
namespace {

struct State {
  std::uint64_t a, b, c, d;

  void round() noexcept {
    a += b;
    c += d;
    b = std::rotl(b, 13) ^ a;
    d = std::rotl(d, 16) ^ c;
    a = std::rotl(a, 32);
    c += b;
    a += d;
    b = std::rotl(b, 17) ^ c;
    d = std::rotl(d, 21) ^ a;
    c = std::rotl(c, 32);
  }
  void take(std::uint64_t word) noexcept {
    d ^= word;
    round();
    round();
    a ^= word;
  }
};

// Returns up to eight bytes as a number, least significant byte first on every machine.
std::uint64_t word_of(std::string_view bytes) noexcept {
  std::uint64_t word = 0;
  for (std::size_t i = bytes.size(); i > 0; --i) word = word << 8 | static_cast<unsigned char>(bytes[i - 1]);
  return word;
}

}  // namespace

std::uint64_t sip_hash(const SipKey& key, std::string_view bytes) noexcept {
  State state{key[0] ^ 0x736F6D6570736575u, key[1] ^ 0x646F72616E646F6Du, key[0] ^ 0x6C7967656E657261u,
              key[1] ^ 0x7465646279746573u};
  const std::uint64_t length = bytes.size();
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) state.take(word_of(bytes.substr(0, 8)));
  state.take(length << 56 | word_of(bytes));
  state.c ^= 0xFF;
  for (int i = 0; i < 4; ++i) state.round();
  return state.a ^ state.b ^ state.c ^ state.d;
}

}  // namespace robotrules::store
