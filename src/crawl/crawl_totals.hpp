// The counts of a crawl.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <robotrules/crawl.hpp>

#include "crawl/page_writer.hpp"

namespace robotrules::crawl {

class CrawlTotals {
 public:
  // Counts a response and the redirects and challenges before it.
  void count_responses(const Response& last);
  void count_retry() noexcept { ++counts_.retried; }
  // Counts a site once, even if it is claimed several times.
  void count_site(std::int64_t id);
  // A site is left out until then; null: not known.
  void note_left_out(std::optional<Timestamp> until);

  // Pages were written. They are pending in the queue until they are settled or given up.
  void count_written(const PageWriter::Written& written);
  void settled(std::uint64_t pages) noexcept;
  void give_up_unsettled() noexcept { unsettled_ = 0; }
  void note_output_size(std::uint64_t size) noexcept { counts_.output_size = size; }

  // `pending`: of the queue. Pages that are written count as done already.
  CrawlCounts counts(std::uint64_t pending) const;
  const FailureCounts& failures() const noexcept { return failures_; }

 private:
  CrawlCounts counts_;
  FailureCounts failures_;
  std::uint64_t unsettled_ = 0;  // in counts_, and still pending in the queue
  std::vector<bool> seen_;       // by the id of a site
};

}  // namespace robotrules::crawl
