// The list of known crawlers: data/crawlers.json, built into the command, or another file with the same members.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/agent_name.hpp>

namespace robotrules::cli {

// Whether a crawler obeys robots.txt, according to its operator.
enum class Obeys : std::uint8_t { not_stated, yes, partly, no };

// Returns "yes", "partly" or "no", or an empty view for `not_stated`.
std::string_view to_string(Obeys obeys) noexcept;

// Returns true if the operator says that the crawler ignores robots.txt, always or sometimes.
constexpr bool may_ignore(Obeys obeys) noexcept { return obeys == Obeys::partly || obeys == Obeys::no; }

struct Crawler {
  std::string name;
  std::string operated_by;  // may be empty
  std::string kind;         // the name of one of Crawlers::kinds
  AgentTokens agent;        // the groups that it obeys
  Obeys obeys = Obeys::not_stated;
  std::string source;  // the page of its operator, else of a list that names it; may be empty
  std::string seen;    // the date when that page was last read for the list; may be empty
};

struct CrawlerKind {
  std::string name;
  std::string means;
};

// The list, or an error: a sentence that says what is wrong and at which place.
struct Crawlers {
  std::string updated;  // a date
  std::vector<CrawlerKind> kinds;
  std::vector<Crawler> crawlers;
  std::string error;

  // Returns null if no crawler has that name. ASCII case is ignored.
  const Crawler* find(std::string_view name) const noexcept;
};

// Reads `{"updated": DATE, "kinds": {NAME: TEXT, ...}, "crawlers": [{"name", "operator", "kind", "tokens",
// "ignores_star", "obeys_robots", "source", "seen"}, ...]}`. Only "name" and "kind" are required. Other members are
// ignored.
Crawlers read_crawlers(std::string_view json);

// Returns data/crawlers.json as of the build of the command.
std::string_view known_crawlers() noexcept;

}  // namespace robotrules::cli
