#include "servers/postgres/queue/queue_addition.hpp"

#include <robotrules/url.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <optional>
#include <utility>

#include "queue/queue_columns.hpp"
#include "queue/queue_values.hpp"
#include "servers/postgres/queue/postgres_queue_changes.hpp"
#include "servers/postgres/queue/postgres_queue_rows.hpp"
#include "servers/postgres/queue/queue_jobs.hpp"
#include "servers/postgres/sql.hpp"

namespace robotrules::store::postgres {
namespace {

// Beside the time that the store waits for any answer.
constexpr std::chrono::microseconds time_per_url{500};

}  // namespace

Result<Addition> Addition::of(std::span<const QueuedUrl> urls) {
  struct Known {
    std::size_t origin = 0;
    bool is_origin = false;  // the text is spelt exactly as the origin
  };
  Addition all;
  std::unordered_map<std::string_view, Known> prefixes;
  std::unordered_map<std::string, std::size_t> by_hash;
  all.urls_.reserve(urls.size());
  by_hash.reserve(urls.size());
  for (const QueuedUrl& url : urls) {
    if (!is_queueable(url.url)) return invalid_url(url.url);
    const std::string_view prefix = site_part(url.url);
    auto known = prefixes.find(prefix);
    if (known == prefixes.end()) {
      const auto origin = Origin::of(url.url);
      if (!origin) return invalid_url(url.url);
      const std::string name = origin->to_string();
      const auto [place, is_new] = all.places_.try_emplace(name, all.origins_.size());
      if (is_new) all.origins_.push_back(name);
      known = prefixes.emplace(prefix, Known{place->second, prefix == name}).first;
    }
    std::string headers = pack_headers(url.headers);
    std::string hash = request_hash(url.method, url.url);
    const auto [place, is_new] = by_hash.try_emplace(hash, all.urls_.size());
    if (!is_new) {
      all.urls_[place->second].repeated.push_back(std::move(headers));
      continue;
    }
    std::string_view stored = url.url;
    if (known->second.is_origin) stored.remove_prefix(prefix.size());
    const std::string older = older_key(url);
    all.urls_.push_back({&url, known->second.origin, stored, std::move(hash),
                         older.empty() ? std::string() : request_hash(url.method, older), std::move(headers)});
  }
  all.sites_.resize(all.origins_.size());
  return all;
}

Result<QueueAdded> Addition::write(Pool& pool, std::int64_t job, std::int64_t slot) {
  if (auto reserved = reserve_ids(pool, job); !reserved) return reserved.error();
  return pool.transact(pool.timeout() + time(), [&](Transaction& transaction) -> Result<QueueAdded> {
    const auto there = transaction.run({find_job(job)});
    if (!there) return there.error();
    if (there.value().front().size() == 0) return job_removed(pool.shown());
    QueueTally tally;
    auto added = insert(transaction, job, tally);
    if (!added) return added;
    std::vector<std::int64_t> changed;
    changed.reserve(tally.sites.size());
    for (const auto& [site, pending] : tally.sites) changed.push_back(site);
    Batch batch{{sql("lock_sites"), Parameters().numbers(changed)}};
    append_tally(job, slot, tally, batch);
    if (const auto done = transaction.commit(std::move(batch)); !done) return done.error();
    return added;
  });
}

std::chrono::milliseconds Addition::time() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(urls_.size() * time_per_url);
}

Result<QueueAdded> Addition::insert(Transaction& transaction, std::int64_t job, QueueTally& tally) {
  sites_ = known_sites_;  // a transaction that was undone has made no sites
  if (auto found = find_older(transaction, job); !found) return found.error();
  if (auto made = make_sites(transaction, job); !made) return made.error();
  const auto is_new = insert_urls(transaction, job);
  if (!is_new) return is_new.error();
  for (std::size_t i = 0; i < urls_.size(); ++i) {
    if (is_new.value()[i]) tally.enter(sites_[urls_[i].origin], UrlState::pending);
  }
  return count_duplicates(transaction, job, is_new.value());
}

// Finds the URLs that a queue of an older version has, under the keys that they had there. Such keys are not added any
// more, so the answer stays true.
Result<void> Addition::find_older(Transaction& transaction, std::int64_t job) {
  is_older_.assign(urls_.size(), false);
  std::unordered_map<std::string_view, std::vector<std::size_t>> wanted;
  std::vector<std::string> hashes;
  for (std::size_t i = 0; i < urls_.size(); ++i) {
    if (urls_[i].older_hash.empty()) continue;
    hashes.emplace_back(urls_[i].older_hash);
    wanted[urls_[i].older_hash].push_back(i);
  }
  if (hashes.empty()) return {};
  const auto read = transaction.run({{sql("find_hashes"), Parameters({job}).byte_strings(hashes)}});
  if (!read) return read.error();
  const Rows& rows = read.value().front();
  for (int row = 0; row < rows.size(); ++row) {
    for (const std::size_t i : wanted[rows.bytes(row, 0)]) is_older_[i] = true;
  }
  return {};
}

