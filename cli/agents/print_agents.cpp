// The two forms of robotrules agents.
#include <unistd.h>

#include <array>

#include <nlohmann/json.hpp>

#include "base/escape.hpp"
#include "base/userinfo.hpp"
#include "cli/agents/agents.hpp"
#include "cli/io/json_lines.hpp"
#include "cli/io/table.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"
#include "cli/show/setting_text.hpp"

namespace robotrules::cli {
namespace {

std::string group_words(const CrawlerAccess& access) {
  const AppliedGroups& groups = access.groups;
  if (groups.line == 0) return access.crawler->agent.ignores_star ? "no group; ignores *" : "no group";
  const std::string line = " (line " + std::to_string(groups.line) + ")";
  if (groups.is_default) return "*" + line;
  return base::printable(groups.agent.empty() ? "(no name)" : groups.agent) + line;
}

std::string remark(Obeys obeys) {
  if (!may_ignore(obeys)) return "";
  return obeys == Obeys::no ? "; ignores robots.txt" : "; may ignore robots.txt";
}

std::string rule_words(const Verdict& verdict) {
  const auto rule = verdict.rule();
  if (!rule) return std::string(reason_without_rule(verdict.why()));
  return "line " + std::to_string(rule->line) + ": " + base::printable(rule->text());
}

// The part of the site that the crawler may fetch, or whether it may fetch the page.
std::vector<Cell> row_of(const CrawlerAccess& access, bool of_page) {
  constexpr Style styles[] = {Style::good, Style::mixed, Style::bad};  // by Reach
  const Cell name{base::printable(access.crawler->name)};
  const std::string note = remark(access.crawler->obeys);
  if (!of_page) {
    const Style style = styles[static_cast<int>(access.reach)];
    return {name, {std::string(to_string(access.reach)), style}, {group_words(access) + note}};
  }
  const Access answer = access.verdict.access();
  return {name,
          {std::string(to_string(answer)), style_of(answer)},
          {group_words(access)},
          {rule_words(access.verdict) + note}};
}

void print_summary(Output& out, const AskedPage& page, const std::vector<KindCount>& counts) {
  out << out.painted(Style::heading, printable_url(page.url) + " is allowed for") << "\n";
  Table table("  ");
  for (const KindCount& count : counts) {
    std::string words = std::to_string(count.allowed) + " of " + std::to_string(count.crawlers);
    if (count.may_ignore > 0) words += "; " + std::to_string(count.may_ignore) + " may ignore robots.txt";
    table.row({{base::printable(count.kind->name)}, {std::move(words)}});
  }
  table.print(out);
}

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

void print_agents_text(const AskedPage& page, const Crawlers& list, const std::vector<CrawlerAccess>& found,
                       const std::vector<UncomparedSetting>& preferences) {
  Output out;
  const std::vector<KindCount> counts = counts_by_kind(list, found);
  Table table("  ");
  for (const KindCount& count : counts) {
    const std::string heading = out.painted(Style::heading, base::printable(count.kind->name)) + ": " +
                                out.painted(Style::aside, base::printable(count.kind->means));
    table.line(out.fitted_line(heading, 2));
    for (const CrawlerAccess& access : found) {
      if (access.crawler->kind == count.kind->name) table.row(row_of(access, page.is_given));
    }
    table.line("");
    if (!page.is_given) continue;
    table.print(out);  // each kind by itself, because its columns may be narrower and rules are long
    table = Table("  ");
  }
  table.print(out);
  print_summary(out, page, counts);
  std::array<std::size_t, 3> reached{};
  std::size_t allowed = 0;
  for (const CrawlerAccess& access : found) {
    ++reached[static_cast<std::size_t>(access.reach)];
    allowed += access.verdict.allowed() ? 1 : 0;
  }
  out << "\n" << counted(found.size(), "crawler") << ": ";
  if (page.is_given) {
    out << std::to_string(allowed) << " allowed, " << std::to_string(found.size() - allowed) << " disallowed\n";
  } else {
    out << std::to_string(reached[0]) << " everywhere, " << std::to_string(reached[1]) << " partly, "
        << std::to_string(reached[2]) << " nowhere\n";
  }
  for (const UncomparedSetting& preference : preferences) out << setting_line(preference) << "\n";
}

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
