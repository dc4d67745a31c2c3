// The spelling of a queued URL in a request.
#pragma once

#include <string>

#include <robotrules/url.hpp>
#include <robotrules/url_queue.hpp>

namespace robotrules::crawl {

// Returns the URL for Request::url and RobotUA::consult(): as it was found, so that robots.txt is asked about this
// spelling too. The robot sends the normal form, which is the key. A `found` that is not another spelling of the key
// does not count.
inline const std::string& url_to_request(const QueuedUrl& queued) {
  if (queued.found.empty()) return queued.url;
  const auto plain = plain_url(queued.found);
  return plain && plain.value() == queued.url ? queued.found : queued.url;
}

}  // namespace robotrules::crawl
