// robotrules agents: which known crawlers a robots.txt allows.
#include "cli/agents/agents.hpp"

#include <string>
#include <utility>
#include <vector>

#include "base/escape.hpp"
#include "cli/agents/read_crawlers.hpp"
#include "cli/flags/flag_choice.hpp"
#include "cli/io/content_note.hpp"
#include "cli/io/input.hpp"
#include "cli/io/report_names.hpp"
#include "cli/io/sources.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"
#include "cli/io/urlish.hpp"

namespace robotrules::cli {
namespace {

constexpr std::string_view command = "agents";

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
