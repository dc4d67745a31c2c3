// The parts of `agents`: what was found for each crawler, and how it is printed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <robotrules/compare.hpp>
#include <robotrules/rules.hpp>

#include "cli/agents/crawlers.hpp"
#include "cli/flags/flags.hpp"

namespace robotrules::cli {

// The page that the summary is about.
struct AskedPage {
  std::string url;
  bool is_given = false;  // by --url
};

struct CrawlerAccess {
  const Crawler& crawler;
  AppliedGroups groups;
  Reach reach;
  Rules rules;      // the verdict refers to them
  Verdict verdict;  // about the page
};

// The crawlers of one kind.
struct KindCount {
  const CrawlerKind& kind;
  std::size_t crawlers = 0;
  std::size_t allowed = 0;     // may fetch the page
  std::size_t may_ignore = 0;  // robots.txt
};

// Leaves in the list only the crawlers that --agent names and those of the kinds of --kind; all if neither is given.
// Returns a sentence if a name is unknown, else an empty string. Appends notes about headers that were reduced to a
// name.
std::string select_crawlers(const Options& options, Crawlers& list, std::vector<std::string>& notes);

// Returns the counts of all kinds that have a crawler, in the order of the list.
std::vector<KindCount> counts_by_kind(const Crawlers& list, const std::vector<CrawlerAccess>& found);

// `preferences`: the Content-Signal and Content-Usage lines of the file.
void print_agents_text(const AskedPage& page, const Crawlers& list, const std::vector<CrawlerAccess>& found,
                       const std::vector<UncomparedSetting>& preferences);
void print_agents_json(const std::string& file, const Dialect& dialect, const AskedPage& page, const Crawlers& list,
                       const std::vector<CrawlerAccess>& found, const std::vector<UncomparedSetting>& preferences);

}  // namespace robotrules::cli
