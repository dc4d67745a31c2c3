// Writes the pages of a crawl: first to the output and the log, then to the queue.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include <robotrules/crawl.hpp>

namespace robotrules::crawl {

// A URL of the queue with its response, or an exchange of a robots.txt fetch.
struct Page {
  QueueItem item;
  Response response;
  unsigned tries = 1;          // FetchedPage::tries
  bool parks_site = false;     // the response asks for a longer wait than the crawl waits, so the URL is left out
  bool has_turn = false;       // its body did not fit on the disk before: see CrawlLoop::has_turn()
  bool is_robots_txt = false;  // then `item` is empty, and the queue is not told
};

// Thread rule: the crawl's own thread.
class PageWriter {
 public:
  using Clock = std::chrono::steady_clock;

  // All must outlive the writer. `token`: the name by which rules of pages (noindex, noarchive) address the robot.
  PageWriter(PageOutput& output, PageOutput* log, UrlQueue& queue, const CrawlOptions& options, std::string token);

  struct Written {
    CrawlCounts more;  // to be added to the counts of the crawl
    FailureCounts failures;
    std::uint64_t unsettled = 0;  // pages that were written, and are not yet marked in the queue
    std::optional<Error> error;   // the pages after it stay pending
    std::deque<Page> left;        // if the error is "disk-full": the pages that are not written; write them again first
  };
  Written write(std::deque<Page> pages, Timestamp now);

  // Marks the written pages in the queue, and adds their links in the same transaction. The claim must have their
  // sites. If the output is one file, the file is first synced to the disk: the queue must not say "done" of a page
  // that a crash of the machine would lose. After an error it may be called again.
  Result<void> settle(const QueueClaim& claim);
  // Ends what settle() began, also if it failed for good: returns the ids of those pages.
  std::vector<std::int64_t> take_settled();

  // Opens the file of the log again. Precondition: there is a log, and has_unsettled() is false.
  Result<void> reopen_log();
  // Stores the position of the log in the queue.
  Result<void> keep_log_position();

  bool has_log() const noexcept { return log_ != nullptr; }
  bool has_unsettled() const noexcept { return !settled_.empty(); }
  // Returns true if the next settle() adds links.
  bool has_links() const noexcept { return !links_.empty(); }
  // Returns when settle() is due. The longer syncing takes, the less often it is done.
  Clock::time_point settle_at() const noexcept { return unsettled_since_ + settle_every_; }
  bool is_due(Clock::time_point now) const noexcept;
  std::uint64_t output_size() const noexcept { return output_.size(); }

 private:
  Result<void> write(const Page& page, Timestamp now, Written& written);
  bool write_as_too_long(const Page& page, Timestamp now, Written& written);
  bool is_kept_out(const Page& page, Timestamp now) const;
  UrlResult result_of(const Page& page, const FetchedPage& fetched, UrlState state, Timestamp now) const;

  PageOutput& output_;
  PageOutput* log_;
  UrlQueue& queue_;
  const CrawlOptions& options_;
  const std::string token_;
  std::vector<FinishedUrl> settled_;
  std::vector<QueuedUrl> links_;  // of these pages
  // After an error no page is written: output_end_ would move past one that the queue does not have.
  std::optional<Error> failed_;
  Clock::time_point unsettled_since_{};
  Clock::duration settle_every_;
  std::int64_t only_log_missing_ = 0;  // id of the page that is in the output, while the disk of the log is full
  std::int64_t too_long_ = 0;          // id of the page for which the output had no room last
  unsigned too_long_tries_ = 0;        // how often in turn
  std::uint64_t output_end_;           // position after the last page of settled_
  std::uint64_t log_end_;
};

// Returns WARC-Date of the response that has the page: of the earlier result `before`, or of the one that this result
// confirmed by 304. Null: no archive has the page, or its date is not known.
std::optional<Timestamp> page_time(const std::optional<UrlResult>& before);

// Returns the state of a response in the queue.
UrlState state_of(const Response& response) noexcept;

}  // namespace robotrules::crawl
