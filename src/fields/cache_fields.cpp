#include "fields/cache_fields.hpp"

namespace robotrules::agent {

CacheFields cache_fields(const Headers& headers, Timestamp requested_at, Timestamp received_at) {
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

}  // namespace robotrules::agent
