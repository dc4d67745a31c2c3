#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/crawlers.hpp>

#include "advice/compare/crawler_table.hpp"
#include "base/ascii.hpp"

namespace robotrules {
namespace {

constexpr std::string_view ai_kinds[] = {"training", "ai-search", "policy-token"};

AgentTokens tokens_of(const advice::CrawlerRow& row) {
  AgentTokens agent{.tokens = {}, .ignores_star = row.ignores_star};
  for (std::string_view rest = row.tokens.empty() ? row.name : row.tokens; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    agent.tokens.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return agent;
}

Crawlers list_of(const advice::CrawlerTable& table) {
  Crawlers list;
  list.updated = table.updated;
  for (const advice::KindRow& row : table.kinds) list.kinds.push_back({std::string(row.name), std::string(row.means)});
  for (const advice::CrawlerRow& row : table.crawlers) {
    list.crawlers.push_back({.name = std::string(row.name),
                             .operated_by = std::string(row.operated_by),
                             .kind = std::string(row.kind),
                             .agent = tokens_of(row),
                             .obeys = row.obeys,
                             .source = std::string(row.source),
                             .seen = std::string(row.seen)});
  }
  return list;
}

// Returns the names as the dialect compares them.
AgentTokens compared_tokens(AgentTokens agent, const Dialect& dialect) {
  for (std::string& token : agent.tokens) token = std::string(compared_name(token, dialect));
  return agent;
}

}  // namespace

std::string_view to_string(Obeys obeys) noexcept {
  switch (obeys) {
    case Obeys::not_stated: break;
    case Obeys::yes: return "yes";
    case Obeys::partly: return "partly";
    case Obeys::no: return "no";
  }
  return "";
}

const Crawler* Crawlers::find(std::string_view name) const noexcept {
  const auto found = std::ranges::find_if(
      crawlers, [&](const Crawler& crawler) { return base::equals_ignore_case(crawler.name, name); });
  return found == crawlers.end() ? nullptr : &*found;
}

const Crawlers& known_crawlers() {
  static const Crawlers list = list_of(advice::crawler_table());
  return list;
}

std::vector<KnownRobot> known_robots(const Crawlers& list) {
  std::vector<KnownRobot> robots;
  for (const Crawler& crawler : list.crawlers) {
    const bool is_ai = std::ranges::find(ai_kinds, crawler.kind) != std::end(ai_kinds);
    const KnownRobot::Kind kind = crawler.kind == "search" ? KnownRobot::Kind::search
                                  : is_ai                  ? KnownRobot::Kind::ai
                                                           : KnownRobot::Kind::other;
    robots.push_back({.name = crawler.name, .kind = kind, .agent = crawler.agent});
  }
  return robots;
}

CrawlerSurvey crawler_access(const RobotsTxt& file, std::string_view url, const Crawlers& list) {
  RobotSurvey survey(file);
  std::map<std::vector<std::uint32_t>, Rules> rules_of;  // by the groups: the rules of a big file need much memory
  CrawlerSurvey found;
  for (const Crawler& crawler : list.crawlers) {
    const AgentTokens agent = compared_tokens(crawler.agent, file.dialect());
    const AppliedGroups groups = survey.groups_for(agent);
    auto rules = rules_of.find(groups.groups);
    if (rules == rules_of.end()) rules = rules_of.emplace(groups.groups, file.rules_for(agent)).first;
    found.crawlers.push_back({&crawler, groups, survey.reach_of(agent), rules->second, rules->second.check(url)});
  }
  found.complete = survey.complete();
  return found;
}

std::vector<KindCount> counts_by_kind(const Crawlers& list, const std::vector<CrawlerAccess>& found) {
  std::vector<KindCount> counts;
  for (const CrawlerKind& kind : list.kinds) {
    KindCount count{.kind = &kind};
    for (const CrawlerAccess& access : found) {
      if (access.crawler->kind != kind.name) continue;
      ++count.crawlers;
      count.allowed += access.verdict.allowed() ? 1 : 0;
      count.may_ignore += may_ignore(access.crawler->obeys) ? 1 : 0;
    }
    if (count.crawlers > 0) counts.push_back(count);
  }
  return counts;
}

}  // namespace robotrules
