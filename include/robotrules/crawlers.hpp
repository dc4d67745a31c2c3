// The known crawlers (search engines, AI robots, archives and others) and what a robots.txt allows them.
//
//     const auto file = robotrules::RobotsTxt::parse(body);
//     for (const auto& one : robotrules::crawler_access(file).crawlers)
//       std::cout << one.crawler->name << ": " << one.reach << '\n';  // "GPTBot: nowhere"
//
//     // lint knows these robots by name.
//     for (const auto& found : robotrules::diagnose(file, {.robots = robotrules::known_robots()})) print(found);
//
// Thread rule: the functions are pure. The list of known_crawlers() never changes, so any number of threads may use it.
// Errors: none. Only std::bad_alloc is thrown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/compare.hpp>
#include <robotrules/diagnose.hpp>
#include <robotrules/robots_txt.hpp>
#include <robotrules/rules.hpp>

namespace robotrules {

// --- the list -------------------------------------------------------------------------------------------------------

// Whether a crawler obeys robots.txt, according to its operator.
enum class Obeys : std::uint8_t { not_stated, yes, partly, no };

// Returns "yes", "partly" or "no", or "" for `not_stated`. The view is of a literal and is always valid.
ROBOTRULES_API std::string_view to_string(Obeys obeys) noexcept;

// Returns true if the operator says that the crawler ignores robots.txt, always or sometimes.
constexpr bool may_ignore(Obeys obeys) noexcept { return obeys == Obeys::partly || obeys == Obeys::no; }

struct Crawler {
  std::string name{};
  std::string operated_by{};  // may be empty
  std::string kind{};         // the name of one of Crawlers::kinds
  AgentTokens agent{};        // the groups that it obeys
  Obeys obeys = Obeys::not_stated;
  std::string source{};  // the page of its operator, else of a list that names it; may be empty
  std::string seen{};    // the date when that page was last read for the list; may be empty
  friend bool operator==(const Crawler&, const Crawler&) = default;
};

// A purpose of crawlers: "search", "ai-search", "training", "archive", "preview", ...
struct CrawlerKind {
  std::string name;
  std::string means;  // in half a sentence
  friend bool operator==(const CrawlerKind&, const CrawlerKind&) = default;
};

// A list of crawlers.
struct ROBOTRULES_API Crawlers {
  std::string updated;  // a date
  std::vector<CrawlerKind> kinds;
  std::vector<Crawler> crawlers;

  // Returns the crawler of that name; null: there is none. ASCII case is ignored. The result is valid while the list
  // does not change.
  const Crawler* find(std::string_view name) const noexcept ROBOTRULES_LIFETIMEBOUND;
  friend bool operator==(const Crawlers&, const Crawlers&) = default;
};

// Returns the list of this version of the library (data/crawlers.json).
ROBOTRULES_API const Crawlers& known_crawlers();

// Returns the crawlers of a list for LintOptions::robots.
ROBOTRULES_API std::vector<KnownRobot> known_robots(const Crawlers& list = known_crawlers());

// --- their access to a site -----------------------------------------------------------------------------------------

// The access of one crawler to a site, according to its robots.txt.
struct CrawlerAccess {
  const Crawler* crawler = nullptr;  // in the list; never null
  AppliedGroups groups;
  Reach reach = Reach::everywhere;
  Rules rules;
  Verdict verdict;  // about the page, by `rules`
};

struct CrawlerSurvey {
  std::vector<CrawlerAccess> crawlers;  // in the order of the list
  bool complete = true;                 // as RobotSurvey::complete()
};

// Returns what `file` allows each crawler of the list. `url`: the page that the verdicts are about, as for
// Rules::check(). The list must outlive the result.
ROBOTRULES_API CrawlerSurvey crawler_access(const RobotsTxt& file, std::string_view url = "/",
                                            const Crawlers& list ROBOTRULES_LIFETIMEBOUND = known_crawlers());

// The crawlers of one kind.
struct KindCount {
  const CrawlerKind* kind = nullptr;  // in the list; never null
  std::size_t crawlers = 0;
  std::size_t allowed = 0;     // may fetch the page
  std::size_t may_ignore = 0;  // may ignore robots.txt
};

// Returns the counts of all kinds of the list that have a crawler in `found`, in the order of the list. The list must
// outlive the result.
ROBOTRULES_API std::vector<KindCount> counts_by_kind(const Crawlers& list ROBOTRULES_LIFETIMEBOUND,
                                                     const std::vector<CrawlerAccess>& found);

}  // namespace robotrules
