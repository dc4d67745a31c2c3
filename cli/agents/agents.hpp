// The parts of `agents`: the two forms that are printed, and a user's own list of crawlers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/compare.hpp>
#include <robotrules/crawlers.hpp>

namespace robotrules::cli {

// The page that the summary is about.
struct AskedPage {
  std::string url;
  bool is_given = false;  // by --url
};

// `preferences`: the Content-Signal and Content-Usage lines of the file.
void print_agents_text(const AskedPage& page, const Crawlers& list, const std::vector<CrawlerAccess>& found,
                       const std::vector<UncomparedSetting>& preferences);
void print_agents_json(const std::string& file, const Dialect& dialect, const AskedPage& page, const Crawlers& list,
                       const std::vector<CrawlerAccess>& found, const std::vector<UncomparedSetting>& preferences);

// Reads `{"updated": DATE, "kinds": {NAME: TEXT, ...}, "crawlers": [{"name", "operator", "kind", "tokens",
// "ignores_star", "obeys_robots", "source", "seen"}, ...]}`, the form of data/crawlers.json. Only "name" and "kind" are
// required. Other members are ignored. Fails with "invalid-crawlers"; the message says what is wrong and at which
// place.
Result<Crawlers> read_crawlers(std::string_view json);

}  // namespace robotrules::cli
