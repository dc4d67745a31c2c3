// The list of known crawlers: data/crawlers.json, built into the command, or another file with the same members.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace robotrules::cli {

struct Crawler {
  std::string name;
  std::string operated_by;
  std::string purpose;  // the name of one of Crawlers::purposes
  std::string source;   // a page of its operator; may be empty
};

struct Purpose {
  std::string name;
  std::string means;
};

// The list, or an error: a sentence that says what is wrong and at which place.
struct Crawlers {
  std::string updated;  // a date
  std::vector<Purpose> purposes;
  std::vector<Crawler> crawlers;
  std::string error;
};

// Reads `{"updated": DATE, "purposes": {NAME: TEXT, ...}, "crawlers": [{"name", "operator", "purpose", "source"},
// ...]}`. Other members are ignored.
Crawlers read_crawlers(std::string_view json);

// Returns data/crawlers.json as of the build of the command.
std::string_view known_crawlers() noexcept;

}  // namespace robotrules::cli