// Ids are reserved in a transaction of their own: the row that counts them must not be locked for long.
Result<void> Addition::reserve_ids(Pool& pool, std::int64_t job) {
  const auto known = pool.read({{sql("find_ids_of_sites"), Parameters({job}).byte_strings(origins_)}});
  if (!known) return known.error();
  read_sites(known.value().front());
  known_sites_ = sites_;
  const auto new_sites = std::ranges::count(sites_, 0);
  const auto reserved = pool.transact([&](Transaction& transaction) {
    return transaction.commit(
        {{sql("reserve_ids"), {static_cast<std::int64_t>(urls_.size()), static_cast<std::int64_t>(new_sites)}}});
  });
  if (!reserved) return reserved.error();
  const Rows& last = reserved.value().front();
  if (last.size() != 1) return damaged(pool.shown(), "the table queue_number");
  new_ids_.resize(urls_.size());
  for (std::size_t i = 0; i < new_ids_.size(); ++i)
    new_ids_[i] = last.number(0, 0) - static_cast<std::int64_t>(urls_.size() - 1 - i);
  next_site_ = last.number(0, 1) - new_sites + 1;
  return {};
}

void Addition::read_sites(const Rows& rows) {
  for (int row = 0; row < rows.size(); ++row) {
    const auto place = places_.find(std::string(rows.bytes(row, 1)));
    if (place != places_.end()) sites_[place->second] = rows.number(row, 0);
  }
}

// Adds the sites that the job does not have. Their ids are in the order of the URLs. They are inserted in the order of
// their names, so that two transactions with the same new sites do not wait for each other.
Result<void> Addition::make_sites(Transaction& transaction, std::int64_t job) {
  std::vector<std::pair<std::string, std::int64_t>> missing;
  std::int64_t id = next_site_;
  for (std::size_t i = 0; i < origins_.size(); ++i) {
    if (sites_[i] == 0) missing.emplace_back(origins_[i], id++);
  }
  if (missing.empty()) return {};
  std::ranges::sort(missing);
  std::vector<std::string> names;
  std::vector<std::int64_t> ids;
  for (const auto& [name, number] : missing) {
    names.emplace_back(name);
    ids.emplace_back(number);
  }
  const auto made = transaction.run({{sql("add_sites"), Parameters({job}).numbers(ids).byte_strings(names)},
                                     {sql("find_ids_of_sites"), Parameters({job}).byte_strings(names)}});
  if (!made) return made.error();
  read_sites(made.value().back());
  return {};
}

// Inserts the URLs in the order of their hashes, for the same reason, and returns which ones are new.
Result<std::vector<bool>> Addition::insert_urls(Transaction& transaction, std::int64_t job) const {
  std::vector<std::size_t> order(urls_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t i) { return is_older_[i]; });
  std::ranges::sort(order, {}, [&](std::size_t i) -> const std::string& { return urls_[i].hash; });
  TableWriter writer(hashed_url_columns);
  for (const std::size_t i : order) {
    const NewUrl& one = urls_[i];
    std::array<SqlValue, hashed_url_columns.size()> values;
    std::ranges::copy(new_url_values(new_ids_[i], sites_[one.origin], one.stored, *one.url, one.headers),
                      values.begin());
    values.back() = one.hash;
    writer.add(values);
  }
  const auto inserted = transaction.run({{sql("add_urls"), std::move(writer).parameters().number(job)}});
  if (!inserted) return inserted.error();
  std::vector<bool> is_new(urls_.size(), false);
  const Rows& rows = inserted.value().front();
  for (int row = 0; row < rows.size(); ++row)
    is_new[static_cast<std::size_t>(rows.number(row, 0) - new_ids_.front())] = true;
  return is_new;
}

Result<QueueAdded> Addition::count_duplicates(Transaction& transaction, std::int64_t job,
                                              const std::vector<bool>& is_new) const {
  std::vector<std::string> hashes;
  for (std::size_t i = 0; i < urls_.size(); ++i) {
    if (!is_new[i]) hashes.emplace_back(hash_in_queue(i));
  }
  std::unordered_map<std::string, std::string> known;  // the headers of the URLs that the queue had with headers
  if (!hashes.empty()) {
    const auto read = transaction.run({{sql("find_headers"), Parameters({job}).byte_strings(hashes)}});
    if (!read) return read.error();
    const Rows& rows = read.value().front();
    for (int row = 0; row < rows.size(); ++row) known.emplace(rows.bytes(row, 0), rows.bytes(row, 1));
  }
  QueueAdded added;
  for (std::size_t i = 0; i < urls_.size(); ++i) {
    const NewUrl& one = urls_[i];
    std::string in_queue = one.headers;
    if (is_new[i]) {
      ++added.added;
    } else {
      const auto found = known.find(hash_in_queue(i));
      in_queue = found == known.end() ? std::string() : found->second;
      ++added.duplicates;
      if (one.headers != in_queue) ++added.other_headers;
    }
    added.duplicates += one.repeated.size();
    added.other_headers += static_cast<std::uint64_t>(
        std::ranges::count_if(one.repeated, [&](const std::string& headers) { return headers != in_queue; }));
  }
  return added;
}

}  // namespace robotrules::store::postgres
