#include "advice/lint/repairs.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <robotrules/url.hpp>

#include "advice/lint/findings.hpp"
#include "advice/lint/lint_names.hpp"
#include "base/ascii.hpp"

namespace robotrules::advice {
namespace {

constexpr std::string_view none_of_it = "Write a path that begins with \"/\".";

std::string without_www(std::string_view host) {
  std::string lower = base::lower_case(host);
  if (lower.starts_with("www.")) lower.erase(0, 4);
  return lower;
}

bool is_file_ending(std::string_view label) {
  constexpr std::array<std::string_view, 32> endings = {"php", "html", "htm",  "asp", "aspx", "jsp",   "cgi",    "pl",
                                                        "xml", "pdf",  "txt",  "js",  "css",  "json",  "jpg",    "jpeg",
                                                        "png", "gif",  "svg",  "do",  "cfm",  "shtml", "phtml",  "php5",
                                                        "zip", "doc",  "docx", "xls", "ashx", "axd",   "action", "py"};
  return std::find(endings.begin(), endings.end(), base::lower_case(label)) != endings.end();
}

// Returns the host that `value` begins with ("www.example.org" of "www.example.org/a"), or nothing.
std::string_view leading_host(std::string_view value) {
  const std::size_t slash = value.find('/');
  const std::string_view host = value.substr(0, slash);
  const std::size_t dot = host.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || host.front() == '.') return {};
  if (!std::all_of(host.begin(), host.end(),
                   [](char c) { return base::is_letter(c) || base::is_digit(c) || c == '-' || c == '.'; })) {
    return {};
  }
  if (host.find_first_not_of("0123456789.") == std::string_view::npos &&
      std::count(host.begin(), host.end(), '.') == 3) {
    return host;
  }
  const std::string_view last = host.substr(dot + 1);
  if (last.size() < 2 || !std::all_of(last.begin(), last.end(), base::is_letter) || is_file_ending(last)) return {};
  const bool usual = last == "com" || last == "org" || last == "net" || base::starts_with_ignore_case(host, "www.");
  return slash != std::string_view::npos || usual ? host : std::string_view();
}

// "about", "login_page": a folder, a file or the beginning of several.
bool is_word(std::string_view value) {
  return std::all_of(value.begin(), value.end(),
                     [](char c) { return base::is_letter(c) || base::is_digit(c) || c == '-' || c == '_'; });
}

// The repair of a rule for a host.
PathRepair without_host(std::string_view host, std::string_view path, const OwnHosts& site,
                        std::string_view delete_line) {
  const std::string belongs = filled({"the rule belongs in the robots.txt of {}", {quote(host)}});
  if (matches_everything(path)) {
    return {"", filled({"If {} is another site, {}; here {} alone would be a rule for every URL of this site.",
                        {quote(host), belongs, quote(path)}})};
  }
  if (site.contains(host)) {
    const bool word = path.find_first_of("?*$") == std::string_view::npos && is_word(path.substr(path.rfind('/') + 1));
    std::string remedy = filled({"Write the path alone: {}.", {quote(path)}});
    if (word && !path.ends_with('/')) {
      remedy += filled({" It also matches longer names, such as {}.", {quote(std::string(path) + "-2")}});
    }
    return {std::string(path), remedy};
  }
  return {"",
          filled({"If {} is this site, write the path alone: {}. If not, {}: only the robots.txt of {} counts there.",
                  {quote(host), quote(path), delete_line, quote(host)}}),
          true};
}

// Straight, typographic and angled quotes.
constexpr std::array<std::string_view, 9> quotes = {
    "\"", "'", "\xE2\x80\x9C", "\xE2\x80\x9D", "\xE2\x80\x9E", "\xE2\x80\x98", "\xE2\x80\x99", "\xC2\xAB", "\xC2\xBB"};

std::string_view without_quotes(std::string_view value) {
  for (const std::string_view quote : quotes) {
    if (value.starts_with(quote)) value.remove_prefix(quote.size());
    if (value.ends_with(quote)) value.remove_suffix(quote.size());
  }
  return base::trimmed(value);
}

PathRepair unquoted(std::string_view value, const OwnHosts& site, std::string_view delete_line) {
  const std::string_view inner = without_quotes(value);
  if (inner.empty() || begins_with_quote(inner)) return {"", std::string(none_of_it)};
  if (matches_everything(inner)) {
    return {"",
            filled({"Write the path without quotes; {} alone is a rule for every URL of this site.", {quote(inner)}})};
  }
  if (inner.front() != '/' && inner.front() != '*') return repair_path(inner, site, delete_line);
  return {std::string(inner), filled({"Write {}, without quotes around it.", {quote(inner)}})};
}

// "/*" before a part of a URL: a file name's end, a query, a parameter.
PathRepair anywhere(std::string_view part) {
  while (part.ends_with('*')) part.remove_suffix(1);
  const std::string path = filled({"/*{}", {part}});
  const bool ends = part.ends_with('$');
  if (ends) part.remove_suffix(1);
  return {path, filled({"Write {}, which matches every URL that {}{}.",
                        {quote(path), ends ? "ends in " : "contains ", quote(part)}})};
}

// ".pdf" and ".pdf$", but not ".git" and the like, which are names of hidden files.
bool is_ending(std::string_view value) {
  if (value.front() != '.') return false;
  std::string_view name = value.substr(1);
  if (name.ends_with('$')) name.remove_suffix(1);
  while (name.ends_with('*')) name.remove_suffix(1);
  return is_file_ending(name);
}

// "utm_source=", "sid=*"
bool is_parameter(std::string_view value) {
  const std::size_t equals = value.find('=');
  if (equals == std::string_view::npos || equals == 0) return false;
  return std::all_of(value.begin(), value.begin() + static_cast<std::ptrdiff_t>(equals), [](char c) {
    return base::is_letter(c) || base::is_digit(c) || c == '_' || c == '-' || c == '.' || c == '[' || c == ']';
  });
}

// "static.example", "secure.*": probably the beginning of a host's name.
bool looks_like_label(std::string_view value) {
  const std::size_t dot = value.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || value.find_first_of("/?=&;$") != std::string_view::npos)
    return false;
  const std::string_view last = value.substr(dot + 1);
  return last == "*" || (is_word(last) && !is_file_ending(last));
}

