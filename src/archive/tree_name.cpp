#include "archive/tree_name.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <new>

#include <robotrules/url.hpp>

#include "base/hex.hpp"

namespace robotrules::archive {
namespace {

constexpr std::size_t hash_digits = 16;

std::string hash_of(std::string_view text) {
  unsigned char hash[EVP_MAX_MD_SIZE];
  if (EVP_Digest(text.data(), text.size(), hash, nullptr, EVP_sha256(), nullptr) != 1) throw std::bad_alloc();
  return base::hex({reinterpret_cast<const char*>(hash), hash_digits / 2});
}

std::string safe_name(std::string_view part) {
  if (part == ".") return "%2E";
  if (part == "..") return "%2E%2E";
  std::string name;
  for (const char c : part) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F && c != '/') {
      name += c;
    } else {
      base::append_percent(name, c);
    }
  }
  return name.size() > max_name_bytes ? with_hash(name, name) : name;
}

}  // namespace

std::string with_hash(std::string_view name, std::string_view of) {
  name = name.substr(0, max_name_bytes - hash_digits - 1);
  // Do not cut inside a character of UTF-8.
  while (!name.empty() && (static_cast<unsigned char>(name.back()) & 0xC0U) == 0x80U) name.remove_suffix(1);
  if (!name.empty() && (static_cast<unsigned char>(name.back()) & 0xC0U) == 0xC0U) name.remove_suffix(1);
  return std::string(name) + '~' + hash_of(of);
}

std::optional<TreeName> tree_name(std::string_view url) {
  const auto origin = Origin::of(url);
  if (!origin) return std::nullopt;
  TreeName name;
  const int usual = origin->scheme == "https" ? 443 : 80;
  name.folders.push_back(
      safe_name(origin->port == usual ? origin->host : origin->host + ':' + std::to_string(origin->port)));

  url = url.substr(0, url.find('#'));
  const std::size_t path_at = url.find_first_of("/?", url.find("://") + 3);
  std::string_view path = path_at == std::string_view::npos ? "/" : url.substr(path_at);
  const std::size_t question = path.find('?');
  const std::string_view query = question == std::string_view::npos ? "" : path.substr(question);
  path = path.substr(0, question);
  while (!path.empty()) {
    const std::size_t end = path.find('/');
    if (end == std::string_view::npos) break;
    const std::string_view part = path.substr(0, end);
    if (name.folders.size() == max_folders) break;
    if (!part.empty()) name.folders.push_back(safe_name(part));
    path.remove_prefix(end + 1);
  }
  const bool too_deep = path.find('/') != std::string_view::npos;
  const std::string last = path.empty() ? "index.html" : std::string(path);
  name.file = safe_name(last + std::string(query));
  if (too_deep) name.file = with_hash(name.file, std::string(path) + std::string(query));
  return name;
}

}  // namespace robotrules::archive
