#include <robotrules/message.hpp>
#include <robotrules/page.hpp>

#include "http/cache_fields.hpp"

namespace robotrules {

CacheFields agent::cache_fields(const Headers& headers, Timestamp requested_at, Timestamp received_at) {
  CacheFields fields;
  fields.cache_control = headers.all("Cache-Control");
  fields.expires = headers.get("Expires");
  fields.age = headers.get("Age");
  fields.date = headers.get("Date");
  fields.last_modified = headers.get("Last-Modified");
  fields.requested_at = requested_at;
  fields.received_at = received_at;
  return fields;
}

Freshness freshness_of(const Response& response, const FreshnessOptions& options) {
  return read_freshness(agent::cache_fields(response.headers, response.requested_at, response.received_at), options);
}

}  // namespace robotrules
