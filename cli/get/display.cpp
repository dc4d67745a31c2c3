#include "cli/get/display.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/escape.hpp"
#include "cli/get/figures.hpp"
#include "cli/io/progress_line.hpp"

namespace robotrules::cli {
namespace {

struct Line {
  std::string text;
  std::optional<Style> style = std::nullopt;
};
using Lines = std::vector<Line>;

constexpr std::size_t max_sites = 5;
constexpr std::size_t side_by_side = 109;  // columns, also all below
constexpr std::size_t between = 4;
constexpr std::size_t before_figure = 2;
constexpr std::size_t min_figure = 9;  // with the space before it
constexpr std::size_t min_name = 8;
constexpr std::size_t min_reasoned_name = 30;      // beside a reason
constexpr std::chrono::seconds min_told_delay{5};  // shorter ones pass before they are read

void append(Lines& to, const Lines& lines) { to.insert(to.end(), lines.begin(), lines.end()); }
void append(Lines& to, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) to.push_back({line});
}

std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

// A site and two figures.
struct SiteRow {
  std::string name;
  std::string first;
  std::string second;
  std::string reason = {};
};

// The first row is the heading.
Lines site_table(const std::vector<SiteRow>& rows, std::size_t columns) {
  std::size_t first = min_figure;
  std::size_t second = min_figure;
  std::size_t reason = 0;
  for (const SiteRow& row : rows) {
    if (!row.reason.empty()) reason = std::max(reason, row.reason.size() + before_figure);
    first = std::max(first, row.first.size() + before_figure);
    second = std::max(second, row.second.size() + before_figure);
  }
  const bool has_figures = columns >= min_name + first + second;
  if (columns < min_reasoned_name + first + second + reason) reason = 0;
  Lines lines;
  for (const SiteRow& row : rows) {
    std::string text = fitted(row.name, has_figures ? columns - first - second - reason : columns);
    if (has_figures) text += right(row.first, first) + right(row.second, second);
    if (reason > 0) text += std::string(before_figure, ' ') + fitted(row.reason, reason - before_figure);
    lines.push_back({std::move(text), lines.empty() ? std::optional(Style::heading) : std::nullopt});
  }
  return lines;
}

Lines busiest_lines(const DisplayState& state, std::size_t columns, std::size_t sites) {
  if (state.busiest.empty() || sites == 0) return {};
  std::vector<SiteRow> rows{{"busiest sites", "done", "to go"}};
  for (const SiteCounts& site : state.busiest) {
    if (rows.size() > sites) break;
    rows.push_back({site.origin, grouped(site.done), grouped(site.pending)});
  }
  return site_table(rows, columns);
}

Lines delayed_lines(const DisplayState& state, std::size_t columns, std::size_t sites) {
  if (state.delayed.empty() || sites == 0) return {};
  std::vector<SiteRow> rows{{"most delayed sites", "to go", "next in"}};
  for (const SiteCounts& site : state.delayed) {
    if (rows.size() > sites) break;
    const auto next = std::chrono::ceil<std::chrono::seconds>(site.next_in);
    rows.push_back({site.origin, grouped(site.pending), duration_text(next)});
    if (site.why != WaitReason::delay) rows.back().reason = wait_text(site.why);
  }
  return site_table(rows, columns);
}

// Returns the number of finished URLs and of all URLs.
std::string first_line(const DisplayState& state, std::size_t columns) {
  const CrawlCounts& counts = state.counts;
  const std::uint64_t all = counts.ended() + counts.pending;
  const std::string of = grouped(counts.ended()) + " of " + grouped(all);
  const std::string more = counts.open ? " URLs so far" : " URLs";
  const std::string left = state.left && !counts.open ? ", " + duration_text(*state.left) + " left" : "";
  const std::size_t percent = counts.open ? 0 : std::string_view("100 %  ").size();
  for (const std::string& what : {of + more + left, of + left}) {
    if (what.size() + percent <= columns) return progress_line(counts.ended(), counts.open ? 0 : all, what, columns);
  }
  return progress_line(counts.ended(), counts.open ? 0 : all, of, columns);
}

Lines site_lines(const DisplayState& state, std::size_t columns, std::size_t rows) {
  Lines lines;
  if (columns >= side_by_side) {
    const std::size_t width = (columns - between) / 2;
    const std::size_t sites = std::min(max_sites, rows < 2 ? 0 : rows - 1);
    Lines left = busiest_lines(state, width, sites);
    const Lines right = delayed_lines(state, width, sites);
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
      Line line = i < left.size() ? left[i] : Line{std::string(width, ' ')};
      if (i < right.size()) line.text += std::string(between, ' ') + right[i].text;
      lines.push_back(std::move(line));
    }
    return lines;
  }
  const bool both = !state.busiest.empty() && !state.delayed.empty() && rows >= 4;
  const std::size_t sites = std::min(max_sites, both ? rows / 2 - 1 : rows < 2 ? 0 : rows - 1);
  append(lines, busiest_lines(state, columns, sites));
  if (both || state.busiest.empty()) append(lines, delayed_lines(state, columns, sites));
  return lines;
}

}  // namespace

