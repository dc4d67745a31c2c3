// Connections to Redis servers, with or without TLS. Every function returns at its deadline.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <robotrules/base.hpp>

#include "servers/redis/redis_settings.hpp"
#include "servers/redis/reply.hpp"

namespace robotrules::store::redis {

using Deadline = std::chrono::steady_clock::time_point;

// One connection. One thread at a time. After an error, it is of no more use.
class Connection {
 public:
  virtual ~Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Sends the commands in one piece. Their replies come in the same order. Fail with "store-unreachable".
  virtual Result<void> send(std::span<const Command* const> commands, Deadline deadline) = 0;
  virtual Result<Reply> receive(Deadline deadline) = 0;
  // Returns false if the server has closed the connection.
  virtual bool is_open() noexcept = 0;

  // Of Node.
  std::uint64_t generation() const noexcept { return generation_; }
  void set_generation(std::uint64_t generation) noexcept { generation_ = generation; }

 protected:
  Connection() = default;

 private:
  std::uint64_t generation_ = 0;
};

// Opens connections. Any thread.
class Connector {
 public:
  // Fails with "store-tls" if a file of certificates cannot be read.
  static Result<std::unique_ptr<Connector>> make(const Settings& settings);
  ~Connector();
  Connector(const Connector&) = delete;
  Connector& operator=(const Connector&) = delete;

  // Returns a connection on which the user has logged in. Fails with "store-unreachable", "store-tls" or
  // "store-refused".
  Result<std::unique_ptr<Connection>> connect(const ServerAddress& address, Deadline deadline) const;

 private:
  struct State;
  explicit Connector(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace robotrules::store::redis
