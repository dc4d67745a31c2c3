// The check of the queue of a file, and the repair of a damaged one.
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <unordered_map>

#include "base/escape.hpp"
#include "store/sqlite/columns.hpp"
#include "store/sqlite/problems.hpp"
#include "store/sqlite/query.hpp"
#include "store/sqlite/queue_rows.hpp"
#include "store/sqlite/schema.hpp"
#include "store/url_index.hpp"

namespace robotrules::store {
namespace {

constexpr std::int64_t queue_version = 3;
constexpr std::int64_t cut_version = 6;  // added the sum for UrlState::cut

// A site as its row describes it, and as its URLs show it.
struct SeenSite {
  QueueSite stored;
  std::uint64_t pending = 0;
  std::int32_t priority = std::numeric_limits<std::int32_t>::min();
};
using UrlCounts = std::array<std::uint64_t, queue_states>;  // by state
using SeenSites = std::unordered_map<std::int64_t, SeenSite>;

// Reads the hashes in the order of their URLs, one row at a time.
class HashReader {
 public:
  explicit HashReader(Database& database) : database_(database) {}

  // Returns the hash of the next URL, or null if there is none.
  std::optional<std::uint64_t> next() {
    if (at_ == row_.size() && !read_row()) return std::nullopt;
    std::uint64_t hash = 0;
    std::memcpy(&hash, row_.data() + at_, sizeof hash);
    at_ += sizeof hash;
    ++next_;
    return hash;
  }

 private:
  bool read_row() {
    row_.clear();
    at_ = 0;
    const auto read = run(
        database_, "SELECT first, hashes FROM queue_hash WHERE first >= ?1 ORDER BY first LIMIT 1",
        [&](Statement& s) { s.bind(1, next_); },
        [&](const Statement& row) { row_ = read_hashes(row, next_).value_or(std::string_view()); });
    return read && !row_.empty();
  }

  Database& database_;
  std::string row_;
  std::size_t at_ = 0;
  std::int64_t next_ = 1;
};

// Compares the stored sums with the URLs. With wrong sums, a crawl would not fetch some of the URLs.
int compare_sums(Database& database, std::int64_t version, const SeenSites& sites, const UrlCounts& urls,
                 Problems& problems) {
  for (const auto& [id, site] : sites) {
    if (site.pending != site.stored.pending || (site.pending > 0 && site.priority != site.stored.priority)) {
      problems.add("the queue's counts of " + base::excerpt(site.stored.origin) + " are wrong");
    }
  }
  std::size_t sound = 0;
  std::size_t rows = 0;
  const int code = read_all(database, "SELECT state, urls FROM queue_count", [&](const Statement& row) {
    const std::int64_t state = row.integer(QueueCountColumn::state);
    std::uint64_t stored = 0;
    const bool known =
        state >= 0 && state < std::int64_t{queue_states} && read_count(row, QueueCountColumn::urls, stored);
    if (known && stored == urls[static_cast<std::size_t>(state)]) ++sound;
    ++rows;
  });
  const std::size_t least = version < cut_version ? queue_states - 1 : queue_states;
  if (code == SQLITE_DONE && (sound != rows || sound < least)) problems.add("the queue's counts are wrong");
  return code;
}

// The next functions read one table each, add its problems, and return the code with which reading ended.

int check_sites(Database& database, Problems& problems, SeenSites& sites) {
  return read_all(database, "SELECT * FROM queue_site", [&](const Statement& row) {
    SeenSite site;
    if (read_site(row, site.stored)) {
      sites.emplace(site.stored.id, std::move(site));
    } else {
      problems.add("\"" + base::excerpt(row.bytes(QueueSiteColumn::origin)) + "\" in the queue is not a site");
    }
  });
}

// Checks the URLs and their hashes, and counts the URLs of each site and in each state.
class UrlCheck {
 public:
  UrlCheck(Database& database, Problems& problems, SeenSites& sites)
      : database_(database), problems_(problems), sites_(sites), key_(queue_key(database)), hashes_(database) {
    if (!key_) problems_.add(key_.error().message);
  }

  int run() {
    const int code =
        read_all(database_, "SELECT * FROM queue ORDER BY id", [this](const Statement& row) { check(row); });
    if (code == SQLITE_DONE && hashes_.next()) problems_.add("the queue has hashes of URLs that are missing");
    return code;
  }
  const UrlCounts& counts() const { return counts_; }

