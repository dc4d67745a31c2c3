// Looking through the queue of a file, and saving what can be read of a damaged one.
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <unordered_map>

#include "base/escape.hpp"
#include "store/sqlite/columns.hpp"
#include "store/sqlite/look_through.hpp"
#include "store/sqlite/query.hpp"
#include "store/sqlite/queue_rows.hpp"
#include "store/sqlite/schema.hpp"
#include "store/url_index.hpp"

namespace robotrules::store {
namespace {

constexpr std::int64_t queue_version = 3;

// What a site says of its URLs, and what they say.
struct SeenSite {
  QueueSite told;
  std::uint64_t pending = 0;
  std::int32_t priority = std::numeric_limits<std::int32_t>::min();
};
using SeenSites = std::unordered_map<std::int64_t, SeenSite>;

// The hashes in the order of their URLs, a row at a time.
class Hashes {
 public:
  explicit Hashes(Database& database) : database_(database) {}

  // Null where there is none for it.
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

// Sums that the tables keep of themselves: were they wrong, URLs would be left behind.
int compare_sums(Database& database, const SeenSites& sites, const std::array<std::uint64_t, queue_states>& urls,
                 Problems& problems) {
  for (const auto& [id, site] : sites) {
    if (site.pending != site.told.pending || (site.pending > 0 && site.priority != site.told.priority)) {
      problems.add("the queue's counts of " + base::excerpt(site.told.origin) + " are wrong");
    }
  }
  std::size_t sound = 0;
  const int code = read_all(database, "SELECT state, urls FROM queue_count", [&](const Statement& row) {
    const std::int64_t state = row.integer(QueueCountColumn::state);
    std::uint64_t told = 0;
    const bool known =
        state >= 0 && state < std::int64_t{queue_states} && read_count(row, QueueCountColumn::urls, told);
    if (known && told == urls[static_cast<std::size_t>(state)]) ++sound;
  });
  if (code == SQLITE_DONE && sound != queue_states) problems.add("the queue's counts are wrong");
  return code;
}

}  // namespace

int look_through_queue(Database& database, Problems& problems) {
  const auto told = version_of(database);
  const auto by_tables = version_by_tables(database);
  const std::int64_t version = by_tables && by_tables.value() ? *by_tables.value()
                               : told                         ? told.value()
                                                              : queue_version;
  if (version < queue_version) return SQLITE_DONE;
  SeenSites sites;
  int code = read_all(database, "SELECT * FROM queue_site", [&](const Statement& row) {
    SeenSite site;
    if (read_site(row, site.told)) {
      sites.emplace(site.told.id, std::move(site));
    } else {
      problems.add("\"" + base::excerpt(row.bytes(QueueSiteColumn::origin)) + "\" in the queue is not a site");
    }
  });
  if (code != SQLITE_DONE) return code;
  const auto key = queue_key(database);
  if (!key) problems.add(key.error().message);

  Hashes hashes(database);
  std::array<std::uint64_t, queue_states> urls{};
  std::int64_t last = 0;
  code = read_all(database, "SELECT * FROM queue ORDER BY id", [&](const Statement& row) {
    const std::int64_t id = row.integer(QueueColumn::id);
    const std::string name = "URL " + std::to_string(id) + " of the queue";
    if (id != ++last) problems.add("the queue's numbers have a gap before " + std::to_string(id));
    last = id;
    const auto hash = hashes.next();
    const auto site = sites.find(row.integer(QueueColumn::site));
    QueueItem item;
    if (site == sites.end()) {
      problems.add("the site of " + name + " is missing");
      return;
    }
    if (!read_item(row, site->second.told.origin, item)) {
      problems.add(name + " can't be read");
      return;
    }
    if (key && hash != url_hash(key.value(), item.request.method, item.request.url))
      problems.add(name + " has a wrong hash");
    ++urls[static_cast<std::size_t>(item.state)];
    if (item.state != UrlState::pending) return;
    ++site->second.pending;
    site->second.priority = std::max(site->second.priority, item.request.priority);
  });
  if (code != SQLITE_DONE) return code;
  if (hashes.next()) problems.add("the queue has hashes of URLs that are missing");
  code = compare_sums(database, sites, urls, problems);
  if (code != SQLITE_DONE) return code;
  return read_all(database, "SELECT name, position FROM queue_output", [&](const Statement& row) {
    std::uint64_t position = 0;
    if (row.type(QueueOutputColumn::name) != SQLITE_TEXT || !read_count(row, QueueOutputColumn::position, position)) {
      problems.add("the position of an output can't be read");
    }
  });
}

namespace {

// Gathers rows, and puts them into the new file many at a time. Which of them it has already, that file knows.
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

// How far outputs are whole is left behind: what was settled since then may be lost, and is looked for from the start.
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
