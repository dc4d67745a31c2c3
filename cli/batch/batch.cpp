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
#include "cli/flags/flags.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

constexpr std::string_view command = "batch";
constexpr std::size_t cache_bytes = std::size_t{256} << 20;  // for files and compiled rules
constexpr unsigned max_threads = 64;

}  // namespace

int run_batch(const Options& options) {
  BatchDefaults defaults;
  std::string error;
  defaults.dialect = choose_dialect(options.dialect, error);
  if (defaults.dialect == nullptr) return refuse(command, error);
  auto agent = choose_agent(options.agent);
  if (!agent) return refuse(command, agent.error().message);
  if (!agent.value().note.empty()) complain(command, agent.value().note);
  defaults.agent = std::move(agent.value().name);
  defaults.header = std::move(agent.value().header);

  Library::Names names = Library::Names::none;
  Library::Read read;
  if (!options.db && (options.policy || options.strict)) {
    return refuse(command, "--policy and --strict need a database: give --db PATH");
  }
  if (options.robots_dir && options.db)
    return refuse(command, "--robots-dir and --db are two sources of files; give only one");
  if (options.db) {
    StoreOptions store_options;
    store_options.sqlite.create = false;
    auto opened = open_store(*options.db, store_options);
    if (!opened) return refuse(command, opened.error().message);
    const auto policy = policy_over(*opened.value(), options);
    if (!policy) return refuse(command, policy.error().message);
    names = Library::Names::origins;
    read = [store = std::move(opened).value(), policy = policy.value()](const std::string& name) {
      const auto origin = Origin::of(name);
      if (!origin) return RobotsFile{{}, RobotsState::unknown};
      const KeptRobots kept = kept_robots(*store, *origin, policy);
      const bool has_body = has_rules(kept.state);
      return RobotsFile{{.bytes = has_body ? *kept.record->body : std::string(), .error = kept.error}, kept.state};
    };
  }
  if (options.robots_dir) {
    // Stays open until the process ends.
    const int directory = ::open(options.robots_dir->c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) {
      return refuse(command, *options.robots_dir + ": " + error_text(errno) +
                                 "; --robots-dir takes a folder of files named after their hosts");
    }
    names = Library::Names::hosts;
    read = [directory, folder = *options.robots_dir](const std::string& name) {
      RobotsFile file{read_file_at(directory, folder, name)};
      if (file.missing) file.error.clear();
      if (file.missing) file.state = RobotsState::unknown;
      return file;
    };
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
