// A PostgreSQL server of its own, as Debian has it, started by a test in a temporary folder and ended with it. It runs
// as an unprivileged user and listens on a Unix socket, and on a free port of 127.0.0.1 if the test wants that.
//
//     if (!PostgresServer::is_installed()) GTEST_SKIP() << "PostgreSQL is not installed";
//     PostgresServer server;
//     auto store = open_store(server.uri("schema=one"));
#pragma once

#include <libpq-fe.h>
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "support/loopback_socket.hpp"

namespace robotrules::test {

// Throws std::runtime_error, with the server's log, if the server cannot do what it is told. Thread rule: one thread at
// a time; query() from any thread.
class PostgresServer {
 public:
  struct Options {
    bool is_durable = false;                 // false: no fsync, which is much faster
    bool on_disk = false;                    // false: the folder is in memory if the machine has such a place
    bool listens = false;                    // on a port of 127.0.0.1
    std::vector<std::string> settings = {};  // lines of postgresql.conf
    std::string access = {};                 // pg_hba.conf; empty: every user is trusted
    std::string copy_of = {};                // folder of another server, which is a backup of it; empty: a new server
    bool is_standby = false;
  };
  PostgresServer() : PostgresServer(Options()) {}
  explicit PostgresServer(Options options);
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // The server that the tests of a program share: started with the first call and ended with the program. Each test
  // uses a schema of its own: new_schema().
  static PostgresServer& shared();
  static bool is_installed();
  static std::string new_schema();  // a name that no other test has

  // The name of a store. `settings`: what follows the "?", such as "schema=one".
  std::string uri(const std::string& settings = {}, const std::string& user = "postgres") const;
  // The same over TCP. Precondition: it listens.
  std::string tcp_uri(const std::string& settings = {}, const std::string& user = "postgres") const;
  std::uint16_t port() const noexcept { return port_.port(); }
  const std::string& folder() const noexcept { return folder_; }
  // The user of the system that the server runs as.
  static uid_t user();
  // Writes a file that only the server's user can read, and returns its path.
  std::string file(const std::string& name, const std::string& contents) const;

  // Runs statements as the superuser and returns the first value of the last one.
  std::string query(const std::string& sql) const;

  enum class Stop { fast, immediate, killed };
  // Ends it; immediate and killed: as after a crash.
  void stop(Stop how = Stop::fast);
  // Starts it again. Does not wait until it answers if `waits` is false.
  void start(bool waits = true);
  void wait_until_it_answers();
  pid_t pid() const noexcept { return pid_; }
  std::string log() const;

  // Runs a program of PostgreSQL ("pg_basebackup"), or one with a path, as the server's user. Returns its output.
  std::string run(const std::string& program, const std::vector<std::string>& arguments) const;

  // Makes a backup in the server's folder, and returns its path: see Options::copy_of.
  std::string backup() const;
  // Makes and starts a standby server that listens. Its name for synchronous_standby_names is "standby". Precondition:
  // this server listens.
  std::unique_ptr<PostgresServer> standby() const;

  // Starts a program that goes on running, with a path, as the server's user, and ends such a program.
  pid_t launch(const std::vector<std::string>& words) const;
  static void end(pid_t pid);

 private:
  void make();
  std::string empty_cluster() const;

  const Options options_;
  std::string folder_;
  const LoopbackSocket port_;  // keeps the port while the server is away
  pid_t pid_ = -1;
};

}  // namespace robotrules::test
