// A store in one SQLite file: it survives the process, a crash and, as its durability says, a power cut, and many
// processes of one machine share it.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/result.hpp>
#include <robotrules/store.hpp>

namespace robotrules {

enum class Durability : std::uint8_t {
  normal,  // nothing acknowledged is lost when a process dies; a power cut may cost the last moments, and then every
           // key counts as just visited
  full,    // each change is on the disk before it is acknowledged
};

// What a machine knows of time; for tests, each may be replaced.
struct MachineTime {
  std::function<Timestamp()> wall;                        // may be set by people and jump
  std::function<std::chrono::microseconds()> since_boot;  // never jumps, and all processes see the same
  // Another one after each start of the machine; empty: nobody knows. Then every opening counts as another start: the
  // clock begins anew, leases end, and every key counts as just visited.
  std::function<std::string()> boot_id;
};

// A process, so that no other is ever taken for it.
struct Process {
  std::int64_t id = 0;       // 0: nobody knows which
  std::int64_t started = 0;  // by the machine's ticks: an id that is used again is another process
  // Names the run of the machine and the namespaces in which the other two mean this process; 0: nobody knows.
  std::int64_t realm = 0;
  friend auto operator<=>(const Process&, const Process&) = default;
};

// What a machine knows of its processes; for tests, each may be replaced.
struct MachineProcesses {
  std::function<Process()> self;                  // asked when the store is opened
  std::function<bool(const Process&)> has_ended;  // false where nobody knows
};

struct SqliteStoreOptions {
  Durability durability = Durability::normal;
  bool create = true;  // a file that is not there is made
  // A new file knows nothing of what came before: was there another that was lost? So every key counts as just visited
  // when it is made. True: this is the first there ever was.
  bool first_ever = false;
  bool network_file_system = false;               // open it there all the same: whose locks can't be trusted
  std::chrono::milliseconds busy_timeout{5'000};  // how long another process may hold the file before "store-busy"
  MachineTime time;                               // empty functions: the machine's own
  MachineProcesses processes;                     // the same
};

// Opens `path`. The file is made with mode 0600; symbolic links are not followed; a directory in which others may write
// (other than a sticky one) is refused. Errors, each with a sentence that says what to do:
//   "store-path"     the path or its directory will not do
//   "store-missing"  there is no such file, and `create` is false
//   "store-foreign"  the file is no store of robotrules
//   "store-newer"    it was written by a newer version; Store::policy() too may say so, of the policy alone
//   "store-damaged"  it is damaged; `robotrules db PATH check --repair` saves what can be read
//   "store-busy"     another process holds it for longer than busy_timeout
//   "store-io"       the system could not read or write it
//   "store-forked"   it was opened before a fork(), and this is the child
// Every function of the store may answer with the last four. Thread rule: as Store. A process that is forked while it
// has a store open must not use the same file in the child before exec: SQLite can't.
//
// The file names the process that has a hold or a lease: the one that opened the store. Where a request is refused for
// one who has ended without a word (killed, say), his holds end then, as dispatches that were completed at that moment,
// and his leases are free: nobody waits for the dead but for the interval. A zombie has ended. Of a process in another
// PID namespace or of another run of the machine, and where /proc can't be read, nobody knows: the time of the hold
// must pass, as that of a process that lives.
Result<std::shared_ptr<Store>> open_sqlite_store(const std::string& path, SqliteStoreOptions options = {});

// "sqlite:PATH" or a path. Errors as above.
Result<std::shared_ptr<Store>> open_store(std::string_view name, SqliteStoreOptions options = {});

// What check found. `problems` is empty where the file is sound.
struct StoreCheck {
  std::vector<std::string> problems;
  std::string moved_to;            // by repair: where the damaged file lies now; empty: it was left alone
  std::uint64_t origins_kept = 0;  // by repair
  std::uint64_t gates_kept = 0;
  std::uint64_t urls_kept = 0;  // of its queue
  // By repair: the file's policy could not be read. The new file has RobotsPolicy::strict(): nobody knows whether the
  // old one was as strict, and a site that was closed must not be opened.
  bool policy_lost = false;
};

// Looks through the whole file. With `repair`, a damaged file is moved aside and a new one is made of what can be read
// in it, in which every key counts as just visited. Nobody else may have it open then: error "store-busy".
Result<StoreCheck> check_sqlite_store(const std::string& path, bool repair = false);

}  // namespace robotrules