std::vector<std::string> count_parts(const CrawlCounts& counts) {
  std::vector<std::string> parts{grouped(counts.done) + " done", grouped(counts.denied) + " denied",
                                 grouped(counts.failed) + " failed"};
  if (counts.cut > 0) parts.push_back(grouped(counts.cut) + " cut");
  parts.push_back(grouped(counts.parked) + " left out");
  parts.push_back(grouped(counts.pending) + " to go");
  return parts;
}

std::string state_text(const DisplayState& state) {
  constexpr std::size_t max_url = 200;
  const CrawlCounts& counts = state.counts;
  std::string text = "after " + duration_text(state.elapsed);
  const auto add = [&text](const std::string& part, const char* before = ", ") { text.append(before).append(part); };
  const char* before = ": ";
  for (const std::string& part : count_parts(counts)) add(part, std::exchange(before, ", "));
  add(grouped(counts.on_the_wire) + " on the wire", "; ");
  add(grouped(counts.waiting) + " waiting");
  add(grouped(counts.sites) + (counts.sites == 1 ? " site" : " sites"));
  add(grouped(counts.retried) + " retried");
  add(rate_text(state.pages_average) + " pages/s on average", "; ");
  add(bytes_text(counts.bytes) + " in all");
  if (counts.open) add("more URLs are read", "; ");
  if (const std::string_view lack = lack_text(counts); !lack.empty()) add(std::string(lack), "; ");
  if (state.left && !counts.open) add(duration_text(*state.left) + " left", "; ");
  if (is_told(state.next_try)) add(next_try_text(*state.next_try, max_url), "; ");
  before = "; most delayed sites: ";
  for (const SiteCounts& site : state.delayed) {
    const auto next = std::chrono::ceil<std::chrono::seconds>(site.next_in);
    const std::string why = site.why == WaitReason::none ? "" : ", " + wait_text(site.why);
    add(base::printable(site.origin) + " (next page in " + duration_text(next) + why + ")",
        std::exchange(before, ", "));
  }
  return text;
}

std::string_view lack_text(const CrawlCounts& counts) noexcept {
  if (counts.disk_full) return "waiting for room on the disk";
  if (counts.proxy_failed) return "waiting for the proxy";
  if (counts.network_failed) return "waiting for the network";
  if (counts.queue_unreachable) return "waiting for the database of the queue";
  return counts.waits_for_workers ? "waiting for sites of other workers" : "";
}

std::string wait_text(WaitReason why) {
  switch (why) {
    case WaitReason::none: return "";
    case WaitReason::delay: return "--delay";
    case WaitReason::crawl_delay: return "Crawl-delay";
    case WaitReason::request_rate: return "Request-rate";
    case WaitReason::adaptive: return "--adaptive";
    case WaitReason::visit_time: return "Visit-time";
    case WaitReason::penalty: return "it asked for a pause";
    case WaitReason::in_flight: return "requests in flight";
    case WaitReason::away: return "it did not answer";
    case WaitReason::just_visited: return "perhaps just visited";
    case WaitReason::store: return "the database is away";
    case WaitReason::robots_txt: return "robots.txt";
    case WaitReason::disk: return "room on the disk";
    case WaitReason::proxy: return "the proxy";
    case WaitReason::network: break;
  }
  return "the network";
}

