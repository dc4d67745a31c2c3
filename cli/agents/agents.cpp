// robotrules agents: which known crawlers a robots.txt allows.
#include "cli/agents/agents.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/escape.hpp"
#include "cli/flags/flag_choice.hpp"
#include "cli/io/input.hpp"
#include "cli/io/json_lines.hpp"
#include "cli/io/sources.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

constexpr std::string_view command = "agents";

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
  error = "the list has no crawler \"" + base::printable(name) + "\"; " +
          base::printable(suggestion(name, names, "robotrules check --agent asks about any robot"));
  return nullptr;
}

// Leaves in the list only the crawlers that are named and those of the kinds (lists with commas); all if neither is
// given. Returns a sentence if a name is unknown, else an empty string. Appends notes about headers that were reduced
// to a name.
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

}  // namespace

int run_agents(const Given& given) {
  auto network = read_network(given);
  if (!network) return refuse(command, network.error().message);
  const auto chosen = choose_dialect(given.text("dialect"));
  if (!chosen) return refuse(command, chosen.error().message);
  const Dialect* const dialect = chosen.value();
  const std::string& path = given.operands.front();
  const auto agents_file = given.text("agents-file");
  if (path == "-" && agents_file == "-") {
    return refuse(command, "standard input can be read only once; give a file for FILE or --agents-file");
  }
  const AskedPage page{read_url_or_path(given.text("url", "/")), given.has("url")};
  if (!page.url.starts_with('/') && !Origin::of(page.url)) {
    return refuse(command,
                  "--url does not accept \"" + printable_url(page.url) + "\"; give https://HOST/PATH or a path");
  }
  Crawlers list;
  if (agents_file) {
    const FileBytes own_list = read_file(*agents_file);
    if (!own_list.ok()) return refuse(command, own_list.error);
    auto own = read_crawlers(own_list.bytes);
    if (!own) return refuse(command, input_name(*agents_file) + " " + own.error().message);
    list = std::move(own).value();
  } else {
    list = known_crawlers();
  }
  std::vector<std::string> notes;
  const std::string error = select_crawlers(given.all("agent"), given.all("kind"), list, notes);
  if (!error.empty()) return refuse(command, error);
  for (const std::string& note : notes) complain(command, note);
  const SourceBytes file = Sources(std::move(network).value(), command, Sources::Excess::seen).read(path);
  if (!file.ok()) return refuse(command, file.error);

  const RobotsTxt robots = RobotsTxt::parse(file.bytes, *dialect);
  note_content(command, path, file, robots);
  const auto [found, complete] = crawler_access(robots, page.url, list);
  std::vector<UncomparedSetting> preferences = uncompared_settings(robots);
  std::erase_if(preferences, [](const UncomparedSetting& setting) {
    return setting.kind != DirectiveKind::content_signal && setting.kind != DirectiveKind::content_usage;
  });
  const bool json = given.has("json");
  if (json && !ReportNames().add(preferences)) return refuse(command, too_many_names);
  json ? print_agents_json(path, *dialect, page, list, found, preferences)
       : print_agents_text(page, list, found, preferences);
  if (!complete) {
    complain(command, "note: the file is too big to try an example path for every rule");
  }
  return exit_yes;
}

}  // namespace robotrules::cli
