// A connection that the threads of a process share.
#pragma once

#include <unistd.h>

#include <memory>
#include <mutex>
#include <utility>

#include "store/request_check.hpp"
#include "store/sqlite/database.hpp"

namespace robotrules::store {

// Thread rule: any thread may call any function. A connection does not survive fork(): in the child, SQLite would take
// the parent's locks for its own. So calls in the child fail with "store-forked", and the child does not close the
// connection.
class SharedDatabase {
 public:
  SharedDatabase() = default;
  SharedDatabase(const SharedDatabase&) = delete;
  SharedDatabase& operator=(const SharedDatabase&) = delete;

 protected:
  ~SharedDatabase() {
    if (process_ != getpid()) static_cast<void>(database_.release());
  }

  // Sets the connection. Call it before any other function, from one thread.
  void own(std::unique_ptr<Database> database) {
    database_ = std::move(database);
    process_ = getpid();
  }

  // Runs `body` while no other thread uses the connection.
  template <class Body>
  auto locked(Body body) const -> decltype(body()) {
    const std::lock_guard lock(mutex_);
    if (auto own = own_connection(); !own) return own.error();
    return body();
  }
  // Does the same in one transaction.
  template <class Body>
  auto changing(Body body) -> decltype(body()) {
    return locked([&] { return in_transaction(*database_, body); });
  }

  std::unique_ptr<Database> database_;

 private:
  Result<void> own_connection() const { return process_ == getpid() ? Result<void>() : forked(database_->path()); }

  mutable std::mutex mutex_;
  pid_t process_ = getpid();
};

}  // namespace robotrules::store
