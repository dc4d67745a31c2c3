#include "archive/warc_fields.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include <robotrules/version.hpp>

#include "archive/warc_head.hpp"
#include "archive/warc_record.hpp"
#include "base/ascii.hpp"
#include "base/escape.hpp"
#include "base/time_text.hpp"
#include "base/utf8.hpp"

namespace robotrules::archive {
namespace {

void add_robots(NamedFields& fields, const RobotsNote& note) {
  fields.add("robots-access", to_string(note.access));
  if (const auto rule = note.verdict.rule()) {
    fields.add("robots-rule", base::printable(rule->text())).add("robots-line", std::to_string(rule->line));
  }
  fields.add("robots-url", note.url).add("robots-outcome", note.stale ? "stale" : to_string(note.outcome));
  if (note.status != 0) fields.add("robots-status", std::to_string(note.status));
}

void add_time(NamedFields& fields, const Response& response) {
  if (response.requested_at == Timestamp{}) return;
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(response.received_at - response.requested_at);
  fields.add("fetchTimeMs", std::to_string(std::max<std::int64_t>(took.count(), 0)));
}

constexpr std::string_view conforms_to =
    "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/";
constexpr std::array<std::string_view, 6> own_fields{
    "software", "format", "conformsto", "robots", "http-header-user-agent", "http-header-from"};

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
                              std::string_view::npos;
}

constexpr std::string_view robots_exchange = "robots-exchange";

}  // namespace

std::string warcinfo_of(const OutputOptions& options) {
  NamedFields fields;
  fields.add("software", "robotrules/" ROBOTRULES_VERSION).add("format", "WARC File Format 1.1");
  fields.add("conformsTo", conforms_to).add("robots", options.policy);
  fields.add("http-header-user-agent", options.agent).add("http-header-from", options.from);
  for (const auto& [name, value] : options.warcinfo) fields.add(name, value);
  return fields.text();
}

Result<void> check_warcinfo(const std::vector<std::pair<std::string, std::string>>& fields) {
  for (const auto& [name, value] : fields) {
    const std::string field = "the warcinfo field \"" + base::printable(name) + "\" ";
    if (!is_name(name))
      return Error{"invalid-warcinfo", field + "is not a name: use letters, digits, \"-\", \"_\", \".\""};
    if (std::ranges::find(own_fields, base::lower_case(name)) != own_fields.end()) {
      return Error{"invalid-warcinfo", field + "is one that robotrules writes itself"};
    }
    if (base::trimmed(value).empty()) return Error{"invalid-warcinfo", field + "has no value"};
    if (!base::is_utf8(value)) return Error{"invalid-warcinfo", field + "has a value that is not UTF-8"};
  }
  return {};
}

std::string metadata_of(const Response& hop, const FetchedPage& page, std::string_view via, bool last) {
  NamedFields fields;
  fields.add("via", via);
  add_time(fields, hop);
  if (hop.robots != nullptr) add_robots(fields, *hop.robots);
  if (!last) return fields.text();
  fields.add("page-url", page.url)
      .add("page-method", page.method)
      .add("page-status", std::to_string(hop.received_status()));
  fields.add("page-why", page.reason()).add("page-warning", base::printable(hop.warning));
  fields.add("page-bytes", std::to_string(hop.is_synthetic() ? 0 : hop.body_size));
  if (hop.received_at != Timestamp{}) fields.add("page-received", base::time_text(hop.received_at));
  // A cut page is never requested conditionally, nor is one of another URL.
  if (!hop.is_synthetic() && !hop.truncated && !hop.was_redirected()) {
    fields.add("page-etag", hop.headers.get("ETag").value_or(""));
    fields.add("page-last-modified", hop.headers.get("Last-Modified").value_or(""));
  }
  return fields.text();
}

std::string metadata_of_robots(const Response& exchange) {
  NamedFields fields;
  add_time(fields, exchange);
  fields.add(robots_exchange, to_string(exchange.source)).add("robots-warning", base::printable(exchange.warning));
  return fields.text();
}

std::string fields_of_head(std::string_view response_head) {
  NamedFields fields;
  fields.add("http-status-line", base::printable(base::trimmed(take_line(response_head))));
  while (!response_head.empty()) {
    const std::string line = take_folded_line(response_head);
    const auto [name, value] = named_value(line);
    if (is_name(name)) fields.add("http-header-" + name, base::printable(value));
  }
  return fields.text();
}

bool is_robots_metadata(std::string_view block) {
  while (!block.empty()) {
    if (named_value(take_line(block)).first == robots_exchange) return true;
  }
  return false;
}

std::optional<RecoveredPage> read_metadata(std::string_view block) {
  RecoveredPage page;
  std::optional<std::uint64_t> status;
  while (!block.empty()) {
    const auto [name, value] = named_value(take_line(block));
    if (name == "page-url") page.url = value;
    if (name == "page-method") page.method = value;
    if (name == "page-status") status = whole_number(value);
    if (name == "page-why") page.why = value;
    if (name == "page-bytes") page.bytes = whole_number(value).value_or(0);
    if (name == "page-received") page.at = base::time_of_text(value).value_or(Timestamp{});
    if (name == "page-etag") page.etag = value;
    if (name == "page-last-modified") page.last_modified = value;
  }
  if (page.url.empty() || page.method.empty() || !status || *status > 999) return std::nullopt;
  page.status = static_cast<int>(*status);
  return page;
}

}  // namespace robotrules::archive
