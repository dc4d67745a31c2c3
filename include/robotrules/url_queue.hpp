// The URL queue of a crawl: URLs that are still to be fetched, and the results of those that were fetched.
//
//     auto queue = robotrules::open_url_queue("crawl.db").value();
//     queue->add(urls).value();
//     const auto claim = queue->claim().value();
//     for (const auto& site : queue->claim_sites(claim, 100).value()) {
//       const auto items = queue->take(claim, site.id, {}, 10).value();
//       queue->settle(claim, fetch_all(items), robotrules::OutputPosition{"crawl.warc.gz", 4'711}).value();
//       queue->release(claim, std::array{site.id}).value();
//     }
//
// value() of an error ends the program (base.hpp), so programs should test each Result.
//
// The queue is part of the file of a SQLite store or of a PostgreSQL database, or it has a temporary file of its own. A
// file may have several jobs. Each job is a queue of its own, with its own outputs. Rules, visits and gates of the file
// are common to all jobs.
//
// Workers. The object that fetches the URLs of a job is a worker: claim() makes it one. It claims sites, takes their
// URLs, settles the results, and releases the sites. A claimed site belongs to one worker. When a worker ends in any
// way, its sites are free again; the URLs that it has not settled are still pending and are fetched again. A SQLite
// file permits one worker per job at a time. A PostgreSQL database permits many: each has a lease, and its sites are
// free if it does not reach the server for as long as that (ServerStoreOptions::owner_lease).
//
// Thread rule: any thread may call any function at any time. Errors: see class UrlQueue.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/headers.hpp>

namespace robotrules {

// --- values ----------------------------------------------------------------------------------------------------------

enum class UrlState : std::uint8_t {
  pending,  // to be fetched
  done,     // fetched: the server answered with a status below 400
  denied,   // forbidden by robots.txt
  failed,   // no answer, or a status from 400 on
  parked,   // left out: ResponseSource::parked, or a 429 or 503 with a longer wait than CrawlOptions::max_wait
  cut,      // fetched, but only the beginning of its body: the rest was beyond a size limit
};
ROBOTRULES_API std::string_view to_string(UrlState state) noexcept;

// All states, in the order of their values.
inline constexpr std::array all_url_states = {UrlState::pending, UrlState::done,   UrlState::denied,
                                              UrlState::failed,  UrlState::parked, UrlState::cut};

// A request for the queue. Two requests are the same if method and URL are equal byte by byte. So the caller should
// normalise URLs before it adds them: plain_url(), or read_url_line(), which sets `found` too. A crawl then asks
// robots.txt about both spellings.
struct QueuedUrl {
  std::string url;             // absolute, http or https, without a fragment, a space or a control character
  std::string method = "GET";  // a token (RFC 9110 section 5.6.2)
  Headers headers{};           // kept as given
  std::int32_t priority = 0;   // a greater number is fetched sooner
  // The URL as it was found, if `url` is another spelling of it; else empty. Any text, kept as given. The queue keeps
  // that of the first request. It does not tell requests apart, but for one thing: a queue of an older version may have
  // the URL with this spelling as its key. Then the request is a duplicate of it.
  std::string found{};
  friend bool operator==(const QueuedUrl&, const QueuedUrl&) = default;
};

// The result of add().
struct QueueAdded {
  std::uint64_t added = 0;
  std::uint64_t duplicates = 0;     // already in the queue, in any state, or repeated in the call; they change nothing
  std::uint64_t other_headers = 0;  // of `duplicates`: those with other headers than the URL in the queue
};

// The result of the last fetch.
struct UrlResult {
  int status = 0;               // 0: no answer
  std::string why{};            // a stable code for programs: FetchedPage::reason()
  std::string etag{};           // field value as received, for a conditional request
  std::string last_modified{};  // the same
  Timestamp at{};               // when the last request of the fetch was sent: WARC-Date of its response
  std::uint64_t bytes = 0;
  // digest, page_at and page_url name the response record of a WARC file that has the page
  // (PageOutput::last_payload()). Revisit records refer to it, so it is never one itself.
  std::optional<Timestamp> page_at{};  // WARC-Date; null: `at`
  std::string warning{};   // of a failure: Response::warning, a sentence for people; the queue keeps 1,000 bytes
  std::string digest{};    // WARC-Payload-Digest, as "sha1:BASE32"; empty: the record is not known
  std::string page_url{};  // WARC-Target-URI; empty: that of the request
  friend bool operator==(const UrlResult&, const UrlResult&) = default;
};

// A URL in the queue.
struct QueueItem {
  std::int64_t id = 0;
  std::int64_t site = 0;
  QueuedUrl request;
  UrlState state = UrlState::pending;
  std::optional<UrlResult> result;  // of the last fetch, also if the item is pending again; null: never fetched
};

// The new state and result of an item.
struct FinishedUrl {
  std::int64_t id = 0;
  UrlState state = UrlState::done;  // not `pending`
  UrlResult result;
};

// A place in a list that is ordered by priority: that of the last entry that was returned. The next call continues
// after it.
struct QueuePlace {
  std::int32_t priority = 0;
  std::int64_t id = 0;
};
inline QueuePlace place_of(const QueueItem& item) noexcept { return {item.request.priority, item.id}; }

// An origin with pending URLs.
struct QueueSite {
  std::int64_t id = 0;
  std::string origin;         // as gate_key(): "https://example.org"
  std::uint64_t pending = 0;  // number of pending URLs
  std::int32_t priority = 0;  // greatest priority of the pending URLs
};
inline QueuePlace place_of(const QueueSite& site) noexcept { return {site.priority, site.id}; }

// The claim of a worker, from UrlQueue::claim(). Each claim of a job has a greater fence than all claims before.
struct QueueClaim {
  std::int64_t fence = 0;
};

// The workers of a job that several workers share.
struct QueueWorkers {
  std::uint64_t all = 0;
  std::uint64_t without_sites = 0;  // those that have said so; this worker is not counted
};

// Number of URLs in each state.
struct QueueCounts {
  std::uint64_t pending = 0;
  std::uint64_t done = 0;
  std::uint64_t denied = 0;
  std::uint64_t failed = 0;
  std::uint64_t parked = 0;
  std::uint64_t cut = 0;

