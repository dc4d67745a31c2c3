// The other end of every connection that libcurl makes in this process: a script in place of the network. connect() is
// this program's own, and makes a pair of sockets, so that there are no ports, no names and no waits.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace robotrules::fuzz {

enum class End : std::uint8_t {
  keep,       // the connection waits for its next request
  close,      // the connection ends
  half,       // only the first half is sent
  follow_up,  // the next answer follows at once, though nothing asked for it
};

struct Answer {
  std::string bytes;
  End end = End::keep;
  std::size_t piece = 0;  // bytes sent at once; 0: all
};

class Peer {
 public:
  static Peer& instance();

  // Ends all connections and begins another script. Each request on any connection takes the next answer; after the
  // last one connections are closed unanswered.
  void play(std::deque<Answer> answers);
  void take_connection(int descriptor);
  // Reads requests and sends what is due. Returns false if nothing moved.
  bool serve();
  // Closes the connections that were asked something. Returns false if there are none.
  bool hang_up();
  std::size_t requests() const noexcept { return requests_; }

 private:
  struct Connection {
    int descriptor;
    std::string asked;
    std::string to_send;
    std::size_t piece = 0;
    bool waits = false;  // for the rest of an answer
    bool ends = false;   // after to_send
  };
  bool read(Connection& connection);
  bool send(Connection& connection);
  void answer(Connection& connection);

  std::deque<Answer> answers_;
  std::vector<Connection> connections_;
  std::size_t requests_ = 0;
};

// Input bytes as a script. An answer begins behind each octet 0xFF; the byte after that says how it is sent:
// bits 0 and 1 its End, bit 2 its body in chunks, bit 3 packed by gzip, bits 4 and 5 the size of a piece (0: all), bit
// 6 with a Content-Length. With bits 2, 3 or 6 the harness writes that part of the head.
std::deque<Answer> script_of(std::string_view bytes);

}  // namespace robotrules::fuzz
