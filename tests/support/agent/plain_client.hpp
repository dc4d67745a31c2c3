// A client that sends and reads single bytes: what servers of the tests are themselves tried with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace robotrules::test {

class PlainClient {
 public:
  // Connects; throws std::runtime_error where it cannot. Reads give up after 20 s, with what there is.
  explicit PlainClient(std::uint16_t port, const std::string& address = "127.0.0.1");
  ~PlainClient();
  PlainClient(const PlainClient&) = delete;
  PlainClient& operator=(const PlainClient&) = delete;

  static bool refused(std::uint16_t port, const std::string& address = "127.0.0.1");

  void send(std::string_view bytes);
  std::string read(std::size_t bytes);
  std::string read_all();
  // Something, or the end, is there to be read.
  bool readable() const;
  bool was_reset() const { return was_reset_; }
  void half_close();
  std::uint16_t local_port() const;

 private:
  int socket_;
  bool was_reset_ = false;
};

}  // namespace robotrules::test
