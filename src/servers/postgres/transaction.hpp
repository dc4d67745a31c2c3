// Transactions on a pool of connections.
#pragma once

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <robotrules/open_store.hpp>

#include "servers/health_log.hpp"
#include "servers/postgres/clock_watch.hpp"
#include "servers/postgres/postgres_connection.hpp"
#include "servers/postgres/postgres_problems.hpp"
#include "servers/postgres/postgres_settings.hpp"
#include "servers/server_clock.hpp"
#include "store/request_check.hpp"

namespace robotrules::store::postgres {

// Changes of many rows may take this long.
inline constexpr std::chrono::minutes long_limit{10};

// How the server plans the statements of a session of its own.
enum class Plans {
  fresh,    // each time, for the tables as they are now
  indexed,  // with an index and without joins by hash or order, so the plan of a frequent statement stays good while
            // the tables grow, and the server keeps it
};

// One transaction. What the server needs to know is the schema, and time limits, so that a stopped process cannot hold
// its locks for long. A session that belongs to the connection is told once. Behind a pooler, each transaction may have
// another session, so it makes the settings for itself alone. Thread rule: one thread at a time.
class Transaction {
 public:
  // `limit`: how long all of it may take. `deadline`: when it ends on this side.
  Transaction(Connection& connection, const std::string& schema, std::chrono::milliseconds limit, Deadline deadline)
      : connection_(connection), schema_(schema), limit_(limit), deadline_(deadline) {}
  ~Transaction();  // undoes what was not committed
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  // Runs the statements and waits for their answers.
  Result<Answers> run(Batch batch);
  // Runs the statements and commits. If it fails with "store-unreachable", it is unknown whether it has committed;
  // after other errors, nothing has changed. Precondition: it was not called before.
  Result<Answers> commit(Batch batch = {});
  // Runs statements that only read, as a transaction of their own in one round trip. Precondition: nothing else was
  // called.
  Result<Answers> run_alone(Batch batch);

  bool has_sent_commit() const noexcept { return has_sent_commit_; }

 private:
  enum class End { none, commit, alone };
  Result<Answers> send(Batch batch, End end);

  Connection& connection_;
  const std::string& schema_;
  const std::chrono::milliseconds limit_;
  const Deadline deadline_;
  bool is_open_ = false;
  bool has_sent_commit_ = false;
};

// All functions that ask the server fail with "store-forked" in a child of the process that made the pool: both would
// write to the same connections. Any thread.
class Pool {
 public:
  // Which connections a call may use.
  enum class Use {
    by_calls,
    by_reports,  // one that is free even if slow calls use all others
  };

  Pool(Settings settings, const ServerStoreOptions& options, Plans plans)
      : settings_(std::move(settings)),
        timeout_(options.timeout),
        plans_(plans),
        clock_(options.clock),
        watch_(timeout_) {
    idle_.reserve(max_connections);
  }

  // Calls `body` with a transaction until it returns something else than the error `again_code`. Also calls it again if
  // a connection that was not used for a while turns out to be lost, and nothing can have changed. So `body` may be
  // called several times. `limit`: for the whole call; a long one is for a change of many rows.
  template <class Body>
  auto transact(Body&& body) -> decltype(body(std::declval<Transaction&>())) {
    return transact(timeout_, std::forward<Body>(body));
  }
  template <class Body>
  auto transact(std::chrono::milliseconds limit, Body&& body, Use use = Use::by_calls)
      -> decltype(body(std::declval<Transaction&>()));
  // Runs statements as one transaction in one round trip. read(): they only read.
  Result<Answers> read(Batch batch);
  Result<Answers> change(Batch batch) { return change(std::move(batch), timeout_); }
  Result<Answers> change(Batch batch, std::chrono::milliseconds limit, Use use = Use::by_calls);

  const Settings& settings() const noexcept { return settings_; }
  const std::string& shown() const noexcept { return settings_.target.shown; }
  ServerClock& clock() noexcept { return clock_; }
  const ServerClock& clock() const noexcept { return clock_; }
  ClockWatch& watch() noexcept { return watch_; }
  StoreHealth health() const { return health_.health(); }
  std::chrono::milliseconds timeout() const noexcept { return timeout_; }

 private:
  // A connection that one call uses. Goes back with this object, even after an exception.
  struct Borrowed {
    Borrowed() = default;
    Borrowed(Borrowed&& other) noexcept
        : pool(std::exchange(other.pool, nullptr)), connection(std::move(other.connection)), is_new(other.is_new) {}
    Borrowed& operator=(Borrowed&&) = delete;
    ~Borrowed();
    Pool* pool = nullptr;
    std::unique_ptr<Connection> connection;
    bool is_new = false;
  };
  Result<Borrowed> borrow(Deadline deadline, Use use);
  // Fails with "store-foreign" if the schema is not safe. Then the connection must not be used.
  Result<void> prepare(Connection& connection, Deadline deadline);
  void give_back(std::unique_ptr<Connection> connection) noexcept;
  // Takes note of the outcome of a call. Returns true if the call must be made again.
  bool must_repeat(const Error& error, bool is_new, bool has_sent_commit, int attempt, Deadline deadline);
  Error outcome(Error error);

  static constexpr std::size_t max_connections = 8;

  const Settings settings_;
  const std::chrono::milliseconds timeout_;
  const Plans plans_;
  const pid_t process_ = getpid();
  ServerClock clock_;
  ClockWatch watch_;
  HealthLog health_;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<std::unique_ptr<Connection>> idle_;  // the last used one last; its capacity is never exceeded
  std::size_t borrowed_ = 0;
  std::size_t host_ = 0;  // that has answered last
};

// A part of the rows that a call deletes: so many were found and deleted, and `last` was the last one.
struct Piece {
  int found = 0;
  std::uint64_t deleted = 0;
  std::string last;
};
inline constexpr std::int64_t piece_rows = 1'000;
// Calls `next(after)`, which finds up to piece_rows rows after that key, until it has found fewer. So no transaction
// locks many rows for long. Returns how many were deleted.
template <class Next>
Result<std::uint64_t> in_pieces(const Next& next) {
  std::uint64_t deleted = 0;
  std::string after;
  while (true) {
    Result<Piece> piece = next(after);
    if (!piece) return piece.error();
    deleted += piece.value().deleted;
    if (piece.value().found < piece_rows) return deleted;
    after = std::move(piece.value().last);
  }
}

template <class Body>
auto Pool::transact(std::chrono::milliseconds limit, Body&& body, Use use)
    -> decltype(body(std::declval<Transaction&>())) {
  if (getpid() != process_) return forked(shown());
  const Deadline deadline = std::chrono::steady_clock::now() + limit;
  for (int attempt = 0;; ++attempt) {
    bool is_new = false;
    bool has_sent_commit = false;
    auto answer = [&]() -> decltype(body(std::declval<Transaction&>())) {
      const auto borrowed = borrow(deadline, use);
      is_new = !borrowed || borrowed.value().is_new;
      if (!borrowed) return borrowed.error();
      Transaction transaction(*borrowed.value().connection, settings_.schema, limit, deadline);
      auto done = body(transaction);
      has_sent_commit = transaction.has_sent_commit();
      return done;
    }();
    if (answer) {
      health_.answered();
      return answer;
    }
    if (must_repeat(answer.error(), is_new, has_sent_commit, attempt, deadline)) continue;
    return outcome(answer.error());
  }
}

}  // namespace robotrules::store::postgres
