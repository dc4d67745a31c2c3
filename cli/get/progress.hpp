// What people see of a crawl, on standard error.
#pragma once

#include <cstdint>
#include <memory>

#include "cli/get/crawl.hpp"

namespace robotrules::cli {

class Progress {
 public:
  virtual ~Progress() = default;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Called some times a second; shows what there is to show when its time has come.
  virtual void update() = 0;
  // The first Ctrl-C, the second.
  virtual void interrupted(int times) = 0;
  // The summary. `recovered`: pages that a run before had written when it was killed.
  virtual void finish(std::uint64_t recovered) = 0;

 protected:
  Progress() = default;
};

// On a terminal a live display, without one a line now and then; with `quiet` nothing. The crawl must outlive it.
std::unique_ptr<Progress> make_progress(const Crawl& crawl, bool quiet);

}  // namespace robotrules::cli
