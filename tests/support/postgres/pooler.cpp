#include "support/postgres/pooler.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace robotrules::test {
namespace {

// Returns the program's path; empty: there is none.
std::string pgbouncer() {
  std::string path = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
  path += ":/usr/sbin";
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    std::string program = path.substr(begin, end - begin) + "/pgbouncer";
    if (::access(program.c_str(), X_OK) == 0) return program;
    begin = end + 1;
  }
  return "";
}

}  // namespace

bool Pooler::is_installed() { return !pgbouncer().empty(); }

Pooler::Pooler(const PostgresServer& server, const std::string& user) {
  const std::string settings = server.file(
      "pgbouncer.ini", "[databases]\n* = user=" + user + " host=" + server.folder() +
                           " port=" + std::to_string(server.port()) +
                           "\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = " + std::to_string(port_.port()) +
                           "\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 3\n"
                           "server_reset_query = DISCARD ALL\nserver_reset_query_always = 1\n");
  pid_ = server.launch({pgbouncer(), settings});
}

Pooler::~Pooler() { PostgresServer::end(pid_); }

std::string Pooler::uri(const std::string& settings) const {
  return "postgresql://postgres@127.0.0.1:" + std::to_string(port_.port()) + "/postgres?" + settings;
}

}  // namespace robotrules::test