bool is_word_for_all_or_none(std::string_view value) {
  constexpr std::array<std::string_view, 5> words = {"none", "nothing", "all", "everything", "any"};
  return std::find(words.begin(), words.end(), base::lower_case(value)) != words.end();
}

}  // namespace

void OwnHosts::add(std::string_view url) {
  if (const auto origin = Origin::of(url)) hosts_.insert(without_www(origin->host));
}

bool OwnHosts::contains(std::string_view host) const { return hosts_.contains(without_www(host)); }

bool matches_everything(std::string_view path) noexcept {
  if (path.ends_with("*$")) path.remove_suffix(1);
  const std::size_t size = path.size();
  while (path.starts_with('*')) path.remove_prefix(1);
  if (path.starts_with('/')) path.remove_prefix(1);
  while (path.starts_with('*')) path.remove_prefix(1);
  return path.empty() && size != 0;
}

PathRepair repair_url_rule(std::string_view url, const OwnHosts& site, std::string_view delete_line) {
  const auto origin = Origin::of(url);
  if (!origin) return {"", "Write the path alone."};
  const std::size_t path = url.find_first_of("/?", url.find("//") + 2);
  if (path != std::string_view::npos && url[path] == '?') return {"", "Write the path alone."};
  return without_host(origin->host, path == std::string_view::npos ? "/" : url.substr(path), site, delete_line);
}

bool begins_with_quote(std::string_view value) noexcept {
  return std::any_of(quotes.begin(), quotes.end(), [&](auto quote) { return value.starts_with(quote); });
}

PathRepair repair_path(std::string_view value, const OwnHosts& site, std::string_view delete_line) {
  if (begins_with_quote(value)) return unquoted(value, site, delete_line);
  if (std::any_of(value.begin(), value.end(), base::is_space)) return {"", std::string(none_of_it)};
  if (is_common_name(value.substr(0, value.find(':')))) return {"", std::string(none_of_it)};
  if (is_word_for_all_or_none(value)) {
    return {"", "Write \"Disallow:\" to allow everything, or \"Disallow: /\" to close the whole site."};
  }
  if (const std::string_view host = leading_host(value); !host.empty()) {
    return without_host(host, value.size() == host.size() ? "/" : value.substr(host.size()), site, delete_line);
  }
  if (is_ending(value)) return anywhere(value);
  if (value.find_first_of("?&;") == 0 && value.find_first_not_of("?&;=*$") != std::string_view::npos) {
    return anywhere(value);
  }
  if (is_parameter(value)) return anywhere(value);
  if (is_word(value)) {
    return {"", filled({"Write {} for the folder; {} also matches longer names, such as {}.",
                        {quote("/" + std::string(value) + "/"), quote("/" + std::string(value)),
                         quote("/" + std::string(value) + "-2")}})};
  }
  if (looks_like_label(value)) {
    return {"", filled({"If this is a host, {}: a robots.txt is for one host only. If it is a path, write {}.",
                        {delete_line, quote("/" + std::string(value))}})};
  }
  std::string path = filled({"/{}", {value}});
  const std::size_t start = value.find_first_not_of(":.=");
  if (start != std::string_view::npos && start != 0 && value[start] == '/') path = value.substr(start);
  if (value.front() == '\\') {
    path = value;
    std::replace(path.begin(), path.end(), '\\', '/');
  }
  if (matches_everything(path) || path.starts_with("//")) return {"", std::string(none_of_it)};
  return {path, filled({"Write {}.", {quote(path)}})};
}

bool looks_like_regular_expression(std::string_view value) noexcept {
  if (value.starts_with('^') || value.starts_with(".*")) return true;
  const std::size_t open = value.find('(');
  const std::size_t bar = open == std::string_view::npos ? open : value.find('|', open);
  if (bar != std::string_view::npos && value.find(')', bar) != std::string_view::npos) return true;
  constexpr std::array<std::string_view, 10> signs = {"\\d", "\\w",  "\\s",  "\\.",  "\\/",
                                                      "\\?", "[0-9", "[a-z", "[A-Z", "(.*)"};
  return std::any_of(signs.begin(), signs.end(), [&](auto sign) { return value.find(sign) != std::string_view::npos; });
}

PathRepair repair_regular_expression(std::string_view value) {
  constexpr std::string_view special = "only \"*\" and a \"$\" at the end are special";
  if (value.find_first_of("([{|\\+") != std::string_view::npos || !value.starts_with("^/")) {
    return {"", filled({"Write a rule for each path; {}.", {special}})};
  }
  std::string path(value.substr(1));
  while (path.ends_with(".*") || path.ends_with(".*$")) path.erase(path.rfind(".*"));
  if (matches_everything(path) || path.find(".*") != std::string::npos) {
    return {"", filled({"Write the path alone; {}.", {special}})};
  }
  return {path, filled({"Write {}; {}.", {quote(path), special}})};
}

}  // namespace robotrules::advice