  std::uint64_t all() const noexcept { return pending + done + denied + failed + parked + cut; }
  std::uint64_t& of(UrlState state) noexcept { return this->*members[static_cast<std::size_t>(state)]; }
  std::uint64_t of(UrlState state) const noexcept { return this->*members[static_cast<std::size_t>(state)]; }
  friend bool operator==(const QueueCounts&, const QueueCounts&) = default;

 private:
  static constexpr std::uint64_t QueueCounts::* members[] = {&QueueCounts::pending, &QueueCounts::done,
                                                             &QueueCounts::denied,  &QueueCounts::failed,
                                                             &QueueCounts::parked,  &QueueCounts::cut};
};

// The part of an output file that is complete: it contains the responses of all settled URLs.
struct OutputPosition {
  std::string name;            // name of the output
  std::uint64_t position = 0;  // PageOutput::position()
};

// --- the queue -------------------------------------------------------------------------------------------------------

// The interface of a queue. Every change is one transaction: it happens completely or not at all. Only revisit(),
// retry_failed() and retry_parked() use several transactions. When a function has returned, its change survives the
// process.
//
// Memory of a queue in a file: up to 256 MiB for database pages. After the first add() or find(), also 16 to 32 bytes
// per URL in the queue.
//
// Errors: those of open_sqlite_store(), and those named below. add() and find() also fail with "invalid-url"; add()
// also fails with "invalid-request" (the method is not a token) and "queue-full" (more than 4,294,967,294 URLs). If
// remove_job() has removed the job, add(), claim(), settle(), remove(), set_note() and counts() fail with
// "unknown-job". A failed transaction changes nothing; only after "store-unreachable" it is unknown whether it was
// done. Then every call may be made again. settle() is then done once; the numbers that add() and remove() return do
// not contain what the first call has done.
class ROBOTRULES_API UrlQueue {
 public:
  virtual ~UrlQueue() = default;

  // Adds URLs. One long list is faster and writes less than many short ones: if there are many URLs, give 100,000 or
  // more at once.
  virtual Result<QueueAdded> add(std::span<const QueuedUrl> urls) = 0;
  // Adds a few URLs: add({{"https://example.org/"}, {"https://example.org/about"}}).
  Result<QueueAdded> add(std::initializer_list<QueuedUrl> urls) { return add(std::span(urls.begin(), urls.size())); }

  // sites() and peek() only look: they reserve nothing.

  // Returns up to `count` sites with pending URLs: the greatest priority first, and sites of equal priority in the
  // order in which they were added. A pass is a sequence of calls that returns all sites. Null for `after` begins a
  // pass. To continue it, set `after` to place_of() of the last site of the call before. A pass may miss a site whose
  // priority changes meanwhile, so begin a new pass when one has ended.
  virtual Result<std::vector<QueueSite>> sites(std::optional<QueuePlace> after, std::size_t count) const = 0;

  // Returns up to `count` pending URLs of the site: the greatest priority first, and URLs of equal priority in the
  // order in which they were added. `after` is place_of() the last item of the call before; null: begin with the first.
  // Fails with "unknown-site".
  virtual Result<std::vector<QueueItem>> peek(std::int64_t site, std::optional<QueuePlace> after,
                                              std::size_t count) const = 0;

  // Returns true if a job may have several workers at the same time, as in PostgreSQL. Then claim_sites() may return
  // more sites later, because other workers release sites or end, as long as counts() has pending URLs. Then,
  // "claim-lost" means that this worker has lost its sites or one of them, mostly because it did not reach the server
  // for too long. Release all sites that it knows of, and claim the job again.
  virtual bool is_shared() const noexcept { return false; }

