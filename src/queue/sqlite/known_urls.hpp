// The URLs and sites that are already in the queue. add() looks there before it writes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "queue/url_index.hpp"
#include "store/sip_hash.hpp"
#include "store/sqlite/database.hpp"

namespace robotrules::store {

using UrlHash = std::uint64_t (*)(const SipKey& key, std::int64_t job, std::string_view method, std::string_view url);

// A URL as a row stores it.
struct SitedUrl {
  std::int64_t site = 0;
  std::string_view stored;  // the part after the site's origin, or the whole URL
};

// The ids of the sites of a job, with a cache in memory. Thread rule: one thread at a time.
class QueueSites {
 public:
  QueueSites(Database& database, std::int64_t job) noexcept : database_(database), job_(job) {}

  // Empties the cache if it may contain sites of a transaction that was not committed. Call it before find().
  void catch_up() {
    if (must_reload_) known_.clear();
    must_reload_ = false;
  }
  // Returns the site of the URL. If the queue does not have the site, adds it if `create` is set (precondition: a
  // transaction), or else returns null. Fails with "invalid-url". The result refers to the bytes of `url`.
  Result<std::optional<SitedUrl>> find(std::string_view url, bool create);
  void committed() noexcept { must_reload_ = false; }  // call it after a commit: the cached sites are valid

 private:
  static constexpr std::size_t max_known = 1 << 18;
  struct Known {
    std::int64_t site = 0;
    bool is_origin = false;  // the text is spelt exactly as the origin
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  Database& database_;
  std::int64_t job_;
  bool must_reload_ = false;
  std::unordered_map<std::string, Known, Hash, std::equal_to<>> known_;  // by the text before the path
};

// The index of the hashes of a job. It is read at the first use, and catch_up() adds the hashes of other processes.
// Thread rule: one thread at a time.
class KnownUrls {
 public:
  KnownUrls(Database& database, std::int64_t job, UrlHash hash) noexcept
      : database_(database), job_(job), hash_(hash) {}

  Result<void> catch_up();
  std::uint64_t hash_of(std::string_view method, std::string_view url) const { return hash_(key_, job_, method, url); }
  struct Found {
    std::int64_t id = 0;
    bool same_headers = false;
  };
  // Returns the URL, or null if the queue does not have it. `headers`: those to compare, as pack_headers() makes them.
  Result<std::optional<Found>> find(std::uint64_t hash, std::string_view method, const SitedUrl& url,
                                    std::string_view headers = {}) const;

  // Returns the id of the last URL of all jobs that was not removed.
  std::int64_t last() const noexcept { return last_; }
  // Forgets what catch_up() has read: other processes may have removed URLs since.
  void reload() noexcept { must_reload_ = true; }

  // Returns the id for the next new URL. The caller writes its row and calls add(); write_hashes() then writes the
  // hashes of all URLs since the last call.
  std::int64_t next() const noexcept { return next_; }
  void add(std::uint64_t hash);
  Result<void> write_hashes();
  void committed() noexcept { must_reload_ = false; }  // call it after a commit: the index is valid

 private:
  Result<bool> is_removed(std::int64_t id) const;

  Database& database_;
  std::int64_t job_;
  UrlHash hash_;
  SipKey key_{};
  UrlIndex index_;
  std::int64_t next_ = 1;
  std::int64_t last_ = 0;
  std::vector<std::uint64_t> new_;
  bool must_reload_ = true;
};

// SQL for the job of the URLs of a row of queue_hash; null if they were removed.
inline const std::string job_of_hashes =
    "(SELECT job FROM queue_site WHERE id = (SELECT site FROM queue WHERE queue.id = first))";

}  // namespace robotrules::store
