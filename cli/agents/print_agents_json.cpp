// robotrules agents as a JSON document.
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/userinfo.hpp"
#include "cli/agents/agents.hpp"
#include "cli/io/json_lines.hpp"
#include "cli/io/settings_json.hpp"
#include "cli/io/terminal.hpp"

namespace robotrules::cli {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(std::string_view text) { return text.empty() ? Json(nullptr) : Json(std::string(text)); }

Json group_of(const AppliedGroups& groups) {
  if (groups.line == 0) return nullptr;
  return {{"line", groups.line}, {"agent", groups.agent}, {"default", groups.is_default}};
}

Json answer_of(const Verdict& verdict) {
  const auto rule = verdict.rule();
  Json answer = {{"access", to_string(verdict.access())}, {"line", verdict.line()}};
  set_bytes(answer, "rule", rule ? rule->text() : std::string());
  answer["why"] = to_string(verdict.why());
  return answer;
}

Json crawler_of(const CrawlerAccess& access) {
  const Crawler& crawler = *access.crawler;
  return {{"name", crawler.name},
          {"operator", crawler.operated_by},
          {"kind", crawler.kind},
          {"tokens", crawler.agent.tokens},
          {"ignores_star", crawler.agent.ignores_star},
          {"obeys_robots", text_or_null(to_string(crawler.obeys))},
          {"source", crawler.source},
          {"seen", text_or_null(crawler.seen)},
          {"access", to_string(access.reach)},
          {"group", group_of(access.groups)},
          {"answer", answer_of(access.verdict)}};
}

}  // namespace

void print_agents_json(const std::string& file, const Dialect& dialect, const AskedPage& page, const Crawlers& list,
                       const std::vector<CrawlerAccess>& found, const std::vector<UncomparedSetting>& preferences) {
  Json crawlers = Json::array();
  for (const CrawlerAccess& access : found) crawlers.push_back(crawler_of(access));
  Json summary = Json::array();
  for (const KindCount& count : counts_by_kind(list, found)) {
    summary.push_back({{"kind", count.kind->name},
                       {"crawlers", count.crawlers},
                       {"allowed", count.allowed},
                       {"may_ignore_robots", count.may_ignore}});
  }
  const Json document = {{"file", base::without_userinfo(file)},
                         {"dialect", std::string(dialect.name)},
                         {"updated", list.updated},
                         {"url", base::without_userinfo(page.url)},
                         {"summary", std::move(summary)},
                         {"crawlers", std::move(crawlers)},
                         {"preferences", settings_json(preferences)}};
  write_all(STDOUT_FILENO, json_document(document));
}

}  // namespace robotrules::cli
