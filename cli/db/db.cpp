// robotrules db: inspects and maintains a database of rules.
#include <algorithm>
#include <array>
#include <span>

#include <robotrules/open_store.hpp>

#include "base/escape.hpp"
#include "base/store_name.hpp"
#include "cli/db/actions.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

constexpr std::chrono::days default_prune_age{30};

// Returns true for the actions that also work with a file that cannot be written.
bool only_reads(std::string_view action) {
  constexpr std::array<std::string_view, 5> names = {"ls", "show", "why", "export", "stats"};
  return std::ranges::find(names, action) != names.end();
}

std::string unknown_action(const Command& command, const std::string& name) {
  const auto names = action_names(command);
  return "unknown action " + printable_operand(name) + "; " + suggestion(name, names, "use one of " + listed(names));
}

int check(const std::string& path, bool repair) {
  const auto report = check_sqlite_store(path, repair);
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

// Returns a sentence if there are too few or too many words after the action, else an empty string.
std::string wrong_words(const Action& action, std::span<const std::string> words) {
  const std::string name(action.name);
  const std::string write = "; write: robotrules db PATH " + name;
  if (action.argument.empty() && !words.empty()) {
    return name + " takes no argument, but \"" + printable_operand(words.front()) + "\" was given" + write;
  }
  if (!action.argument.empty() && (words.empty() || words.front().empty())) {
    return "no " + std::string(action.argument) + " was given" + write + " " + std::string(action.argument);
  }
  if (name == "queue" || words.size() < 2) return {};
  return name + " takes one argument, but \"" + printable_operand(words[1]) + "\" was given too";
}

}  // namespace

int run_db(const Given& given) {
  const auto policy = choose_policy(given);
  if (!policy) return refuse(db_command, policy.error().message);
  const std::string& path = given.operands[0];
  const auto action = std::ranges::find(given.command().actions, given.operands[1], &Action::name);
  if (action == given.command().actions.end()) {
    return refuse(db_command, unknown_action(given.command(), given.operands[1]));
  }
  const std::span<const std::string> words = std::span(given.operands).subspan(2);  // after the action
  const std::string argument = words.empty() ? "" : words.front();
  if (const std::string wrong = wrong_words(*action, words); !wrong.empty()) return refuse(db_command, wrong);
  const bool json = given.has("json");
  if (action->name == "check" && !base::shown_store(path).is_file) {
    return refuse(db_command, "check is for a file; a server checks its data itself");
  }
  if (action->name == "check") return check(path, given.has("repair"));
  if (action->name == "jobs") return db_jobs(path, json);
  if (action->name == "queue") {
    return db_queue(path, argument, given.text("job"), given.text("state"), words.subspan(1), json);
  }

  // Only import creates a database.
  StoreOptions store_options;
  store_options.sqlite.create = action->name == "import";
  store_options.sqlite.accept_read_only = only_reads(action->name);
  const auto opened = open_store(path, store_options);
  if (!opened) return refuse(db_command, opened.error().message);
  Store& store = *opened.value();
  if (given.has("agent") && action->name == "import") {
    const auto agent = choose_agent(given.text("agent"));
    if (!agent) return refuse(db_command, agent.error().message);
    const OtherAgent other = given.has("replace-agent") ? OtherAgent::clears : OtherAgent::refused;
    if (const auto set = store.set_agent(agent->name, other); !set) {
      const bool another = set.error().code == "other-agent";
      return refuse(db_command, set.error().message + (another ? " with --replace-agent" : ""));
    }
  }
  if (action->name == "ls") return db_list(store, policy.value(), json);
  if (action->name == "show") return db_show(store, policy.value(), json, argument);
  if (action->name == "why") return db_why(store, policy.value(), json, argument);
  if (action->name == "stats") return db_stats(store, policy.value(), json, path);
  if (action->name == "prune") return db_prune(store, given.span("older-than", default_prune_age));
  if (action->name == "forget") return db_forget(store, argument);
  if (action->name == "export") return db_export(store);
  return db_import(store, argument, given.has("http") ? "http://" : "https://", json);
}

}  // namespace robotrules::cli
