// A store in one SQLite file: it survives the process and a crash, and many processes of one machine may share it.
//
//     const bool is_first_run = !std::filesystem::exists("robots.db");
//     auto store = robotrules::open_sqlite_store("robots.db", {.first_ever = is_first_run});
//     if (!store) return report(store.error().message);
//     auto rules = robotrules::RobotRules::open(*store, "FooBot/1.0", robotrules::Dialect::rfc9309(),
//                                               robotrules::OtherAgent::refused);
//     if (!rules) return report(rules.error().message);
//
// All processes that share a file must use the same robot name. With the default OtherAgent::clears, a process with
// another name deletes the records and visits of the file.
//
// Thread rule: as Store. The functions here may be called from any thread.
// A process that forks while it has a store open must not use the same file in the child before exec, because SQLite
// does not support it. Errors: see open_sqlite_store().
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <robotrules/export.hpp>
#include <robotrules/result.hpp>
#include <robotrules/seams/machine.hpp>
#include <robotrules/store.hpp>

namespace robotrules {

// The guarantee for a change, once the function that made it has returned.
enum class Durability : std::uint8_t {
  // No change is lost if a process dies. A power cut may lose the last changes; after it, every gate key counts as just
  // visited.
  normal,
  // Every change is on the disk.
  full,
};

struct SqliteStoreOptions {
  Durability durability = Durability::normal;
  bool create = true;  // make the file if there is none
  // Open a file that cannot be written, to be read only: on a read-only disk, in a read-only folder, or read-only
  // itself. Functions that write then fail with "store-io". A file that can be written is opened as usual.
  bool accept_read_only = false;
  // Whether a new file is the first one. It has no effect on an existing file.
  // True: no site was visited before, so the first requests are sent at once. Set true for a first run.
  // False: an earlier file may have been lost, together with its visits. So every site counts as visited when the file
  // is made, and the first request to each site waits for a whole interval (Pace::delay: one minute).
  bool first_ever = false;
  bool network_file_system = false;               // open the file even on a network file system, whose locks may fail
  std::chrono::milliseconds busy_timeout{5'000};  // "store-busy" if another process locks the file for longer than this
  MachineTime time{};                             // empty functions: those of the machine
  MachineProcesses processes{};                   // empty functions: those of the machine
};

// Returns the store in the file `path`. A new file is made with mode 0600. A symbolic link is refused, and so is a file
// or directory that other users may write or replace; a directory with the sticky bit (/tmp) is accepted.
//
// Fails with one of these errors, whose message says what to do:
//   "store-path"     the path or its directory cannot be used
//   "store-missing"  there is no such file, and `create` is false
//   "store-foreign"  the file is not a store of robotrules
//   "store-older"    an older version has written the file, and its tables can't be upgraded, because it is read-only
//   "store-newer"    a newer version has written the file. Store::policy() fails with it if only the policy is newer
//   "store-damaged"  the file is damaged; `robotrules db PATH check --repair` saves what can be read
//   "store-busy"     another process has locked the file for longer than busy_timeout
//   "store-io"       the system could not read or write the file
//   "disk-full"      there is no room for the file on its disk
//   "store-moved"    the file, its -wal or its -shm was moved, replaced or deleted after it was opened. Each function
//   that
//                    changes something reports this: what it wrote would be lost, and others would not see it
//   "store-forked"   the store was opened before a fork(), and this process is the child
// Every function of the store may fail with the last six.
//
// Dead owners: with each hold and lease, the file keeps the process that opened the store. A process may end without
// completing its holds, for example if it is killed. The store notices this when it would have to refuse a request
// because of such a hold or lease. Then it ends the hold, as if the dispatch was completed at that moment, and frees
// the lease. So other processes wait only until the interval is over. A zombie process counts as ended. The store
// cannot tell whether a process has ended if it ran in another PID namespace or before a restart of the machine, or if
// /proc cannot be read. Then its hold lasts until it expires, as for a running process.
ROBOTRULES_API Result<std::shared_ptr<Store>> open_sqlite_store(const std::string& path,
                                                                SqliteStoreOptions options = {});

// The result of check_sqlite_store().
struct StoreCheck {
  std::vector<std::string> problems;  // empty: the file has no faults
  // True: no store has been made in the file yet, for example because the process was killed before. This is no damage.
  bool is_empty = false;
  std::vector<std::string> leftovers;  // files of a repair that was interrupted; the next repair removes them
  // The rest is set only by a repair.
  std::string moved_to;            // new path of the damaged file; empty: it was not moved
  std::uint64_t origins_kept = 0;  // records saved
  std::uint64_t gates_kept = 0;    // gate keys saved
  std::uint64_t urls_kept = 0;     // URLs of the queue saved
  // True: the policy of the damaged file could not be read, so the new file has RobotsPolicy::strict(). The lost policy
  // may have been as strict, and a repair must not open a site that was closed.
  bool policy_lost = false;
  // True: a gate key may be missing in the new file, and with it how long its server asked to be left alone.
  bool penalties_lost = false;
};

// Reads the whole file and reports its faults. With `repair`, PATH.repaired is made from everything in a damaged file
// that can be read. When it is complete, the damaged file moves to moved_to, and PATH.repaired takes its place. If the
// process dies in between, nothing is lost: the next open or repair goes on. In the new file every gate key counts as
// just visited. A repair needs room for two copies of the file.
//
// Fails as open_sqlite_store() does; then the file stays as it is. "store-io": the system could not read the file,
// which is no damage. "store-damaged": no table can be found in the file, so nothing could be saved. A repair fails
// with "store-busy" if another process has the file open.
ROBOTRULES_API Result<StoreCheck> check_sqlite_store(const std::string& path, bool repair = false);

}  // namespace robotrules
