#include "sitemap/entry_url.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "base/host_name.hpp"

namespace robotrules::agent {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";
constexpr std::size_t any = std::string_view::npos;  // no limit: the length counts only when all is resolved

bool is_line_end_or_tab(char c) noexcept { return c == '\t' || c == '\n' || c == '\r'; }

// Returns the scheme with its colon; empty if there is none (RFC 3986 section 3.1).
std::string_view scheme_of(std::string_view url) noexcept {
  const std::size_t colon = url.find_first_of(":/?#");
  if (colon == std::string_view::npos || url[colon] != ':' || !base::is_letter(url.front())) return {};
  const auto is_of_scheme = [](char c) {
    return base::is_letter(c) || base::is_digit(c) || c == '+' || c == '-' || c == '.';
  };
  const std::string_view scheme = url.substr(0, colon + 1);
  return std::all_of(scheme.begin(), scheme.end() - 1, is_of_scheme) ? scheme : std::string_view();
}

bool is_absolute(std::string_view url) noexcept {
  return base::starts_with_ignore_case(url, "http://") || base::starts_with_ignore_case(url, "https://");
}

// Returns the URL with a scheme if it begins with the host of `page` and has none.
std::string with_scheme(const Url& page, std::string_view url) {
  if (!base::begins_with_host_name(url)) return {};
  std::string full = page.origin.scheme + "://";
  full += url;
  const auto origin = Origin::of(full);
  return origin && origin->host == page.origin.host ? full : std::string();
}

}  // namespace

EntryUrl find_entry_url(const Url& page, std::string_view written, EntryPlace place, std::size_t max_bytes) {
  EntryUrl found;
  written = base::trimmed(written);
  std::string url(written);
  std::erase_if(url, is_line_end_or_tab);
  if (url.empty() || url.front() == '#' || std::any_of(url.begin(), url.end(), base::is_control)) return found;
  if (url.find(replacement) != std::string::npos) return found;
  const bool has_space = url.find(' ') != std::string::npos;
  const std::string with_own_host = is_absolute(url) ? std::string() : with_scheme(page, url);
  const bool is_relative = !is_absolute(url) && with_own_host.empty();
  if (is_relative ? !scheme_of(url).empty() : with_own_host.empty() && !Origin::of(url)) return found;
  if (is_relative && place == EntryPlace::text && (!url.starts_with('/') || has_space)) return found;

  Result<Url> read =
      is_relative ? resolve_url(page, url, any) : read_url(with_own_host.empty() ? url : with_own_host, any);
  if (!read) return found;
  found.too_long = std::max(read.value().text.size(), read.value().found.size()) > max_bytes;
  if (found.too_long) return found;
  if (is_relative || !with_own_host.empty()) {
    found.repair = SitemapRepair::relative;
  } else if (has_space || url.size() != written.size()) {
    found.repair = SitemapRepair::spaces;
  } else if (written.size() > max_bytes) {
    found.repair = SitemapRepair::long_form;
  }
  found.origin = std::move(read.value().origin);
  if (found.repair == SitemapRepair::none) {
    found.url = std::move(url);
    return found;
  }
  found.url = std::move(read.value().text);
  found.found = std::move(read.value().found);
  return found;
}

bool count_entry(const EntryUrl& found, SitemapCounts& counts) {
  if (found.url.empty()) {
    ++(found.too_long ? counts.too_long : counts.no_url);
    return false;
  }
  ++counts.given;
  counts.count(found.repair);
  return true;
}

}  // namespace robotrules::agent
