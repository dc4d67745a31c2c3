#include "sitemap/entries.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/ascii.hpp"
#include "fields/loose_date.hpp"

namespace robotrules {

std::string_view to_string(SitemapKind kind) noexcept {
  switch (kind) {
    case SitemapKind::unknown: return "unknown";
    case SitemapKind::urlset: return "urlset";
    case SitemapKind::index: return "index";
    case SitemapKind::text: return "text";
    case SitemapKind::rss: return "rss";
    case SitemapKind::atom: break;
  }
  return "atom";
}

std::string_view to_string(ChangeFrequency frequency) noexcept {
  switch (frequency) {
    case ChangeFrequency::always: return "always";
    case ChangeFrequency::hourly: return "hourly";
    case ChangeFrequency::daily: return "daily";
    case ChangeFrequency::weekly: return "weekly";
    case ChangeFrequency::monthly: return "monthly";
    case ChangeFrequency::yearly: return "yearly";
    case ChangeFrequency::never: return "never";
    case ChangeFrequency::unknown: break;
  }
  return "unknown";
}

std::string_view to_string(SitemapRepair repair) noexcept {
  switch (repair) {
    case SitemapRepair::none: return "none";
    case SitemapRepair::misplaced: return "misplaced";
    case SitemapRepair::relative: return "relative";
    case SitemapRepair::spaces: return "spaces";
    case SitemapRepair::long_form: break;
  }
  return "long-form";
}

void SitemapCounts::count(SitemapRepair repair) noexcept {
  if (repair != SitemapRepair::none) ++repairs[static_cast<std::size_t>(repair)];
}

std::size_t SitemapCounts::repaired() const noexcept {
  return std::accumulate(repairs.begin(), repairs.end(), std::size_t{0});
}

namespace agent {
namespace {

ChangeFrequency read_frequency(std::string_view text) noexcept {
  for (const ChangeFrequency one :
       {ChangeFrequency::always, ChangeFrequency::hourly, ChangeFrequency::daily, ChangeFrequency::weekly,
        ChangeFrequency::monthly, ChangeFrequency::yearly, ChangeFrequency::never}) {
    if (base::equals_ignore_case(base::trimmed(text), to_string(one))) return one;
  }
  return ChangeFrequency::unknown;
}

// Reads a plain decimal number in 0..1: "0", "0.5", "1.0", ".5".
std::optional<double> read_priority(std::string_view text) noexcept {
  text = base::trimmed(text);
  const std::size_t dot = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, dot);
  const std::string_view fraction = text.substr(std::min(dot + 1, text.size())).substr(0, 9);
  const auto plain = [](std::string_view digits) { return std::all_of(digits.begin(), digits.end(), base::is_digit); };
  if ((whole.empty() && fraction.empty()) || !plain(whole) || !plain(fraction)) return std::nullopt;
  double value = 0;
  for (auto digit = fraction.rbegin(); digit != fraction.rend(); ++digit) value = (value + (*digit - '0')) / 10;
  value += static_cast<double>(base::read_digits(whole, 2).value_or(0));
  return value <= 1 ? std::optional(value) : std::nullopt;
}

}  // namespace

Entries::Entries(std::string_view url, const SitemapOptions& options, SitemapReader::Callback callback)
    : options_(options), callback_(std::move(callback)) {
  if (Result<Url> read = read_url(url, std::string_view::npos)) base_ = std::move(read).value();
}

Result<void> Entries::add(const RawEntry& raw) {
  if (counts.entries >= options_.max_entries) {
    return Error{"sitemap-too-many-entries", "The sitemap has more entries than the limit; the rest is left out."};
  }
  ++counts.entries;
  EntryUrl found;
  if (raw.loc_too_long) {
    found.too_long = true;
  } else {
    const Url& page = raw.base == nullptr ? base_ : *raw.base;
    found = find_entry_url(page, raw.loc, raw.place, options_.max_url_bytes);
    if (found.too_long || found.repair == SitemapRepair::relative) resolved_bytes_ += page.text.size();
  }
  // A long base makes each short entry as long as itself.
  if (resolved_bytes_ > options_.max_bytes) {
    return Error{"sitemap-too-complex", "The relative URLs are longer together than the limit for a sitemap."};
  }
  if (!found.url.empty() && options_.own_host && found.origin.host != base_.origin.host) {
    ++counts.other_host;
    return {};
  }
  if (raw.is_misplaced && !found.url.empty()) found.repair = SitemapRepair::misplaced;
  if (!count_entry(found, counts)) return {};
  SitemapEntry entry;
  entry.loc = found.url;
  entry.found = found.found;
  entry.is_sitemap = raw.is_sitemap;
  entry.repair = found.repair;
  entry.lastmod = parse_loose_date(raw.lastmod);
  entry.changefreq = read_frequency(raw.changefreq);
  entry.priority = read_priority(raw.priority);
  if (callback_) callback_(entry);
  return {};
}

}  // namespace agent
}  // namespace robotrules
