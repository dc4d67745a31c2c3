// robotrules db: inspects and maintains a database of rules.
#include <algorithm>
#include <array>
#include <span>

#include <robotrules/open_store.hpp>

#include "base/escape.hpp"
#include "base/store_name.hpp"
#include "cli/db/actions.hpp"
#include "cli/flags/flag_choice.hpp"
#include "cli/flags/flags.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

// Returns true for the actions that also work with a file that cannot be written.
bool only_reads(std::string_view action) {
  constexpr std::array<std::string_view, 5> names = {"ls", "show", "why", "export", "stats"};
  return std::ranges::find(names, action) != names.end();
}

const Action* find_action(std::string_view name) {
  for (const Action& action : find_command(db_command)->actions) {
    if (action.name == name) return &action;
  }
  return nullptr;
}

std::string unknown_action(const std::string& name) {
  const auto names = action_names(*find_command(db_command));
  const auto near = nearest(name, names);
  return "unknown action " + printable_operand(name) + "; " +
         (near.empty() ? "use one of " + listed(names) : "did you mean " + std::string(near) + "?");
}

int check(const Options& options, const std::string& path) {
  const auto report = check_sqlite_store(path, options.repair);
  if (!report) return refuse(db_command, report.error().message);
  for (const std::string& file : report.value().leftovers) {
    complain(db_command, base::printable(file) + " was left by a repair that was interrupted; --repair removes it");
  }
  Output out;
  for (const std::string& problem : report.value().problems) out << base::printable(problem) << "\n";
  out.flush();
  if (report.value().is_empty) {
    complain(db_command, base::printable(path) + " is empty: no store has been made yet");
    return exit_yes;
  }
  if (report.value().problems.empty()) {
    complain(db_command, base::printable(path) + " is undamaged");
    return exit_yes;
  }
  if (report.value().moved_to.empty()) {
    complain(db_command,
             base::printable(path) + " is damaged; --repair moves it aside and saves its readable contents");
    return exit_no;
  }
  const std::uint64_t urls = report.value().urls_kept;
  complain(db_command, "the damaged file was moved to " + base::printable(report.value().moved_to) + "; " +
                           counted(report.value().origins_kept, "robots.txt file") + (urls > 0 ? ", " : " and ") +
                           counted(report.value().gates_kept, "gate") +
                           (urls > 0 ? " and " + counted(urls, "URL") + " of its queue" : "") + " were saved");
  if (report.value().penalties_lost) {
    complain(
        db_command,
        "penalties may be lost: a site may have asked for a longer pause, and the new file does not know it; there "
        "every site counts as just visited");
  }
  if (report.value().policy_lost) {
    complain(db_command,
             "its policy could not be read, so the new file has the policy strict; get --policy NAME sets another");
  }
  return exit_no;
}

}  // namespace

int run_db(const Options& options) {
  const std::string& path = options.operands[0];
  const Action* action = find_action(options.operands[1]);
  if (action == nullptr) return refuse(db_command, unknown_action(options.operands[1]));
  const std::span<const std::string> further =
      std::span(options.operands).subspan(std::min<std::size_t>(3, options.operands.size()));
  const std::string argument = options.operands.size() > 2 ? options.operands[2] : std::string();
  if (!action->argument.empty() && argument.empty()) {
    return refuse(db_command, "no " + std::string(action->argument) + " was given; write: robotrules db PATH " +
                                  std::string(action->name) + " " + std::string(action->argument));
  }
  if (action->argument.empty() && options.operands.size() > 2) {
    return refuse(db_command, std::string(action->name) + " takes no argument, but \"" + printable_operand(argument) +
                                  "\" was given; write: robotrules db PATH " + std::string(action->name));
  }
  if (action->name != "queue" && !further.empty()) {
    return refuse(db_command, std::string(action->name) + " takes one argument, but \"" +
                                  printable_operand(further.front()) + "\" was given too");
  }
  if (action->name == "check" && !base::shown_store(path).is_file) {
    return refuse(db_command, "check is for a file; a server checks its data itself");
  }
  if (action->name == "check") return check(options, path);
  if (action->name == "jobs") return db_jobs(options, path);
  if (action->name == "queue") return db_queue(options, path, argument, further);

  // Only import creates a database.
  StoreOptions store_options;
  store_options.sqlite.create = action->name == "import";
  store_options.sqlite.accept_read_only = only_reads(action->name);
  const auto opened = open_store(path, store_options);
  if (!opened) return refuse(db_command, opened.error().message);
  Store& store = *opened.value();
  if (options.agent && action->name == "import") {
    const auto agent = choose_agent(options.agent);
    if (!agent) return refuse(db_command, agent.error().message);
    const OtherAgent other = options.replace_agent ? OtherAgent::clears : OtherAgent::refused;
    if (const auto set = store.set_agent(agent.value().name, other); !set) {
      const bool another = set.error().code == "other-agent";
      return refuse(db_command, set.error().message + (another ? " with --replace-agent" : ""));
    }
  }
  if (action->name == "ls") return db_list(options, store);
  if (action->name == "show") return db_show(options, store, argument);
  if (action->name == "why") return db_why(options, store, argument);
  if (action->name == "stats") return db_stats(options, store, path);
  if (action->name == "prune") return db_prune(options, store);
  if (action->name == "forget") return db_forget(store, argument);
  if (action->name == "export") return db_export(store);
  return db_import(options, store, argument);
}

}  // namespace robotrules::cli
