// The queue of a crawl: URLs that are still to be fetched, and what became of those that were. It lies in the file of a
// SQLite store, beside what is known of the sites, or in a temporary file of its own.
//
//     auto queue = open_url_queue("crawl.db").value();
//     queue->add(urls);
//     for (const QueueSite& site : queue->sites({}, 100).value())
//       for (const QueueItem& item : queue->take(site.id, {}, 10).value()) fetch(item);
//     queue->settle(settled, OutputPosition{"crawl.warc.gz", 4'711});
//
// Nothing is lent: who takes an item and dies leaves it pending, so it is fetched again, and who asks twice is told of
// it twice. Two crawls on one file share what is added and settled; they must divide the sites among themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/headers.hpp>
#include <robotrules/result.hpp>
#include <robotrules/sqlite_store.hpp>
#include <robotrules/time.hpp>

namespace robotrules {

enum class UrlState : std::uint8_t {
  pending,
  done,    // fetched
  denied,  // by robots.txt
  failed,
  parked,  // its site is left alone for longer than a crawl waits
};
std::string_view to_string(UrlState state) noexcept;

// Two are the same where method and URL are, octet by octet: whoever adds brings URLs to one spelling first.
struct QueuedUrl {
  std::string url;  // absolute, http or https, without a fragment, and without spaces and control octets
  std::string method = "GET";
  Headers headers;            // kept as they are given
  std::int32_t priority = 0;  // the greater the sooner
  friend bool operator==(const QueuedUrl&, const QueuedUrl&) = default;
};

struct QueueAdded {
  std::uint64_t added = 0;
  std::uint64_t duplicates = 0;  // of what was there, in whatever state, and of one another; these change nothing
};

// What came of the last fetch.
struct UrlResult {
  int status = 0;    // 0: no answer
  std::string why;   // a stable code for programs
  std::string etag;  // for a conditional request, as is `last_modified`: the fields' values as they came
  std::string last_modified;
  Timestamp at;
  std::uint64_t bytes = 0;
  friend bool operator==(const UrlResult&, const UrlResult&) = default;
};

struct QueueItem {
  std::int64_t id = 0;
  std::int64_t site = 0;
  QueuedUrl request;
  UrlState state = UrlState::pending;
  std::optional<UrlResult> result;  // of a pending one: what came of it before it was to be fetched again
};

struct Settled {
  std::int64_t id = 0;
  UrlState state = UrlState::done;  // not `pending`
  UrlResult result;
};

// Where in an order by priority a page ended.
struct QueuePlace {
  std::int32_t priority = 0;
  std::int64_t id = 0;
};
inline QueuePlace place_of(const QueueItem& item) noexcept { return {item.request.priority, item.id}; }

// An origin with URLs that are pending.
struct QueueSite {
  std::int64_t id = 0;
  std::string origin;  // its gate's key
  std::uint64_t pending = 0;
  std::int32_t priority = 0;  // the greatest of these
};
inline QueuePlace place_of(const QueueSite& site) noexcept { return {site.priority, site.id}; }

struct QueueCounts {
  std::uint64_t pending = 0;
  std::uint64_t done = 0;
  std::uint64_t denied = 0;
  std::uint64_t failed = 0;
  std::uint64_t parked = 0;
  friend bool operator==(const QueueCounts&, const QueueCounts&) = default;
};

// How far the output is whole that holds what was settled.
struct OutputPosition {
  std::string name;
  std::uint64_t position = 0;  // octets
};

// Every change is one transaction, done as a whole or not at all, and survives the process as soon as it is answered.
// Memory: up to 256 MiB of pages, and 16 to 32 octets for each URL there is, from the first add() or find() on.
// Errors: those of open_sqlite_store(); "invalid-url", "invalid-request" and "queue-full" (4,294,967,294 URLs), where
// nothing was changed; and what is named below. Thread rule: any thread.
class UrlQueue {
 public:
  virtual ~UrlQueue() = default;

  // The larger the span the faster, and the less is written: 100,000 and more where there are many.
  virtual Result<QueueAdded> add(std::span<const QueuedUrl> urls) = 0;

  // Up to `count` sites with pending URLs behind `after`, the greatest priority first, then in the order they became
  // known. A site whose priority changes meanwhile may be passed over: begin again where a pass has ended.
  virtual Result<std::vector<QueueSite>> sites(std::optional<QueuePlace> after, std::size_t count) const = 0;

  // Up to `count` of its pending URLs behind `after`, the greatest priority first, then in the order they were added.
  // Error "unknown-site".
  virtual Result<std::vector<QueueItem>> take(std::int64_t site, std::optional<QueuePlace> after,
                                              std::size_t count) const = 0;

  // Claims the queue for the one process that crawls it: until this object or its process ends, however that ends, no
  // other object may claim the same file. Error "queue-claimed" when another one has it. Adding, asking and looking
  // need no claim. The claim is a lock on the file PATH-crawl, which stays.
  virtual Result<void> claim() = 0;

  // What is settled again takes the later result. With `output`, how far it is whole is kept in the same transaction.
  // Error "unknown-url".
  virtual Result<void> settle(std::span<const Settled> settled, const std::optional<OutputPosition>& output) = 0;
  // Null: nothing was kept of an output of that name.
  virtual Result<std::optional<std::uint64_t>> output_position(std::string_view name) const = 0;

  // Null: it was never added.
  virtual Result<std::optional<QueueItem>> find(std::string_view method, std::string_view url) const = 0;
  virtual Result<QueueCounts> counts() const = 0;

  // Make URLs pending again, with their results kept; answer how many. A transaction for every 20,000 or so: who is
  // stopped in the middle calls again. revisit(): those done or failed, before `older_than` where it is given.
  virtual Result<std::uint64_t> revisit(std::optional<Timestamp> older_than) = 0;
  virtual Result<std::uint64_t> retry_failed() = 0;
  virtual Result<std::uint64_t> retry_parked() = 0;

  // Every URL of that state (null: of any), until `each` answers false. Others may go on meanwhile, `each` too.
  virtual Result<void> for_each(std::optional<UrlState> state,
                                const std::function<bool(const QueueItem&)>& each) const = 0;
};

// `name` as open_store() takes it, and with its errors; a file that is not there is made as it makes one. Empty: a
// temporary database of this queue alone, in memory as far as its page cache goes and then in the folder of temporary
// files, gone with the queue.
Result<std::unique_ptr<UrlQueue>> open_url_queue(const std::string& name, const SqliteStoreOptions& options = {});

}  // namespace robotrules
