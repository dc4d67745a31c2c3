#include "answers/peer.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "gzip.hpp"
#include "input.hpp"

namespace robotrules::fuzz {
namespace {

std::string in_chunks(std::string_view body) {
  std::string chunked;
  for (std::size_t size = 1; !body.empty(); size = size * 3 + 1) {
    const std::string_view chunk = body.substr(0, size);
    std::array<char, 20> length{};
    static_cast<void>(std::snprintf(length.data(), length.size(), "%zx\r\n", chunk.size()));
    chunked.append(length.data()).append(chunk).append("\r\n");
    body.remove_prefix(chunk.size());
  }
  return chunked + "0\r\n\r\n";
}

Answer answer_of(std::uint8_t how, std::string_view bytes) {
  constexpr std::array<std::size_t, 4> pieces{0, 1, 7, 100};
  Answer answer;
  answer.end = static_cast<End>(how & 3U);
  answer.piece = pieces[how >> 4U & 3U];
  const std::size_t head_end = bytes.find("\r\n\r\n");
  if ((how & 0x4CU) == 0 || head_end == std::string_view::npos) {
    answer.bytes = bytes;
    return answer;
  }
  answer.bytes = bytes.substr(0, head_end + 2);
  std::string body(bytes.substr(head_end + 4));
  if ((how & 8U) != 0) {
    answer.bytes += "Content-Encoding: gzip\r\n";
    body = gzip(body);
  }
  if ((how & 0x40U) != 0) answer.bytes += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  if ((how & 4U) != 0) {
    answer.bytes += "Transfer-Encoding: chunked\r\n";
    body = in_chunks(body);
  }
  answer.bytes += "\r\n" + body;
  return answer;
}

}  // namespace

std::deque<Answer> script_of(std::string_view bytes) {
  std::deque<Answer> answers;
  bytes.remove_prefix(std::min(bytes.find('\xFF'), bytes.size()));
  while (bytes.size() > 1) {
    const auto how = static_cast<std::uint8_t>(bytes[1]);
    bytes.remove_prefix(2);
    const std::string_view octets = bytes.substr(0, bytes.find('\xFF'));
    answers.push_back(answer_of(how, octets));
    bytes.remove_prefix(octets.size());
  }
  return answers;
}

Peer& Peer::instance() {
  static Peer peer;
  return peer;
}

void Peer::play(std::deque<Answer> answers) {
  for (const Connection& connection : connections_) close(connection.descriptor);
  connections_.clear();
  answers_ = std::move(answers);
  requests_ = 0;
}

void Peer::take_connection(int descriptor) {
  connections_.push_back({.descriptor = descriptor, .asked = {}, .to_send = {}});
}

void Peer::answer(Connection& connection) {
  ++requests_;
  connection.waits = true;
  for (bool more = true; more;) {
    more = false;
    if (answers_.empty()) {
      connection.ends = true;
      return;
    }
    const Answer next = std::move(answers_.front());
    answers_.pop_front();
    connection.piece = next.piece;
    connection.to_send += next.end == End::half ? next.bytes.substr(0, next.bytes.size() / 2) : next.bytes;
    connection.ends = next.end == End::close;
    more = next.end == End::follow_up;
  }
}

// Requests have no bodies.
bool Peer::read(Connection& connection) {
  std::array<char, 16'384> buffer;
  const ssize_t got = recv(connection.descriptor, buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (got < 0) return false;
  if (got == 0) {
    if (connection.ends && connection.to_send.empty()) return false;
    connection.ends = true;
    connection.to_send.clear();
    return true;
  }
  connection.asked.append(buffer.data(), static_cast<std::size_t>(got));
  for (std::size_t end = 0; (end = connection.asked.find("\r\n\r\n")) != std::string::npos;) {
    connection.asked.erase(0, end + 4);
    answer(connection);
  }
  return true;
}

bool Peer::send(Connection& connection) {
  if (connection.to_send.empty()) return false;
  const std::size_t size = connection.piece == 0 ? connection.to_send.size() : connection.piece;
  const ssize_t sent = ::send(connection.descriptor, connection.to_send.data(),
                              std::min(size, connection.to_send.size()), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return false;
  connection.to_send.erase(0, sent < 0 ? std::string::npos : static_cast<std::size_t>(sent));
  if (sent < 0) connection.ends = true;
  return true;
}

bool Peer::serve() {
  bool moved = false;
  for (Connection& connection : connections_) {
    if (read(connection)) moved = true;
    if (send(connection)) moved = true;
  }
  const auto over = [](const Connection& connection) { return connection.ends && connection.to_send.empty(); };
  for (const Connection& connection : connections_) {
    if (over(connection)) close(connection.descriptor);
  }
  return std::erase_if(connections_, over) > 0 || moved;
}

bool Peer::hang_up() {
  bool any = false;
  for (Connection& connection : connections_) {
    if (!connection.waits && connection.asked.empty()) continue;  // (a TLS handshake is no request)
    connection.ends = any = true;
    connection.to_send.clear();
  }
  return any;
}

}  // namespace robotrules::fuzz

// The program's own come before the C library's, for libcurl too.
extern "C" int connect(int descriptor, const sockaddr*, socklen_t) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  if (dup3(ends[0], descriptor, O_CLOEXEC) < 0) return -1;
  close(ends[0]);
  robotrules::fuzz::Peer::instance().take_connection(ends[1]);
  return 0;
}

extern "C" int getpeername(int, sockaddr* address, socklen_t* size) {
  sockaddr_in loopback{};
  loopback.sin_family = AF_INET;
  loopback.sin_port = htons(80);
  loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::memcpy(address, &loopback, std::min<std::size_t>(*size, sizeof loopback));
  *size = sizeof loopback;
  return 0;
}
