#include "cli/get/sitemap_input.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <robotrules/crawl.hpp>
#include <robotrules/crawl_urls.hpp>

#include "base/escape.hpp"
#include "cli/get/figures.hpp"
#include "cli/get/job.hpp"
#include "cli/get/messages.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

constexpr std::uint64_t max_told_sitemaps = 10;
constexpr unsigned max_doublings = 6;  // of the wait for the proxy, as in the crawl

using Parts = std::vector<std::string>;

void add_part(Parts& parts, std::uint64_t number, std::string_view what) {
  if (number > 0) parts.push_back(grouped(number) + ' ' + std::string(what));
}

std::string in_brackets(const Parts& parts) { return parts.empty() ? "" : " (" + listed(parts) + ")"; }

Parts kinds_repaired(const SitemapCounts& counts) {
  Parts parts;
  add_part(parts, counts.of(SitemapRepair::misplaced), "not where the format wants them");
  add_part(parts, counts.of(SitemapRepair::relative), "relative");
  add_part(parts, counts.of(SitemapRepair::spaces), "with spaces");
  add_part(parts, counts.of(SitemapRepair::long_form), "too long as written");
  return parts;
}

Parts kinds_left_out(const SitemapCounts& counts, std::uint64_t other_hosts, std::uint64_t nested) {
  Parts parts;
  add_part(parts, counts.no_url, "without an http URL");
  add_part(parts, counts.too_long, "too long");
  add_part(parts, counts.other_host + other_hosts, "of other hosts");
  add_part(parts, nested, "that are sitemaps of a sitemap of an index");
  return parts;
}

std::string entries(std::uint64_t number) { return grouped(number) + (number == 1 ? " entry is " : " entries are "); }

}  // namespace

SitemapInput::SitemapInput(RobotUA& robot, UrlQueue& queue, const InputOptions& input, const Settings& settings,
                           const std::atomic<bool>& stop, std::function<bool(std::string_view url)> add,
                           std::function<bool(std::chrono::milliseconds)> wait)
    : robot_(robot),
      queue_(queue),
      input_(input),
      settings_(settings),
      stop_(stop),
      add_(std::move(add)),
      wait_(std::move(wait)) {}

// Each source once: several operands may be of one site.
void SitemapInput::collect() {
  std::set<std::string> known;
  std::set<std::string> known_sites;
  for (const std::string& url : input_.sitemap_urls) {
    if (known.insert(url).second) sources_.push_back({url});
  }
  if (!input_.sitemaps) return;
  for (const std::string& operand : input_.operands) {
    const auto url = read_url_line(operand);
    const auto origin = url ? Origin::of(url.value().url) : std::nullopt;
    if (origin && known_sites.insert(origin->to_string()).second) sources_.push_back({origin->to_string(), true});
  }
}

bool SitemapInput::read() {
  collect();
  while (!sources_.empty()) {
    Source source = std::move(sources_.front());
    sources_.pop_front();
    switch (read(source)) {
      case End::read: put_off_in_turn_ = 0; break;
      case End::put_off: sources_.push_back(std::move(source)); break;
      case End::ended: return false;
    }
  }
  tell_totals();
  messages_.tell_numbers();
  return true;
}

SitemapInput::End SitemapInput::read(Source& source) {
  put_off_ = false;
  const auto tried = source.is_site ? has_tried_sitemap_xml(queue_, source.where) : Result<bool>(false);
  if (!tried) {
    complain("get", base::printable(tried.error().message));
    complete_ = false;
  }
  SitemapFetchOptions fetching;
  fetching.any_host = input_.sitemap_any_host;
  fetching.max_tries = settings_.max_tries;
  fetching.guess = source.is_site && tried && !tried.value();
  fetching.is_stopped = [this] { return stop_.load() || put_off_; };
  fetching.on_proxy_failed = [&](std::string_view url, std::string_view sentence) {
    return repeats(source, url, sentence);
  };
  const auto found = fetch_sitemaps(robot_, source.where, fetching, [this](const SitemapEntry& entry) {
    added_all_ = add_(entry.as_found());
    return added_all_ && !stop_;
  });
  if (put_off_ && !stop_) return End::put_off;
  if (!found) {
    messages_.tell(found.error().code, printable_url(source.where) + ": " + base::printable(found.error().message));
    complete_ = false;
  } else {
    tell(source, found.value());
    const bool is_known = tried && tried.value() && found.value().named.entries == 0;
    if (is_known && !settings_.quiet) {
      messages_.tell("none named, and tried before",
                     printable_url(source.where) +
                         "/robots.txt names no sitemap, and this job has tried /sitemap.xml before; --sitemap reads it "
                         "again");
    }
  }
  return added_all_ && !stop_ ? End::read : End::ended;
}

// Returns a number that grows when a server has answered: the proxy works.
std::uint64_t SitemapInput::served() const {
  const RobotsFetches fetches = robot_.robots_fetches();
  return fetches.rules + fetches.unavailable + answers_;
}

// The proxy has failed for this source. Returns true if the request is to be made again.
bool SitemapInput::repeats(Source& source, std::string_view url, std::string_view sentence) {
  const std::uint64_t now = served();
  if (source.failed_url != url) {  // it has served the requests before this one
    source.failed_url = url;
    source.served_before = now;
    source.tries = 0;
  }
  if (now > source.served_before && ++source.tries >= settings_.max_tries) return false;
  if (put_off_in_turn_ < sources_.size()) {
    ++put_off_in_turn_;
    put_off_ = true;
    return false;
  }
  put_off_in_turn_ = 0;
  if (waits_in_turn_ == 0) {
    tell_proxy(std::string(sentence) + "; reading sitemaps waits until it can use the proxy");
  }
  return wait_(settings_.proxy_wait * (1U << std::min(waits_in_turn_++, max_doublings)));
}