bool is_told(const std::optional<NextTry>& next) {
  return next && (next->why != WaitReason::delay || next->in >= min_told_delay);
}

std::string next_try_text(const NextTry& next, std::size_t columns) {
  const std::string before = duration_text(std::chrono::ceil<std::chrono::seconds>(next.in)) +
                             (next.why == WaitReason::none ? " until the next try of " : " until the next page of ");
  const std::string after = next.why == WaitReason::none ? "" : " (" + wait_text(next.why) + ")";
  const std::string url = base::printable(next.url);
  return before + fitted(url, std::min(url.size(), columns - std::min(columns, before.size() + after.size()))) + after;
}

std::optional<std::chrono::seconds> time_left(const CrawlCounts& counts, double per_second,
                                              std::chrono::milliseconds slowest_site) {
  if (!lack_text(counts).empty()) return std::nullopt;
  if (counts.pending == 0) return std::chrono::seconds(0);
  const auto of_slowest = std::chrono::ceil<std::chrono::seconds>(slowest_site);
  if (!(per_second > 0)) return of_slowest.count() > 0 ? std::optional(of_slowest) : std::nullopt;
  constexpr double most = 86'400.0 * 36'500;
  const double seconds = std::min(static_cast<double>(counts.pending) / per_second, most);
  const auto at_this_rate = std::chrono::seconds(static_cast<std::int64_t>(std::ceil(seconds)));
  return std::max(at_this_rate, of_slowest);
}

std::string fitted(std::string_view text, std::size_t width) {
  std::string shown(text);
  for (char& c : shown) {
    if (c < ' ' || c > '~') c = '?';
  }
  if (shown.size() > width) {
    constexpr std::string_view dots = "...";
    if (width <= dots.size()) return shown.substr(0, width);
    const std::size_t kept = width - dots.size();
    shown.replace((kept + 1) / 2, shown.size() - kept, dots);
  }
  return shown + std::string(width - shown.size(), ' ');
}

std::vector<std::string> display_lines(const DisplayState& state, std::size_t columns, std::size_t rows,
                                       const Paint& paint) {
  const CrawlCounts& counts = state.counts;
  Lines lines{{first_line(state, columns), Style::heading}};
  if (state.interrupted) lines.push_back({"finishing running requests; Ctrl-C again ends at once", Style::mixed});
  if (const std::string_view lack = lack_text(counts); !lack.empty())
    lines.push_back({std::string(lack), Style::mixed});
  const std::vector<std::string> done = count_parts(counts);
  const std::vector<std::string> fast{
      rate_text(state.pages_now) + " pages/s (" + rate_text(state.pages_average) + " on average)",
      bytes_text(static_cast<std::uint64_t>(std::max(state.bytes_now, 0.0))) + "/s",
      bytes_text(counts.bytes) + " in all"};
  const std::vector<std::string> now{grouped(counts.on_the_wire) + " on the wire", grouped(counts.waiting) + " waiting",
                                     grouped(counts.sites) + (counts.sites == 1 ? " site" : " sites"),
                                     grouped(counts.retried) + " retried", duration_text(state.elapsed) + " gone"};
  for (const auto* parts : {&done, &fast, &now}) append(lines, flow(*parts, "", columns));
  if (is_told(state.next_try)) lines.push_back({next_try_text(*state.next_try, columns)});
  if (lines.size() < rows) append(lines, site_lines(state, columns, rows - lines.size()));
  if (lines.size() > rows) lines.resize(rows);
  std::vector<std::string> shown;
  for (const Line& line : lines) {
    const std::string text = line.text.substr(0, columns);
    shown.push_back(line.style ? paint(*line.style, text) : text);
  }
  return shown;
}

}  // namespace robotrules::cli
