// The response record in which an archive has a page, as the queue keeps it with the result of a URL.
//
// UrlResult::digest, page_url and page_at name this record. If the result has validators, it is the response to which
// they belong, or the one to which the revisit record of that response refers: never a revisit record itself.
#pragma once

#include <optional>

#include <robotrules/page_output.hpp>
#include <robotrules/url_queue.hpp>

namespace robotrules::crawl {

// Returns the record that the earlier result of the item names. Null: no archive has the page, or it is not known.
std::optional<PayloadRecord> page_record(const QueueItem& item);

// The same for a 304: returns the record that it confirms. Null also if the item had no validators, because then the
// caller's own condition was sent, and nothing is known of the copy that it is about.
std::optional<PayloadRecord> confirmed_record(const QueueItem& item);

// Sets the three fields in the new result of the item, whose other fields are set. `written` is
// PageOutput::last_payload() of the page. A result without a page keeps the record of the earlier one, so that the page
// can be a copy of it the next time: a 304, an error, and no answer. But if an error has validators, a later 304 may
// confirm it, so its own record is kept.
void keep_page_record(UrlResult& result, const std::optional<PayloadRecord>& written, const QueueItem& item);

}  // namespace robotrules::crawl
