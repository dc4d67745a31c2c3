#include "cli/get/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "cli/get/figures.hpp"
#include "cli/io/terminal.hpp"

namespace robotrules::cli {
namespace {

constexpr std::chrono::milliseconds live_every{200};
constexpr std::chrono::seconds periodic_every{10};
constexpr std::chrono::seconds sites_every{1};
constexpr std::size_t max_told_sites = 5;
constexpr std::size_t max_periodic_line = 200;

}  // namespace

CrawlProgress::CrawlProgress(const Crawl& crawl, bool quiet, bool writes_stdout, SummaryFacts known)
    : crawl_(crawl), facts_(std::move(known)) {
  const bool results_go_there = writes_stdout && ::isatty(STDOUT_FILENO) == 1;
  const bool is_live = can_redraw() && !results_go_there;
  form_ = quiet ? Form::silent : is_live ? Form::live : Form::periodic;
  every_ = is_live ? Clock::duration(live_every) : periodic_every;
  next_ = begin_ + every_;
}

void CrawlProgress::update() {
  const auto now = Clock::now();
  if (form_ == Form::silent || now < next_) return;
  next_ = now + every_;
  look(now);
  form_ == Form::live ? draw() : tell_line();
}

void CrawlProgress::tell_state() {
  next_sites_ = begin_;
  look(Clock::now());
  complain("get", state_text(state_));
}

void CrawlProgress::interrupted() {
  if (form_ == Form::periodic) complain("get", "finishing running requests; interrupt again to end at once");
  if (form_ != Form::live) return;
  state_.interrupted = true;
  draw();
}

void CrawlProgress::finish(std::uint64_t recovered, bool all_read, const SitemapTotals& sitemaps) {
  if (form_ == Form::silent) return;
  take_away();
  facts_.counts = crawl_.counts();
  facts_.failures = crawl_.failures();
  facts_.time = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin_);
  facts_.has_size = facts_.counts.output_size > 0;
  facts_.all_read = all_read;
  facts_.recovered = recovered;
  facts_.sitemaps = sitemaps;
  std::string text;
  for (const std::string& line : summary_lines(facts_, columns(), messages_paint())) text += line + '\n';
  say(text);
}

void CrawlProgress::look(Clock::time_point now) {
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

void CrawlProgress::look_at_sites() {
  state_.next_try = crawl_.next_try();
  state_.delayed = crawl_.most_delayed(max_told_sites);
  slowest_ = crawl_.slowest();
  for (const SiteCounts& site : state_.delayed) slowest_ = std::max(slowest_, site.left);
  if (form_ == Form::live) state_.busiest = crawl_.busiest(max_told_sites);
}

// Returns the rate for the time that is left: that of the last minute, so that a short pause does not change it much.
// 0: nothing happens but waiting for a site, so only the length of this wait counts.
double CrawlProgress::rate_to_come() const {
  const bool only_waits = state_.counts.on_the_wire == 0 && state_.pages_now <= 0 && slowest_.count() > 0;
  if (only_waits) return 0;
  return pages_lately_.now() > 0 ? pages_lately_.now() : state_.pages_average;
}

void CrawlProgress::tell_line() const {
  std::string text;
  for (const std::string& part : count_parts(state_.counts)) text += part + ", ";
  text += rate_text(state_.pages_now) + " pages/s";
  if (const auto lack = lack_text(state_.counts); !lack.empty()) text.append(", ").append(lack);
  if (state_.left && !state_.counts.open) text += ", " + duration_text(*state_.left) + " left";
  if (is_told(state_.next_try)) text += ", " + next_try_text(*state_.next_try, max_periodic_line);
  complain("get", text);
}

void CrawlProgress::draw() const {
  const TerminalSize size = terminal_size(STDERR_FILENO);
  set_footer(display_lines(state_, columns(), std::max<std::size_t>(size.rows, 2) - 1, messages_paint()));
}

void CrawlProgress::take_away() const {
  if (form_ == Form::live) set_footer({});
}

// The last column of a terminal stays free, because some terminals wrap after it.
std::size_t CrawlProgress::columns() const {
  return form_ == Form::live ? std::max<std::size_t>(terminal_size(STDERR_FILENO).columns, 2) - 1 : 79;
}

}  // namespace robotrules::cli
