#include "archive/digest.hpp"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <new>

#include "base/hex.hpp"

namespace robotrules::archive {

Digester::Digester() : context_(EVP_MD_CTX_new()), method_(EVP_MD_fetch(nullptr, "SHA1", nullptr)) {
  if (context_ != nullptr && method_ != nullptr) return;
  EVP_MD_free(method_);
  EVP_MD_CTX_free(context_);
  throw std::bad_alloc();  // every build of libcrypto has SHA-1
}

Digester::~Digester() {
  EVP_MD_free(method_);
  EVP_MD_CTX_free(context_);
}

// Only memory can be missing here.
void Digester::begin() {
  if (EVP_DigestInit_ex2(context_, method_, nullptr) != 1) throw std::bad_alloc();
}

void Digester::add(std::string_view piece) {
  if (EVP_DigestUpdate(context_, piece.data(), piece.size()) != 1) throw std::bad_alloc();
}

std::string Digester::end() {
  std::string hash(20, '\0');
  if (EVP_DigestFinal_ex(context_, reinterpret_cast<unsigned char*>(hash.data()), nullptr) != 1) throw std::bad_alloc();
  return "sha1:" + base32(hash);
}

std::string base32(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() * 8 + 4) / 5);
  unsigned held = 0;
  int bits = 0;
  for (const char byte : bytes) {
    held = (held << 8) | static_cast<unsigned char>(byte);
    for (bits += 8; bits >= 5; bits -= 5) out += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[(held >> (bits - 5)) & 31U];
    held &= 0xFFU;
  }
  if (bits > 0) out += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[(held << (5 - bits)) & 31U];
  while (out.size() % 8 != 0) out += '=';
  return out;
}

std::string RandomNames::next() {
  constexpr std::size_t uuid_bytes = 16;
  if (used_ + uuid_bytes > pool_.size()) {
    if (RAND_bytes(pool_.data(), static_cast<int>(pool_.size())) != 1) throw std::bad_alloc();
    used_ = 0;
  }
  unsigned char* uuid = pool_.data() + used_;
  used_ += uuid_bytes;
  uuid[6] = static_cast<unsigned char>((uuid[6] & 0x0FU) | 0x40U);
  uuid[8] = static_cast<unsigned char>((uuid[8] & 0x3FU) | 0x80U);
  std::string digits = base::hex({reinterpret_cast<const char*>(uuid), uuid_bytes});
  for (const std::size_t dash : {20U, 16U, 12U, 8U}) digits.insert(dash, 1, '-');
  return "urn:uuid:" + digits;
}

}  // namespace robotrules::archive
