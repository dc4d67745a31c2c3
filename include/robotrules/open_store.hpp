// open_store(): opens a store by its name, whatever keeps it: a file, a Redis server or a PostgreSQL database.
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
// Thread rule: the functions may be called from any thread. Errors: see open_store().
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <robotrules/export.hpp>
#include <robotrules/result.hpp>
#include <robotrules/sqlite_store.hpp>
#include <robotrules/store.hpp>
#include <robotrules/time.hpp>

namespace robotrules {

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

}  // namespace robotrules
