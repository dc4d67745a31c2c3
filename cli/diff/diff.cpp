// robotrules diff: the difference between two robots.txt files for each robot.
#include <unistd.h>

#include <string>
#include <vector>

#include <robotrules/compare.hpp>

#include "base/userinfo.hpp"
#include "cli/diff/print.hpp"
#include "cli/flags/flag_choice.hpp"
#include "cli/io/json_lines.hpp"
#include "cli/io/sources.hpp"
#include "cli/io/terminal.hpp"

namespace robotrules::cli {
namespace {

constexpr std::string_view command = "diff";

}  // namespace

int run_diff(const Given& given) {
  auto network = read_network(given);
  if (!network) return refuse(command, network.error().message);
  const auto chosen = choose_dialect(given.text("dialect"));
  if (!chosen) return refuse(command, chosen.error().message);
  const Dialect* const dialect = chosen.value();
  const std::string& before = given.operands[0];
  const std::string& after = given.operands[1];
  if (before == "-" && after == "-")
    return refuse(command, "standard input can be read only once; give a file for A or B");

  Sources sources(std::move(network).value(), command, Sources::Excess::seen);
  std::vector<RobotsTxt> files;
  for (const std::string& path : {before, after}) {
    const SourceBytes file = sources.read(path);
    if (!file.ok()) {
      report_error(command, file.error);
      continue;
    }
    files.push_back(RobotsTxt::parse(file.bytes, *dialect));
    note_content(command, path, file, files.back());
  }
  if (files.size() < 2) return exit_error;
  std::vector<std::string> agents;
  for (const std::string& header : given.all("agent")) {
    const auto agent = choose_agent(header);
    if (!agent) return refuse(command, agent.error().message);
    if (!agent.value().note.empty()) complain(command, agent.value().note);
    agents.push_back(agent.value().name);
  }

  const Difference difference = compare(files[0], files[1], agents);
  const ChangedSettings settings = changed_settings(files[0], files[1]);
  if (given.has("json")) {
    ReportNames names;
    if (!names.add(settings.added) || !names.add(settings.removed)) return refuse(command, too_many_names);
    write_all(STDOUT_FILENO,
              diff_json(difference, settings, base::without_userinfo(before), base::without_userinfo(after), *dialect));
  } else {
    Output out;
    print_diff(out, difference, settings);
  }
  for (const auto* limits : {&difference.limits, &settings.limits}) {
    for (const std::string& limit : *limits) complain(command, "note: " + limit);
  }
  return difference.same() && settings.same() ? exit_yes : exit_no;
}

}  // namespace robotrules::cli
