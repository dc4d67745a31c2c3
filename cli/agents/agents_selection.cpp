// The crawlers that --agent and --kind of `agents` ask for.
#include <algorithm>
#include <set>

#include "base/escape.hpp"
#include "cli/agents/agents.hpp"
#include "cli/flags/flag_choice.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

// Returns the crawler that `given` names: by its name in the list, which may have several words, or as a User-Agent
// header. Returns null and sets `error` if there is none.
const Crawler* named_crawler(const Crawlers& list, const std::string& given, std::string& note, std::string& error) {
  if (const Crawler* crawler = list.find(given)) return crawler;
  auto choice = choose_agent(given);
  if (!choice) {
    error = choice.error().message;
    return nullptr;
  }
  const std::string& name = choice.value().name;
  if (const Crawler* crawler = list.find(name)) {
    note = std::move(choice.value().note);
    return crawler;
  }
  std::vector<std::string_view> names;
  names.reserve(list.crawlers.size());
  for (const Crawler& crawler : list.crawlers) names.push_back(crawler.name);
  const std::string_view near = nearest(name, names);
  error =
      "the list has no crawler \"" + base::printable(name) + "\"; " +
      (near.empty() ? "robotrules check --agent asks about any robot" : "did you mean " + base::printable(near) + "?");
  return nullptr;
}

}  // namespace

std::string select_crawlers(const std::vector<std::string>& agents, const std::vector<std::string>& kind_lists,
                            Crawlers& list, std::vector<std::string>& notes) {
  if (agents.empty() && kind_lists.empty()) return {};
  std::set<std::string_view> kinds;
  for (const std::string& given : kind_lists) {
    for (const std::string_view kind : comma_parts(given)) kinds.insert(kind);
  }
  for (const std::string_view kind : kinds) {
    if (std::ranges::find(list.kinds, kind, &CrawlerKind::name) != list.kinds.end()) continue;
    std::vector<std::string_view> names;
    names.reserve(list.kinds.size());
    for (const CrawlerKind& known : list.kinds) names.push_back(known.name);
    return unknown_name("kind", kind, names);
  }
  std::set<std::string> names;
  for (const std::string& given : agents) {
    std::string note, error;
    const Crawler* const crawler = named_crawler(list, given, note, error);
    if (crawler == nullptr) return error;
    if (!note.empty()) notes.push_back(std::move(note));
    names.insert(crawler->name);
  }
  std::erase_if(list.crawlers,
                [&](const Crawler& crawler) { return !names.contains(crawler.name) && !kinds.contains(crawler.kind); });
  return {};
}

}  // namespace robotrules::cli
