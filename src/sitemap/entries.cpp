#include "sitemap/entries.hpp"

#include <algorithm>
#include <array>
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

void RawEntry::clear() noexcept {
  for (std::string* text : {&loc, &lastmod, &changefreq, &priority}) text->clear();
  loc_too_long = false;
}

Entries::Entries(std::string_view url, const SitemapOptions& options, SitemapReader::Callback callback)
    : options_(options), own_(Origin::of(url)), callback_(std::move(callback)) {}

bool Entries::wanted(std::string_view loc) {
  const bool odd = std::any_of(loc.begin(), loc.end(), [](char c) { return base::is_control(c) || c == ' '; });
  const std::optional<Origin> origin = odd ? std::nullopt : Origin::of(loc);
  if (!origin) {
    ++counts.no_url;
    return false;
  }
  if (options_.own_host && (!own_ || own_->host != origin->host)) {
    ++counts.other_host;
    return false;
  }
  return true;
}

bool Entries::add(const RawEntry& raw, bool is_sitemap) {
  if (counts.entries >= options_.max_entries) return false;
  ++counts.entries;
  const std::string_view loc = base::trimmed(raw.loc);
  if (raw.loc_too_long || loc.size() > options_.max_url_bytes) {
    ++counts.too_long;
    return true;
  }
  if (!wanted(loc)) return true;
  SitemapEntry entry;
  entry.loc = loc;
  entry.is_sitemap = is_sitemap;
  entry.lastmod = parse_loose_date(raw.lastmod);
  entry.changefreq = read_frequency(raw.changefreq);
  entry.priority = read_priority(raw.priority);
  ++counts.given;
  if (callback_) callback_(entry);
  return true;
}

}  // namespace agent
}  // namespace robotrules
