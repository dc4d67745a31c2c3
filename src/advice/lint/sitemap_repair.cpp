// The URLs that a faulty Sitemap line probably means.
#include <algorithm>
#include <array>

#include <robotrules/url.hpp>

#include "advice/lint/repairs.hpp"
#include "base/ascii.hpp"

namespace robotrules::advice {
namespace {

// Returns the URLs of a list that blanks or commas separate, or nothing if a part is not a URL.
std::vector<std::string> listed_urls(std::string_view value) {
  std::vector<std::string> urls;
  for (std::size_t begin = 0; begin < value.size();) {
    const std::size_t end = std::min(value.find_first_of(" \t,;", begin), value.size());
    if (end > begin) urls.emplace_back(value.substr(begin, end - begin));
    begin = end + 1;
  }
  if (urls.size() < 2 || !std::all_of(urls.begin(), urls.end(), is_sitemap_url)) return {};
  return urls;
}

// "https" for "htps" and other slips; empty for any other scheme.
std::string_view intended_scheme(std::string_view typed) {
  constexpr std::array<std::string_view, 8> secure = {"https",  "htps", "htpps",  "hhttps",
                                                      "htttps", "ttps", "httpss", "hhtps"};
  constexpr std::array<std::string_view, 6> plain = {"http", "htp", "hhttp", "htttp", "ttp", "htpp"};
  const std::string lower = base::lower_case(typed);
  if (std::find(secure.begin(), secure.end(), lower) != secure.end()) return "https";
  return std::find(plain.begin(), plain.end(), lower) != plain.end() ? "http" : "";
}

// "https:/a", "https//a", "https: //a", "htps://a" → "https://a"
std::string with_scheme(std::string_view value) {
  const std::size_t letters =
      std::min(static_cast<std::size_t>(std::find_if_not(value.begin(), value.end(), base::is_letter) - value.begin()),
               value.size());
  const std::string_view scheme = intended_scheme(value.substr(0, letters));
  if (scheme.empty()) return {};
  if (value.substr(letters).starts_with(":///")) return {};  // there is no host
  const std::size_t rest = value.find_first_not_of(":/ \t", letters);
  if (rest == std::string_view::npos) return {};
  if (value.substr(letters, rest - letters).find('/') == std::string_view::npos) return {};
  return std::string(scheme) + "://" + std::string(value.substr(rest));
}

bool begins_with_host(std::string_view value) {
  const std::string_view host = value.substr(0, value.find('/'));
  const std::size_t dot = host.rfind('.');
  return base::starts_with_ignore_case(host, "www.") ||
         (host.size() < value.size() && dot != std::string_view::npos && dot != 0 && dot + 1 < host.size());
}

std::string repaired(std::string_view value, std::string_view robots_url) {
  const auto site = Origin::of(robots_url);
  for (std::string scheme = with_scheme(value); !scheme.empty();) {
    const std::size_t second = base::lower_case(scheme).find("http", 1);  // "https://https://a"
    if (second > 8) return scheme;                                        // also npos
    scheme = with_scheme(std::string_view(scheme).substr(second));
  }
  if (value.starts_with("//")) return (site ? site->scheme : "https") + ":" + std::string(value);
  if (value.starts_with('/')) return site ? site->to_string() + std::string(value) : "";
  if (begins_with_host(value)) return "https://" + std::string(value);
  const bool scheme = value.find(':') != std::string_view::npos;
  return site && !scheme && !value.empty() ? site->to_string() + "/" + std::string(value) : "";
}

}  // namespace

bool is_sitemap_url(std::string_view text) {
  if (std::any_of(text.begin(), text.end(), base::is_space)) return false;
  const auto origin = Origin::of(text);
  return origin && origin->host != "http" && origin->host != "https";
}

std::vector<std::string> repair_sitemap(std::string_view value, std::string_view robots_url) {
  constexpr std::string_view around = "<>\"',; \t";
  const std::size_t first = value.find_first_not_of(around);
  if (first == std::string_view::npos) return {};
  value = value.substr(first, value.find_last_not_of(around) - first + 1);
  if (is_sitemap_url(value)) return {std::string(value)};
  if (auto urls = listed_urls(value); !urls.empty()) return urls;
  std::string url = repaired(value, robots_url);
  if (!is_sitemap_url(url)) return {};
  return {std::move(url)};
}

}  // namespace robotrules::advice
