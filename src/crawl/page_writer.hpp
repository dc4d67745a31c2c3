// Writes the pages of a crawl: first to the output and the log, then to the queue.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <robotrules/crawl.hpp>

#include "crawl/unsettled_pages.hpp"

namespace robotrules::crawl {

// The most pages and links that one transaction of the queue gets. The links of the last page come on top.
inline constexpr std::size_t max_settled = 1'000;
inline constexpr std::size_t max_links = 100'000;

// A URL of the queue with its response, or an exchange of a robots.txt fetch.
struct Page {
  QueueItem item;
  Response response;
  unsigned tries = 1;          // FetchedPage::tries
  bool parks_site = false;     // the response asks for a longer wait than the crawl waits, so the URL is left out
  bool has_turn = false;       // its body did not fit on the disk before: see SiteLine::has_turn()
  bool is_robots_txt = false;  // then `item` is empty, and the queue is not told
};

// Thread rule: the crawl's own thread.
class PageWriter {
 public:
  using Clock = std::chrono::steady_clock;

  // All must outlive the writer. `token`: the name by which rules of pages (noindex, noarchive) address the robot.
  // `unsettled`: the written pages that settle() does not take before finish(); null: it takes all.
  PageWriter(PageOutput& output, PageOutput* log, UrlQueue& queue, const CrawlOptions& options, std::string token,
             UnsettledPages* unsettled);

  struct Written {
    CrawlCounts more;  // to be added to the counts of the crawl
    FailureCounts failures;
    std::uint64_t unsettled = 0;  // pages that were written, and are not yet marked in the queue
    std::optional<Error> error;   // the pages after it stay pending
    std::deque<Page> left;        // if the error is "disk-full": the pages that are not written; write them again first
  };
  Written write(std::deque<Page> pages, Timestamp now);

  // Ends a page of `unsettled`: the next settle() takes it. Returns its site; null: it was given up.
  std::optional<std::int64_t> finish(UnsettledPages::Settled page);
  // Gives up the pages that are not finished. Returns how many there were.
  std::size_t give_up_unfinished() noexcept;

  // Marks the finished pages in the queue, and adds their links in the same transaction. The claim must have their
  // sites. If the output is one file, the file is first synced to the disk: the queue must not say "done" of a page
  // that a crash of the machine would lose. After an error it may be called again.
  Result<void> settle(const QueueClaim& claim);
  // Ends what settle() began, also if it failed for good: returns the ids of those pages.
  std::vector<std::int64_t> take_settled();

  // Opens the file of the log again. resume() does not find pages that are not finished in the new file, so it leaves
  // them pending. Precondition: there is a log, and has_unsettled() is false.
  Result<void> reopen_log();
  // Stores the positions of output and log in the queue: before the first page, so that resume() finds the pages that
  // follow, and of the log after each settle(). keep_positions() first syncs the output to the disk.
  Result<void> keep_positions();
  Result<void> keep_log_position();

  bool has_log() const noexcept { return log_ != nullptr; }
  // Returns true if there is something for settle().
  bool has_unsettled() const noexcept { return !settled_.empty(); }
  // Returns true if the next settle() adds links.
  bool has_links() const noexcept { return !links_.empty(); }
  // Returns when settle() is due. The longer syncing takes, the less often it is done.
  Clock::time_point settle_at() const noexcept { return unsettled_since_ + settle_every_; }
  bool is_due(Clock::time_point now) const noexcept;
  std::uint64_t output_size() const noexcept { return output_.size(); }

 private:
  // A page that on_page got, and its place.
  struct Unfinished {
    std::int64_t site;
    FinishedUrl result;
    std::vector<QueuedUrl> links;
    std::uint64_t output_begin;  // a position of the output before it, and after all pages before it
    std::uint64_t log_begin;
  };
  std::optional<OutputPosition> position() const;
  Result<void> flush_output();
  void add_to_settled(FinishedUrl result, std::vector<QueuedUrl> links);

  Result<void> write(const Page& page, Timestamp now, Written& written);
  bool write_as_too_long(const Page& page, Timestamp now, Written& written);
  bool is_kept_out(const Page& page, Timestamp now) const;
  UrlResult result_of(const Page& page, const FetchedPage& fetched, UrlState state, Timestamp now) const;

  PageOutput& output_;
  PageOutput* log_;
  UrlQueue& queue_;
  const CrawlOptions& options_;
  const std::string token_;
  UnsettledPages* const unsettled_;
  std::vector<FinishedUrl> settled_;
  std::vector<QueuedUrl> links_;  // of these pages
  // After an error no page is written: output_end_ would move past one that the queue does not have.
  std::optional<Error> failed_;
  Clock::time_point unsettled_since_{};
  Clock::duration settle_every_;
  std::int64_t only_log_missing_ = 0;  // id of the page that is in the output, while the disk of the log is full
  std::int64_t too_long_ = 0;          // id of the page for which the output had no room last
  unsigned too_long_tries_ = 0;        // how often in turn
  std::uint64_t output_end_;           // position after the last page of settled_ and unfinished_
  std::uint64_t log_end_;
  std::map<std::uint64_t, Unfinished> unfinished_;  // by UnsettledPages::add(), so in the order of the file
};

// Returns the state of a response in the queue.
UrlState state_of(const Response& response) noexcept;

}  // namespace robotrules::crawl
