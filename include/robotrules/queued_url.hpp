// The values of a URL queue: URLs, their states and results, sites, counts.
//
//     robotrules::QueuedUrl url{.url = "https://example.org/", .priority = 1};
//     queue->add({url}).value();
//     auto item = queue->find(url.method, url.url).value();
//     if (item) std::cout << to_string(item->state) << '\n';
//
// Thread rule: everything here is a value type. Errors: see class UrlQueue (url_queue.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/enum_text.hpp>
#include <robotrules/export.hpp>
#include <robotrules/headers.hpp>
#include <robotrules/time.hpp>

namespace robotrules {

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

}  // namespace robotrules
