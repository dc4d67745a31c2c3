#include "cli/get/progress.hpp"

#include <unistd.h>

#include "cli/terminal.hpp"

namespace robotrules::cli {
namespace {

using Clock = std::chrono::steady_clock;

class Silent final : public Progress {
 public:
  void update() override {}
  void interrupted(int) override {}
  void finish(std::uint64_t) override {}
};

class Lines final : public Progress {
 public:
  explicit Lines(const Crawl& crawl) : crawl_(crawl) {}
  void update() override {
    const auto now = Clock::now();
    if (now < next_) return;
    next_ = now + every;
    say(crawl_.counts());
  }
  void interrupted(int times) override {
    complain("get", times == 1 ? "finishing what is on the wire; interrupt again to end at once" : "ending");
  }
  void finish(std::uint64_t recovered) override {
    if (recovered > 0) complain("get", std::to_string(recovered) + " pages were found in the output of a run before");
    say(crawl_.counts());
  }

 private:
  static constexpr std::chrono::seconds every{10};
  static void say(const CrawlCounts& counts) {
    complain("get", std::to_string(counts.done) + " done, " + std::to_string(counts.denied) + " denied, " +
                        std::to_string(counts.failed) + " failed, " + std::to_string(counts.parked) + " left out, " +
                        std::to_string(counts.pending) + " to go");
  }
  const Crawl& crawl_;
  Clock::time_point next_ = Clock::now() + every;
};

}  // namespace

std::unique_ptr<Progress> make_progress(const Crawl& crawl, bool quiet) {
  if (quiet) return std::make_unique<Silent>();
  return std::make_unique<Lines>(crawl);
}

}  // namespace robotrules::cli
