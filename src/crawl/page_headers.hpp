// The header fields of a request for a page.
#pragma once

#include <robotrules/crawl.hpp>
#include <robotrules/headers.hpp>
#include <robotrules/page_output.hpp>
#include <robotrules/url_queue.hpp>

namespace robotrules::crawl {

// Returns the fields of the queue's request and those of the crawl. If the page was fetched before, also those that ask
// only for changes: `needs` of the output say when (PageNeeds::payload_records).
Headers page_headers(const QueueItem& item, const CrawlOptions& options, const PageNeeds& needs);

}  // namespace robotrules::crawl
