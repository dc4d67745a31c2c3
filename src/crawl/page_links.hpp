// The links of a page, which go into the queue of the crawl.
#pragma once

#include <span>

#include <robotrules/base.hpp>
#include <robotrules/url_queue.hpp>

namespace robotrules::crawl {

// Fails with "invalid-url" or "invalid-request" if the queue would refuse one of them. That would end the crawl when
// the page is settled, so it is refused before.
Result<void> check_links(std::span<const QueuedUrl> urls);

}  // namespace robotrules::crawl
