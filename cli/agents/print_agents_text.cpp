// robotrules agents as text.
#include <array>

#include "base/escape.hpp"
#include "cli/agents/agents.hpp"
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

}  // namespace robotrules::cli
