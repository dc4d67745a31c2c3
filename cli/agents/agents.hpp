// The parts of `agents`: the choice of crawlers, and the two forms that are printed.
#pragma once

#include <string>
#include <vector>

#include <robotrules/compare.hpp>
#include <robotrules/crawlers.hpp>

namespace robotrules::cli {

// The page that the summary is about.
struct AskedPage {
  std::string url;
  bool is_given = false;  // by --url
};

// Leaves in the list only the crawlers that are named and those of the kinds (lists with commas); all if neither is
// given. Returns a sentence if a name is unknown, else an empty string. Appends notes about headers that were reduced
// to a name.
std::string select_crawlers(const std::vector<std::string>& agents, const std::vector<std::string>& kinds,
                            Crawlers& list, std::vector<std::string>& notes);

// `preferences`: the Content-Signal and Content-Usage lines of the file.
void print_agents_text(const AskedPage& page, const Crawlers& list, const std::vector<CrawlerAccess>& found,
                       const std::vector<UncomparedSetting>& preferences);
void print_agents_json(const std::string& file, const Dialect& dialect, const AskedPage& page, const Crawlers& list,
                       const std::vector<CrawlerAccess>& found, const std::vector<UncomparedSetting>& preferences);

}  // namespace robotrules::cli
