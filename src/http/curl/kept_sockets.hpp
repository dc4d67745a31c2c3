// The sockets of open connections, by their ends. libcurl 7.88 does not tell the socket of a connection that it uses
// again.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace robotrules::agent {

// Thread rule: one thread at a time.
class KeptSockets {
 public:
  // The ends of a connection, as CURLOPT_PREREQFUNCTION gets them.
  static std::string ends(std::string_view remote, int remote_port, std::string_view local, int local_port);

  // Remembers the one of `sockets` that has this local port.
  void remember(const std::string& ends, const std::vector<int>& sockets, int local_port);
  // Returns the socket of a connection; -1 if it is not known.
  int find(const std::string& ends) const noexcept;
  // Closes a socket and forgets it.
  void close(int socket) noexcept;

 private:
  std::unordered_map<std::string, int> sockets_;
  std::unordered_map<int, std::string> ends_;
};

}  // namespace robotrules::agent
