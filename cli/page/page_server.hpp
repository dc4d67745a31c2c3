// An HTTP server for one page on the loopback address 127.0.0.1.
//
//   boost::asio::io_context loop;
//   PageServer server(loop, page, 0);
//   std::cout << server.address() << '\n';
//   loop.run();
//
// It answers GET and HEAD for "/". A request that names another host in its Host field is refused with status 403: a
// foreign site whose name was pointed at 127.0.0.1 (DNS rebinding) cannot read from this address.
//
// Thread rule: all functions are for the thread that runs the loop.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace robotrules::cli {

class PageServer {
 public:
  // Starts to listen. `port`: 0 takes a free one. Throws boost::system::system_error if the port is in use.
  PageServer(boost::asio::io_context& loop, std::string page, std::uint16_t port);

  // Returns "http://127.0.0.1:PORT/".
  std::string address() const;

 private:
  void accept_next();

  boost::asio::ip::tcp::acceptor acceptor_;
  std::shared_ptr<const std::string> page_;
};

}  // namespace robotrules::cli
