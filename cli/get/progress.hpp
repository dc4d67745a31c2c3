// What people see of a crawl, on standard error.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <robotrules/crawl.hpp>

namespace robotrules::cli {

class CrawlProgress {
 public:
  virtual ~CrawlProgress() = default;
  CrawlProgress(const CrawlProgress&) = delete;
  CrawlProgress& operator=(const CrawlProgress&) = delete;

  // Called some times a second; shows what there is to show when its time has come.
  virtual void update() = 0;
  // The first Ctrl-C, the second.
  virtual void interrupted(int times) = 0;
  // The summary. `recovered`: pages that a run before had written when it was killed.
  virtual void finish(std::uint64_t recovered) = 0;

 protected:
  CrawlProgress() = default;
};

struct ProgressOptions {
  bool quiet = false;
  std::string output = "-";  // as it was given
  bool kept = false;         // the queue is in a database
};

// On a terminal a live display, without one (and where pages go to the same terminal) a line now and then; with `quiet`
// nothing. The crawl must outlive it.
std::unique_ptr<CrawlProgress> make_progress(const Crawl& crawl, ProgressOptions options);

}  // namespace robotrules::cli
