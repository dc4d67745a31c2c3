#include "archive/warc_fields.hpp"

#include <algorithm>
#include <chrono>

#include "archive/warc_head.hpp"
#include "archive/warc_record.hpp"
#include "base/escape.hpp"
#include "base/time_text.hpp"

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

}  // namespace

std::string metadata_of(const Response& hop, const FetchedPage& page, std::string_view via, bool last) {
  NamedFields fields;
  fields.add("via", via);
  if (hop.requested_at != Timestamp{}) {
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(hop.received_at - hop.requested_at);
    fields.add("fetchTimeMs", std::to_string(std::max<std::int64_t>(took.count(), 0)));
  }
  if (hop.robots != nullptr) add_robots(fields, *hop.robots);
  if (!last) return fields.text();
  fields.add("page-url", page.url)
      .add("page-method", page.method)
      .add("page-status", std::to_string(hop.received_status()));
  fields.add("page-why", page.reason()).add("page-warning", base::printable(hop.warning));
  fields.add("page-bytes", std::to_string(hop.is_synthetic() ? 0 : hop.body_size));
  if (hop.received_at != Timestamp{}) fields.add("page-received", base::time_text(hop.received_at));
  if (!hop.is_synthetic() && !hop.truncated) {  // a cut page is never requested conditionally
    fields.add("page-etag", hop.headers.get("ETag").value_or(""));
    fields.add("page-last-modified", hop.headers.get("Last-Modified").value_or(""));
  }
  return fields.text();
}

std::optional<RecoveredPage> read_metadata(std::string_view block) {
  RecoveredPage page;
  std::optional<std::uint64_t> status;
  while (!block.empty()) {
    const std::size_t end = block.find('\n');
    const auto [name, value] = named_value(block.substr(0, end));
    block.remove_prefix(end == std::string_view::npos ? block.size() : end + 1);
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
