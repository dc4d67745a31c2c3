// robotrules batch: NDJSON in, NDJSON out.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <thread>

#include <robotrules/open_store.hpp>

#include "cli/batch/pipeline.hpp"
#include "cli/db/source.hpp"
#include "cli/flags/flag_choice.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

constexpr std::string_view command = "batch";
constexpr std::size_t cache_bytes = std::size_t{256} << 20;  // for files and compiled rules
constexpr unsigned max_threads = 64;

Library::Read read_from(std::shared_ptr<Store> store, const RobotsPolicy& policy) {
  return [store = std::move(store), policy](const std::string& name) {
    const auto origin = Origin::of(name);
    if (!origin) return RobotsFile{{}, RobotsState::unknown};
    const KeptRobots kept = kept_robots(*store, *origin, policy);
    const bool has_body = has_rules(kept.state);
    return RobotsFile{{.bytes = has_body ? *kept.record->body : std::string(), .error = kept.error}, kept.state};
  };
}

Library::Read read_from(int directory, const std::string& folder) {
  return [directory, folder](const std::string& name) {
    RobotsFile file{read_file_at(directory, folder, name)};
    if (file.missing) file.error.clear();
    if (file.missing) file.state = RobotsState::unknown;
    return file;
  };
}

}  // namespace

int run_batch(const Given& given) {
  const auto policy = choose_policy(given);
  if (!policy) return refuse(command, policy.error().message);
  const auto dialect = choose_dialect(given.text("dialect"));
  if (!dialect) return refuse(command, dialect.error().message);
  const auto agent = choose_agent(given.text("agent"));
  if (!agent) return refuse(command, agent.error().message);
  if (!agent->note.empty()) complain(command, agent->note);
  const BatchDefaults defaults{agent->name, agent->header, dialect.value()};
  const auto db = given.text("db");
  const auto folder = given.text("robots-dir");
  if (!db && policy->is_given) return refuse(command, "--policy and --strict need a database: give --db PATH");
  if (folder && db) return refuse(command, "--robots-dir and --db are two sources of files; give only one");
  Library::Names names = Library::Names::none;
  Library::Read read;
  if (db) {
    StoreOptions store_options;
    store_options.sqlite.create = false;
    auto opened = open_store(*db, store_options);
    if (!opened) return refuse(command, opened.error().message);
    const auto kept = policy_over(*opened.value(), policy.value());
    if (!kept) return refuse(command, kept.error().message);
    names = Library::Names::origins;
    read = read_from(std::move(opened).value(), kept.value());
  }
  if (folder) {
    // Stays open until the process ends.
    const int directory = ::open(folder->c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) {
      return refuse(command, *folder + ": " + error_text(errno) +
                                 "; --robots-dir takes a folder of files named after their hosts");
    }
    names = Library::Names::hosts;
    read = read_from(directory, *folder);
  }
  Library library(names, std::move(read), cache_bytes);
  const unsigned threads = std::clamp(std::thread::hardware_concurrency(), 1u, max_threads);
  Pipeline pipeline(defaults, library, threads);
  const Pipeline::Outcome outcome = pipeline.run(STDIN_FILENO, STDOUT_FILENO);
  if (!outcome.error.empty()) return refuse(command, outcome.error);
  if (outcome.bad == 0) return exit_yes;
  return refuse(command, std::to_string(outcome.bad) + " of " + std::to_string(outcome.lines) +
                             (outcome.lines == 1 ? " line was" : " lines were") +
                             " not answered; look for \"error\" and \"input_line\" in the output");
}

}  // namespace robotrules::cli
