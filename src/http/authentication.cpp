#include "http/authentication.hpp"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <array>
#include <cstdio>
#include <new>
#include <utility>

#include "base/ascii.hpp"
#include "base/hex.hpp"

namespace robotrules::agent {
namespace {

std::string hash(const EVP_MD* kind, std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned size = 0;
  if (EVP_Digest(text.data(), text.size(), bytes.data(), &size, kind, nullptr) != 1) throw std::bad_alloc();
  return base::hex({reinterpret_cast<const char*>(bytes.data()), size});
}

// Returns null if the algorithm is not supported.
const EVP_MD* kind_of(std::string_view algorithm) {
  const std::string name = base::lower_case(algorithm);
  if (name.empty() || name == "md5" || name == "md5-sess") return EVP_md5();
  if (name == "sha-256" || name == "sha-256-sess") return EVP_sha256();
  return nullptr;
}

std::string quoted(std::string_view text) {
  std::string value = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') value += '\\';
    value += c;
  }
  return value + '"';
}

// Reads the challenges of one field: a scheme, then its parameters separated by commas, then perhaps another scheme.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  std::vector<Challenge> read() {
    std::vector<Challenge> all;
    while (skip(), !rest_.empty()) {
      const std::string word = base::lower_case(token());
      if (word.empty()) {
        rest_.remove_prefix(1);
        continue;
      }
      skip_blanks();
      if (!rest_.starts_with('=')) {  // a scheme
        current_ = word;
        if (word == "basic" || word == "digest") {
          all.emplace_back();
          all.back().digest = word == "digest";
        }
        continue;
      }
      rest_.remove_prefix(1);
      skip_blanks();
      const std::string value = rest_.starts_with('"') ? string() : std::string(token());
      if (!all.empty() && (current_ == "basic" || current_ == "digest")) set(all.back(), word, value);
    }
    return all;
  }

 private:
  void skip() {
    while (!rest_.empty() && (base::is_blank(rest_.front()) || rest_.front() == ',')) rest_.remove_prefix(1);
  }
  void skip_blanks() {
    while (!rest_.empty() && base::is_blank(rest_.front())) rest_.remove_prefix(1);
  }
  std::string_view token() {
    std::size_t size = 0;
    while (size < rest_.size() && base::is_token_octet(rest_[size])) ++size;
    const std::string_view word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return word;
  }
  std::string string() {
    std::string value;
    rest_.remove_prefix(1);
    while (!rest_.empty() && rest_.front() != '"') {
      if (rest_.front() == '\\' && rest_.size() > 1) rest_.remove_prefix(1);
      value += rest_.front();
      rest_.remove_prefix(1);
    }
    if (!rest_.empty()) rest_.remove_prefix(1);
    return value;
  }
  static void set(Challenge& challenge, const std::string& name, const std::string& value) {
    if (name == "realm") challenge.realm = value;
    if (name == "nonce") challenge.nonce = value;
    if (name == "opaque") challenge.opaque = value;
    if (name == "algorithm") challenge.algorithm = value;
    if (name == "stale") challenge.stale = base::equals_ignore_case(value, "true");
    if (name == "qop") challenge.qop = base::lower_case("," + value + ",").find("auth,") != std::string::npos;
  }

  std::string_view rest_;
  std::string current_;
};

}  // namespace

std::optional<Challenge> best_challenge(const std::vector<std::string_view>& www_authenticate) {
  std::optional<Challenge> best;
  for (const std::string_view field : www_authenticate) {
    for (Challenge& challenge : Reader(field).read()) {
      if (challenge.digest && (challenge.nonce.empty() || kind_of(challenge.algorithm) == nullptr)) continue;
      if (!best || (challenge.digest && !best->digest)) best = std::move(challenge);
    }
  }
  return best;
}

std::string authorization(Challenge& challenge, std::string_view user, std::string_view password,
                          std::string_view method, std::string_view path_and_query, std::string_view client_nonce) {
  if (!challenge.digest) return "Basic " + base64(std::string(user) + ':' + std::string(password));
  const EVP_MD* kind = kind_of(challenge.algorithm);
  const std::string nonce = challenge.nonce;
  const std::string cnonce(client_nonce);
  std::string secret = hash(kind, std::string(user) + ':' + challenge.realm + ':' + std::string(password));
  if (base::lower_case(challenge.algorithm).ends_with("-sess"))
    secret = hash(kind, secret + ':' + nonce + ':' + cnonce);
  const std::string what = hash(kind, std::string(method) + ':' + std::string(path_and_query));
  std::array<char, 9> count{};
  std::snprintf(count.data(), count.size(), "%08x", ++challenge.uses);
  const std::string answer =
      challenge.qop ? hash(kind, secret + ':' + nonce + ':' + count.data() + ':' + cnonce + ":auth:" + what)
                    : hash(kind, secret + ':' + nonce + ':' + what);
  std::string value = "Digest username=" + quoted(user) + ", realm=" + quoted(challenge.realm) +
                      ", nonce=" + quoted(nonce) + ", uri=" + quoted(path_and_query) + ", response=" + quoted(answer);
  if (!challenge.algorithm.empty()) value += ", algorithm=" + challenge.algorithm;
  if (!challenge.opaque.empty()) value += ", opaque=" + quoted(challenge.opaque);
  if (challenge.qop) value += std::string(", qop=auth, nc=") + count.data() + ", cnonce=" + quoted(cnonce);
  return value;
}

std::string base64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int size =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

std::string random_hex(std::size_t bytes) {
  std::string random(bytes, '\0');
  RAND_bytes(reinterpret_cast<unsigned char*>(random.data()), static_cast<int>(bytes));
  return base::hex(random);
}

}  // namespace robotrules::agent
