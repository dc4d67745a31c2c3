// robotrules agents: which known crawlers a robots.txt allows.
#include "cli/agents/agents.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "base/escape.hpp"
#include "cli/agents/crawlers.hpp"
#include "cli/flags/choice.hpp"
#include "cli/io/content_note.hpp"
#include "cli/io/input.hpp"
#include "cli/io/sources.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"
#include "cli/io/urlish.hpp"

namespace robotrules::cli {
namespace {

constexpr std::string_view command = "agents";

// Returns the names as the dialect compares them.
AgentTokens compared_tokens(AgentTokens agent, const Dialect& dialect) {
  for (std::string& token : agent.tokens) token = std::string(compared_name(token, dialect));
  return agent;
}

std::vector<CrawlerAccess> find_access(const RobotsTxt& file, const Crawlers& list, const std::string& url,
                                       bool& complete) {
  RobotSurvey survey(file);
  std::map<std::vector<std::uint32_t>, Rules> rules_of;  // by the groups: the rules of a big file need much memory
  std::vector<CrawlerAccess> found;
  for (const Crawler& crawler : list.crawlers) {
    const AgentTokens agent = compared_tokens(crawler.agent, file.dialect());
    const AppliedGroups groups = survey.groups_for(agent);
    auto rules = rules_of.find(groups.groups);
    if (rules == rules_of.end()) rules = rules_of.emplace(groups.groups, file.rules_for(agent)).first;
    found.push_back({crawler, groups, survey.reach_of(agent), rules->second, rules->second.check(url)});
  }
  complete = survey.complete();
  return found;
}

}  // namespace

std::vector<KindCount> counts_by_kind(const Crawlers& list, const std::vector<CrawlerAccess>& found) {
  std::vector<KindCount> counts;
  for (const CrawlerKind& kind : list.kinds) {
    KindCount count{kind};
    for (const CrawlerAccess& access : found) {
      if (access.crawler.kind != kind.name) continue;
      ++count.crawlers;
      count.allowed += access.verdict.allowed() ? 1 : 0;
      count.may_ignore += may_ignore(access.crawler.obeys) ? 1 : 0;
    }
    if (count.crawlers > 0) counts.push_back(count);
  }
  return counts;
}

int run_agents(const Options& options) {
  std::string error;
  const Dialect* dialect = choose_dialect(options.dialect, error);
  if (dialect == nullptr) return refuse(command, error);
  const std::string& path = options.operands.front();
  if (path == "-" && options.agents_file == "-") {
    return refuse(command, "standard input can be read only once; give a file for FILE or --agents-file");
  }
  const AskedPage page{options.url ? read_url_or_path(*options.url) : "/", options.url.has_value()};
  if (!page.url.starts_with('/') && !Origin::of(page.url)) {
    return refuse(command,
                  "--url does not accept \"" + printable_url(page.url) + "\"; give https://HOST/PATH or a path");
  }
  FileBytes given;
  if (options.agents_file) {
    given = read_file(*options.agents_file);
    if (!given.ok()) return refuse(command, given.error);
  }
  Crawlers list = read_crawlers(options.agents_file ? std::string_view(given.bytes) : known_crawlers());
  if (!list.error.empty())
    return refuse(command, input_name(options.agents_file.value_or("the built-in list")) + " " + list.error);
  std::vector<std::string> notes;
  error = select_crawlers(options, list, notes);
  if (!error.empty()) return refuse(command, error);
  for (const std::string& note : notes) complain(command, note);
  const SourceBytes file = Sources(options, command, Sources::Excess::seen).read(path);
  if (!file.ok()) return refuse(command, file.error);

  const RobotsTxt robots = RobotsTxt::parse(file.bytes, *dialect);
  note_content(command, path, file, robots);
  bool complete = true;
  const std::vector<CrawlerAccess> found = find_access(robots, list, page.url, complete);
  std::vector<UncomparedSetting> preferences = uncompared_settings(robots);
  std::erase_if(preferences, [](const UncomparedSetting& setting) {
    return setting.kind != DirectiveKind::content_signal && setting.kind != DirectiveKind::content_usage;
  });
  options.json ? print_agents_json(path, *dialect, page, list, found, preferences)
               : print_agents_text(page, list, found, preferences);
  if (!complete) {
    complain(command, "note: the file is too big to try an example path for every rule");
  }
  return exit_yes;
}

}  // namespace robotrules::cli
