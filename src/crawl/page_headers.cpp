#include "crawl/page_headers.hpp"

namespace robotrules::crawl {

Headers page_headers(const QueueItem& item, const CrawlOptions& options, const PageNeeds& needs) {
  const Headers& own = item.request.headers;
  Headers headers = own;
  for (const HeaderField& field : options.headers) {
    if (!own.has(field.name)) headers.add(field.name, field.value);
  }
  const auto& before = item.result;
  // A page that is kept out has no record, and a 304 keeps it out again. If it is wanted now, it must come.
  const bool was_kept_out = before && before->why == kept_out_by_page;
  const bool has_record = before && (!before->digest.empty() || was_kept_out);
  if (before && (has_record || !needs.payload_records) && (!was_kept_out || options.obey_page)) {
    if (!before->etag.empty()) headers.set("If-None-Match", before->etag);
    if (!before->last_modified.empty()) headers.set("If-Modified-Since", before->last_modified);
  }
  return headers;
}

}  // namespace robotrules::crawl
