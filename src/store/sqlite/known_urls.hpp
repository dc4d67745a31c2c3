// Which URLs the queue has, and which sites: what add() asks before it writes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "store/sip_hash.hpp"
#include "store/sqlite/database.hpp"
#include "store/url_index.hpp"

namespace robotrules::store {

using UrlHash = std::uint64_t (*)(const SipKey& key, std::string_view method, std::string_view url);

// A URL as a row has it.
struct SitedUrl {
  std::int64_t site = 0;
  std::string_view kept;  // what stands behind the site's origin, or all of it
};

// The sites' numbers, the last used of them in memory. Thread rule: one thread at a time.
class QueueSites {
 public:
  explicit QueueSites(Database& database) noexcept : database_(database) {}

  // Before a change or a question.
  void catch_up() {
    if (unsure_) known_.clear();
    unsure_ = false;
  }
  // Null where the site is not there and is not `wanted`; in a transaction one that is wanted is made. Error
  // "invalid-url". What is answered looks into `url`.
  Result<std::optional<SitedUrl>> find(std::string_view url, bool wanted);
  void committed() noexcept { unsure_ = false; }  // else sites that were made are looked up again

 private:
  static constexpr std::size_t max_known = 1 << 18;
  struct Known {
    std::int64_t site = 0;
    bool is_origin = false;  // the text is the origin, in its own spelling
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  Database& database_;
  bool unsure_ = false;
  std::unordered_map<std::string, Known, Hash, std::equal_to<>> known_;  // by what stands before the path
};

// The index over all hashes, read at the first use and kept up with what other processes add.
// Thread rule: one thread at a time.
class KnownUrls {
 public:
  KnownUrls(Database& database, UrlHash hash) noexcept : database_(database), hash_(hash) {}

  Result<void> catch_up();
  std::uint64_t hash_of(std::string_view method, std::string_view url) const { return hash_(key_, method, url); }
  Result<std::optional<std::int64_t>> find(std::uint64_t hash, std::string_view method, const SitedUrl& url) const;

  // The number of a new URL. Its row is the caller's to write; keep() writes the hashes of all since the last time.
  std::int64_t next() const noexcept { return index_.next(); }
  void add(std::uint64_t hash);
  Result<void> keep();
  void committed() noexcept { unsure_ = false; }  // else all of it is read again

 private:
  Database& database_;
  UrlHash hash_;
  SipKey key_{};
  UrlIndex index_;
  std::vector<std::uint64_t> new_;
  bool unsure_ = true;
};

}  // namespace robotrules::store
