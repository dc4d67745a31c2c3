// An HTTP server for one page on the loopback address 127.0.0.1.
//
//   boost::asio::io_context loop;
//   PageServer server(loop, page, 0);
//   std::cout << server.address() << '\n';
//   loop.run();
//
// It answers as a TextServer does.
//
// Thread rule: all functions are for the thread that runs the loop.
#pragma once

#include <cstdint>
#include <string>

#include <boost/asio/io_context.hpp>

#include "cli/io/text_server.hpp"

namespace robotrules::cli {

class PageServer {
 public:
  // Starts to listen. `port`: 0 takes a free one. Throws boost::system::system_error if the port is in use.
  PageServer(boost::asio::io_context& loop, std::string page, std::uint16_t port);

  // Returns "http://127.0.0.1:PORT/".
  std::string address() const;

 private:
  TextServer server_;
};

}  // namespace robotrules::cli
