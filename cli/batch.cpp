// robotrules batch: NDJSON in, NDJSON out.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <thread>

#include "cli/batch/pipeline.hpp"
#include "cli/choice.hpp"
#include "cli/flags.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"

namespace robotrules::cli {
namespace {

constexpr std::string_view command = "batch";
constexpr std::size_t cache_bytes = std::size_t{256} << 20;  // files and compiled rules that are kept
constexpr unsigned most_threads = 64;

int refuse(const std::string& error) {
  complain(command, error);
  return exit_error;
}

}  // namespace

int run_batch(const Options& options) {
  BatchDefaults defaults;
  std::string error;
  defaults.dialect = choose_dialect(options.dialect, error);
  if (defaults.dialect == nullptr) return refuse(error);
  AgentChoice agent = choose_agent(options.agent);
  if (!agent.note.empty()) complain(command, agent.note);
  defaults.agent = std::move(agent.name);

  int directory = -1;  // open until the process ends
  if (options.robots_dir) {
    directory = ::open(options.robots_dir->c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) {
      return refuse(printable(*options.robots_dir) + ": " + error_text(errno) +
                    "; --robots-dir takes a folder of files named after their hosts");
    }
  }
  Library library(directory, options.robots_dir.value_or(""), cache_bytes);
  const unsigned threads = std::clamp(std::thread::hardware_concurrency(), 1u, most_threads);
  Pipeline pipeline(defaults, library, threads);
  const Pipeline::Outcome outcome = pipeline.run(STDIN_FILENO, STDOUT_FILENO);
  if (!outcome.error.empty()) return refuse(outcome.error);
  if (outcome.bad == 0) return exit_yes;
  return refuse(std::to_string(outcome.bad) + " of " + std::to_string(outcome.lines) +
                (outcome.lines == 1 ? " line was" : " lines were") +
                " not answered; look for \"error\" and \"input_line\" in the output");
}

}  // namespace robotrules::cli
