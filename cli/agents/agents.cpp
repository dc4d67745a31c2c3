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
  Crawlers list;
  if (options.agents_file) {
    const FileBytes given = read_file(*options.agents_file);
    if (!given.ok()) return refuse(command, given.error);
    auto own = read_crawlers(given.bytes);
    if (!own) return refuse(command, input_name(*options.agents_file) + " " + own.error().message);
    list = std::move(own).value();
  } else {
    list = known_crawlers();
  }
  std::vector<std::string> notes;
  error = select_crawlers(options, list, notes);
  if (!error.empty()) return refuse(command, error);
  for (const std::string& note : notes) complain(command, note);
  const SourceBytes file = Sources(options, command, Sources::Excess::seen).read(path);
  if (!file.ok()) return refuse(command, file.error);

  const RobotsTxt robots = RobotsTxt::parse(file.bytes, *dialect);
  note_content(command, path, file, robots);
  const auto [found, complete] = crawler_access(robots, page.url, list);
  std::vector<UncomparedSetting> preferences = uncompared_settings(robots);
  std::erase_if(preferences, [](const UncomparedSetting& setting) {
    return setting.kind != DirectiveKind::content_signal && setting.kind != DirectiveKind::content_usage;
  });
  if (options.json && !ReportNames().add(preferences)) return refuse(command, too_many_names);
  options.json ? print_agents_json(path, *dialect, page, list, found, preferences)
               : print_agents_text(page, list, found, preferences);
  if (!complete) {
    complain(command, "note: the file is too big to try an example path for every rule");
  }
  return exit_yes;
}

}  // namespace robotrules::cli
