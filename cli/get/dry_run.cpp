#include "cli/get/run.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

#include <robotrules/crawl_urls.hpp>

#include "base/escape.hpp"
#include "cli/get/figures.hpp"
#include "cli/get/messages.hpp"
#include "cli/get/summary.hpp"
#include "cli/io/network.hpp"
#include "cli/io/progress_line.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

using std::chrono::microseconds;

// "1", "0.2", "10.125"
std::string seconds_text(microseconds time) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.3f", std::chrono::duration<double>(time).count());
  std::string trimmed = text.data();
  trimmed.erase(trimmed.find_last_not_of('0') + 1);
  if (trimmed.ends_with('.')) trimmed.pop_back();
  return trimmed;
}

std::string row(const std::string& name, const SiteForecast& forecast, const std::string& delay) {
  return name + '\t' + std::to_string(forecast.allowed) + '\t' + std::to_string(forecast.denied) + '\t' +
         std::to_string(forecast.failed) + '\t' + std::to_string(forecast.left_out) + '\t' + delay + '\t' +
         std::to_string(std::chrono::ceil<std::chrono::seconds>(forecast.time).count()) + '\n';
}

void explain(std::string_view url, const RobotsNote& note, Access access) {
  complain("get", access == Access::disallowed ? denial(url, note)
                                               : base::printable(url) + ": " + base::printable(note.warning) +
                                                     std::string(hint_for(note.cause)));
}

void tell_why_not(const SiteForecast& site, SiteMessages& messages) {
  std::string text = base::printable(site.origin);
  if (site.left_out > 0 && site.allowed > 0) text += ": " + counted(site.left_out, "URL") + " would be left out";
  if (site.left_out > 0 && site.allowed == 0) text += " would be left out";
  text += ": " + base::printable(site.why_not) + std::string(hint_for(site.cause));
  if (site.left_out_until) text += "; it may be asked again from " + minute_text(*site.left_out_until) + " on";
  messages.tell(site.left_out > 0                  ? "left out"
                : site.cause == FailureCause::none ? "failed"
                                                   : to_string(site.cause),
                text);
}

void draw(std::uint64_t asked, std::uint64_t all) {
  const std::string what = grouped(asked) + " of " + grouped(all) + " URLs checked";
  set_footer({progress_line(asked, all, what, std::max<std::size_t>(terminal_size(STDERR_FILENO).columns, 2) - 1)});
}

std::string summary(const Forecast& made) {
  const SiteForecast& sum = made.total;
  std::string text = grouped(sum.urls()) + (sum.urls() == 1 ? " URL of " : " URLs of ") + grouped(made.sites) +
                     (made.sites == 1 ? " site: " : " sites: ") + grouped(sum.allowed) + " would be fetched, " +
                     grouped(sum.denied) + " denied, " + (sum.failed > 0 ? grouped(sum.failed) + " would fail, " : "") +
                     grouped(sum.left_out) + " left out";
  if (sum.allowed > 0) {
    text += "; in " + duration_text(std::chrono::ceil<std::chrono::seconds>(sum.time)) + " at least";
  }
  if (made.longest.time > microseconds(0)) {
    text += ". The slowest site is " + base::printable(made.longest.origin) + ": " + grouped(made.longest.allowed) +
            " pages, " + seconds_text(made.longest.delay) + " s apart";
  }
  return text;
}

// Removes the footer when the run ends, also after an error.
struct Footer {
  Footer() = default;
  ~Footer() { set_footer({}); }
  Footer(const Footer&) = delete;
  Footer& operator=(const Footer&) = delete;
};

}  // namespace

Result<int> dry_run(GetRun& run, const std::function<bool()>& stop) {
  const GetOptions& options = run.options;
  const bool draws = !options.quiet && can_redraw() && ::isatty(STDOUT_FILENO) == 0;
  const Footer footer;
  Output out;
  out << "site\tto fetch\tdenied\tfailed\tleft out\tdelay\tseconds\n";
  ForecastOptions forecasting;
  forecasting.pace = options.robot.pace;
  forecasting.max_wait = options.crawl.max_wait;
  forecasting.max_sites = options.crawl.max_sites;
  forecasting.max_rate = options.crawl.max_rate;
  SiteMessages messages;
  forecasting.on_site = [&out, &messages, quiet = options.quiet](const SiteForecast& site) {
    out << row(base::printable(site.origin), site, seconds_text(site.delay));
    if (!quiet && !site.why_not.empty()) tell_why_not(site, messages);
  };
  if (options.explain) forecasting.on_denied = explain;
  forecasting.on_progress = [&](std::uint64_t asked, std::uint64_t all) {
    if (draws) draw(asked, all);
    return !stop();
  };
  const auto made = forecast(*run.robot, *run.queue, forecasting);
  if (!made) return made.error();
  if (!made.value().complete) return exit_yes;
  out << row("total", made.value().total, "-");
  out.flush();
  set_footer({});
  messages.tell_numbers();
  if (!options.quiet) complain("get", summary(made.value()));
  auto urls = run.queue->counts();
  if (!urls) return urls.error();
  const SiteForecast& sum = made.value().total;
  urls.value().pending = 0;
  urls.value().done += sum.allowed;
  urls.value().denied += sum.denied;
  urls.value().failed += sum.failed;
  urls.value().parked += sum.left_out;
  return status_of(urls.value(), options.fails_on_denied);
}

}  // namespace robotrules::cli
