#include "cli/get/server_wait.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "cli/get/job.hpp"
#include "cli/get/messages.hpp"
#include "cli/get/signals.hpp"
#include "cli/io/terminal.hpp"

namespace robotrules::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds server_check_interval{20};
constexpr std::chrono::seconds first_wait{1};
constexpr std::chrono::seconds max_wait{30};

bool is_on_server(const Given& given) {
  const auto is_url = [](const std::optional<std::string>& name) {
    return name && name->find("://") != std::string::npos;
  };
  return is_url(given.text("db")) || is_url(given.text("queue"));
}

// A file that is read-only stays so; a server may be a standby that is about to be promoted.
bool ends_by_waiting(const Error& error) {
  return error.code == "store-unreachable" || error.code == "store-read-only";
}

}  // namespace

Result<void> wait_for_server(const Given& given, const std::function<Result<void>()>& open) {
  auto opened = open();
  if (opened || given.has("dry-run") || !is_on_server(given) || !ends_by_waiting(opened.error())) return opened;
  catch_interrupts();
  tell_queue(opened.error().message + "; the crawl waits until it answers");
  for (Clock::duration wait = first_wait;; wait = std::min<Clock::duration>(2 * wait, max_wait)) {
    for (const auto until = Clock::now() + wait; Clock::now() < until && interrupts() == 0;) {
      std::this_thread::sleep_for(server_check_interval);
    }
    if (interrupts() > 0) return opened;
    opened = open();
    if (!opened && ends_by_waiting(opened.error())) continue;
    if (opened) tell_queue("");
    return opened;
  }
}

}  // namespace robotrules::cli
