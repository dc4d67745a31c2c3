// One connection to a PostgreSQL server. No call waits longer than its deadline.
#pragma once

#include <libpq-fe.h>
#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <robotrules/result.hpp>

#include "store/postgres/values.hpp"

namespace robotrules::store::postgres {

using Deadline = std::chrono::steady_clock::time_point;

// How libpq finds the server: the options of a connection URI by name. `host` and `port` may be lists.
struct Target {
  std::vector<std::pair<std::string, std::string>> options;
  std::string shown;  // the name of the store without a password, for messages
};

// Statements are sent with their parameters and are not prepared: pgbouncer may give every transaction another session
// of the server, and a batch is planned in a fraction of the time that a commit takes.
// Thread rule: one thread at a time.
class Connection {
 public:
  // Tries the hosts of the target one after the other, beginning with number `first`, and all addresses of each; each
  // one gets its share of the time. Sets `first` to the host that has answered. The name of a host is looked up by the
  // system, whose own time limit applies to that.
  static Result<std::unique_ptr<Connection>> open(const Target& target, std::size_t& first, Deadline deadline);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Sends all statements at once and returns their answers. They are one transaction, unless one of them is BEGIN or
  // COMMIT. If a statement fails, the later ones are not run. After "store-unreachable", the connection is broken, and
  // it is unknown whether the statements were run.
  Result<Answers> run(const Batch& batch, Deadline deadline);

  // Returns true if no transaction is open and the server has not closed the connection, as far as this side knows.
  bool is_idle() noexcept;
  // Also true if an exception has left it in the middle of run().
  bool is_broken() const noexcept { return is_broken_ || is_running_; }
  int server_version() const noexcept { return PQserverVersion(link_.get()); }  // 150020 is version 15.20

 private:
  struct Finish {
    void operator()(PGconn* link) const noexcept { PQfinish(link); }
  };
  Connection(PGconn* link, std::string shown) : link_(link), shown_(std::move(shown)) {}
  Result<void> connect(Deadline deadline);
  Result<Answers> exchange(const Batch& batch, Deadline deadline);
  Result<Answers> receive(std::size_t count, Deadline deadline);
  // Waits until the server has answered or takes more bytes. Fails with "store-unreachable".
  Result<void> wait(bool to_write, Deadline deadline);
  Error broken(std::string_view why);

  std::unique_ptr<PGconn, Finish> link_;
  std::string shown_;
  const pid_t process_ = getpid();
  bool is_broken_ = false;
  bool is_running_ = false;
};

}  // namespace robotrules::store::postgres
