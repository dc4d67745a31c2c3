#include "cli/get/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "cli/get/display.hpp"
#include "cli/get/figures.hpp"
#include "cli/get/rate_meter.hpp"
#include "cli/get/summary.hpp"
#include "cli/io/terminal.hpp"

namespace robotrules::cli {
namespace {

using Clock = std::chrono::steady_clock;

// The base of all: it keeps the state that they show.
class Told : public CrawlProgress {
 public:
  Told(const Crawl& crawl, ProgressOptions options, Clock::duration every)
      : crawl_(crawl), options_(std::move(options)), every_(every) {}

  void update() override {
    const auto now = Clock::now();
    if (now < next_) return;
    next_ = now + every_;
    look(now);
    show();
  }

  void tell_state() override {
    next_sites_ = begin_;
    look(Clock::now());
    complain("get", state_text(state_));
  }

  void finish(std::uint64_t recovered, bool all_read) override {
    take_away();
    SummaryFacts facts;
    facts.counts = crawl_.counts();
    facts.failures = crawl_.failures();
    facts.time = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin_);
    facts.output = options_.output;
    facts.has_size = facts.counts.output_size > 0;
    facts.go_on = options_.go_on;
    facts.all_read = all_read;
    facts.recovered = recovered;
    facts.earlier = options_.earlier;
    facts.done_before = options_.done_before;
    facts.denied_before = options_.denied_before;
    if (options_.sitemaps) facts.sitemaps = options_.sitemaps();
    std::string text;
    for (const std::string& line : summary_lines(facts, columns(), messages_paint())) text += line + '\n';
    say(text);
  }

 protected:
  static constexpr std::chrono::seconds sites_every{1};
  static constexpr std::size_t sites = 5;

  virtual void show() {}
  virtual void look_at_sites() {
    state_.next_try = crawl_.next_try();
    state_.delayed = crawl_.most_delayed(sites);
    slowest_ = crawl_.slowest();
    for (const SiteCounts& site : state_.delayed) slowest_ = std::max(slowest_, site.left);
  }
  virtual void take_away() {}
  virtual std::size_t columns() const { return 79; }

  const Crawl& crawl_;
  ProgressOptions options_;
  DisplayState state_;
  std::chrono::milliseconds slowest_{0};

 private:
  void look(Clock::time_point now) {
    state_.counts = crawl_.counts();
    pages_.see(now, state_.counts.ended());
    pages_lately_.see(now, state_.counts.ended());
    bytes_.see(now, state_.counts.bytes);
    if (now >= next_sites_) {
      next_sites_ = now + sites_every;
      look_at_sites();
    }
    state_.pages_now = pages_.now();
    state_.pages_average = pages_.average();
    state_.bytes_now = bytes_.now();
    state_.elapsed = std::chrono::duration_cast<std::chrono::seconds>(now - begin_);
    state_.left = time_left(state_.counts, rate_to_come(), slowest_);
  }
  // Returns the rate for the time that is left: that of the last minute, so that a short pause does not change it much.
  // 0: nothing happens but waiting for a site, so only the length of this wait counts.
  double rate_to_come() const {
    const bool only_waits = state_.counts.on_the_wire == 0 && state_.pages_now <= 0 && slowest_.count() > 0;
    if (only_waits) return 0;
    return pages_lately_.now() > 0 ? pages_lately_.now() : state_.pages_average;
  }

  Clock::duration every_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_ = begin_ + every_;
  Clock::time_point next_sites_ = begin_;
  RateMeter pages_{begin_};
  RateMeter pages_lately_{begin_, std::chrono::minutes(1)};
  RateMeter bytes_{begin_};
};

class Silent final : public Told {
 public:
  Silent(const Crawl& crawl, ProgressOptions options) : Told(crawl, std::move(options), {}) {}

  void update() override {}
  void interrupted() override {}
  void finish(std::uint64_t, bool) override {}
};

class Periodic final : public Told {
 public:
  Periodic(const Crawl& crawl, ProgressOptions options) : Told(crawl, std::move(options), every) {}

  void interrupted() override { complain("get", "finishing running requests; interrupt again to end at once"); }

 private:
  static constexpr std::chrono::seconds every{10};
  static constexpr std::size_t max_periodic_line = 200;

  void show() override {
    std::string text;
    for (const std::string& part : count_parts(state_.counts)) text += part + ", ";
    text += rate_text(state_.pages_now) + " pages/s";
    if (const auto lack = lack_text(state_.counts); !lack.empty()) text.append(", ").append(lack);
    if (state_.left && !state_.counts.open) text += ", " + duration_text(*state_.left) + " left";
    if (is_told(state_.next_try)) text += ", " + next_try_text(*state_.next_try, max_periodic_line);
    complain("get", text);
  }
};

class Live final : public Told {
 public:
  Live(const Crawl& crawl, ProgressOptions options) : Told(crawl, std::move(options), every) {}
  ~Live() override { set_footer({}); }

  void interrupted() override {
    state_.interrupted = true;
    draw();
  }

 private:
  static constexpr std::chrono::milliseconds every{200};

  void look_at_sites() override {
    Told::look_at_sites();
    state_.busiest = crawl_.busiest(sites);
  }
  void show() override { draw(); }
  void draw() const {
    const TerminalSize size = terminal_size(STDERR_FILENO);
    set_footer(display_lines(state_, columns(), std::max<std::size_t>(size.rows, 2) - 1, messages_paint()));
  }
  void take_away() override { set_footer({}); }
  // The last column stays free, because some terminals wrap after it.
  std::size_t columns() const override { return std::max<std::size_t>(terminal_size(STDERR_FILENO).columns, 2) - 1; }
};

}  // namespace

std::unique_ptr<CrawlProgress> make_progress(const Crawl& crawl, ProgressOptions options) {
  if (options.quiet) return std::make_unique<Silent>(crawl, std::move(options));
  const bool results_go_there = options.writes_stdout && ::isatty(STDOUT_FILENO) == 1;
  if (can_redraw() && !results_go_there) return std::make_unique<Live>(crawl, std::move(options));
  return std::make_unique<Periodic>(crawl, std::move(options));
}

}  // namespace robotrules::cli
