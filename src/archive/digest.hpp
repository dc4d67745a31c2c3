// Digests and identifiers for records.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;
struct evp_md_st;

namespace robotrules::archive {

// Computes "sha1:" and a base32 digest (RFC 4648 section 6), as WARC files contain it. It names a record and detects
// damage; it does not protect against forgery.
class Digester {
 public:
  Digester();
  ~Digester();
  Digester(const Digester&) = delete;
  Digester& operator=(const Digester&) = delete;
  // Call begin(), then add() for each piece, then end().
  void begin();
  void add(std::string_view piece);
  std::string end();

 private:
  evp_md_ctx_st* context_;
  evp_md_st* method_;
};

// The digest of a payload without bytes.
inline constexpr std::string_view empty_payload_digest = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";

std::string base32(std::string_view bytes);

// Makes "urn:uuid:..." with random UUIDs (version 4).
class RandomNames {
 public:
  std::string next();

 private:
  std::array<unsigned char, 1'024> pool_{};
  std::size_t used_ = sizeof pool_;
};

}  // namespace robotrules::archive
