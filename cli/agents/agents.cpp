// robotrules agents: which known crawlers a robots.txt allows.
#include <unistd.h>

#include <array>
#include <string>

#include <nlohmann/json.hpp>

#include <robotrules/compare.hpp>

#include "base/escape.hpp"
#include "base/userinfo.hpp"
#include "cli/agents/crawlers.hpp"
#include "cli/flags/choice.hpp"
#include "cli/flags/flags.hpp"
#include "cli/io/input.hpp"
#include "cli/io/json_lines.hpp"
#include "cli/io/sources.hpp"
#include "cli/io/table.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

constexpr std::string_view command = "agents";

// Finds the access of crawlers by their names in the list.
class Survey {
 public:
  explicit Survey(const RobotsTxt& file) : dialect_(file.dialect()), survey_(file) {}

  AppliedGroups groups_for(const Crawler& crawler) const { return survey_.groups_for(name_of(crawler)); }
  Reach reach_of(const Crawler& crawler) { return survey_.reach_of(name_of(crawler)); }
  bool complete() const noexcept { return survey_.complete(); }

 private:
  std::string_view name_of(const Crawler& crawler) const noexcept { return compared_name(crawler.name, dialect_); }

  const Dialect& dialect_;
  RobotSurvey survey_;
};

std::string group_words(const AppliedGroups& groups) {
  if (groups.line == 0) return "no group";
  const std::string line = "line " + std::to_string(groups.line);
  if (groups.is_default) return "* (" + line + ")";
  return base::printable(groups.agent.empty() ? "(no name)" : groups.agent) + " (" + line + ")";
}

Cell reach_cell(Reach reach) {
  constexpr Output::Colour colours[] = {Output::Colour::green, Output::Colour::yellow, Output::Colour::red};
  return {std::string(to_string(reach)), colours[static_cast<int>(reach)]};
}

void print_text(const Crawlers& list, Survey& survey) {
  Output out;
  std::array<std::size_t, 3> reached{};
  for (const Purpose& purpose : list.purposes) {
    Table table("  ");
    std::size_t count = 0;
    for (const Crawler& crawler : list.crawlers) {
      if (crawler.purpose != purpose.name) continue;
      const Reach reach = survey.reach_of(crawler);
      ++count;
      ++reached[static_cast<std::size_t>(reach)];
      table.row({{base::printable(crawler.name)}, reach_cell(reach), {group_words(survey.groups_for(crawler))}});
    }
    if (count == 0) continue;
    out << out.coloured(Output::Colour::bold, base::printable(purpose.name)) << ": " << base::printable(purpose.means)
        << "\n";
    table.print(out);
    out << "\n";
  }
  out << counted(list.crawlers.size(), "crawler") << ": " << std::to_string(reached[0]) << " everywhere, "
      << std::to_string(reached[1]) << " partly, " << std::to_string(reached[2]) << " nowhere\n";
}

void print_json(const std::string& path, const RobotsTxt& file, const Crawlers& list, Survey& survey) {
  using Json = nlohmann::ordered_json;
  Json crawlers = Json::array();
  for (const Crawler& crawler : list.crawlers) {
    const AppliedGroups groups = survey.groups_for(crawler);
    Json group = nullptr;
    if (groups.line != 0) group = {{"line", groups.line}, {"agent", groups.agent}, {"default", groups.is_default}};
    crawlers.push_back({{"name", crawler.name},
                        {"operator", crawler.operated_by},
                        {"purpose", crawler.purpose},
                        {"source", crawler.source},
                        {"access", to_string(survey.reach_of(crawler))},
                        {"group", std::move(group)}});
  }
  const Json document = {{"file", base::without_userinfo(path)},
                         {"dialect", std::string(file.dialect().name)},
                         {"updated", list.updated},
                         {"crawlers", std::move(crawlers)}};
  write_all(STDOUT_FILENO, json_document(document));
}

}  // namespace

int run_agents(const Options& options) {
  std::string error;
  const Dialect* dialect = choose_dialect(options.dialect, error);
  if (dialect == nullptr) return refuse(command, error);
  const std::string& path = options.operands.front();
  if (path == "-" && options.agents_file == "-") {
    return refuse(command, "standard input can be read only once; give a file for FILE or --agents-file");
  }
  FileBytes given;
  if (options.agents_file) {
    given = read_file(*options.agents_file);
    if (!given.ok()) return refuse(command, given.error);
  }
  const Crawlers list = read_crawlers(options.agents_file ? std::string_view(given.bytes) : known_crawlers());
  if (!list.error.empty())
    return refuse(command, input_name(options.agents_file.value_or("the built-in list")) + " " + list.error);
  const SourceBytes file = Sources(options, command, Sources::Excess::seen).read(path);
  if (!file.ok()) return refuse(command, file.error);

  const RobotsTxt robots = RobotsTxt::parse(file.bytes, *dialect);
  if (robots.looks_like_html()) {
    complain(command, "note: " + printable_url(path) + " is an HTML page, not a robots.txt; see robotrules lint");
  }
  Survey survey(robots);
  options.json ? print_json(path, robots, list, survey) : print_text(list, survey);
  if (!survey.complete()) {
    complain(command, "note: the file is too big to try an example path for every rule");
  }
  return exit_yes;
}

}  // namespace robotrules::cli
