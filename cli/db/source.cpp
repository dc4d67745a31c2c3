#include "cli/db/source.hpp"

#include "cli/text.hpp"

namespace robotrules::cli {

FileBytes kept_robots(const Store& store, const Origin& origin) {
  FileBytes file;
  const auto found = store.robots(origin);
  if (!found) {
    file.error = printable(found.error().message);
    return file;
  }
  const RobotsRecord* record = found.value().get();
  file.missing = record == nullptr || record->fresh_until < store.now();
  if (!file.missing && record->outcome != RobotsOutcome::unavailable) {
    file.missing = record->body == nullptr;
    if (record->body != nullptr) file.bytes = *record->body;
  }
  if (file.missing) file.error = "no fresh robots.txt of " + origin.to_string() + " is kept";
  return file;
}

}  // namespace robotrules::cli
