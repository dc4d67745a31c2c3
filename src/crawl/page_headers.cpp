#include "crawl/page_headers.hpp"

namespace robotrules::crawl {

Headers page_headers(const QueueItem& item, const CrawlOptions& options) {
  const Headers& own = item.request.headers;
  Headers headers = own;
  for (const HeaderField& field : options.headers) {
    if (!own.has(field.name)) headers.add(field.name, field.value);
  }
  if (const auto& before = item.result) {
    if (!before->etag.empty()) headers.set("If-None-Match", before->etag);
    if (!before->last_modified.empty()) headers.set("If-Modified-Since", before->last_modified);
  }
  return headers;
}

}  // namespace robotrules::crawl