 private:
  void check(const Statement& row) {
    const std::int64_t id = row.integer(QueueColumn::id);
    const std::string name = "URL " + std::to_string(id) + " of the queue";
    if (id != ++last_) problems_.add("the queue's numbers have a gap before " + std::to_string(id));
    last_ = id;
    const auto hash = hashes_.next();
    const auto site = sites_.find(row.integer(QueueColumn::site));
    QueueItem item;
    if (site == sites_.end()) return problems_.add("the site of " + name + " is missing");
    if (!read_item(row, site->second.stored.origin, item)) return problems_.add(name + " can't be read");
    if (key_ && hash != url_hash(key_.value(), item.request.method, item.request.url)) {
      problems_.add(name + " has a wrong hash");
    }
    ++counts_[static_cast<std::size_t>(item.state)];
    if (item.state != UrlState::pending) return;
    ++site->second.pending;
    site->second.priority = std::max(site->second.priority, item.request.priority);
  }

  Database& database_;
  Problems& problems_;
  SeenSites& sites_;
  const Result<SipKey> key_;
  HashReader hashes_;
  UrlCounts counts_{};
  std::int64_t last_ = 0;
};

int check_outputs(Database& database, Problems& problems) {
  return read_all(database, "SELECT name, position FROM queue_output", [&](const Statement& row) {
    std::uint64_t position = 0;
    if (row.type(QueueOutputColumn::name) != SQLITE_TEXT || !read_count(row, QueueOutputColumn::position, position)) {
      problems.add("the position of an output can't be read");
    }
  });
}

// Returns the version of the tables. Their definitions say more than the header, which may be damaged.
std::int64_t version_of(Database& database) {
  const auto in_header = version_in_header(database);
  const auto by_tables = version_by_tables(database);
  if (by_tables && by_tables.value()) return *by_tables.value();
  return in_header ? in_header.value() : schema_version;
}

}  // namespace

int find_queue_problems(Database& database, Problems& problems) {
  const std::int64_t version = version_of(database);
  if (version < queue_version) return SQLITE_DONE;
  SeenSites sites;
  int code = check_sites(database, problems, sites);
  if (code != SQLITE_DONE) return code;
  UrlCheck urls(database, problems, sites);
  code = urls.run();
  if (code == SQLITE_DONE) code = compare_sums(database, version, sites, urls.counts(), problems);
  if (code == SQLITE_DONE) code = check_outputs(database, problems);
  return code;
}

namespace {

// Collects rows and adds many of them to the new file at once. A row may come twice, because the new queue skips URLs
// that it already has.
class QueueRescue {
 public:
  explicit QueueRescue(UrlQueue& to) : to_(to) {}

  void keep(const Statement& row) {
    const auto origin = Origin::of(row.bytes(QueueColumn::site_origin));
    QueueItem item;
    if (!origin || !read_item(row, origin->to_string(), item)) return;
    items_.push_back(std::move(item));
    if (items_.size() >= 10'000) flush();
  }
  Result<std::uint64_t> end() {
    flush();
    if (failed_) return *failed_;
    return kept_;
  }

 private:
  void flush() {
    std::vector<QueuedUrl> urls;
    for (const QueueItem& item : items_) urls.push_back(item.request);
    const auto added = to_.add(urls);
    if (!added) failed_ = added.error();
    std::vector<FinishedUrl> settled;
    for (QueueItem& item : items_) {
      if (failed_ || item.state == UrlState::pending) continue;
      const auto found = to_.find(item.request.method, item.request.url);
      if (!found) failed_ = found.error();
      if (!failed_ && found.value()) settled.push_back({found.value()->id, item.state, *std::move(item.result)});
    }
    items_.clear();
    if (failed_) return;
    if (const auto done = to_.settle(settled, {}); !done) failed_ = done.error();
    kept_ += added.value().added;
  }

  UrlQueue& to_;
  std::vector<QueueItem> items_;
  std::uint64_t kept_ = 0;
  std::optional<Error> failed_;
};

}  // namespace

// The positions of outputs are not copied. URLs whose responses are before a position may have lost their state, so the
// next crawl must read its outputs from the beginning.
Result<std::uint64_t> rescue_queue(Database& from, const std::string& to) {
  auto queue = open_url_queue(to);
  if (!queue) return queue.error();
  QueueRescue rescue(*queue.value());
  const auto keep = [&](const Statement& row) { rescue.keep(row); };
  if (read_all(from, "SELECT queue.*, origin FROM queue JOIN queue_site ON queue_site.id = site ORDER BY queue.id",
               keep) != SQLITE_DONE) {
    read_all(from, "SELECT queue.*, origin FROM queue JOIN queue_site ON queue_site.id = site ORDER BY queue.id DESC",
             keep);
  }
  return rescue.end();
}

}  // namespace robotrules::store
