// One connection to a PostgreSQL server. No call waits longer than its deadline.
#pragma once

#include <libpq-fe.h>
#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <robotrules/base.hpp>

#include "servers/postgres/postgres_values.hpp"

namespace robotrules::store::postgres {

using Deadline = std::chrono::steady_clock::time_point;

// How libpq finds the server: the options of a connection URI by name. `host` and `port` may be lists.
struct Target {
  std::vector<std::pair<std::string, std::string>> options;
  std::string shown;                // the name of the store without a password, for messages
  std::vector<std::string> hidden;  // the secrets of the name (ShownStore::hidden)
};

// Frequent statements are prepared if the session of the server belongs to this connection. Behind a pooler of
// connections it does not: pgbouncer may give every transaction another session, without the prepared statements.
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
  // False behind a pooler of connections, such as pgbouncer.
  bool has_own_session() const noexcept { return has_own_session_; }
  // The settings of the session are those of transactions that take up to this long; null: each transaction makes its
  // own settings.
  std::optional<std::chrono::milliseconds> session_limit() const noexcept { return session_limit_; }
  // Precondition: has_own_session().
  void set_session_limit(std::chrono::milliseconds limit) noexcept { session_limit_ = limit; }

 private:
  struct Finish {
    void operator()(PGconn* link) const noexcept { PQfinish(link); }
  };
  // A message that the server answers with one result.
  struct Sent {
    std::string prepared = {};  // the name of the statement that it prepares; empty: it runs one
  };
  Connection(PGconn* link, const Target& target) : link_(link), shown_(target.shown), hidden_(target.hidden) {}
  // Return a sentence of libpq, the last one or that of a result, without the secrets of the store's name.
  std::string said() const;
  std::string said(const PGresult* result) const;
  Result<void> connect(Deadline deadline);
  Result<void> learn_session(Deadline deadline);
  // Returns false if libpq has failed.
  bool send(const Statement& statement, std::vector<Sent>& sent);
  Result<Answers> exchange(const Batch& batch, Deadline deadline);

  Result<Answers> receive(const std::vector<Sent>& sent, Deadline deadline);
  // Waits until the server has answered or takes more bytes. Fails with "store-unreachable".
  Result<void> wait(bool to_write, Deadline deadline);
  Error broken(std::string_view why);

  std::unique_ptr<PGconn, Finish> link_;
  std::string shown_;
  std::vector<std::string> hidden_;
  const pid_t process_ = getpid();
  bool has_own_session_ = false;
  std::optional<std::chrono::milliseconds> session_limit_;
  std::map<std::string, std::string> names_;  // of frequent statements, by their text
  std::set<std::string> prepared_;            // the names of the prepared statements
  bool is_broken_ = false;
  bool is_running_ = false;
};

}  // namespace robotrules::store::postgres
