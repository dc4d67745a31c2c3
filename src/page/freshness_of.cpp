#include <robotrules/message.hpp>
#include <robotrules/page.hpp>

#include "fields/cache_fields.hpp"

namespace robotrules {

Freshness freshness_of(const Response& response, const FreshnessOptions& options) {
  return read_freshness(agent::cache_fields(response.headers, response.requested_at, response.received_at), options);
}

}  // namespace robotrules
