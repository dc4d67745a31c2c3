#include "cli/get/summary.hpp"

#include <algorithm>
#include <utility>

#include "base/escape.hpp"
#include "cli/get/figures.hpp"
#include "cli/io/terminal.hpp"

namespace robotrules::cli {
namespace {

constexpr std::size_t name_width = 11;
constexpr std::size_t figure_width = 12;

class Rows {
 public:
  Rows(std::size_t columns, const Paint& paint) : columns_(columns), paint_(paint) {}

  void add(const std::string& name, const std::string& figure, const std::vector<std::string>& more = {},
           Style style = Style::heading) {
    const std::string after = std::string(name_width - std::min(name_width, name.size()), ' ') +
                              std::string(figure_width - std::min(figure_width, figure.size()), ' ') + figure;
    const std::size_t width = name.size() + after.size();
    std::vector<std::string> beside = flow(more, "   ", columns_ - std::min(columns_, width));
    if (beside.empty()) beside.emplace_back();
    std::string head = paint_(style, name) + after;
    for (const std::string& line : beside) {
      lines_.push_back(head + line);
      head.assign(width, ' ');
    }
  }
  void count(const std::string& name, std::uint64_t number, const std::vector<std::string>& more, Style style) {
    if (number > 0) add(name, grouped(number), more, style);
  }
  void line(std::string text) { lines_.push_back(std::move(text)); }
  std::vector<std::string> take() { return std::move(lines_); }

 private:
  std::size_t columns_;
  const Paint& paint_;
  std::vector<std::string> lines_;
};

std::vector<std::string> class_parts(const CrawlCounts& counts) {
  std::vector<std::string> parts;
  for (std::size_t hundreds = 1; hundreds < counts.by_class.size(); ++hundreds) {
    if (counts.by_class[hundreds] == 0) continue;
    parts.push_back(grouped(counts.by_class[hundreds]) + " with " + std::to_string(hundreds) + "xx");
  }
  if (counts.kept_out > 0) parts.push_back(grouped(counts.kept_out) + " kept out of the output, as the pages ask");
  return parts;
}

// Sorts by number, largest first.
std::vector<std::string> failure_parts(const FailureCounts& failures) {
  std::vector<std::pair<std::string, std::uint64_t>> sorted(failures.begin(), failures.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> parts;
  parts.reserve(sorted.size());
  for (const auto& [why, number] : sorted) parts.push_back(grouped(number) + ' ' + why);
  return parts;
}

std::vector<std::string> left_out_parts(const CrawlCounts& counts) {
  std::vector<std::string> parts{"their sites ask for a longer wait"};
  if (counts.left_out_until) parts.push_back("the first until " + minute_text(*counts.left_out_until));
  return parts;
}

std::vector<std::string> sitemap_parts(const SitemapTotals& sitemaps) {
  std::vector<std::string> parts{"entries"};
  if (sitemaps.repaired > 0) parts.push_back(grouped(sitemaps.repaired) + " repaired");
  if (sitemaps.left_out > 0) parts.push_back(grouped(sitemaps.left_out) + " left out");
  return parts;
}

// Says why this run does not fetch URLs of earlier runs.
std::string before_line(std::uint64_t done, std::uint64_t denied) {
  const std::uint64_t first = done > 0 ? done : denied;
  std::string line = grouped(first) + (first == 1 ? " URL was " : " URLs were ") + (done > 0 ? "done" : "denied");
  if (done > 0 && denied > 0) line += " and " + grouped(denied) + " denied";
  return line + " in earlier runs; --revisit fetches " + (done + denied == 1 ? "it" : "them") + " again.";
}

std::string command_text(const GoOn& go_on, std::string_view option = {}) {
  return base::printable(go_on.command) + std::string(option) +
         (go_on.note.empty() ? "" : " (" + base::printable(go_on.note) + ")");
}

}  // namespace

std::vector<std::string> summary_lines(const SummaryFacts& facts, std::size_t columns, const Paint& paint) {
  const CrawlCounts& counts = facts.counts;
  Rows rows(columns, paint);
  rows.add("fetched", grouped(counts.done), class_parts(counts), counts.done > 0 ? Style::good : Style::heading);
  rows.count("denied", counts.denied, {"by robots.txt"}, Style::mixed);
  rows.count("failed", counts.failed, failure_parts(facts.failures), Style::bad);
  rows.count("cut", counts.cut, {"longer than --max-size"}, Style::bad);
  rows.count("left out", counts.parked, left_out_parts(counts), Style::mixed);
  rows.count("earlier", facts.earlier, {"failed, cut or left out in earlier runs of the job"}, Style::bad);
  rows.count("retried", counts.retried, {"requests that were tried again"}, Style::heading);
  rows.count("recovered", facts.recovered, {"found in the output of a run that was killed"}, Style::heading);
  rows.count("to go", counts.pending, {}, Style::heading);
  const SitemapTotals& sitemaps = facts.sitemaps;
  if (sitemaps.entries + sitemaps.repaired + sitemaps.left_out > 0) {
    rows.add("sitemaps", grouped(sitemaps.entries), sitemap_parts(sitemaps));
  }
  rows.add("received", bytes_text(counts.bytes), {"of bodies"});
  const double seconds = std::chrono::duration<double>(facts.time).count();
  const double rate = seconds > 0 ? static_cast<double>(counts.ended()) / seconds : 0;
  rows.add("time", duration_text(std::chrono::round<std::chrono::seconds>(facts.time)),
           {rate_text(rate) + " pages/s", grouped(counts.sites_seen) + (counts.sites_seen == 1 ? " site" : " sites")});
  if (facts.output != "-") {
    rows.add("output", facts.has_size ? bytes_text(counts.output_size) : "", {base::printable(facts.output)});
  }
  if (!facts.all_read && !facts.go_on.empty()) {
    rows.line("Not all of the input was read. To read and fetch the rest, run the same command line again.");
  } else if (counts.pending > 0) {
    rows.line(facts.go_on.empty() ? "The remaining URLs are not stored; use --db to store them."
                                  : "To fetch the remaining URLs: " + command_text(facts.go_on));
  }
  if (facts.done_before + facts.denied_before > 0) rows.line(before_line(facts.done_before, facts.denied_before));
  if (counts.cut + counts.failed + counts.parked + facts.earlier > 0 && !facts.go_on.empty()) {
    rows.line(retry_hint(facts.go_on));
  }
  return rows.take();
}

std::string retry_hint(const GoOn& go_on) {
  return "To fetch failed, cut and left-out URLs: " + command_text(go_on, " --retry");
}

int status_of(const QueueCounts& urls, bool fails_on_denied) noexcept {
  if (urls.pending > 0) return exit_no;
  if (urls.failed + urls.cut > 0) return exit_incomplete;
  if (urls.parked > 0) return exit_left_out;
  return urls.denied > 0 && fails_on_denied ? exit_no : exit_yes;
}

std::string summary_line(const QueueCounts& counts, const std::string& job) {
  std::string line = job.empty() ? "" : "job " + base::printable(job) + ": ";
  line += grouped(counts.all()) + (counts.all() == 1 ? " URL: " : " URLs: ") + grouped(counts.done) + " fetched";
  const auto add = [&line](std::uint64_t number, const char* what) {
    if (number > 0) line += ", " + grouped(number) + what;
  };
  add(counts.denied, " denied");
  add(counts.failed, " failed");
  add(counts.cut, " cut");
  add(counts.parked, " left out");
  add(counts.pending, " to go");
  return line;
}

}  // namespace robotrules::cli
