#include "queue/sqlite/known_urls.hpp"

#include <robotrules/url.hpp>

#include <algorithm>
#include <cstring>

#include "queue/sqlite/sqlite_queue_rows.hpp"
#include "store/sqlite/columns.hpp"
#include "store/sqlite/query.hpp"

namespace robotrules::store {
namespace {

// The columns that tell one URL from another.
struct IdentityColumn {
  enum : int { site, method, url, headers };
};

// The column after those of QueueHashColumn: whether the URLs are there. They may be of another job.
constexpr int is_there = QueueHashColumn::hashes + 1;

}  // namespace

Result<std::optional<SitedUrl>> QueueSites::find(std::string_view url, bool create) {
  if (!is_queueable(url)) return invalid_url(url);
  const std::string_view prefix = site_part(url);
  const auto sited = [&](const Known& known) {
    return std::optional(SitedUrl{known.site, known.is_origin ? url.substr(prefix.size()) : url});
  };
  if (const auto known = known_.find(prefix); known != known_.end()) return sited(known->second);
  const auto origin = Origin::of(url);
  if (!origin) return invalid_url(url);
  const std::string name = origin->to_string();
  const auto found = find_number(database_, "SELECT id FROM queue_site WHERE origin = ?1 AND job = ?2", {name, job_});
  if (!found) return found.error();
  std::int64_t site = found.value().value_or(0);
  if (site == 0 && !create) return std::optional<SitedUrl>();
  if (site == 0) {
    must_reload_ = true;
    const auto done =
        run(database_, "INSERT INTO queue_site(origin, pending, rank, job) VALUES(?1, 0, 0, ?2)", {name, job_});
    if (!done) return done.error();
    site = sqlite3_last_insert_rowid(database_.handle());
  }
  if (known_.size() >= max_known) known_.clear();
  return sited(known_.emplace(prefix, Known{site, prefix == name}).first->second);
}

Result<void> KnownUrls::catch_up() {
  if (must_reload_) {
    index_ = {};
    next_ = 1;
    last_ = 0;
    new_.clear();
    auto key = queue_key(database_);
    if (!key) return key.error();
    key_ = key.value();
    must_reload_ = false;
  }
  bool sound = true;
  // The hashes of other jobs are not read, only counted; then the row is as one of removed URLs.
  static const std::string sql =
      "SELECT first, iif(typeof(hashes) = 'blob' AND length(hashes) % 8 = 0 AND ?2 IS NOT " + job_of_hashes +
      ", length(hashes) / 8, hashes), typeof(hashes) = 'blob' FROM queue_hash WHERE first >= ?1 ORDER BY first";
  auto read = run(database_, sql.c_str(), {next_, job_}, [&](const Statement& row) {
    const auto found = read_hashes(row, next_);
    sound = sound && found;
    if (!sound) return;
    const auto& hashes = found->hashes;
    for (std::size_t i = 0; i < hashes.size() / sizeof(std::uint64_t); ++i) {
      std::uint64_t hash = 0;
      std::memcpy(&hash, hashes.data() + i * sizeof hash, sizeof hash);
      index_.add(hash, next_ + static_cast<std::int64_t>(i));
    }
    next_ += found->urls;
    if (row.integer(is_there) != 0) last_ = next_ - 1;
  });
  if (!read) return read;
  return sound ? Result<void>() : database_.damaged(" (the hashes of its queue are out of order)");
}

// Other processes may have removed URLs that are still in the index.
Result<bool> KnownUrls::is_removed(std::int64_t id) const {
  bool removed = false;
  auto read = run(database_, "SELECT hashes FROM queue_hash WHERE first <= ?1 ORDER BY first DESC LIMIT 1", {id},
                  [&](const Statement& row) { removed = row.is(only_column, ValueKind::number); });
  if (!read) return read.error();
  return removed;
}

Result<std::optional<KnownUrls::Found>> KnownUrls::find(std::uint64_t hash, std::string_view method,
                                                        const SitedUrl& url, std::string_view headers) const {
  Result<void> read;
  Found found;
  const auto is_match = [&](std::int64_t id) {
    bool there = false;
    bool same = false;
    read =
        run(database_, "SELECT site, method, url, headers FROM queue WHERE id = ?1", {id}, [&](const Statement& row) {
          there = true;
          same = row.integer(IdentityColumn::site) == url.site &&
                 (row.is_null(IdentityColumn::method) ? "GET" : row.bytes(IdentityColumn::method)) == method &&
                 row.bytes(IdentityColumn::url) == url.stored;
          found.same_headers = row.bytes(IdentityColumn::headers) == headers;
        });
    if (!read || there) return same || !read;
    const auto removed = is_removed(id);
    if (!removed) read = removed.error();
    if (removed && !removed.value()) read = database_.damaged(" (its queue has hashes of URLs that are missing)");
    return !read;
  };
  const auto id = index_.find(hash, is_match);
  if (!read) return read.error();
  if (!id) return std::optional<Found>();
  found.id = *id;
  return std::optional(found);
}

void KnownUrls::add(std::uint64_t hash) {
  must_reload_ = true;
  new_.push_back(hash);
  index_.add(hash, next_);
  last_ = next_++;
}

Result<void> KnownUrls::write_hashes() {
  constexpr std::size_t hashes_per_row = 8'192;
  auto first = next_ - static_cast<std::int64_t>(new_.size());
  for (std::size_t at = 0; at < new_.size(); at += hashes_per_row) {
    const std::size_t count = std::min(hashes_per_row, new_.size() - at);
    const std::string_view hashes(reinterpret_cast<const char*>(new_.data() + at), count * sizeof(std::uint64_t));
    auto done = run(database_, "INSERT INTO queue_hash(first, hashes) VALUES(?1, ?2)", {first, SqlValue::blob(hashes)});
    if (!done) return done;
    first += static_cast<std::int64_t>(count);
  }
  new_.clear();
  return {};
}

}  // namespace robotrules::store