  // Makes this object a worker of the job until it is destroyed or its process ends in any way. If it is a worker
  // already, returns the same claim, as long as that is valid. Fails with "queue-claimed" if the job cannot have
  // another worker now. In a SQLite file, the claim is a lock on a byte of the file PATH-crawl, which is not deleted.
  // If a file system loses the lock, another object may become the worker; then the claim is not valid any more.
  virtual Result<QueueClaim> claim() = 0;

  // The next four functions are for the worker. They fail with "claim-lost" if the claim is not valid any more, because
  // another worker may have the sites. settle() and claim_sites() always notice that, the others perhaps not. After a
  // newer version has upgraded the tables, claim_sites() or share() fails with "store-newer": end with what is begun.

  // Claims up to `count` free sites with pending URLs and returns them: the greatest priority first, and sites of equal
  // priority in the order in which they were added. The worker keeps a site until it releases the site, or ends. If
  // there are fewer free sites, all of them are returned; a later call can return more: sites with new URLs, and sites
  // that a worker has released. Also returns sites that this worker has claimed or released by a call whose answer was
  // lost.
  virtual Result<std::vector<QueueSite>> claim_sites(const QueueClaim& claim, std::size_t count) = 0;
  // Returns up to `count` pending URLs of a claimed site, in the order of peek(). URLs that were added after the site
  // was claimed are among them. The URLs stay pending until they are settled, so a call with a null `after` returns
  // URLs again that were returned before. Fails with "claim-lost" if the claim does not have this site.
  virtual Result<std::vector<QueueItem>> take(const QueueClaim& claim, std::int64_t site,
                                              std::optional<QueuePlace> after, std::size_t count) = 0;
  // Sets the state and the result of URLs; later results replace earlier ones. `output` is kept in the same
  // transaction. `links` are added in it too, as add() does, so a page is never done without its links; they may be of
  // any site. Fails with "claim-lost" if the claim does not have the site of a settled URL, with "unknown-url", with
  // "invalid-request" if a new state is `pending`, with "output-taken" if the output belongs to another job of the
  // file, and as add().
  virtual Result<void> settle(const QueueClaim& claim, std::span<const FinishedUrl> settled,
                              const std::optional<OutputPosition>& output, std::span<const QueuedUrl> links) = 0;
  Result<void> settle(const QueueClaim& claim, std::span<const FinishedUrl> settled,
                      const std::optional<OutputPosition>& output) {
    return settle(claim, settled, output, {});
  }
  // Gives sites back. If a site has pending URLs, it can be claimed again at once, so settle the results before. Sites
  // that the claim does not have are ignored. If it fails, the sites are free a while later, so do not use them any
  // more.
  virtual Result<void> release(const QueueClaim& claim, std::span<const std::int64_t> sites) = 0;

  // For a job that several workers share: tells the others whether this worker has no site although URLs are pending,
  // and returns how many workers there are. If others have no site, a worker should release some of its own.
  virtual Result<QueueWorkers> share(const QueueClaim& claim, bool has_no_site);

  // Settles without claimed sites, for results that a program finds in an output, as resume() does. If this object is a
  // worker, fails with "claim-lost" if its claim is not valid any more.
  virtual Result<void> settle(std::span<const FinishedUrl> settled, const std::optional<OutputPosition>& output) = 0;
  // Returns the position of the output with that name, or null if this job has none.
  virtual Result<std::optional<std::uint64_t>> output_position(std::string_view name) const = 0;

  // Returns the item with this method and URL, or null if it was never added.
  virtual Result<std::optional<QueueItem>> find(std::string_view method, std::string_view url) const = 0;
  virtual Result<QueueCounts> counts() const = 0;

  // Removes URLs from the job, in any state, and returns how many. Ids that the job does not have are ignored. Fails
  // with "queue-claimed" if another worker has the job.
  virtual Result<std::uint64_t> remove(std::span<const std::int64_t> ids) = 0;

  // These functions make URLs pending again and return how many. They keep the results. If a call fails or the process
  // ends, call again to continue: there is one transaction for about every 20,000 URLs.
  //   revisit()       URLs that are done, denied, cut or failed; with `older_than`, only those fetched before that time
  //   retry_failed()  URLs that failed or were cut
  //   retry_parked()  URLs that were left out
  virtual Result<std::uint64_t> revisit(std::optional<Timestamp> older_than) = 0;
  virtual Result<std::uint64_t> retry_failed() = 0;
  virtual Result<std::uint64_t> retry_parked() = 0;

  // The note is a text that the program keeps with the job, such as its settings; empty at first.
  virtual Result<std::string> note() const = 0;
  virtual Result<void> set_note(std::string_view note) = 0;

  // Calls `each` with every URL in that state (null: in any state), until `each` returns false. URLs that are added
  // during the call may be left out. `each` and other threads may use the queue during the call.
  virtual Result<void> for_each(std::optional<UrlState> state,
                                const std::function<bool(const QueueItem&)>& each) const = 0;
};

// Name of the job of files that were made before jobs had names.
inline constexpr std::string_view default_job = "crawl";

}  // namespace robotrules
