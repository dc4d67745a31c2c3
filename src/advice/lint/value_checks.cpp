#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <robotrules/extensions.hpp>

#include "advice/lint/checks.hpp"
#include "advice/lint/lint_names.hpp"
#include "base/ascii.hpp"
#include "base/utf8.hpp"

namespace robotrules::advice {
namespace {

constexpr Milliseconds long_delay = std::chrono::seconds(300);

// Returns the column of the value. A missing value has a column too.
std::uint32_t value_column(const LintLine& line) noexcept { return line.column(line.lexed.value); }

// Returns true if `url` begins with "scheme:".
bool has_scheme(std::string_view url) noexcept {
  const std::size_t colon = url.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  return std::all_of(url.begin(), url.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
    const char lower = base::lower(c);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '-';
  });
}

// Returns the number of "10s" and "10 seconds"; empty for any other value.
std::string_view seconds_of(std::string_view value) {
  const std::size_t digits = std::min(value.find_first_not_of("0123456789."), value.size());
  const std::string_view unit = base::trimmed(value.substr(digits));
  constexpr std::array<std::string_view, 4> seconds = {"s", "sec", "second", "seconds"};
  const bool known =
      std::any_of(seconds.begin(), seconds.end(), [&](auto word) { return base::equals_ignore_case(unit, word); });
  return known && parse_crawl_delay(value.substr(0, digits)) ? value.substr(0, digits) : std::string_view();
}

}  // namespace

void ValueChecks::check(const LintLine& line) {
  if (!line.is_directive() || find_joined_directive(line.lexed.value) != std::string_view::npos) return;
  const std::string_view value = line.lexed.value;
  if (!value.empty() && is_deceptive(base::utf8_at(value, 0).value)) return;  // check_bytes() reports it
  switch (line.lexed.kind) {
    case DirectiveKind::crawl_delay: return crawl_delay(line);
    case DirectiveKind::sitemap: return sitemap(line);
    case DirectiveKind::content_signal: return check_content_signal(line, findings_);
    case DirectiveKind::content_usage: return check_content_usage(line, findings_);
    case DirectiveKind::request_rate:
      if (!parse_request_rate(value)) {
        findings_.add(Code::bad_request_rate, line.number, value_column(line),
                      {"{} is not a request rate and is ignored.", {quote(value)}},
                      "Write documents per time, \"1/10s\", \"100/15m\" or \"1/10s 1800-1900\".");
      }
      return;
    case DirectiveKind::visit_time:
      if (!parse_visit_time(value)) {
        findings_.add(Code::bad_visit_time, line.number, value_column(line),
                      {"{} is not a span of the day and is ignored.", {quote(value)}},
                      "Write two times of the day in UTC, \"0600-0845\".");
      }
      return;
    case DirectiveKind::clean_param:
      if (!parse_clean_param(value)) {
        findings_.add(Code::bad_clean_param, line.number, value_column(line),
                      {"{} is not a list of parameters and is ignored.", {quote(value)}},
                      "Write the parameters, then the path: \"ref&sid /articles/\".");
      }
      return;
    default: return;
  }
}

void ValueChecks::crawl_delay(const LintLine& line) {
  const std::string_view value = line.lexed.value;
  const auto delay = parse_crawl_delay(value);
  if (!delay) {
    const std::string_view repaired = seconds_of(value);
    std::vector<LineEdit> edits;
    if (!repaired.empty()) edits = line.edit(value, repaired);
    findings_.add(Code::bad_crawl_delay, line.number, value_column(line),
                  {"{} is not a plain number of seconds; the Crawl-delay is ignored.", {quote(value)}},
                  repaired.empty() ? "Write digits, with a decimal point if needed: \"10\" or \"0.5\"."
                                   : Sentence("Write the seconds alone: {}.", {quote(repaired)}),
                  std::move(edits));
  } else if (*delay > long_delay) {
    findings_.add(Code::long_crawl_delay, line.number, value_column(line),
                  {"A Crawl-delay of {} seconds lets a robot fetch few pages a day; some robots then skip the site.",
                   {quote(value)}},
                  "Write 300 or less, or disallow the robot.");
  }
}

void ValueChecks::sitemap(const LintLine& line) {
  const std::string_view value = line.lexed.value;
  const std::uint32_t column = value_column(line);
  if (value.empty()) {
    findings_.add(Code::relative_sitemap, line.number, column, "The Sitemap line has no URL, so it does nothing.",
                  "Write the whole URL, with \"https://\" and the host, or delete the line.");
    return;
  }
  const auto [known, fresh] = sitemaps_.emplace(value, line.number);
  if (!fresh) {
    findings_.add(Code::duplicate_sitemap, line.number, column,
                  {"{} is already named in line {}.", {quote(value), known->second}}, "Delete one of the two lines.",
                  delete_edit(line.number));
    return;
  }
  const bool blanks = std::any_of(value.begin(), value.end(), base::is_space);
  if (is_sitemap_url(value)) return;
  const std::vector<std::string> urls = repair_sitemap(value, url_);
  std::string remedy = "Write the whole URL, with \"https://\" and the host, or delete the line.";
  std::vector<LineEdit> edits;
  if (!urls.empty()) {
    remedy = urls.size() == 1 ? filled({"Write {}.", {quote(urls.front())}}) : "Write a Sitemap line for each URL.";
    edits = line.edit(value, urls.back());
    for (std::size_t i = 0; i + 1 < urls.size(); ++i) {
      edits.front().lines.insert(edits.front().lines.end() - 1, filled({"Sitemap: {}", {urls[i]}}));
    }
  }
  if (blanks) {
    findings_.add(Code::bad_sitemap, line.number, column, {"{} contains white space and is not a URL.", {quote(value)}},
                  urls.empty() ? "Write the sitemap's URL without white space, one URL per line." : remedy,
                  std::move(edits));
  } else if (has_scheme(value)) {
    findings_.add(Code::bad_sitemap, line.number, column,
                  {"{} is not an http or https URL that can be fetched.", {quote(value)}}, remedy, std::move(edits));
  } else {
    findings_.add(Code::relative_sitemap, line.number, column,
                  {"{} is not an absolute URL; many robots ignore such a sitemap.", {quote(value)}}, remedy,
                  std::move(edits));
  }
}

}  // namespace robotrules::advice
