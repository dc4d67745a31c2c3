// pgbouncer in front of a server: each transaction may have another session of it.
#pragma once

#include <sys/types.h>

#include <string>

#include "support/loopback_socket.hpp"
#include "support/postgres/postgres_server.hpp"

namespace robotrules::test {

// Ends with this object. Precondition: is_installed().
class Pooler {
 public:
  // `user`: the one of all sessions.
  explicit Pooler(const PostgresServer& server, const std::string& user = "postgres");
  ~Pooler();
  Pooler(const Pooler&) = delete;
  Pooler& operator=(const Pooler&) = delete;

  static bool is_installed();
  // The name of a store. `settings`: what follows the "?".
  std::string uri(const std::string& settings) const;

 private:
  const LoopbackSocket port_;
  pid_t pid_ = -1;
};

}  // namespace robotrules::test
