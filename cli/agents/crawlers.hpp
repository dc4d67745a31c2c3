// The list of known crawlers: data/crawlers.json, inside the command, or another file of its form.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace robotrules::cli {

struct Crawler {
  std::string name;
  std::string operated_by;
  std::string purpose;  // the name of one of Crawlers::purposes
  std::string source;   // where its operator says so; may be empty
};

struct Purpose {
  std::string name;
  std::string means;
};

// The list, or in `error` a sentence that says what is wrong with it and where.
struct Crawlers {
  std::string updated;  // a date
  std::vector<Purpose> purposes;
  std::vector<Crawler> crawlers;
  std::string error;
};

// Reads `{"updated": DATE, "purposes": {NAME: TEXT, ...}, "crawlers": [{"name", "operator", "purpose", "source"},
// ...]}`. Other members are passed over.
Crawlers read_crawlers(std::string_view json);

// data/crawlers.json as it was when the command was built.
std::string_view known_crawlers() noexcept;

}  // namespace robotrules::cli