void SitemapInput::tell(const Source& source, const FetchedSitemaps& found) {
  const auto answered = static_cast<std::uint64_t>(
      std::ranges::count_if(found.sitemaps, [](const FetchedSitemap& sitemap) { return sitemap.status != 0; }));
  answers_ += answered;
  if (answered > 0 && std::exchange(waits_in_turn_, 0U) > 0) tell_proxy("");
  tell_named(source.where, found.named);
  for (const FetchedSitemap& sitemap : found.sitemaps) {
    totals_.entries += sitemap.counts.entries;
    tell_entries(sitemap);
    if (found.guessed && !sitemap.index) {
      tell_guess(source.where, sitemap);
    } else {
      tell_sitemap(sitemap);
    }
  }
  if (found.beyond_limits > 0) {
    complain("get", printable_url(source.where) + ": " + counted(found.beyond_limits, "sitemap") +
                        " beyond the limits on their number and on the length of their URLs " +
                        (found.beyond_limits == 1 ? "is" : "are") + " left out");
    complete_ = false;
  }
}

// The Sitemap lines of a robots.txt.
void SitemapInput::tell_named(const std::string& site, const SitemapCounts& named) {
  totals_.repaired += named.repaired();
  totals_.left_out += named.left_out();
  if (settings_.quiet) return;
  const std::string where = printable_url(site) + "/robots.txt: ";
  if (named.repaired() > 0) {
    complain("get", where + counted(named.repaired(), "Sitemap line") + (named.repaired() == 1 ? " is" : " are") +
                        " repaired" + in_brackets(kinds_repaired(named)));
  }
  if (named.left_out() > 0) {
    complain("get", where + counted(named.left_out(), "Sitemap line") + (named.left_out() == 1 ? " is" : " are") +
                        " left out" + in_brackets(kinds_left_out(named, 0, 0)));
  }
}

// robots.txt does not promise this sitemap, so it is not a fault if there is none.
void SitemapInput::tell_guess(const std::string& site, const FetchedSitemap& sitemap) {
  if (stop_) return;
  const bool is_settled = sitemap.error.empty() || sitemap.error == "sitemap-unknown-format" ||
                          (sitemap.error == "sitemap-not-fetched" && !sitemap.may_pass);
  if (is_settled && settings_.keeps_tries) {
    if (const auto kept = keep_tried_sitemap_xml(queue_, site); !kept) {
      complain("get", base::printable(kept.error().message));
      complete_ = false;
    }
  }
  if (!is_settled) complete_ = false;
  if (settings_.quiet && is_settled) return;
  const std::string said = printable_url(site) + "/robots.txt names no sitemap, so " + printable_url(sitemap.url);
  if (sitemap.error.empty()) {
    messages_.tell("none named, and found", said + " was tried: it lists " + counted(sitemap.counts.entries, "URL"));
  } else {
    messages_.tell("none named, and none found", said + " was tried: " + base::printable(sitemap.message));
  }
}

void SitemapInput::tell_sitemap(const FetchedSitemap& sitemap) {
  if (sitemap.error.empty() || stop_) return;
  messages_.tell(sitemap.error, "the sitemap " + printable_url(sitemap.url) + ": " + base::printable(sitemap.message));
  complete_ = false;
}

void SitemapInput::tell_entries(const FetchedSitemap& sitemap) {
  const SitemapCounts& counts = sitemap.counts;
  const std::uint64_t repaired = counts.repaired();
  const std::uint64_t left_out = sitemap.left_out();
  if (repaired + left_out == 0) return;
  totals_.repaired += repaired;
  totals_.left_out += left_out;
  all_.no_url += counts.no_url;
  all_.too_long += counts.too_long;
  for (std::size_t i = 0; i < counts.repairs.size(); ++i) all_.repairs[i] += counts.repairs[i];
  other_hosts_ += sitemap.other_hosts;
  nested_ += sitemap.nested;
  if (settings_.quiet || ++told_of_ > max_told_sitemaps) return;
  const std::string name = "the sitemap " + printable_url(sitemap.url);
  if (sitemap.other_hosts > 0) {
    complain("get", name + " lists " + counted(sitemap.other_hosts, "URL") +
                        " of other hosts, which are left out; --sitemap-any-host fetches them");
  }
  if (repaired > 0) complain("get", name + ": " + entries(repaired) + "repaired" + in_brackets(kinds_repaired(counts)));
  if (left_out > sitemap.other_hosts) {
    complain("get", name + ": " + entries(left_out - sitemap.other_hosts) + "left out" +
                        in_brackets(kinds_left_out(counts, 0, sitemap.nested)));
  }
  if (told_of_ == max_told_sitemaps) {
    complain("get", "entries of further sitemaps that are repaired or left out are counted but not reported");
  }
}

void SitemapInput::tell_totals() const {
  if (settings_.quiet || told_of_ <= max_told_sitemaps) return;
  complain("get", "the sitemaps: " + entries(all_.repaired()) + "repaired" + in_brackets(kinds_repaired(all_)) + ", " +
                      entries(all_.left_out() + other_hosts_ + nested_) + "left out" +
                      in_brackets(kinds_left_out(all_, other_hosts_, nested_)) + " in all");
}

}  // namespace robotrules::cli
