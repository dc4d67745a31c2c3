// An HTTP server for short texts, such as a page and metrics: it answers GET and HEAD, one request for each connection.
//
//   boost::asio::io_context loop;
//   TextServer server(loop, {boost::asio::ip::address_v4::loopback(), 0}, [](std::string_view target) {
//     return target == "/" ? ServedText{200, "text/plain; charset=utf-8", "hello\n"} : ServedText{404, ...};
//   });
//   loop.run();
//
// A client that sends nothing keeps only its own connection, for ten seconds at most, and no longer than until 64
// others have come. While the process has no descriptor left, the server waits a second before it accepts again.
//
// Host fields: at a loopback address, only localhost and the addresses 127.0.0.1, [::1] and the server's own are
// answered, with any port; other requests get status 403. So a foreign site whose name was pointed at this machine (DNS
// rebinding) cannot read the text. At another address every name is answered, because it may have any.
//
// Thread rule: all functions are for the thread that runs the loop; the constructor may run before.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

namespace robotrules::cli {

struct ServedText {
  unsigned status = 200;
  std::string content_type;
  std::string body;
};

// Returns a sentence as plain text.
ServedText served_sentence(unsigned status, std::string_view sentence);

class TextServer {
 public:
  // Returns the answer for a target, such as "/metrics" or "/?x".
  using Answer = std::function<ServedText(std::string_view target)>;

  // Starts to listen. Port 0 takes a free one. Throws boost::system::system_error.
  TextServer(boost::asio::io_context& loop, const boost::asio::ip::tcp::endpoint& at, Answer answer);
  ~TextServer();
  TextServer(const TextServer&) = delete;
  TextServer& operator=(const TextServer&) = delete;

  boost::asio::ip::tcp::endpoint address() const { return address_; }

 private:
  class Session;
  struct Site;

  void accept_next();
  void begin(boost::asio::ip::tcp::socket socket);

  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::steady_timer pause_;
  boost::asio::ip::tcp::endpoint address_;
  std::shared_ptr<const Site> site_;
  std::list<std::weak_ptr<Session>> sessions_;  // the oldest first
};

}  // namespace robotrules::cli
