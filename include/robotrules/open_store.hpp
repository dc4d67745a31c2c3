// Opens stores and URL queues by their names, whatever keeps them: a file, a Redis server or a PostgreSQL database.
//
//     auto store = robotrules::open_store("redis://gate.example:6379/0");  // or "robots.db"
//     if (!store) return report(store.error().message);
//     auto rules = robotrules::RobotRules::open(*store, "FooBot/1.0", robotrules::Dialect::rfc9309(),
//                                               robotrules::OtherAgent::refused);
//
// Names of stores:
//   PATH, sqlite:PATH                        one SQLite file, which the processes of one machine share
//   redis://[USER[:PASSWORD]@]HOST[:PORT][/NUMBER]     a Redis or Valkey server, which many machines share
//   rediss://...                             the same through TLS
//   redis+cluster://HOST[:PORT][,HOST...]    a cluster of such servers; rediss+cluster:// through TLS
//   postgresql://...                         a PostgreSQL database; a connection URI of libpq
// In a user, a password and a path, other characters are written as %XX. A name of a server may end with settings,
// ?NAME=VALUE&NAME=VALUE: docs/operations.md lists them.
//
// All processes that share a store must use the same robot name (OtherAgent). A store on a server uses the server's
// clock, so the clocks of the machines need not agree.
//
// Thread rule: the functions may be called from any thread. Errors: see open_sqlite_store() and open_store().
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/seams/machine.hpp>
#include <robotrules/store.hpp>
#include <robotrules/url_queue.hpp>

namespace robotrules {

// --- a store in a file -----------------------------------------------------------------------------------------------

// A store in one SQLite file survives the process and a crash, and many processes of one machine may share it.
//
//     const bool is_first_run = !std::filesystem::exists("robots.db");
//     auto store = robotrules::open_sqlite_store("robots.db", {.first_ever = is_first_run});
//
// All processes that share a file must use the same robot name. With the default OtherAgent::clears, a process with
// another name deletes the records and visits of the file. A process that forks while it has a store open must not use
// the same file in the child before exec, because SQLite does not support it.

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
//                    that changes something reports this: what it wrote would be lost, and others would not see it
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

// --- a store by its name ---------------------------------------------------------------------------------------------

// Options of a store on a server.
struct ServerStoreOptions {
  // A call fails with "store-unreachable" if the server has not answered for this long. A robot makes the call again
  // until the server answers; meanwhile it sends no request.
  std::chrono::milliseconds timeout{5'000};
  // A change of a record that another process made is seen after this time at the latest. RFC 9309 section 2.4 allows a
  // day.
  std::chrono::seconds max_staleness{60};
  // If a process does not report to the server for this long, it counts as dead, and its holds and leases end. A
  // process reports three times in this period.
  std::chrono::seconds owner_lease{30};
  std::size_t cache_bytes = std::size_t{64} << 20;  // records that are kept in the memory of this process
  std::function<Timestamp()> clock{};               // for tests: the time to use in place of the server's clock
};

struct StoreOptions {
  SqliteStoreOptions sqlite{};  // for a file
  ServerStoreOptions server{};  // for a server
};

// Returns the store with that name.
//
// A file: fails as open_sqlite_store() does. A server: fails with one of these errors, whose message says what to do:
//   "store-name"         the name cannot be understood, or this build has no support for that kind of store
//   "store-unreachable"  no server answers at this address, or it has not answered in time
//   "store-refused"      the server refuses the password or the user, or the user may not do what a store does
//   "store-tls"          the server's certificate cannot be verified, or TLS failed in another way
//   "store-unsuitable"   the server may lose rows (a Redis server that evicts keys), or its version is too old
//   "store-foreign"      the database contains something else than a store of robotrules, or another role of the
//                        PostgreSQL server can put code into the store's schema
//   "store-newer"        a newer version has written the store
//   "store-damaged"      a row of the store cannot be read
//   "store-full"         the server has no room for more
//   "store-read-only"    the server is a replica that cannot be written
//   "store-io"           the server reports another error
// Every function of the store may fail with these; then it has changed nothing, or, after "store-unreachable", perhaps
// everything that it was asked to change.
ROBOTRULES_API Result<std::shared_ptr<Store>> open_store(std::string_view name, StoreOptions options = {});

// --- URL queues by the name of their store ---------------------------------------------------------------------------

// Returns the queue of a job in a store's file; a job that does not exist is made. `name` is a name for open_store(); a
// file that does not exist is made in the same way, and the errors are the same. If `name` is empty, returns a queue in
// a temporary database. It is in memory until the page cache is full, then in the folder for temporary files. It is
// deleted together with the queue. Also fails with "invalid-job": a name has 1 to 200 bytes of UTF-8 without spaces,
// "#" and control characters.
ROBOTRULES_API Result<std::unique_ptr<UrlQueue>> open_url_queue(const std::string& name,
                                                                const std::string& job = std::string(default_job),
                                                                const StoreOptions& options = {});

// A job of a file.
struct QueueJob {
  std::string name;
  QueueCounts counts;
  std::vector<std::string> outputs;  // names of OutputPosition
  std::string note;
  bool is_claimed = false;  // it has a worker; in a SQLite file: on this machine
  std::uint64_t workers = 0;
  std::uint64_t claimed_sites = 0;  // sites with pending URLs that a worker has; a SQLite file does not tell them apart
  std::uint64_t free_sites = 0;     // the other sites with pending URLs
  double urls_per_second = 0;       // that all workers together settled lately; 0 also if it is not known
};

// Returns the jobs in a store's file, in the order in which they were made. The file must exist; it may be read-only
// (SqliteStoreOptions::accept_read_only). Errors as above.
ROBOTRULES_API Result<std::vector<QueueJob>> list_jobs(const std::string& name);

// Removes a job of a store's file and its URLs, and returns it as it was. The files of its outputs stay. The file must
// exist; errors as above. Also fails with "unknown-job", and with "queue-claimed" if the job has a worker. There is one
// transaction for about every 20,000 URLs: if a call fails or the process ends, call again to continue.
ROBOTRULES_API Result<QueueJob> remove_job(const std::string& name, const std::string& job);

}  // namespace robotrules
