// The machine on which a store works: its clocks and its processes. Tests replace them to set a time, to restart the
// machine or to end a process.
//
//     robotrules::SqliteStoreOptions options;
//     options.time.wall = [&clock] { return clock.now(); };
//     options.processes.has_ended = [](const robotrules::Process&) { return true; };
//
// Thread rule: the functions are called from any thread.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <string>

#include <robotrules/base.hpp>

namespace robotrules {

// The clocks of a machine. Tests may replace each function.
struct MachineTime {
  std::function<Timestamp()> wall;                        // the time of day; people may set it, so it may jump
  std::function<std::chrono::microseconds()> since_boot;  // never jumps, and is the same for all processes
  // Returns a name that changes with each start of the machine. If it returns an empty name, every opening of the file
  // counts as a restart of the machine: the store's clock starts again from `wall`, leases end, and every gate key
  // counts as just visited.
  std::function<std::string()> boot_id;
};

// The identity of a process. No other process ever has the same identity.
struct Process {
  std::int64_t id = 0;       // 0: not known
  std::int64_t started = 0;  // start time in the machine's ticks: differs between processes with the same id
  // `id` and `started` identify a process only within one realm. Each start of the machine is a realm of its own, and
  // so is each namespace that counts ids or ticks separately. 0: not known.
  std::int64_t realm = 0;
  friend auto operator<=>(const Process&, const Process&) = default;
};

// The processes of a machine. Tests may replace each function.
struct MachineProcesses {
  std::function<Process()> self;                  // the current process; called when the store is opened
  std::function<bool(const Process&)> has_ended;  // false: it is running, or its state is not known
};

}  // namespace robotrules
