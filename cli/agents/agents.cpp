// robotrules agents: which known crawlers a robots.txt lets in.
#include <unistd.h>

#include <array>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

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
#include "core/compare/audience.hpp"
#include "core/compare/examples.hpp"

namespace robotrules::cli {
namespace {

constexpr std::string_view command = "agents";

enum class Reach { everywhere, partly, nowhere };

std::string_view to_string(Reach reach) noexcept {
  return reach == Reach::everywhere ? "everywhere" : reach == Reach::partly ? "partly" : "nowhere";
}

struct Standing {
  Reach reach = Reach::everywhere;
  std::uint32_t line = 0;  // of the group that holds; 0: none does
  std::string group;       // what names the robot there
  bool is_default = false;
};

// Asks one file for many robots; those that the same groups hold for are asked for once.
class Standings {
 public:
  explicit Standings(const RobotsTxt& file) : file_(file), find_(file), examples_(patterns()) {}

  Standing of(const std::string& robot) {
    const std::string name = asking_name(robot, file_.dialect());
    GroupFinder::Held held = find_.held_for(name);
    const auto [found, is_new] = known_.try_emplace(held.groups);
    if (is_new) found->second = ask(name, held.groups);
    const std::uint32_t line = held.groups.empty() ? 0 : find_.groups()[held.groups.front()].line;
    return {found->second, line, std::move(held.agent), held.is_default};
  }
  bool cut() const noexcept { return examples_.cut() || work_ > most_work; }

 private:
  std::vector<std::string_view> patterns() const {
    std::vector<std::string_view> patterns;
    for (const Group& group : find_.groups()) {
      for (const Directive& rule : group.rules) patterns.push_back(rule.value);
    }
    return patterns;
  }

  Reach ask(const std::string& name, const std::vector<std::uint32_t>& groups) {
    const Rules rules = file_.rules_for(name);
    const RuleList list = rules_of(find_, groups);
    const std::size_t cost = cost_of(list);
    // What no rule speaks of comes first: most often that and one rule decide.
    const bool rest = rules.check("/" + examples_.filler().behind("/")).allowed();
    bool some = rest;
    bool all = rest;
    for (const std::string* path : examples_.of(list, {})) {
      if (path->starts_with("/robots.txt")) continue;  // a file for robots: to be let at it is to be let nowhere
      work_ += cost;
      if (work_ > most_work || (some && !all)) break;
      const bool allowed = rules.check(*path).allowed();
      some = some || allowed;
      all = all && allowed;
    }
    if (all) return Reach::everywhere;
    return some ? Reach::partly : Reach::nowhere;
  }

  const RobotsTxt& file_;
  GroupFinder find_;
  Examples examples_;
  std::map<std::vector<std::uint32_t>, Reach> known_;
  std::size_t work_ = 0;
};

std::string group_words(const Standing& standing) {
  if (standing.line == 0) return "no group";
  const std::string line = "line " + std::to_string(standing.line);
  if (standing.is_default) return "* (" + line + ")";
  return base::printable(standing.group.empty() ? "(no name)" : standing.group) + " (" + line + ")";
}

Cell reach_cell(Reach reach) {
  constexpr Output::Colour colours[] = {Output::Colour::green, Output::Colour::yellow, Output::Colour::red};
  return {std::string(to_string(reach)), colours[static_cast<int>(reach)]};
}

void print_text(const Crawlers& list, Standings& standings) {
  Output out;
  std::array<std::size_t, 3> reached{};
  for (const Purpose& purpose : list.purposes) {
    Table table("  ");
    std::size_t count = 0;
    for (const Crawler& crawler : list.crawlers) {
      if (crawler.purpose != purpose.name) continue;
      const Standing standing = standings.of(crawler.name);
      ++count;
      ++reached[static_cast<std::size_t>(standing.reach)];
      table.row({{base::printable(crawler.name)}, reach_cell(standing.reach), {group_words(standing)}});
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

void print_json(const std::string& path, const RobotsTxt& file, const Crawlers& list, Standings& standings) {
  using Json = nlohmann::ordered_json;
  Json crawlers = Json::array();
  for (const Crawler& crawler : list.crawlers) {
    const Standing standing = standings.of(crawler.name);
    Json group = nullptr;
    if (standing.line != 0) {
      group = {{"line", standing.line}, {"agent", standing.group}, {"default", standing.is_default}};
    }
    crawlers.push_back({{"name", crawler.name},
                        {"operator", crawler.operated_by},
                        {"purpose", crawler.purpose},
                        {"source", crawler.source},
                        {"access", to_string(standing.reach)},
                        {"group", std::move(group)}});
  }
  const Json document = {{"file", base::without_userinfo(path)},
                         {"dialect", std::string(file.dialect().name)},
                         {"updated", list.updated},
                         {"crawlers", std::move(crawlers)}};
  write_all(STDOUT_FILENO, json_document(document));
}

int refuse(const std::string& error) {
  complain(command, error);
  return exit_error;
}

}  // namespace

int run_agents(const Options& options) {
  std::string error;
  const Dialect* dialect = choose_dialect(options.dialect, error);
  if (dialect == nullptr) return refuse(error);
  const std::string& path = options.operands.front();
  if (path == "-" && options.agents_file == "-") {
    return refuse("standard input can be read once only: give a file for FILE or --agents-file");
  }
  FileBytes given;
  if (options.agents_file) {
    given = read_file(*options.agents_file);
    if (!given.ok()) return refuse(given.error);
  }
  const Crawlers list = read_crawlers(options.agents_file ? std::string_view(given.bytes) : known_crawlers());
  if (!list.error.empty())
    return refuse(input_name(options.agents_file.value_or("the list inside")) + " " + list.error);
  const SourceBytes file = Sources(options, command, Sources::Excess::seen).read(path);
  if (!file.ok()) return refuse(file.error);

  const RobotsTxt robots = RobotsTxt::parse(file.bytes, *dialect);
  if (robots.looks_like_html()) {
    complain(command, "note: " + printable_url(path) + " is a page of HTML, not a robots.txt: see robotrules lint");
  }
  Standings standings(robots);
  options.json ? print_json(path, robots, list, standings) : print_text(list, standings);
  if (standings.cut()) complain(command, "note: the file is so big that not every example path of its rules was tried");
  return exit_yes;
}

}  // namespace robotrules::cli
